"""Who is in a line-up, and whom an adversary names in it."""

import math

import numpy as np
import pytest
from scipy import stats

from noiseless.games import linkage
from noiseless.seeds import make_generator


def test_coin_among_equals_is_fair():
    """Three of four people are equal: the right one is named for a third of the coins."""
    linked = linkage.LinkageTally()
    coins = np.linspace(0.0005, 0.9995, 1000)
    mine = np.full(1000, 2)
    linked.judge(np.tile([0.0, -1.0, 0.0, 0.0], (1000, 1)), mine, coins)
    assert linked.correct[0].mean() == pytest.approx(1 / 3, abs=0.002)
    assert linked.n_top_scores == 3000
    linked.judge(np.tile([-5.0, -math.inf, 0.0], (1000, 1)), mine, coins)
    linked.judge(np.tile([0.0, 0.0, -1e-9], (1000, 1)), mine, coins)
    assert linked.correct[1].all()
    assert not linked.correct[2].any()


def test_line_ups_hide_who_made_the_report():
    """In every place as often as in any other, among the same people."""
    people = make_generator(1, "places").uniform(0, 1e4, (1000, 4, 2, 2))
    line_up = linkage.CandidateSet.draw(make_generator(1, "line-up"), people)
    mine = line_up.people_m[np.arange(1000), line_up.true_index]
    np.testing.assert_array_equal(mine, people[:, 0])
    assert stats.chisquare(np.bincount(line_up.true_index, minlength=4)).pvalue > 1e-3
    flat = (each.reshape(1000, 4, 4) for each in (line_up.people_m, people))
    shown, given = (np.sort(each[..., 0], axis=1) for each in flat)
    np.testing.assert_array_equal(shown, given)


def test_people_are_drawn_again_who_stand_in_their_row_already():
    rng = make_generator(1, "again")
    expected = rng.integers(0, 9, (50, 6)).tolist()
    while any(len(set(row)) < 6 for row in expected):
        places = [
            (row, place) for row in expected for place in range(6) if row[place] in row[:place]
        ]
        for (row, place), trip in zip(places, rng.integers(0, 9, len(places)), strict=True):
            row[place] = int(trip)
    drawn = linkage.draw_people(make_generator(1, "again"), trips=9, people=6, reports=50)
    np.testing.assert_array_equal(drawn, expected)
