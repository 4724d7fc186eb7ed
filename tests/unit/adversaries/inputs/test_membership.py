"""The membership adversaries, on games worked by hand."""

import numpy as np
import pytest

from members import ADVERSARIES
from membership_loop import peaks_of
from noiseless.adversaries.inputs import membership
from noiseless.adversaries.inputs.membership import MembershipView, RawSeries, choose_candidates


def evidence_of(y, x):
    """View of one game with whole-number output, straight from the definition."""
    k, x = np.array(y) - y[0], np.array(x)
    return MembershipView(
        n_readings=len(y),
        step_wh=1.0,
        offset_wh=0.0,
        first_bin=np.array([y[0]]),
        sum_bins=np.array([k.sum()]),
        sum_squared_bins=np.array([(k**2).sum()]),
        sum_readings_wh=x.sum(axis=1)[None],
        sum_squared_readings=(x**2).sum(axis=1)[None],
        sum_products=(x * k).sum(axis=1)[None],
        common_peaks=(peaks_of(x, True) & peaks_of(np.array(y), True)).sum(axis=1)[None],
        series=RawSeries(np.array([y]) / 1000, x[None] / 1000, 2),
    )


def test_an_attribute_of_version_0_3_says_its_new_name():
    view = evidence_of([1, 2], [[1, 2], [2, 1]])
    assert set(membership._RENAMED.values()) <= set(vars(view))
    with pytest.raises(AttributeError, match=r"`sum_kk` .* `sum_squared_bins` since version 0\.4"):
        _ = view.sum_kk
    with pytest.raises(AttributeError, match="'MembershipView' object has no attribute 'sum_of'"):
        _ = view.sum_of


@pytest.mark.parametrize(
    ("y", "x", "expected"),
    [
        # correlation, mse, common peaks: -1 and 1 name a candidate, 0 is a tie
        ([1, 5, 1, 2], [[1, 5, 1, 2], [5, 1, 5, 1]], (0, 0, 0)),
        ([1, 5, 1, 2], [[5, 1, 5, 1], [1, 5, 1, 2]], (1, 1, 1)),
        ([3, 3, 3, 3], [[3, 3, 3, 4], [9, 9, 9, 8]], (None, 0, None)),  # constant output
        ([1, 5, 1, 2], [[7, 7, 7, 7], [1, 5, 1, 2]], (None, 1, 1)),  # one constant candidate
        ([1, 5, 1, 2], [[2, 6, 2, 3], [0, 4, 0, 1]], (None, None, None)),  # same shape and distance
    ],
)
def test_each_adversary_on_games_worked_by_hand(y, x, expected):
    view = evidence_of(y, x)
    for name, want in zip(("correlation", "mse", "peaks"), expected, strict=True):
        preference = ADVERSARIES[name](view)
        for coin in (0, 1):
            assert choose_candidates(preference, np.array([coin])) == [
                coin if want is None else want
            ]


def test_tie_rule_is_symmetric_and_as_documented():
    y, x = [1, 5, 1, 2, 9], [[1, 5, 2, 2, 8], [0, 5, 1, 2, 7]]
    one, other = evidence_of(y, x), evidence_of(y, x[::-1])
    for adversary in ADVERSARIES.values():
        assert adversary(one) == pytest.approx(-adversary(other))
    for name in ("correlation", "mse"):
        assert abs(ADVERSARIES[name](one)) > 1e-9
