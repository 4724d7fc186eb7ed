"""Sections' cases once more: by simulation, plain loops, fractions and floating-point entropies."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import entropy

from noiseless.papers.prrelation import section_3, section_4, section_5
from noiseless.seeds import make_generator


def test_nearer_values_are_told_apart_less_well_in_a_simulation():
    """Laplace noise drawn, and the best test read off the sorted answers."""
    cases = section_4.near_values.function()
    assert len(cases) == 7 * 133
    assert all(each.near < each.extreme - 1e-12 for each in cases)
    noise = make_generator(1, "values").laplace(size=200_000)
    for alpha in (0.1, 0.5, 0.9):
        threshold = np.quantile(noise, 1 - alpha)
        detected = [(noise + share > threshold).mean() for share in (0.125, 0.5, 1.0)]
        assert detected == sorted(detected)
        exact = [section_4.compute_best_recall(alpha, share) for share in (0.125, 0.5, 1.0)]
        assert detected == pytest.approx(exact, abs=0.005)


def test_conditioning_changes_entropy_as_logarithms_say():
    """Every joint distribution with floating-point entropies, ties apart."""
    cases = section_5.learning.function()
    joints = [w for w in itertools.product(range(9), repeat=4) if sum(w) == 8]
    found = {"average": [], "value": []}
    for joint in joints:
        rows = np.array(joint, float).reshape(2, 2)
        before = entropy(rows.sum(axis=0))
        left = [(row.sum() / 8, entropy(row)) for row in rows if row.sum()]
        found["average"].append(sum(share * each for share, each in left) - before)
        found["value"] += [each - before for _, each in left]
    for kind, changes in found.items():
        signs = [int(change > 1e-9) - int(change < -1e-9) for change in changes]
        assert signs == [each.sign for each in cases[kind]]
    assert max(found["average"]) < 1e-9 < max(found["value"])


def test_pairs_are_as_many_as_plain_loops_count():
    pairs = section_3.rate_pairs.function()
    assert len(pairs) == 3 * sum(math.comb(r + 1, 2) for r in range(1, 13))
    for each in pairs:
        alarms = [each.recall * (1 / p - 1) / each.odds for p in (each.precision, each.other)]
        assert tuple(alarms) == each.alarms
    for each in section_4.deniability.function():
        p, gamma = each.shares, float(each.gamma)
        outputs = (p, [12 - share for share in p])
        worst = max(a / b for output in outputs for a in output for b in output)
        near = [
            sum(a <= gamma * b + 1e-9 and b <= gamma * a + 1e-9 for b in output)
            for output in outputs
            for a in output
        ]
        assert each.is_private == (worst <= gamma + 1e-9)
        assert each.is_deniable == (min(near) >= each.plausible)


def test_what_is_known_by_plain_loops():
    cases = section_5.coefficients.function()
    # Products of two distributions in twelfths: (a, b) x (c, d) with whole parts.
    independent = sum(
        a * d == b * c
        for a, b, c, d in itertools.product(range(1, 12), repeat=4)
        if a + b + c + d == 12
    )
    assert sum(each.is_independent for each in cases["records"]) == independent
    given = 0
    for cut in itertools.combinations(range(1, 16), 7):
        w = np.diff((0, *cut, 16)).reshape(2, 2, 2)  # record, correlated record, past
        given += all(np.linalg.det(w[:, c, :]).round(6) == 0 for c in (0, 1))
    assert sum(each.is_independent for each in cases["time"]) == given
    # Results that rise in steps: the first and the last are a sensitivity apart, and so are
    # others where steps are 0.
    apart = count = 0
    for size in (2, 3, 4):
        for steps in itertools.product(range(4), repeat=size - 1):
            at = np.cumsum((0, *steps))
            distances = [at[k] - at[m] for k in range(size) for m in range(k)]
            count += len(distances)
            apart += distances.count(at[-1])
    far = section_4.far_values.function()
    assert (len(far), sum(each.apart == each.sensitivity for each in far)) == (count, apart)


def exact_epsilon(beta: Fraction, bound: Fraction) -> float:
    """Table 1 in fractions: e^epsilon from Eq. 12, one logarithm at the end."""
    root = (1 + beta**2 - bound * (1 - beta**2)) / ((1 + beta**2) * (1 - bound))
    return math.log((root**2 - 1) / (4 * beta**2))


def test_table_1_is_that_of_exact_fractions():
    betas, bounds = ("0.5", "0.6", "0.8", "1", "1.5", "2"), ("0.55", "0.62", "0.67", "0.83", "0.95")
    for beta, bound in itertools.product(map(Fraction, betas), map(Fraction, bounds)):
        found = section_4._find_epsilon(float(beta), float(bound), is_exact=True)
        if bound >= (1 + beta**2) / (2 + beta**2):
            assert found == pytest.approx(exact_epsilon(beta, bound), rel=1e-12)
        else:
            assert found is None


def test_the_exact_header_refuses_four_cells_and_no_other():
    """48 of 48 cells of Table 1 are as printed; 4 of the first entries are turning points."""
    printed, exact, turning = (
        each()
        for each in (
            section_4.table1.check,
            section_4.table1_exact.check,
            section_4.table1_turning,
        )
    )
    assert (printed.cases, printed.failed) == (48, 0)
    assert sum(each.printed is None for each in printed.cells) == 15
    refused = [each.where for each in exact.cells if not each.holds]
    assert refused == [
        {"beta": beta, "f": bound}
        for beta, bound in ((0.5, 0.55), (0.8, 0.62), (1.5, 0.76), (2, 0.83))
    ]
    assert [each.where for each in turning.cells] == refused
    assert turning.holds
