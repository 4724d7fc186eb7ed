"""Two of many values, and conditioning: by simulation and by floating-point entropies."""

import itertools

import numpy as np
import pytest
from scipy.stats import entropy

from noiseless.papers.prrelation import sentences
from noiseless.seeds import make_generator


def test_nearer_values_are_told_apart_less_well_in_a_simulation():
    """Laplace noise drawn, and the best test read off the sorted answers."""
    table = sentences.build_values_table(epsilon_nats=[1.0]).set_index("statistic")["value"]
    assert (table["cases"], table["worse"], table["better"]) == (133, 133, 0)
    noise = make_generator(1, "values").laplace(size=200_000)
    for alpha in (0.1, 0.5, 0.9):
        threshold = np.quantile(noise, 1 - alpha)
        detected = [(noise + share > threshold).mean() for share in (0.125, 0.5, 1.0)]
        assert detected == sorted(detected)
        exact = [
            sentences._compute_recall(np.array([alpha]), share)[0] for share in (0.125, 0.5, 1.0)
        ]
        assert detected == pytest.approx(exact, abs=0.005)


def test_conditioning_changes_entropy_as_logarithms_say():
    """Every joint distribution with floating-point entropies, ties apart."""
    table = sentences.build_conditioning_table().set_index(["learned", "statistic"])["value"]
    found = {(kind, name): 0 for kind in ("average", "value") for name in ("more", "less")}
    joints = [w for w in itertools.product(range(9), repeat=4) if sum(w) == 8]
    for joint in joints:
        rows = np.array(joint, float).reshape(2, 2)
        before = entropy(rows.sum(axis=0))
        left = [(row.sum() / 8, entropy(row)) for row in rows if row.sum()]
        changes = [("average", sum(share * each for share, each in left) - before)]
        changes += [("value", each - before) for _, each in left]
        for kind, change in changes:
            found[kind, "more"] += change > 1e-9
            found[kind, "less"] += change < -1e-9
    assert table["average", "cases"] == len(joints)
    for kind in ("average", "value"):
        assert table[kind, "violations"] == found[kind, "more"]
        assert table[kind, "reductions"] == found[kind, "less"]
    assert found["average", "more"] == 0 < found["value", "more"]


def test_pairs_are_as_many_as_plain_loops_count():
    table = sentences.build_pairs_table().set_index(["statement", "statistic"])["value"]
    assert table["one to one", "violations"] == table["stronger", "violations"] == 0
    recalls = [(odds, r) for odds in range(3) for r in range(13) for g in range(r + 1)]
    assert table["one to one", "cases"] == len(recalls)
    assert table["one to one", "converse"] == len(recalls) - len(set(recalls))
    converse = 0
    for p in itertools.product(range(1, 12), repeat=3):
        for gamma in (1.5, 2, 4):
            outputs = (p, [12 - each for each in p])
            worst = max(a / b for output in outputs for a in output for b in output)
            for plausible in (2, 3):
                near = [
                    sum(a <= gamma * b + 1e-9 and b <= gamma * a + 1e-9 for b in output)
                    for output in outputs
                    for a in output
                ]
                converse += min(near) >= plausible and worst > gamma + 1e-9
    assert table["stronger", "converse"] == converse


def test_what_is_known_by_plain_loops():
    table = sentences.build_knowing_table().set_index(["statement", "statistic"])["value"]
    assert (table.xs("violations", level="statistic") == 0).all()
    # Products of two distributions in twelfths: (a, b) x (c, d) with whole parts.
    independent = sum(
        a * d == b * c
        for a, b, c, d in itertools.product(range(1, 12), repeat=4)
        if a + b + c + d == 12
    )
    assert table["records", "cases"] == independent
    given = 0
    for cut in itertools.combinations(range(1, 16), 7):
        w = np.diff((0, *cut, 16)).reshape(2, 2, 2)  # record, correlated record, past
        given += all(np.linalg.det(w[:, c, :]).round(6) == 0 for c in (0, 1))
    assert table["time", "cases"] == given
    # Results that rise in steps: the first and the last are a sensitivity apart, and so are
    # others where steps are 0.
    apart = cases = 0
    for size in (2, 3, 4):
        for steps in itertools.product(range(4), repeat=size - 1):
            at = np.cumsum((0, *steps))
            distances = [at[k] - at[m] for k in range(size) for m in range(k)]
            cases += len(distances)
            apart += distances.count(at[-1])
    assert (table["smaller", "cases"], table["smaller", "converse"]) == (cases, apart)
