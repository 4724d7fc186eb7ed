"""Figures hold what a user brings: plugins of long names, one n and twelve, budgets below one."""

import math

import pytest

from drawn import tidy
from noiseless.figures.style import (
    _FREE_LOOKS,
    DEFAULT_LOOKS,
    assign_looks,
    create_figure,
    iterate_looks,
    map_budgets,
    use_style,
)
from noiseless.papers.beyond.figures import comparison
from noiseless.papers.noiseless.figures import membership
from overlaps import find_overlaps

OWN = [
    "an attack that sorts all readings of the two homes by size",
    "a gradient-boosted classifier of many, many small features",
    "ranks of the days",
    "nearest neighbour in a learned space of the largest loads",
]
OWN_CONTROL = "control: ranks of the days"
ADVERSARIES = ["correlation", *OWN, OWN_CONTROL, "control"]
MECHANISMS = ["quantizer", *(f"{name} too"[-60:] for name in OWN)]
GAINS = ("gain", "gain_over_homes")


def compare_toys(unit, sizes, counts):
    """Tables of a comparison; one of the user's mechanisms attains no target."""
    targets = {f"target_error_{unit}": [0.5, 1.0, 4.0]}
    facts = [f"error_{unit}", f"constant_error_{unit}", *counts]
    where = {**sizes, "adversary": ADVERSARIES}
    table = tidy(*GAINS, *facts, **where, mechanism=["none", *MECHANISMS], **targets)
    for name in [f"constant_error_{unit}", *counts]:
        table.loc[table["statistic"] == name, "value"] = 40.0
    of_none = (table["mechanism"] == "none") & (table[f"target_error_{unit}"] > 0.5)
    table = table[~of_none & (table["mechanism"] != MECHANISMS[-1])]
    is_gain = table["statistic"].isin(GAINS)
    for end in ("value", "low", "high"):
        table.loc[is_gain, end] = table.loc[is_gain, end] / 1e5
    columns = {key: value for key, value in sizes.items() if key == "n"}
    ends = ("attainable", f"smallest_error_{unit}", f"largest_error_{unit}")
    calibration = tidy(*ends, **columns, mechanism=MECHANISMS, **targets)
    is_missed = calibration["mechanism"] == MECHANISMS[-1]
    is_attainable = calibration["statistic"] == "attainable"
    calibration.loc[is_attainable, "value"] = (~is_missed[is_attainable]).astype(float)
    for name, value in ((ends[1], 0.69), (ends[2], math.inf)):
        calibration.loc[calibration["statistic"] == name, "value"] = value
    return table, calibration


def draw_fig3(n, budgets):
    names = ("advantage", "advantage_over_homes", "bin_kwh", "levels", "games", "homes")
    table = tidy(*names, n=n, epsilon_bits=[*budgets, math.inf], adversary=ADVERSARIES)
    for name, value in (("games", 400), ("homes", 60), ("levels", 8), ("bin_kwh", 2.5)):
        table.loc[table["statistic"] == name, "value"] = value
    is_control = (table["adversary"] == "control") & (table["statistic"] == "advantage")
    table.loc[is_control, "value"] = 3.0
    return table


def draw_meter():
    """The meter's control has a name of its own."""
    table, calibration = compare_toys("share", {}, ("minutes", "days"))
    return comparison.plot_meter(table.replace({"control": "chance"}), calibration)


def compare_budgets(n):
    """Tables of a comparison at equal budgets; one mechanism has no guarantee of the kind."""
    tables = compare_toys("kwh", {"n": n}, ("games", "homes"))
    table, calibration = (
        each.rename(columns={"target_error_kwh": "budget_nats"}) for each in tables
    )
    return table, calibration[~calibration["statistic"].str.contains("_error_")]


KNOWS = dict.fromkeys(OWN, "the two homes and the release; other homes and the mechanism")
FIGURES = {
    "homes": lambda n: comparison.plot_homes(
        *compare_toys("kwh", {"n": n}, ("games", "homes")), knows=KNOWS
    ),
    "homes by budget": lambda n: comparison.plot_homes(*compare_budgets(n), knows=KNOWS),
    "meter": lambda n: draw_meter(),
    "trips": lambda n: comparison.plot_trips(
        *compare_toys("m", {"people": n}, ("reports", "trips"))
    ),
    "fig3": lambda n: membership.plot_fig3(
        draw_fig3(n, [0.25, 0.5, 1, 2, 3, 5]), public_range_kwh=20
    ),
    "sets_by_budget": lambda n: membership.plot_sets_by_budget(
        draw_fig3(n, range(1, 11)), homes=["homes of the street of $mine$"]
    ),
    "fig3_learned": lambda n: membership.plot_fig3_learned(draw_fig3(n, [0.5, 1, 2, 3, 5])),
}
ONE, TWELVE = [4], [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14]


@pytest.mark.parametrize(
    ("name", "n"),
    [
        *((name, ONE) for name in FIGURES),
        *((name, TWELVE) for name in ("homes", "fig3", "sets_by_budget", "fig3_learned")),
    ],
    ids=lambda each: each if isinstance(each, str) else f"{len(each)} n",
)
def test_no_text_lies_on_another(name, n):
    with use_style():
        figure = FIGURES[name](n)
        assert find_overlaps(figure) == []


def test_twelve_sizes_are_twelve_lines_of_different_looks():
    """Each n of the table is in the figure, whatever the lists of looks hold."""
    with use_style():
        figure = membership.plot_fig3(draw_fig3(TWELVE, [1, 2]), public_range_kwh=20)
    _, labels = figure.axes[0].get_legend_handles_labels()
    assert [int(label.split()[0]) for label in labels if "kWh" in label] == TWELVE


def test_a_control_of_ones_own_stands_beside_what_it_controls():
    with use_style():
        figure = membership.plot_fig3(draw_fig3(ONE, [1, 2]), public_range_kwh=20)
        compared = FIGURES["homes"](ONE)
    for titles in ([a.get_title() for a in figure.axes], [a.get_title() for a in compared.axes]):
        flat = [" ".join(title.split()) for title in titles]
        place = next(i for i, each in enumerate(flat) if each.startswith("ranks of the days"))
        assert flat[place + 1].startswith(OWN_CONTROL)


def test_one_n_has_a_band_of_its_control_that_is_seen():
    """All games of one n share the control's answers, so that its values are one number."""
    with use_style():
        axis = membership.plot_fig3(draw_fig3(ONE, [1, 2]), public_range_kwh=20).axes[0]
    handles, labels = axis.get_legend_handles_labels()
    band = dict(zip(labels, handles, strict=True))["control\n(sees no output)"]
    assert band.get_height() >= 0.0049
    assert band.get_y() < 3 < band.get_y() + band.get_height()


def test_a_mechanism_without_a_point_is_in_the_note_and_not_in_the_legend():
    with use_style():
        figure = FIGURES["homes"](ONE)
    note = figure.get_supxlabel()
    assert "not shown, as no target is attained" in note
    assert MECHANISMS[-1] in note
    assert "smallest error 0.69 kWh" in note
    shown = [" ".join(text.get_text().split()) for text in figure.legends[0].get_texts()]
    assert MECHANISMS[-1] not in shown
    assert MECHANISMS[-2] in shown


@pytest.mark.parametrize(("known", "count"), [(0, 11), (4, 7)])
def test_no_colour_is_given_twice(known, count):
    names = [f"own {place}" for place in range(count)]
    taken = {f"known {place}": look for place, look in enumerate(DEFAULT_LOOKS[:known])}
    looks = assign_looks(taken, [*taken, *names])
    assert len({colour for colour, _ in looks.values()}) == known + count
    assert {name: looks[name] for name in taken} == taken


def test_looks_go_on_without_repeating_themselves():
    count = len(_FREE_LOOKS)
    first = [look for look, _ in zip(iterate_looks(_FREE_LOOKS), range(count**2), strict=False)]
    assert first[:count] == list(_FREE_LOOKS)
    assert len(set(first)) == count**2


@pytest.mark.parametrize(
    ("budgets", "places"),
    [
        ([1, 2, 3, 4, 6], [1, 2, 3, 4, 6]),  # as they are, where their labels fit
        (range(1, 11), range(1, 11)),
        ([0.5, 1, 2, 3, 5], [0, 1, 2, 3, 4]),
        ([0.25, 0.5, 1, 2, 3, 5], [0, 1, 2, 3, 4, 5]),
    ],
)
def test_budgets_whose_labels_would_collide_stand_by_their_number(budgets, places):
    with use_style():
        _, axes = create_figure(1, 4)
        placed = map_budgets(axes[0], [*budgets, math.inf])
    assert [placed[each] for each in budgets] == list(places)
    assert placed[math.inf] > max(places)
    shown = [label.get_text() for label in axes[0].get_xticklabels()]
    named = [*(f"{each:g}" for each in budgets), "exact\nmean"]
    assert all(label in ("", name) for label, name in zip(shown, named, strict=True))
    assert len([label for label in shown if label]) > len(budgets) / 2
