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


def test_the_figure_has_a_panel_for_each_adversary_and_a_line_for_each_n():
    columns = {"adversary": WHO, "n": [8, 2], "epsilon_bits": BITS}
    table = alike(tidy(*BOTH, "bin_kwh", "levels", "games", "homes", **columns), "games", "homes")
    table = alike(table, "bin_kwh", by=["n", "epsilon_bits"])
    first = table[np.isfinite(table["epsilon_bits"])].groupby("statistic")["value"].first()
    of_hours = {"public_range_kwh": 24 * first["bin_kwh"] * first["levels"]}
    figure = membership.plot_fig3(table, almost_zero=0.05, **of_hours)
    assert "by the hour" in figure.get_supxlabel()
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


def test_gains_are_drawn_over_the_public_ranges():
    rules = {"quantizer_rule": ["2^eps", "n_2^eps"], "n": [8], "epsilon_bits": [3.0]}
    ranges = {"range_kwh": [100.0, 10.0, 1000.0]}
    names = (*BOTH, "constant_share", "levels", "games")
    table = alike(tidy(*names, unit=0.01, adversary=WHO, **rules, **ranges), "games")
    single = table["statistic"].isin(names[2:])
    table = table[~single | (table["adversary"] == "control")]
    table = table.copy()
    table.loc[table["statistic"] == "levels", "value"] = 64.0
    figure = membership.plot_fig3_ranges(
        table, almost_zero=0.05, public_range_kwh=100, main_fuse_kwh=300
    )
    for axis, rule in zip(figure.axes, ("n_2^eps", "2^eps"), strict=True):
        lines = list(shown(axis).values())
        # Whether lines are those with bars does not change their order.
        of = {"quantizer_rule": rule}
        assert lines[0] == sorted(points(table, "range_kwh", statistic="constant_share", **of))
        for drawn, who in zip(lines[1:], WHO[:3], strict=True):
            rows = points(table, "range_kwh", statistic="advantage", adversary=who, **of)
            assert drawn == sorted(rows)
        assert axis.get_title().endswith("= 64")
        marks = [line.get_xdata()[0] for line in axis.lines if line.get_linestyle() in "-:"][-2:]
        assert marks == [100, 300]


def test_the_figure_shows_pairs_after_the_first_and_after_most_reports():
    ways = ["random", "selected", "selected_in_sample"]
    cell = {"n": [8, 4], "epsilon_bits": [2.0], "range_kwh": [50.0, 100.0]}
    names = (*BOTH, "composed_bits", "candidates", "draws", "group_homes")
    who = {"adversary": ["exact", "mse", "any"], "choice": ways}
    pairs = alike(tidy(*names, **cell, **who, days=[30, 1]), "candidates", "draws")
    single = pairs["statistic"].isin(names[2:])
    pairs = pairs[single & (pairs["adversary"] == "any") & (pairs["choice"] == "random")
                  | ~single & (pairs["adversary"] != "any")].copy()  # fmt: skip
    pairs.loc[pairs["statistic"] == "group_homes", "value"] = math.nan
    figure = membership.plot_fig3_pairs(pairs, range_kwh=100.0)
    assert "groups" not in figure.get_supxlabel()
    assert figure.get_supxlabel().startswith("filled: 30 daily reports, hollow: 1 report;")
    mine = pairs[(pairs["range_kwh"] == 100) & (pairs["statistic"] == "advantage")]
    for axis, n in zip(figure.axes, (8, 4), strict=True):
        assert axis.get_title().startswith(f"n = {n},")
        assert [text.get_text() for text in axis.get_yticklabels()] == [
            *("two at random", "best pair, on other draws", "best pair, on its own draws")
        ]
        # Rows are ways; the adversaries of a row stand side by side.
        expected = [
            points(mine, "days", n=n, choice=way, adversary=name)
            for name in ("mse", "exact")
            for way in ways
        ]
        hollow = [line for line in axis.lines if line.get_markerfacecolor() == "white"]
        assert [bars.get_xdata()[0] for bars in marks_of(axis)] == [each[0][1] for each in expected]
        assert [line.get_xdata()[0] for line in hollow] == [each[1][1] for each in expected]
        heights = [line.get_ydata()[0] for line in hollow]
        np.testing.assert_allclose(heights, [-0.3, 0.7, 1.7, 0.3, 1.3, 2.3])


def test_choices_are_a_grid_of_the_largest_of_three():
    choices = {
        **{"quantizer_rule": ["2^eps", "n_2^eps"], "public_range": ["typical"]},
        **{"resolution": ["days"], "period": ["week", "year"], "peaks": ["strict"]},
    }
    cell = {"n": [8], "epsilon_bits": [2.0]}
    names = ("largest_absolute_advantage", "games")
    table = alike(tidy(*names, unit=0.25, adversary=["any"], **cell, **choices), "games")
    figure = membership.plot_fig3_choices(table, almost_zero=0.5)
    (axis,) = figure.axes
    expected = [
        [
            points(
                *(table, "n"),
                **{"statistic": names[0], "quantizer_rule": rule, "period": period},
            )[0][1]
            for period in ("year", "week")
        ]
        for rule in ("n_2^eps", "2^eps")
    ]
    numbers = [f"{each:.2f}" for row in expected for each in row]
    assert [text.get_text() for text in axis.texts] == numbers
    bold = [text.get_text() for text in axis.texts if text.get_weight() == "bold"]
    assert bold == [f"{each:.2f}" for row in expected for each in row if each <= 0.5]
    shade = axis.images[0].get_array()
    np.testing.assert_array_equal(shade, np.array(expected) > 0.5)
    columns = [text.get_text() for text in axis.get_xticklabels()]
    assert columns == ["days, year, strict", "days, week, strict"]


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
    ranges = tidy("range_days", homes=sets, adversary=["any"], n=[0], epsilon_bits=[0.0])
    days = dict(zip(ranges["homes"], ranges["value"], strict=True))
    both = pd.concat([table, shares, ranges], ignore_index=True)
    figure = membership.plot_sets_of_homes(both)
    assert len(figure.axes) == 4
    places = [(budget, who) for budget in bits for who in ("mse", "learned")]
    for axis, (budget, who) in zip(figure.axes, places, strict=True):
        where = {"statistic": "advantage", "adversary": who, "epsilon_bits": budget}
        expected = {each: sorted(points(table, "n", homes=each, **where)) for each in sets}
        drawn = shown(axis)
        assert {each: drawn[f"{each} ({days[each]:.1f} days)"] for each in sets} == expected
        hollow = [
            tuple(each)
            for line in axis.get_lines()
            if line.get_markerfacecolor() == "white"
            for each in line.get_xydata().tolist()
        ]
        assert hollow == points(table, "n", homes="swiss", **{**where, "n": 2})
        assert f"= {budget:g}" in axis.get_title()


def test_each_set_has_a_row_of_panels_and_the_most_homes_come_first():
    where = {"adversary": WHO, "epsilon_bits": BITS}
    few, many = (tidy(*BOTH, **where, n=sizes) for sizes in ([2], [2, 8]))
    counts = [
        tidy("homes", adversary=["any"], epsilon_bits=[0.0], n=[2]).assign(value=each)
        for each in (9.0, 300.0)
    ]
    tables = [pd.concat(each, ignore_index=True) for each in zip((few, many), counts, strict=True)]
    figure = membership.plot_sets_by_budget(*tables, homes=["few", "many"])
    assert len(figure.axes) == 2 * 3
    assert [axis.get_ylabel() for axis in figure.axes[::3]] == [
        "many\n(300 homes)",
        "few\n(9 homes)",
    ]
    for row, (table, sizes) in enumerate(((many, [2, 8]), (few, [2]))):
        for axis, who in zip(figure.axes[3 * row :], WHO[:3], strict=False):
            assert shown(axis) == {
                f"n = {n}": budgets(
                    points(table, "epsilon_bits", statistic="advantage", adversary=who, n=n)
                )
                for n in sizes
            }
    assert figure.axes[0].get_title() == "correlation"
    # Panels of more adversaries would be too narrow; the note says where those are.
    mine = [many.assign(adversary=many["adversary"].replace({"control": f"mine {each}"}))
            for each in range(3)]  # fmt: skip
    figure = membership.plot_sets_by_budget(pd.concat([*mine, counts[1]]), homes=["many"])
    assert len(figure.axes) == 4
    assert figure.get_supxlabel().endswith("\nin the figures of each set: mine 1, mine 2")


def test_six_adversaries_of_two_budgets_take_two_rows_each():
    who = ["correlation", "mse", "peaks", "pair", "learned", "pair_known"]
    cells = {"n": [2], "epsilon_bits": [2.0, 3.0]}
    parts = [
        tidy(*BOTH, homes=["swiss"], adversary=who, **cells),
        tidy("constant_share", homes=["swiss"], adversary=["any"], **cells),
        tidy("range_days", homes=["swiss"], adversary=["any"], n=[0], epsilon_bits=[0.0]),
    ]
    figure = membership.plot_sets_of_homes(pd.concat(parts, ignore_index=True))
    assert [axis.get_title().split(",")[0] for axis in figure.axes[:4]] == [
        *("correlation", "mean square error", "common peaks"),
        "pair difference",
    ]
    assert sum(axis.get_visible() for axis in figure.axes) == 12
    figure = membership.plot_sets_of_homes(
        pd.concat([each[each["adversary"] != "mse"] for each in parts], ignore_index=True)
    )
    assert sum(axis.get_visible() for axis in figure.axes) == 10
    # A run may have no learned adversary at one of the budgets: its panel says so.
    lost = (parts[0]["adversary"] == "learned") & (parts[0]["epsilon_bits"] == 2)
    figure = membership.plot_sets_of_homes(pd.concat([parts[0][~lost], *parts[1:]]))
    said = {axis.get_title(): [text.get_text() for text in axis.texts] for axis in figure.axes}
    assert [title for title, words in said.items() if words] == [r"learned, $\epsilon$ = 2"]
    assert said[r"learned, $\epsilon$ = 2"] == ["not played"]


def test_every_n_of_many_is_drawn():
    sizes = list(range(2, 16))
    table = tidy(*BOTH, adversary=["mse", "control"], n=sizes, epsilon_bits=[1.0, 2.0])
    facts = tidy("bin_kwh", "levels", "games", "homes", adversary=["mse", "control"], n=sizes,
                 epsilon_bits=[1.0, 2.0])  # fmt: skip
    facts["value"] = 7.0
    both = pd.concat([table, facts], ignore_index=True)
    figure = membership.plot_fig3(both, public_range_kwh=49)
    assert "by the day" in figure.get_supxlabel()
    assert {name.split()[0] for name in shown(figure.axes[0])} >= set(map(str, sizes))
