"""Readings of appliances that are not there, for the tests of those who tell them apart."""

from functools import partial

import numpy as np
import pandas as pd

from noiseless.adversaries.inputs.appliances import (
    ApplianceTraining,
    MeterRelease,
    MeterReports,
    Recording,
)
from noiseless.data.local import locate_redd
from noiseless.data.redd import read_low_freq
from noiseless.data.samples.redd import write_redd
from noiseless.seeds import make_generator

POWER_W = np.array([100.0, 1500.0])


def make_recording(bins=400, seed=1):
    """A kettle that is on for some bins in a row, a fridge for more, and noise of 3 W."""
    rng = np.random.default_rng(seed)
    is_on = np.stack(
        [np.repeat(rng.random(bins // length) < 0.4, length) for length in (20, 5)], axis=1
    )
    power = is_on * (POWER_W + rng.normal(0, 3, is_on.shape))
    return Recording(
        appliances=("fridge", "kettle"),
        period_s=60,
        slot=np.arange(bins),
        day=np.arange(bins) // 100,
        mains_w=power.sum(axis=1),
        power_w=power,
        is_on={"losses": is_on, "metrics": is_on},
        reading_w=power.sum(axis=1),
        reading_bin=np.arange(bins),
    )


def training_on(recording, **settings):
    """What adversaries learn from."""
    return ApplianceTraining(recording, (0.0, 2000.0), settings, partial(make_generator, 1, "toy"))


def reports_of(known, asked):
    """Both parts, released as they are."""
    seen = [MeterRelease(each.mains_w, each.mains_w, each.mains_w) for each in (known, asked)]
    return MeterReports(*seen, asked.slot, asked.day)


def long_table(meters):
    """Times and readings by meter as one prepared table."""
    return pd.concat(
        [
            pd.DataFrame({"meter": name, "channel": 0, "time_s": time_s, "power_w": power_w})
            for name, (time_s, power_w) in meters.items()
        ],
        ignore_index=True,
    )


def sampled_redd(folder, **settings):
    """The made-up house 1 of REDD as one prepared table; its files stay in ``low_freq``."""
    write_redd(folder / "low_freq" / "house_1" / "labels.dat", **settings)
    return read_low_freq(**locate_redd(folder / "low_freq", 1)[1])
