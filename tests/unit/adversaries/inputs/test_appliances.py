"""What is known of a meter, and what of it a control is shown."""

import dataclasses

import numpy as np
import pytest

from noiseless.adversaries.inputs.appliances import is_consecutive
from toy_meter import make_recording, reports_of


def test_a_bin_follows_the_one_before_it_without_a_gap():
    assert is_consecutive(np.array([3, 4, 6, 7, 8])).tolist() == [False, True, False, True, True]


def test_a_part_holds_its_bins_and_their_readings():
    whole = make_recording(40)
    rows = np.isin(np.arange(40), [3, 4, 17])
    part = whole.select_bins(rows)
    assert part.slot.tolist() == [3, 4, 17]
    assert part.reading_bin.tolist() == [0, 1, 2]
    for name in ("day", "mains_w", "power_w", "reading_w"):
        np.testing.assert_array_equal(getattr(part, name), getattr(whole, name)[rows])
    np.testing.assert_array_equal(part.is_on["metrics"], whole.is_on["metrics"][rows])
    assert part.follows.tolist() == [False, True, False]


def test_an_adversary_cannot_replace_what_it_is_shown():
    reports = reports_of(make_recording(40), make_recording(60))
    for view in (make_recording(40), reports, reports.asked):
        for name in (field.name for field in dataclasses.fields(view)):
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(view, name, None)


def test_unseen_reports_keep_their_times_alone():
    known, asked = make_recording(), make_recording(60, seed=2)
    unseen = reports_of(known, asked).hide_values()
    for seen, length in ((unseen.known, 400), (unseen.asked, 60)):
        for values in (seen.value_w, seen.low_w, seen.high_w):
            assert values.shape == (length,)
            assert np.isnan(values).all()
    np.testing.assert_array_equal(unseen.slot, asked.slot)
    assert unseen.follows[1:].all()
