"""Thresholds of every shape, by hand and by plain loops."""

import math

import numpy as np
import pytest
from scipy.integrate import quad

from noiseless.mechanisms.blurring import (
    PublicRange,
    compute_band_measure,
    compute_budget,
    compute_privacy,
)
from noiseless.mechanisms.policies.overlay import OverlayBlurring
from noiseless.mechanisms.policies.stretch import StretchBlurring
from noiseless.papers.nsht import threshold_shapes
from noiseless.papers.nsht.blurring import find_reached_cells
from noiseless.theory.anonymity import class_diversity, class_numbers
from wide_table import wide

SIDE = 4.0


def test_shapes_do_what_their_names_say():
    t = np.linspace(0, SIDE, 4001)
    values = {name: each.polynomial(t) for name, each in threshold_shapes.build_shapes().items()}
    crossings = {
        name: sum(
            int((np.diff(np.sign(each - end)[np.sign(each - end) != 0]) != 0).sum())
            for end in (0, SIDE)
        )
        for name, each in values.items()
    }
    assert crossings["crosses both ends"] == 4 + 2
    assert crossings["crosses them often"] == 10
    for name, highest in (("touches the upper end", True), ("touches the lower end", False)):
        assert crossings[name] == 0
        assert values[name].max() == pytest.approx(SIDE if highest else 2)
        assert values[name].min() == pytest.approx(2 if highest else 0)
    both = values["touches both ends"]
    assert (both.min(), both.max()) == pytest.approx((0, SIDE), abs=1e-9)


@pytest.mark.parametrize("name", threshold_shapes.build_shapes())
def test_privacy_is_that_of_the_lines_with_both_hypotheses(name):
    """A quadrature over the lengths of intervals, the sizes of the policy, and counted cells.

    Theorem 4 promises log(10/9) where the threshold is an end of the range, and there is nothing.
    """
    rho, box = 2.5, PublicRange((0, 0), (SIDE, SIDE))
    shape = threshold_shapes.build_shapes()[name]

    def length(x, reach):
        g = shape.polynomial(x)
        return min(reach, g) + min(reach, SIDE - g) if 0 < g < SIDE else 0.0

    band, source = (quad(length, 0, SIDE, (reach / rho,), limit=500)[0] for reach in (1, 2))
    expected = {
        StretchBlurring: -math.log(1 - band / 16),
        OverlayBlurring: math.log((16 - source + band) / (16 - source)),
    }
    for policy, privacy in expected.items():
        blurring = policy(shape, box, rho)
        _, reports, decided = blurring.compute_sizes()
        assert compute_privacy(reports, decided) == pytest.approx(privacy, abs=1e-4)
        for count in (20, 40):
            records = (np.arange(16 * count**2) + 0.5) / (16 * count**2) * SIDE
            records[-1] = SIDE  # p0 holds the upper end
            p0, p1, _, _ = find_reached_cells(blurring, records, count)
            counted = compute_privacy((p0 | p1).sum(), (p0 ^ p1).sum())
            # A cell at each end of the proving reports of a line, of 3/4 of the cells.
            assert abs(counted - privacy) * count <= 2.7
    promised = compute_budget(compute_band_measure(shape, box, rho), box.volume)
    assert (band == 0) == name.startswith("is the ")
    if band == 0:
        assert promised == pytest.approx(1 / 9)


def test_gathered_reports_by_a_plain_loop():
    """Six by six points, the Euclidean norm: distances and shared reports, one by one."""
    count, step = 6, 1.3
    line = np.linspace(0, SIDE, count)
    records = np.stack(np.meshgrid(line, line, indexing="ij"), axis=-1).reshape(-1, 2)
    is_p0 = records[:, 0] >= 1.5 + records[:, 1] / 3
    reports, bound = threshold_shapes.gather_records(records, is_p0, count, step, 2)
    undecided = class_diversity(class_numbers(reports), is_p0) == 2
    for x, side, report, near, hidden in zip(
        records, is_p0, reports, bound, undecided, strict=True
    ):
        others = records[is_p0 != side]
        assert near == (np.hypot(*(others - x).T).min() <= 2 * step + 1e-9)
        assert math.dist(x, report) <= step + 1e-9
        twins = [y.tolist() for y in reports[is_p0 != side]]
        assert hidden == (report.tolist() in twins)
        assert near or not hidden
    # Beyond the margin nobody is gathered; pairs of neighbours always are.
    assert undecided.sum() >= 2 * 6


def test_everybody_of_a_band_that_pairs_can_serve_is_undecided():
    """The largest norm and a straight threshold: one report is near a square of records."""
    table = wide(
        threshold_shapes.build_distance_table(rho=2.5, cells=[61]), ["shape", "norm", "cells"]
    )
    assert table.loc[("inside", "largest", 61), "remaining_share"] == 0
    assert "is the lower end" not in table.index.get_level_values("shape")
    assert (table["above_bound"] == 0).all()
    assert (table["change_beyond_accuracy"] <= 1e-9).all()
    line = np.linspace(0, SIDE, 61)
    records = np.stack(np.meshgrid(line, line, indexing="ij"), axis=-1).reshape(-1, 2)
    is_p0 = records[:, 0] >= threshold_shapes.build_shapes()["inside"](records[:, 1:])
    reports, _ = threshold_shapes.gather_records(records, is_p0, 61, 0.4, np.inf)
    largest = max(abs(a - b) for a, b in zip(reports.flat, records.flat, strict=True))
    change = table.loc[("inside", "largest", 61), "change_beyond_accuracy"]
    assert change == pytest.approx(largest - 0.4, abs=1e-12)
    assert (table["remaining_share"] < 0.25).all()
    assert table["remaining_share_times_cells"].tolist() == pytest.approx(
        (61 * (1 - table["undecided"] / table["bound"])).tolist()
    )
    # A change of the first number alone reaches everybody only where the threshold is level.
    assert table.loc[("touches both ends", "largest", 61), "first_number_share"] < 0.5
