"""Several analysts, by hand and by plain loops over all releases of a few records."""

import itertools

import numpy as np
import pytest

from bodies import survey
from noiseless.mechanisms.blurring import compute_band_measure, compute_budget
from noiseless.papers.nsht import several_analysts
from noiseless.papers.nsht.blurring import build_bmi_problem
from wide_table import wide

PUBLIC = {"weight_range_kg": [0, 200], "height_range_cm": [0, 250], "bmi_kg_m2": 30}


def test_people_seen_by_several_analysts_are_those_counted_by_hand():
    """At 200 cm the threshold is 120 kg; weights at 35, 15, 9 and 4 kg below it and 12 above."""
    people = survey([85, 105, 111, 116, 132])
    table = wide(
        several_analysts.build_survey_table(people, **PUBLIC, rho_per_kg=[0.1, 0.05]),
        ["releases", "seen"],
    )
    # Within 20 or 40 kg of the other side there can be undecided people: 4 of them, or all.
    expected = {"collapse": [4, 2, 2], "overlay": [5, 4, 0], "chain": [5, 4, 4]}
    for releases, counts in expected.items():
        for seen, count in zip(["20", "10", "20 and 10"], counts, strict=True):
            assert table.loc[(releases, seen), "undecided"] == count
            assert table.loc[(releases, seen), "bound"] == {"20": 5}.get(seen, 4)
    assert (table["change_beyond_accuracy_kg"] <= 1e-9).all()
    lost = table["chain_minus_undecided"]
    assert lost[("overlay", "20 and 10")] == 4
    assert lost[("chain", "20")] == 0


def test_parts_of_a_budget_add_up_to_the_largest():
    threshold, box = build_bmi_problem(
        weight_range_kg=[0, 200], height_range_cm=[0, 250], bmi_kg_m2=30
    )
    rho = [0.05, 0.1, 0.2]

    def epsilon(each):
        return float(compute_budget(compute_band_measure(threshold, box, each), box.volume))

    split = several_analysts.split_budget(threshold, box, rho)
    parts = [epsilon(each) for each in split]
    assert sum(parts) == pytest.approx(epsilon(0.05))
    alone = [epsilon(each) for each in rho]
    assert parts[0] / parts[2] == pytest.approx(alone[0] / alone[2])
    assert split == sorted(split)
    assert several_analysts.split_budget(threshold, box, [0.1]) == pytest.approx([0.1])


def _releases(points: int, step: float) -> set[tuple[int, ...]]:
    """Every map of points to multiples of a quarter within a step and the line, as a partition."""
    places = [k / 4 for k in range(4 * (points - 1) + 1)]
    near = [[y for y in places if abs(x - y) <= step] for x in range(points)]
    return {tuple(map(reports.index, reports)) for reports in itertools.product(*near)}


def _undecided(parts: list[tuple[int, ...]], cut: int) -> set[int]:
    """Points that share their parts with a point of the other side of a cut."""
    points = range(len(parts[0]))
    return {
        x
        for x in points
        if any((x < cut) != (z < cut) and all(p[x] == p[z] for p in parts) for z in points)
    }


@pytest.mark.slow
@pytest.mark.parametrize(("points", "spans"), [(3, (3, 2)), (4, (3, 2)), (4, (2, 1))])
def test_search_equals_a_plain_loop_over_all_reports(points, spans):
    """Reports at quarters are enough for every partition of so few points."""
    table = several_analysts.build_search_table(lattices=[{"points": points, "spans": list(spans)}])
    row = wide(table, ["points", "spans"]).iloc[0]
    coarse, fine = (sorted(_releases(points, span / 2)) for span in spans)
    assert row["releases"] == len(coarse) + len(fine)
    chains = [
        (one, two)
        for one, two in itertools.product(coarse, fine)
        if len({*zip(two, one, strict=True)}) == len({*two})
    ]
    assert row["chains"] == len(chains)
    short = 0
    for cut in range(1, points):
        bounds = [
            sum((cut - x if x < cut else x - cut + 1) <= span for x in range(points))
            for span in spans
        ]
        for one, two in itertools.product(coarse, fine):
            assert len(_undecided([one, two], cut)) <= bounds[1]
        short += not any(
            [len(_undecided([each], cut)) for each in chain] == bounds for chain in chains
        )
    assert (row["above_bound"], row["short"]) == (0, short)
    # On so few points, one cell cannot take both ends: a line has infinitely many.
    assert (short > 0) == (spans == (2, 1))


def test_a_release_above_the_bound_would_be_counted(monkeypatch):
    """Two steps more than the span that is stated."""
    lattice = {"points": 5, "spans": [3, 2]}
    honest = several_analysts._enumerate_partitions
    monkeypatch.setattr(
        several_analysts, "_enumerate_partitions", lambda points, span: honest(points, span + 2)
    )
    row = wide(several_analysts.build_search_table(lattices=[lattice]), ["points", "spans"]).iloc[0]
    assert row["above_bound"] > 0


def test_lines_that_end_anywhere_are_as_the_proof_says():
    table = several_analysts.build_ends_table(
        rooms=[0, 3, 7.5, 50], rho=[0.1, 0.2, 0.05], records=41
    )
    row = wide(table, ["below", "above"])
    assert len(row) == 15
    assert (row[["not_refined", "off_bound"]] == 0).all(axis=None)
    assert row["change_beyond_accuracy"].max() <= 1e-9
    # Without room below there is no p1; without room above p0 is one record.
    assert (row.loc[0, "undecided"] == 0).all()
    assert row.loc[(7.5, 0), "undecided"] > 0


def test_one_report_of_two_coarser_ones_is_no_function():
    fine = np.array([1.0, 1.0, 2.0])
    assert several_analysts.is_function(fine, np.array([5.0, 5.0, 5.0]))
    assert not several_analysts.is_function(fine, np.array([5.0, np.nextafter(5, 6), 5.0]))
