"""Adversaries with a law: every number against a route that shares nothing with the module."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from noiseless.accounting.composite import ThresholdHypothesis
from noiseless.accounting.epsilon import (
    Accuracy,
    Advantage,
    FScore,
    Posterior,
    TruePositives,
    choose_epsilon,
    risk,
)
from noiseless.accounting.joint import (
    RecordHypothesis,
    bound_least_constant,
    compute_joint_epsilon,
)
from noiseless.accounting.privacy_loss import LossCurve, NormalLoss
from noiseless.errors import ConfigError
from noiseless.mechanisms.families.gaussian import compute_analytic_sigma
from noiseless.theory.laws import BlockLaw, ChainLaw, ExchangeableLaw, TableLaw

MEASURES = (FScore(), FScore(0.5), Advantage(), Accuracy(), TruePositives(0.1), Posterior())


def draw_law(random, bits=False):
    """Draw a law of one to four records, some databases of which may be impossible."""
    n = int(random.integers(1, 5))
    values = (0.0, 1.0) if bits else tuple(random.choice([0, 0.5, 1, 2], int(random.integers(2, 4)),
                                                         replace=False))  # fmt: skip
    every = list(itertools.product(values, repeat=n))
    while True:
        weights = random.dirichlet(np.full(len(every), 0.5)) * (random.random(len(every)) < 0.8)
        law = {x: w for x, w in zip(every, weights, strict=True) if w > 1e-6}
        if len({x[0] for x in law}) > 1:
            one, two = random.permutation(sorted({x[0] for x in law}))[:2]
            return law, float(one), float(two)


def integrate(law, one, two, known, query, density, log_ratio, tails):
    """Integrate (p_one - e^t p_two)^+ over a fine grid of answers, by the table itself."""
    sides = [{x: w for x, w in law.items() if x[0] == v} for v in (one, two)]
    totals = [sum(side.values()) for side in sides]
    answers = [query(x) for side in sides for x in side]
    grid = np.linspace(min(answers) - tails, max(answers) + tails, 20_001)
    step, value = grid[1] - grid[0], 0.0
    for seen in {tuple(x[i] for i in known) for x in law}:
        parts = []
        for side, total in zip(sides, totals, strict=True):
            each = np.zeros_like(grid)
            for x, w in side.items():
                if tuple(x[i] for i in known) == seen:
                    each += w / total * density(grid - query(x))
            parts.append(each)
        value += np.maximum(parts[0] - math.exp(log_ratio) * parts[1], 0).sum() * step
    return value


def test_laplace_curve_is_the_integral_of_any_law():
    random = np.random.default_rng(1)
    for _ in range(25):
        law, one, two = draw_law(random)
        n = len(next(iter(law)))
        slopes = random.choice([1.0, -1.0, 0.5], n)
        known = tuple(i for i in range(1, n) if random.random() < 0.3)
        epsilon = float(random.choice([0.2, 1.0, 4.0]))
        query = lambda x, slopes=slopes: float(np.dot(slopes, x))  # noqa: E731
        question = RecordHypothesis(
            TableLaw(law), 0, one, two, query=query, sensitivity=2.0, known=known
        )
        curve = question.build_curve("laplace", 2 * epsilon, 1)
        for t in random.normal(0, 1, 2):
            found = curve.compute_delta(float(t))
            density = lambda z, e=epsilon: e / 2 * np.exp(-e * np.abs(z))  # noqa: E731
            expected = integrate(law, one, two, known, query, density, t, 16 / epsilon)
            assert found.low == pytest.approx(expected, abs=2e-5)
            assert found.low == found.high


def test_normal_curve_encloses_the_integral_of_any_law():
    random = np.random.default_rng(2)
    widest = 0.0
    for _ in range(10):
        law, one, two = draw_law(random)
        n = len(next(iter(law)))
        known = tuple(i for i in range(1, n) if random.random() < 0.3)
        question = RecordHypothesis(TableLaw(law), 0, one, two, sensitivity=2.0, known=known)
        epsilon = float(random.choice([0.5, 2.0]))
        sigma = compute_analytic_sigma(sensitivity=1.0, epsilon_nats=epsilon, delta=1e-5)
        curve = question.build_curve("gaussian_analytic", 2 / sigma, 1)
        for t in random.normal(0, 1, 2):
            found = curve.compute_delta(float(t))
            density = lambda z, s=sigma: np.exp(-((z / s) ** 2) / 2) / s / math.sqrt(2 * math.pi)  # noqa: E731
            expected = integrate(law, one, two, known, sum, density, t, 9 * sigma)
            assert found.low - 1e-7 <= expected <= found.high + 1e-7
            widest = max(widest, found.high - found.low)
    assert widest < 1e-7


def test_measures_of_any_mechanism_are_those_of_all_tests():
    """Every subset of the outputs of a random mechanism, in fractions."""
    random = np.random.default_rng(3)
    for _ in range(25):
        n, outputs = int(random.integers(1, 4)), 5
        every = list(itertools.product((0, 1), repeat=n))
        law = {x: Fraction(int(random.integers(1, 9))) for x in every}
        rows = {x: [Fraction(int(k)) for k in random.integers(1, 9, outputs)] for x in every}
        chances = {x: [p / sum(row) for p in row] for x, row in rows.items()}
        name = {x: 1.0 * k for k, x in enumerate(every)}
        question = RecordHypothesis(TableLaw({x: float(w) for x, w in law.items()}),
                                    query=lambda x, at=name: at[tuple(map(int, x))])  # fmt: skip
        mechanism = {name[x]: list(map(float, chances[x])) for x in every}
        sides = []
        for v in (1, 0):
            total = sum(w for x, w in law.items() if x[0] == v)
            sides.append(
                [
                    sum(w * chances[x][o] for x, w in law.items() if x[0] == v) / total
                    for o in range(outputs)
                ]
            )
        odds = sum(w for x, w in law.items() if x[0] == 0) / sum(
            w for x, w in law.items() if x[0] == 1
        )
        best = {"f": Fraction(0), "a": Fraction(0), "c": Fraction(0), "p": Fraction(0)}
        for test in itertools.product((0, 1), repeat=outputs):
            r, g = (sum(p for p, yes in zip(side, test, strict=True) if yes) for side in sides)
            if r:
                best["f"] = max(best["f"], 2 * r / (r + odds * g + 1))
                best["p"] = max(best["p"], r / (r + odds * g))
            best["a"] = max(best["a"], r - g)
            best["c"] = max(best["c"], (r + odds * (1 - g)) / (1 + odds))
        for measure, key in (
            (FScore(), "f"),
            (Advantage(), "a"),
            (Accuracy(), "c"),
            (Posterior(), "p"),
        ):
            found = measure.evaluate(
                question.build_output_curve(mechanism),
                (1 - question.prior) / question.prior,
            )
            assert found.high == pytest.approx(float(best[key]), abs=1e-12)


def test_true_positives_are_those_of_the_most_powerful_test():
    random = np.random.default_rng(4)
    for _ in range(15):
        law, one, two = draw_law(random, bits=True)
        question = RecordHypothesis(TableLaw(law), 0, one, two)
        alarm = float(random.choice([0.01, 0.1, 0.5]))
        grid = np.linspace(-25, 30, 200_001)
        parts = []
        for v in (one, two):
            total = sum(w for x, w in law.items() if x[0] == v)
            parts.append(sum(w / total * np.exp(-np.abs(grid - sum(x))) / 2
                             for x, w in law.items() if x[0] == v) * 55 / 200_000)  # fmt: skip
        order = np.argsort(-parts[0] / parts[1], kind="stable")
        best = np.interp(alarm, np.cumsum(parts[1][order]), np.cumsum(parts[0][order]))
        found = risk(TruePositives(alarm), hypothesis=question, epsilon_nats=1.0)
        assert found.low == pytest.approx(best, abs=1e-4)
        assert found.high - found.low < 1e-9


def test_geometric_noise_and_known_records_by_enumeration():
    """All outputs from -60 to 60 one by one; the largest posterior of any output and known bit."""
    random = np.random.default_rng(14)
    outputs = np.arange(-60, 64)
    for _ in range(15):
        law, one, two = draw_law(random, bits=True)
        n, epsilon = len(next(iter(law))), float(random.choice([0.5, 1.0, 2.0]))
        known = tuple(i for i in range(1, n) if random.random() < 0.5)
        question = RecordHypothesis(TableLaw(law), 0, one, two, known=known)
        even = math.exp(-epsilon)
        noises = {"discrete_laplace": lambda z, e=even: (1 - e) / (1 + e) * e ** np.abs(z),
                  "laplace": lambda z, e=epsilon: np.exp(-e * np.abs(z))}  # fmt: skip
        for name, noise in noises.items():
            sides = {}
            for x, w in law.items():
                key = tuple(x[i] for i in known)
                rows = sides.setdefault(key, np.zeros((2, len(outputs))))
                rows[int(x[0] == two)] += w * noise(outputs - sum(x))
            rows = np.hstack(list(sides.values()))
            curve = question.build_curve(name, epsilon, 1)
            with np.errstate(divide="ignore"):
                best = np.log(rows[0] / rows[1]).max() + math.log(
                    (1 - question.prior) / question.prior
                )
            assert curve.compute_loss_quantile(0.0).high == pytest.approx(best, abs=1e-9)
            if name == "discrete_laplace":
                rows /= np.array(
                    [[sum(w for x, w in law.items() if x[0] == v)] for v in (one, two)]
                )
                expected = np.maximum(rows[0] - 1.3 * rows[1], 0).sum()
                found = curve.compute_delta(math.log(1.3)).high
                assert found == pytest.approx(expected, abs=1e-9)


def test_worst_test_is_the_best_vertex_for_two_bits():
    """All vertices of the tests of two bits, by solving every four of the 24 conditions."""
    random = np.random.default_rng(5)
    every = list(itertools.product((0, 1), repeat=2))
    edges = [(a, b) for a, b in itertools.permutations(range(4), 2)
             if sum(x != y for x, y in zip(every[a], every[b], strict=True)) == 1]  # fmt: skip
    for _ in range(3):
        ratio = math.exp(float(random.choice([0.3, 1.0, 2.0])))
        rows, bounds = [], []
        for a, b in edges:
            for sign in (1, -1):
                row = np.zeros(4)
                row[a], row[b] = (1, -ratio) if sign == 1 else (ratio, -1)
                rows.append(row)
                bounds.append(0.0 if sign == 1 else ratio - 1)
        for k in range(4):
            rows += [np.eye(4)[k], -np.eye(4)[k]]
            bounds += [1.0, 0.0]
        matrix, bounds = np.array(rows), np.array(bounds)
        chosen = np.array(list(itertools.combinations(range(len(bounds)), 4)))
        systems = matrix[chosen]
        kept = np.abs(np.linalg.det(systems)) > 1e-9
        points = np.linalg.solve(systems[kept], bounds[chosen[kept]][..., None])[..., 0]
        points = points[(points @ matrix.T <= bounds + 1e-9).all(axis=1)]
        for _ in range(4):
            weights = random.dirichlet(np.full(4, 0.7))
            law = dict(zip(every, weights.tolist(), strict=True))
            question = RecordHypothesis(TableLaw(law))
            t = float(random.normal(0, 0.7))
            gain = np.array([w / (weights[2:] if x[0] else weights[:2]).sum()
                             * (1 if x[0] else -math.exp(t)) for x, w in law.items()])  # fmt: skip
            curve = question.build_curve("any", math.log(ratio), 1)
            found = curve.compute_delta(t)
            assert found.low - 1e-14 <= (points @ gain).max() <= found.high
            assert found.high - found.low <= 1e-12
            # One programme finds the F-score that a root of many finds.
            one, many = curve.compute_f_score(1.0, 1.3), LossCurve.compute_f_score(curve, 1.0, 1.3)
            assert one.high == pytest.approx(many.high, abs=1e-11)


@pytest.mark.parametrize("epsilon", [1e-6, 0.3, 3.0, 10.0, 15.0])
@pytest.mark.parametrize("copies", [2, 3, 5])
def test_bounds_of_the_worst_mechanism_hold_however_inexact_a_programme_is(copies, epsilon):
    """Copies, in closed form: a solver's own optimum is off by 1e-4 at 10 nats."""
    law = ExchangeableLaw.build_copies(copies, 0.3)
    for each in (law, law.build_table()):
        question = RecordHypothesis(each)
        curve = question.build_curve("any", epsilon, 1)
        for alarm in (1e-9, 1e-3, 0.5):
            exact = alarm
            for _ in range(copies):
                exact = min(math.exp(epsilon) * exact, 1 - math.exp(-epsilon) * (1 - exact))
            found = curve.compute_true_positive_rate(alarm)
            assert found.low - 1e-12 <= exact <= found.high + 1e-12
        worth = curve.compute_loss_quantile(0.0)
        assert worth.low - 1e-9 <= copies * epsilon <= worth.high + 1e-9


def test_what_an_epsilon_is_worth_is_not_rounded_away():
    """Near 0 by the regression slopes; a public count by a programme, in closed form, too."""
    chain = RecordHypothesis(ChainLaw.build_symmetric(0.75, 5), 2)
    drawn = RecordHypothesis(chain.law.build_table(), 2)
    public = TableLaw.build_independent([0.3, 0.4, 0.5]).keep(lambda x: sum(x) == 1)
    for epsilon in (1e-12, 1e-6, 1e-3):
        for question in (chain, drawn):
            assert compute_joint_epsilon(question, epsilon) / epsilon == pytest.approx(
                2.5, rel=1e-4
            )
    for epsilon in (1e-6, 1.0, 8.0):
        worth = compute_joint_epsilon(RecordHypothesis(public), epsilon)
        assert worth == pytest.approx(2 * epsilon, rel=1e-6)
    with pytest.raises(ConfigError, match="one at which a linear programme is exact"):
        compute_joint_epsilon(RecordHypothesis(public), 1e-13)


def test_normal_noise_about_one_bit_is_that_of_two_databases():
    """At even odds the ends of the best test lie on a grid; far thresholds; no largest loss."""
    question = RecordHypothesis(TableLaw.build_independent([0.5]))
    for mu in (1e-3, 1.0, 20.0):
        ours, known = question.build_curve("gaussian_analytic", mu, 1), NormalLoss(mu)
        for t in (-30.0, 0.0, 0.5, 20.0, 30.0):
            found, exact = ours.compute_delta(t), known.compute_delta(t).low
            assert found.low - 1e-14 <= exact <= found.high + 1e-14
            assert found.high - found.low < 1e-12
        for tail in (1e-40, 0.1):
            found, exact = ours.compute_loss_quantile(tail), known.compute_loss_quantile(tail).low
            assert found.low - 1e-9 <= exact <= found.high + 1e-9
        assert ours.compute_loss_quantile(0.0).high == math.inf
    symmetric = RecordHypothesis(ChainLaw.build_symmetric(0.75, 4), 1)
    asked = {"mechanism": "gaussian_analytic", "delta": 1e-5, "hypothesis": symmetric}
    advantage = risk(Advantage(), epsilon_nats=1.0, **asked)
    table = symmetric.law.build_table()
    rows = zip(map(tuple, table.databases.tolist()), table.chances, strict=True)
    moved = {(x[1], x[0], *x[2:]): w for x, w in rows}
    sigma = compute_analytic_sigma(sensitivity=1.0, epsilon_nats=1.0, delta=1e-5)
    density = lambda z: np.exp(-((z / sigma) ** 2) / 2) / sigma / math.sqrt(2 * math.pi)  # noqa: E731
    expected = integrate(moved, 1, 0, (), sum, density, 0.0, 9 * sigma)
    assert advantage.low == pytest.approx(expected, abs=1e-6)
    assert risk(Posterior(), epsilon_nats=1.0, **asked).high == 1.0
    # Noise that is small against the distances: the noiseless answer, in milliseconds.
    noiseless = symmetric.build_noiseless_curve("laplace").compute_delta(0.0).high
    assert risk(Advantage(), epsilon_nats=1e6, **asked).high == pytest.approx(noiseless)


def test_normal_loss_that_has_a_largest_value():
    """Both values allow the outermost answers, so that the ratio of the weights bounds the loss."""
    law = TableLaw({(0, 0): 3, (0, 3): 1, (1, -1): 1, (1, 0): 1, (1, 2): 2})
    question = RecordHypothesis(law)
    found = question.build_curve("gaussian_analytic", 1.0, 1).compute_loss_quantile(0.0)
    x = np.linspace(-40, 40, 8001)[:, None]
    logs = [
        np.logaddexp.reduce(np.log(weights) - (x - points) ** 2 / 2, axis=1)
        for points, weights in (([0, 3], [0.75, 0.25]), ([0, 1, 3], [0.25, 0.25, 0.5]))
    ]
    assert found.low - 1e-9 <= (logs[1] - logs[0]).max() <= found.high + 1e-9


def test_knowing_more_and_less_noise_never_lower_a_risk():
    random = np.random.default_rng(8)
    for _ in range(2):
        law, one, two = draw_law(random, bits=True)
        n = len(next(iter(law)))
        for mechanism, delta in (("laplace", None), ("gaussian_analytic", 1e-5)):
            before = None
            for known in (tuple(range(k)) for k in range(1, n + 1)):
                question = RecordHypothesis(TableLaw(law), 0, one, two, known=known[1:])
                asked = {"hypothesis": question, "mechanism": mechanism, "delta": delta}
                low, high = (
                    [risk(m, epsilon_nats=e, **asked).high for m in MEASURES[2:]]
                    for e in (0.5, 2.0)
                )
                assert all(a <= b + 1e-9 for a, b in zip(low, high, strict=True))
                assert before is None or all(
                    a <= b + 1e-9 for a, b in zip(before, low, strict=True)
                )
                before = low


def test_least_constants():
    chain = RecordHypothesis(ChainLaw.build_symmetric(0.75, 11), 5)
    found = bound_least_constant(chain, ratio=1.5)
    assert found.low <= sum(0.5 ** abs(j - 5) for j in range(11)) <= found.high
    mixed = RecordHypothesis(ExchangeableLaw.build_mixed(10, 0.5, 0.01))
    found = bound_least_constant(mixed, low_nats=1.0, high_nats=4.0, ratio=1.02)
    worth = []
    for nats in np.geomspace(1, 4, 1001):
        others = 0.99 * ((1 + math.exp(nats)) / 2) ** 9
        one, two = 0.01 * math.exp(10 * nats) + others * math.exp(nats), 0.01 + others
        worth.append(math.log(one / two) / nats)
    assert found.low <= max(worth) + 1e-12 <= found.high <= 1.0201 * found.low
    copies = RecordHypothesis(ExchangeableLaw.build_copies(6, 0.2))
    assert bound_least_constant(copies, ratio=2).low == pytest.approx(6)


def test_copies_are_a_group():
    for k in (1, 2, 7):
        question = RecordHypothesis(ExchangeableLaw.build_copies(k, 0.3))
        assert compute_joint_epsilon(question, 0.4) == pytest.approx(k * 0.4)
        found = risk(FScore(), hypothesis=question, epsilon_nats=0.4).high
        assert found == pytest.approx(
            risk(FScore(), epsilon_nats=0.4 * k, prior=0.3).high, abs=1e-12
        )


def test_independent_records_need_no_more_than_epsilon():
    random = np.random.default_rng(12)
    for _ in range(8):
        chances = random.uniform(0.1, 0.9, int(random.integers(1, 6)))
        question = RecordHypothesis(TableLaw.build_independent(chances))
        assert compute_joint_epsilon(question, 0.9) == pytest.approx(0.9)
        knows_all = RecordHypothesis(question.law, known=tuple(range(1, len(chances))))
        for measure in MEASURES:
            least, all_known = (
                risk(measure, hypothesis=q, epsilon_nats=0.9).high for q in (question, knows_all)
            )
            binary = risk(measure, epsilon_nats=0.9, prior=question.prior).high
            assert all_known == pytest.approx(binary, abs=1e-9)
            assert least <= binary + 1e-9


def test_chosen_epsilon_keeps_the_bound_and_no_larger_one_does():
    question = RecordHypothesis(ChainLaw.build_symmetric(0.8, 5), 2)
    for mechanism in ("laplace", "discrete_laplace", "any"):
        found = choose_epsilon(FScore(), 0.8, hypothesis=question, mechanism=mechanism).epsilon_nats
        assert (
            risk(FScore(), hypothesis=question, epsilon_nats=found, mechanism=mechanism).high <= 0.8
        )
        more = risk(
            FScore(), hypothesis=question, epsilon_nats=found * 1.0001, mechanism=mechanism
        ).high
        assert more > 0.8
    alone = risk(FScore(), epsilon_nats=found).high
    assert alone < 0.8


def test_every_epsilon_keeps_a_bound_that_the_noiseless_answer_keeps():
    hidden = RecordHypothesis(TableLaw.build_independent([0.5] * 9))
    noiseless = (hidden.parts[0][1] + hidden.parts[0][2]) / 2
    accuracy = np.maximum(hidden.parts[0][1], hidden.parts[0][2]).sum() / 2
    assert noiseless.sum() == pytest.approx(1)
    found = choose_epsilon(Accuracy(), accuracy + 1e-9, hypothesis=hidden)
    assert (found.epsilon_nats, found.noise, found.is_feasible) == (math.inf, 0.0, True)
    assert "every epsilon" in found.explanation
    assert 0 < choose_epsilon(Accuracy(), accuracy - 1e-3, hypothesis=hidden).epsilon_nats < 99
    # As near to it as rounding: the search ends, too.
    assert choose_epsilon(Accuracy(), np.nextafter(accuracy, 0), hypothesis=hidden).is_feasible
    below = choose_epsilon(Accuracy(), 0.4, hypothesis=hidden)
    assert not below.is_feasible


def test_a_threshold_takes_the_same_form():
    heavy = ThresholdHypothesis(100, low=0, high=200)
    found = choose_epsilon(FScore(), 0.7, hypothesis=heavy).epsilon_nats
    assert risk(FScore(), epsilon_nats=found, hypothesis=heavy).high == pytest.approx(0.7, abs=1e-9)


def test_the_unit_of_the_records_does_not_matter():
    """Epsilon is for the largest change of a record, whether in watts or in kilowatts."""
    found = []
    for unit in (1e-12, 1.0, 1000.0):
        x = TableLaw({(0, 0): 3, (unit, 0): 1, (0, unit): 1, (unit, unit): 2, (unit / 2, 0): 1})
        question = RecordHypothesis(x, 0, unit, 0)
        found.append([risk(each, epsilon_nats=1.0, hypothesis=question).high for each in MEASURES])
    assert found[0] == pytest.approx(found[1], rel=1e-9)
    assert found[2] == pytest.approx(found[1], rel=1e-9)


def test_strangers_do_not_matter_to_what_an_epsilon_is_worth():
    pair = TableLaw({(0, 0): 3, (0, 1): 1, (1, 0): 2, (1, 1): 1})
    street = BlockLaw([ExchangeableLaw.build_copies(3, 0.4), pair])
    alone = compute_joint_epsilon(RecordHypothesis(pair, 1), 0.8)
    assert compute_joint_epsilon(RecordHypothesis(street, 4), 0.8) == pytest.approx(alone)
    table = RecordHypothesis(street.build_table(), 4)
    assert compute_joint_epsilon(table, 0.8) == pytest.approx(alone, abs=1e-6)


LAW = TableLaw.build_independent([0.5, 0.5])
BITS = RecordHypothesis(LAW)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: RecordHypothesis(LAW, 2), "records 0 to 1"),
        (lambda: RecordHypothesis(LAW, 0, 7.0), "got 7.0"),
        (lambda: RecordHypothesis(LAW, 0, 1, 1), "must differ"),
        (lambda: RecordHypothesis(LAW, 0, known=(0,)), "without `record`"),
        (lambda: RecordHypothesis(LAW, sensitivity=0.5), "must be 1.0 or more"),
        (
            lambda: RecordHypothesis(LAW, query=lambda x: 5 * x[0], sensitivity=1.0),
            "must be 5.0 or more",
        ),
        (
            lambda: risk(
                FScore(),
                epsilon_nats=1,
                hypothesis=RecordHypothesis(LAW, query=lambda x: math.nan if x[0] else 0.0),
            ),
            "a finite number for each database, got nan",
        ),
        (
            lambda: risk(
                FScore(),
                epsilon_nats=1,
                hypothesis=RecordHypothesis(
                    TableLaw({(1e13,): 1, (1e13 + 1,): 1}), 0, 1e13 + 1, 1e13
                ),
            ),
            "Subtract a constant",
        ),
        (
            lambda: risk(
                FScore(),
                epsilon_nats=1,
                mechanism="discrete_laplace",
                hypothesis=RecordHypothesis(LAW, query=lambda x: 10**8 * x[0]),
            ),
            "Round to a larger unit",
        ),
        (
            lambda: compute_joint_epsilon(
                RecordHypothesis(TableLaw({(0,) * 98 + (1,): 1, (1,) * 98 + (0,): 1})), 1.0
            ),
            r"got 2\^99 or more",
        ),
        (lambda: RecordHypothesis({(0,): 1}), "must be a law"),
        (lambda: RecordHypothesis(ExchangeableLaw([1, 1, 1]), known=(1,)), "build_table"),
        (lambda: compute_joint_epsilon(RecordHypothesis(LAW, 0, known=(1,)), 1.0), "law.keep"),
        (lambda: compute_joint_epsilon(BITS, 0.0), "epsilon_nats"),
        (
            lambda: bound_least_constant(BITS, low_nats=2, high_nats=1),
            "`high_nats` must be a number above 2, got 1",
        ),
        (lambda: risk(FScore(), epsilon_nats=1, hypothesis=BITS, answers=2), "`answers` must be 1"),
        (
            lambda: risk(FScore(), epsilon_nats=1, hypothesis=BITS, prior=0.5),
            "`prior` must be None",
        ),
        (lambda: risk(FScore(), epsilon_nats=1, hypothesis=LAW), "must be a ThresholdHypothesis"),
        (
            lambda: risk(
                FScore(), epsilon_nats=1, hypothesis=BITS, mechanism="discrete_gaussian", delta=1e-5
            ),
            "got 'discrete_gaussian'",
        ),
        (
            lambda: risk(FScore(), epsilon_nats=1, hypothesis=BITS, mechanism="any", delta=0.1),
            "`delta` must be None",
        ),
        (
            lambda: risk(Posterior(0.1), epsilon_nats=1, hypothesis=BITS, mechanism="any"),
            "`tail` must be 0",
        ),
        (lambda: risk(FScore(), hypothesis=BITS, mechanism={0: [1.0]}), "noiseless answer 1.0"),
        (lambda: risk(FScore(), hypothesis=BITS, mechanism={0: [0.5]}), "the sum 1"),
        (lambda: risk(FScore(), hypothesis=BITS, mechanism=max), "must be a name"),
        (lambda: choose_epsilon(FScore(), 0.8, hypothesis=BITS, mechanism=max), "must be a name"),
        (
            lambda: risk(
                FScore(),
                epsilon_nats=1,
                hypothesis=RecordHypothesis(TableLaw.build_independent([0.5] * 11)),
                mechanism="any",
            ),
            "got 2,048",
        ),
        (
            lambda: risk(
                FScore(),
                epsilon_nats=1,
                hypothesis=RecordHypothesis(LAW, query=lambda x: x[0] / 2),
                mechanism="discrete_laplace",
            ),
            "whole answers",
        ),
        (
            lambda: compute_joint_epsilon(
                RecordHypothesis(TableLaw({(0, 1): 1, (1, 0): 2, (1, 1): 1})), 50.0
            ),
            "at most 15",
        ),
    ],
)
def test_refusals_name_the_field(call, says):
    with pytest.raises(ConfigError, match=says):
        call()
