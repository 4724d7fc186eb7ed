"""Figure 3 of ``noiseless`` and its variants."""

import math

import numpy as np
import pandas as pd

from drawn import alike, ends, points, shown, tidy
from noiseless.papers.noiseless.figures import membership

WHO = ["correlation", "mse", "peaks", "control"]
BOTH = ("advantage", "advantage_over_homes")
BITS = [2.0, 1.0, math.inf]


def budgets(rows):
    """The exact mean stands a unit beyond the last budget, and has a line of its own."""
    return [each for each in sorted(rows) if math.isfinite(each[0])]


def marks_of(axis):
    """Lines with error bars that show a point."""
    return [each[0] for each in axis.containers if each[0] and len(each[0].get_xdata())]


def test_a_panel_for_each_adversary_and_a_line_for_each_n():
    columns = {"adversary": WHO, "n": [8, 2], "epsilon_bits": BITS}
    table = alike(tidy(*BOTH, "bin_kwh", "games", "homes", **columns), "games", "homes")
    table = alike(table, "bin_kwh", by=["n", "epsilon_bits"])
    figure = membership.plot_fig3(table, almost_zero=0.05)
    assert len(figure.axes) == 3
    for axis, who in zip(figure.axes, WHO, strict=False):
        for n in (2, 8):
            bin_kwh = points(table, "n", statistic="bin_kwh", n=n, epsilon_bits=2.0)[0][1]
            drawn = shown(axis)[f"{n} ({bin_kwh:.3g} kWh)"]
            rows = points(table, "epsilon_bits", statistic="advantage", adversary=who, n=n)
            assert drawn == budgets(rows)
            label = f"{n} ({bin_kwh:.3g} kWh)"
            assert ends(axis)[label] == [(y - 0.25, y + 0.5) for _, y in budgets(rows)]
        seen = table[(table["statistic"] == "advantage") & (table["adversary"] == "control")]
        span = axis.patches[0].get_extents().transformed(axis.transData.inverted())
        np.testing.assert_allclose((span.y0, span.y1), (seen["value"].min(), seen["value"].max()))
        assert [text.get_text() for text in axis.get_xticklabels()] == ["1", "2", "exact\nmean"]


def test_public_ranges():
    rules = {"quantizer_rule": ["2^eps", "n_2^eps"], "n": [8], "epsilon_bits": [3.0]}
    ranges = {"range_kwh": [100.0, 10.0, 1000.0]}
    names = (*BOTH, "constant_share", "almost_zero_from_kwh", "levels", "games")
    table = alike(tidy(*names, unit=0.01, adversary=WHO, **rules, **ranges), "games")
    single = table["statistic"].isin(names[2:])
    table = table[~single | (table["adversary"] == "control")]
    start = table["statistic"] == "almost_zero_from_kwh"
    table = table[~start | (table["range_kwh"] == 10)].copy()
    table.loc[table["statistic"] == "almost_zero_from_kwh", "value"] = [math.inf, 50.0]
    table.loc[table["statistic"] == "levels", "value"] = 64.0
    figure = membership.plot_fig3_ranges(
        table, almost_zero=0.05, public_range_kwh=100, main_fuse_kwh=300
    )
    for axis, rule, found in zip(
        figure.axes,
        ("n_2^eps", "2^eps"),
        ("from 50 kWh on", "at none of these ranges"),
        strict=True,
    ):
        lines = list(shown(axis).values())
        # Whether lines are those with bars does not change their order.
        of = {"quantizer_rule": rule}
        assert lines[0] == sorted(points(table, "range_kwh", statistic="constant_share", **of))
        for drawn, who in zip(lines[1:], WHO[:3], strict=True):
            rows = points(table, "range_kwh", statistic="advantage", adversary=who, **of)
            assert drawn == sorted(rows)
        assert axis.get_title().endswith(f"= 64\nalmost zero {found}")
        marks = [line.get_xdata()[0] for line in axis.lines if line.get_linestyle() in "-:"][-2:]
        assert marks == [100, 300]


def test_pairs_risks_and_more_reports():
    ways = ["random", "selected", "selected_in_sample"]
    cell = {"n": [8], "epsilon_bits": [2.0], "range_kwh": [50.0, 100.0]}
    names = (*BOTH, "composed_bits", "candidates", "draws", "group_homes")
    who = {"adversary": ["exact", "mse", "any"], "choice": ways}
    pairs = alike(tidy(*names, **cell, **who, days=[1, 30]), "candidates", "draws")
    single = pairs["statistic"].isin(names[2:])
    pairs = pairs[single & (pairs["adversary"] == "any") & (pairs["choice"] == "random")
                  | ~single & (pairs["adversary"] != "any")].copy()  # fmt: skip
    pairs.loc[pairs["statistic"] == "group_homes", "value"] = math.nan
    risk = {"adversary": ["exact", "mse"], "partner": ["random", "selected"]}
    homes = tidy("risk", **cell, **risk, quantile=[0.0, 0.5, 1.0])
    figure = membership.plot_fig3_pairs(pairs, homes, range_kwh=100.0)
    chosen, risks, reports = figure.axes
    mine, risky = (table[table["range_kwh"] == 100] for table in (pairs, homes))
    values = {
        (way, who): points(mine, "days", statistic="advantage", choice=way, adversary=who)
        for way in ways
        for who in ("mse", "exact")
    }
    drawn = [tuple(each.get_xydata()[0]) for each in marks_of(chosen)]
    # A way is a step of 0.14 about the place of its adversary.
    steps = {"random": -2, "selected": 1, "selected_in_sample": 2}
    expected = [
        (place + 0.14 * steps[way], values[way, who][1][1])
        for way in ways
        for place, who in enumerate(("mse", "exact"))
    ]
    np.testing.assert_allclose(drawn, expected)
    assert list(shown(risks).values()) == [
        points(risky, "quantile", adversary=who, partner="random") for who in ("mse", "exact")
    ]
    dashed = [line for line in risks.lines if line.get_linestyle() == "--"]
    assert [list(map(tuple, line.get_xydata().tolist())) for line in dashed] == [
        points(risky, "quantile", adversary=who, partner="selected") for who in ("mse", "exact")
    ]
    assert [each[0].get_ydata().tolist() for each in reports.containers] == [
        [y for _, y in values[way, who]] for who in ("mse", "exact") for way in ways[:2]
    ]
    assert [text.get_text() for text in reports.get_xticklabels()] == ["1\n2 bits", "30\n60 bits"]


def test_choices_show_the_strongest_of_the_three_and_turn_round_who_is_wrong():
    choices = {
        **{"quantizer_rule": ["n_2^eps", "2^eps"], "public_range": ["typical"]},
        **{"resolution": ["days"], "period": ["year"], "peaks": ["strict"]},
    }
    cell = {"n": [8], "epsilon_bits": [2.0]}
    table = tidy(*BOTH, unit=0.01, adversary=[*WHO, "strongest"], **cell, **choices)
    sums = tidy(
        *("largest_absolute_advantage", "almost_zero", "games"),
        **{"adversary": ["any"], **cell, **choices},
    )
    sums.loc[sums["statistic"] == "almost_zero", "value"] = [1.0, 0.0]
    sums = alike(sums, "games")
    wrong = (table["adversary"] == "mse") & (table["quantizer_rule"] == "2^eps")
    for column in ("value", "low", "high"):
        table.loc[wrong, column] -= 0.5
    (axis,) = membership.plot_fig3_choices(pd.concat([table, sums]), almost_zero=0.05).axes
    assert [text.get_text().strip() for text in axis.texts] == ["1/1", "0/1"]
    assert "almost zero in 1 of 2 combinations" in axis.get_title()
    of = {"statistic": "advantage", "epsilon_bits": 2.0}
    strongest = points(table, "n", adversary="peaks", quantizer_rule="n_2^eps", **of)[0][1]
    turned = points(table, "n", adversary="mse", quantizer_rule="2^eps", **of)[0][1]
    drawn = [
        (line.get_xdata()[0], line.get_color())
        for line in axis.lines
        if line.get_marker() in "ov" and len(line.get_xdata())
    ]
    assert turned < 0
    assert [x for x, _ in drawn] == [strongest, -turned]
    marks = [each for each in axis.containers if each[0] and len(each[0].get_xdata())]
    bars = marks[1]
    low, high = sorted(bars[2][0].get_segments()[0][:, 0])
    np.testing.assert_allclose((low, high), (-turned - 0.005, -turned + 0.0025))


def test_learned_beside_the_others_for_each_n():
    who = {"adversary": [*WHO, "learned"], "n": [2, 3, 4, 8, 16]}
    table = alike(tidy(*BOTH, "games", "homes", **who, epsilon_bits=BITS), "games", "homes")
    axes = membership.plot_fig3_learned(table).axes
    assert [axis.get_visible() for axis in axes] == [True] * 5 + [False] * 3
    for axis, n in zip(axes, who["n"], strict=False):
        assert axis.get_title() == f"n = {n}"
        rows = {
            name: budgets(points(table, "epsilon_bits", statistic="advantage", adversary=name, n=n))
            for name in who["adversary"]
        }
        order = ("correlation", "mse", "peaks", "learned", "control")
        assert list(shown(axis).values()) == [rows[name] for name in order]


def test_sets_of_homes_have_a_line_each_and_hollow_marks_where_nothing_is_told():
    sets, sizes, bits = ["ausgrid", "swiss"], [8, 2], [2.0, 3.0]
    cells = {"n": sizes, "epsilon_bits": bits}
    table = tidy(*BOTH, homes=sets, adversary=["mse", "learned"], **cells)
    shares = tidy("constant_share", homes=sets, adversary=["any"], **cells)
    is_constant = (shares["homes"] == "swiss") & (shares["n"] == 2)
    shares["value"] = np.where(is_constant, 0.5, 0.49)
    both = pd.concat([table, shares], ignore_index=True)
    figure = membership.plot_sets_of_homes(both)
    assert len(figure.axes) == 4
    places = [(budget, who) for budget in bits for who in ("mse", "learned")]
    for axis, (budget, who) in zip(figure.axes, places, strict=True):
        where = {"statistic": "advantage", "adversary": who, "epsilon_bits": budget}
        expected = {each: sorted(points(table, "n", homes=each, **where)) for each in sets}
        assert {each: shown(axis)[each] for each in sets} == expected
        hollow = [
            tuple(each)
            for line in axis.get_lines()
            if line.get_markerfacecolor() == "white"
            for each in line.get_xydata().tolist()
        ]
        assert hollow == points(table, "n", homes="swiss", **{**where, "n": 2})
        assert f"= {budget:g}" in axis.get_title()
