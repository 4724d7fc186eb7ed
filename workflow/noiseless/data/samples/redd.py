"""Synthetic sample of REDD's ``low_freq/house_1``: mains that are the sum of a home's circuits."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from noiseless.arrays import Bools, Floats
from noiseless.data.local import CHANNELS
from noiseless.files import write_atomically
from noiseless.seeds import make_generator

_DAY_S = 86_400
_SPLIT_TIME_S = 1_304_136_000  # 30 April 2011, midnight in Boston: where training ends
_FIRST_LEG = {5, 8, 9, 11}  # circuits on the first leg; the others are on the second
_BASE_LOAD_W = 45.0
_MAINS_NOISE_W = 1.5


def write_redd(path: str | Path, *, days: int, period_s: int, seed: int) -> None:
    """Write a synthetic home in the original format: ``labels.dat``, and a file per channel.

    A fridge cycles; a dish washer, a microwave, sockets, lights and a washer dryer run at the hours
    at which people use them. As in REDD, the sockets never draw less than 10 W, so that they count
    as on at all times, and a light is on half of the time. The mains, read three times as often,
    are their sum, a base load that nothing meters, and noise, on two legs. As in the original,
    readings are jittered, the mains are off for some hours, all meters are at other times, one line
    is out of order, and one of two circuits with the same label hardly does anything.
    """
    rng = make_generator(seed, "sample", "redd")
    step_s = period_s / 3
    start_s = _SPLIT_TIME_S - days // 2 * _DAY_S
    steps = int(days * _DAY_S / step_s)
    hour = (np.arange(steps) * step_s / 3600) % 24
    power = _simulate_appliances(hour, step_s, days, rng)
    legs = {
        1: _BASE_LOAD_W + sum(power[number] for number in sorted(_FIRST_LEG)),
        2: sum(power[number] for number in sorted(set(power) - _FIRST_LEG)),
    }
    gap_all, gap_mains = (_draw_gaps(steps, step_s, hours, days, rng) for hours in (3.0, 5.0))
    folder = Path(path).parent
    with write_atomically(path) as partial:
        partial.write_text("".join(f"{number} {label}\n" for number, label in CHANNELS.items()))
    for number in CHANNELS:
        is_mains = number in legs
        exact = legs[number] if is_mains else power[number]
        exact = exact + rng.normal(0, _MAINS_NOISE_W if is_mains else 0.3, steps)
        chosen = ~(gap_all | gap_mains) if is_mains else ~gap_all
        position = np.flatnonzero(chosen)
        position = position if is_mains else position[::3]
        jitter = np.zeros(len(position)) if is_mains else rng.integers(0, 2, len(position))
        time_s = start_s + np.floor(position * step_s + jitter).astype(np.int64)
        # A meter gives integer watts for an appliance, hundredths for the mains.
        watts = np.maximum(exact[position], 0).round(2 if is_mains else 0)
        lines = [f"{t} {w:.2f}\n" for t, w in zip(time_s.tolist(), watts.tolist(), strict=True)]
        lines[10], lines[11] = lines[11], lines[10]
        with write_atomically(folder / f"channel_{number}.dat") as partial:
            partial.write_text("".join(lines))


def _simulate_appliances(
    hour: Floats, step_s: float, days: int, rng: np.random.Generator
) -> dict[int, Floats]:
    """Simulate the power (W) of each circuit at each step, by the channel's number."""
    steps = len(hour)

    def simulate_runs(
        per_day: float, hours: tuple[float, float], draw: Callable[[], list]
    ) -> Floats:
        """Simulate a circuit that runs so often a day, in these hours; a run is (minutes, W)s."""
        watts = np.zeros(steps)
        for run in range(round(per_day * days)):
            at = int((rng.uniform(*hours) + 24 * (run % days)) * 3600 / step_s)
            for minutes, level in draw():
                end = at + round(minutes * 60 / step_s)
                watts[at:end] = level
                at = end
        return watts

    fridge = np.full(steps, 6.0)
    at = 0
    while at < steps:
        on, off = (round(60 * m / step_s) for m in (rng.normal(18, 2), rng.normal(38, 5)))
        fridge[at : at + on] = 190 + 25 * np.exp(-np.arange(on) * step_s / 200)[: steps - at]
        at += on + off
    return {
        5: fridge,
        6: simulate_runs(1, (18, 22), lambda: [(12, 1100), (20, 230), (9, 1100), (10, 230)]),
        7: np.full(steps, 1.0),
        8: 25 + simulate_runs(5, (6, 23), lambda: [(rng.uniform(2, 6), rng.normal(850, 30))]),
        9: np.where(
            (hour > 17.5 + rng.normal(0, 0.3, days).repeat(steps // days)) | (hour < 5.5),
            110.0,
            0.0,
        )
        + simulate_runs(2, (6, 8), lambda: [(rng.uniform(10, 40), 110)]),
        10: simulate_runs(0.5, (9, 20), lambda: [(rng.uniform(3, 5), 2700), (3, 300)] * 6),
        11: 4 + simulate_runs(6, (7, 22), lambda: [(rng.uniform(1, 5), rng.normal(1520, 20))]),
        17: simulate_runs(1, (19, 23), lambda: [(rng.uniform(5, 30), 40)]),
    }


def _draw_gaps(
    steps: int, step_s: float, hours: float, days: int, rng: np.random.Generator
) -> Bools:
    """Draw two gaps of some hours, one in each half of the recording; mark their steps."""
    gap = np.zeros(steps, dtype=bool)
    length = int(hours * 3600 / step_s)
    for half in (0, 1):
        start = int((half + rng.uniform(0.1, 0.6)) * steps / 2)
        gap[start : start + length] = True
    return gap
