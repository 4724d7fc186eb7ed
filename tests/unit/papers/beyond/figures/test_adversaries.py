"""Figure of what adversaries know."""

import functools
import math

import pandas as pd

from drawn import alike, points, shown, tidy
from noiseless.papers.beyond.figures.adversaries import plot_adversaries

PAIRS = ["pair", "pair_known", "combined"]
WHO = ["normal", "correlation", "mse", "peaks", "control", "exact", *PAIRS]
NAMES = ("advantage", "advantage_over_homes", "closed_form", "closed_form_over_homes")


def of_the_player(table):
    """Only one who knows some homes has several numbers of them; a closed form is of nobody."""
    one = (table["adversary"] == "normal") | (table["known"] == 0)
    closed = table["statistic"].str.startswith("closed_form")
    return table[one & (closed == (table["adversary"] == "exact"))]


def line(rows, along, fixed, adversary, statistic="advantage", **more):
    """Of one adversary; the exact mean stands beyond the last budget."""
    found = points(rows, along, adversary=adversary, statistic=statistic, **fixed, **more)
    return [(x if math.isfinite(x) else 3 + 1.2, y) for x, y in sorted(found)]


def test_lines_are_those_of_who_knows_what():
    where = {"n": [5], "adversary": WHO, "known": [0, 2, 4]}
    table = of_the_player(tidy(*NAMES, **where, epsilon_bits=[1.0, 3.0, math.inf]))
    counts = tidy("games", "homes", **where, epsilon_bits=[1.0])
    counts = alike(counts, "games", "homes")
    repeated = of_the_player(tidy(*NAMES, **where, epsilon_bits=[1.0, 3.0], days=[30, 1]))
    above, below = plot_adversaries(
        pd.concat([table, counts]).assign(days=30),
        repeated,
        known_shares=[0.5, 0.0],
        shown_epsilon_bits=2.9,
    ).axes
    for axis, rows, along, fixed in (
        (above, table, "epsilon_bits", {}),
        (below, repeated, "days", {"epsilon_bits": 3.0}),
    ):
        of = functools.partial(line, rows, along, fixed)
        assert shown(axis) == {
            "knows all other homes (exact)": of("exact", "closed_form"),
            "knows 50 % of them, and how days vary together": of("normal", known=2),
            "knows none of them, and how days vary together": of("normal", known=0),
            "the same knowledge: normal and pair difference": of("combined"),
            "knows the mean of further homes: pair difference": of("pair_known"),
            "knows the two homes: pair difference": of("pair"),
            "knows the two homes: best of the paper's three": of("peaks"),
            "control (sees no output)": of("control"),
        }
    assert above.get_title() == "n = 5 homes"
    assert below.get_title() == "n = 5, $\\epsilon$ = 3 a report"
