"""Cases of laws of records: an adversary with a joint distribution (``prrelation``, Section 5).

Each table compares :mod:`noiseless.accounting.joint` with a route that shares nothing with it: sums
over databases, every set of outputs, every vertex of the tests, the dual programme, closed forms.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Final

import numpy as np
import pandas as pd
from scipy.optimize import linprog

from noiseless.accounting.epsilon import Accuracy, Advantage, FScore, Posterior, TruePositives, risk
from noiseless.accounting.joint import RecordHypothesis, compute_joint_epsilon
from noiseless.papers.prrelation.orders import enumerate_databases
from noiseless.seeds import make_generator
from noiseless.statements import universe
from noiseless.theory.laws import BlockLaw, ChainLaw, Database, ExchangeableLaw, TableLaw

Weights = Mapping[Database, Any]  # numbers, some of them fractions
_EVEN_RECALL: Final = 0.5
_ANSWERS: Final = np.linspace(-30.0, 33.0, 30_001)
_OUTPUTS: Final = 4  # of a mechanism whose tests are all tried
_SIZES: Final[dict[str, Any]] = {"smoke": {"laws": 8}, "paper": {"laws": 100}, "least": {"laws": 8}}


def draw_laws(records: int, laws: int, seed: int, *, possible: float = 0.9) -> list[Weights]:
    """Draw laws of bits, whose databases are each possible with a probability."""
    random = make_generator(seed, "prrelation", "laws", records)
    every = enumerate_databases(records)
    found: list[Weights] = []
    while len(found) < laws:
        weights = random.dirichlet(np.full(len(every), 0.7)) * (
            random.random(len(every)) < possible
        )
        law: Weights = {x: float(w) for x, w in zip(every, weights, strict=True) if w > 1e-4}
        is_whole = possible < 1 or len(law) == len(every)
        if is_whole and {x[0] for x in law} == {0, 1}:
            found.append(law)
    return found


def draw_positive_laws(records: int, laws: int, seed: int) -> list[Weights]:
    """Draw laws of bits that attract each other (ferromagnetic Ising laws)."""
    random = make_generator(seed, "prrelation", "positive laws", records)
    x = np.array(enumerate_databases(records))
    found: list[Weights] = []
    for _ in range(laws):
        pull = np.triu(random.exponential(1.0, (records, records)), 1)
        pull *= random.random((records, records)) < 0.7
        field = random.normal(0, 0.7, records) - (pull.sum(0) + pull.sum(1)) / 2
        energy = np.einsum("ki,ij,kj->k", x, pull, x) + x @ field
        found.append(dict(zip(map(tuple, x.tolist()), np.exp(energy).tolist(), strict=True)))
    return found


def split(law: Weights) -> tuple[Weights, Weights]:
    """Return the laws of the database given that the first record is 1, and 0."""
    sides = [{x: w for x, w in law.items() if x[0] == v} for v in (1, 0)]
    one, two = ({x: w / sum(side.values()) for x, w in side.items()} for side in sides)
    return one, two


@universe(**_SIZES)
def tests_of_outputs(laws: int, seed: int) -> pd.DataFrame:
    """Compare measures of mechanisms with a few outputs with those of every set of outputs.

    The sets are tried in fractions.  Columns: ``law``, ``measure``, ``difference``.
    """
    random, rows = make_generator(seed, "prrelation", "outputs"), []
    for number, law in enumerate(draw_laws(2, laws, seed)):
        whole = {x: Fraction(math.ceil(1000 * w)) for x, w in law.items()}
        parts = random.integers(1, 9, (4, _OUTPUTS))
        chances = [[Fraction(int(p), int(row.sum())) for p in row] for row in parts]
        codes = {x: int(2 * x[0] + x[1]) for x in law}
        p, q = (
            [sum(w * chances[codes[x]][o] for x, w in side.items()) for o in range(_OUTPUTS)]
            for side in split(whole)
        )
        ones = sum(w for x, w in whole.items() if x[0])
        odds = (sum(whole.values()) - ones) / ones
        question = RecordHypothesis(
            TableLaw({x: float(w) for x, w in whole.items()}), query=lambda x: 2 * x[0] + x[1]
        )
        outputs = {k: [float(each) for each in row] for k, row in enumerate(chances)}
        for measure, best in _try_all_sets(p, q, odds).items():
            found = risk(measure, hypothesis=question, mechanism=outputs).high
            rows.append((number, type(measure).__name__, found - float(best)))
    return pd.DataFrame(rows, columns=["law", "measure", "difference"])


def _try_all_sets(p: Sequence[Any], q: Sequence[Any], odds: Any) -> dict[Any, Any]:
    """Compute the largest of each measure over all sets of outputs."""
    best = dict.fromkeys((FScore(), Advantage(), Accuracy(), Posterior()), Fraction(0))
    for chosen in itertools.product((0, 1), repeat=len(p)):
        r, g = (sum(each for each, yes in zip(side, chosen, strict=True) if yes) for side in (p, q))
        values = (2 * r / (r + odds * g + 1), r - g, (r + odds * (1 - g)) / (1 + odds))
        best_of = (*values, r / (r + odds * g) if r else 0)
        best = {key: max(old, new) for (key, old), new in zip(best.items(), best_of, strict=True)}
    return best


@universe(**_SIZES)
def noise_curves(laws: int, seed: int) -> pd.DataFrame:
    """Compare loss curves of noise with a sum over a fine grid of answers.

    The query is a sum with signs.  Columns: ``law``, ``noise``, ``below`` and ``above``, by which
    the sum is below and above the bounds of the curve.
    """
    random, rows = make_generator(seed, "prrelation", "curves"), []
    step = _ANSWERS[1] - _ANSWERS[0]
    for number, law in enumerate(draw_laws(3, laws, seed)):
        slopes, t = random.choice([1.0, -1.0, 0.5], 3), float(random.normal(0, 0.7))
        known = (2,) if number % 2 else ()
        question = RecordHypothesis(
            TableLaw(law), query=partial(np.dot, slopes), sensitivity=1.0, known=known
        )
        for noise in ("laplace", "gaussian_analytic"):
            total = 0.0
            for seen in {tuple(x[i] for i in known) for x in law}:
                p, q = (
                    sum(
                        w * _compute_density(noise, _ANSWERS - np.dot(slopes, x))
                        for x, w in side.items()
                        if tuple(x[i] for i in known) == seen
                    )
                    for side in split(law)
                )
                total += float(np.maximum(p - math.exp(t) * q, 0).sum() * step)
            found = question.build_curve(noise, 1.0, 1).compute_delta(t)
            rows.append((number, noise, found.low - total, total - found.high))
    return pd.DataFrame(rows, columns=["law", "noise", "below", "above"])


def _compute_density(noise: str, u: Any) -> Any:
    """Compute the density of noise of scale 1."""
    if noise == "laplace":
        return np.exp(-np.abs(u)) / 2
    return np.exp(-(u**2) / 2) / math.sqrt(2 * math.pi)


@universe(**_SIZES)
def ends(laws: int, seed: int) -> pd.DataFrame:
    """Count the ends of the best test of a noisy count, and what one threshold loses of F1.

    Columns: ``kind``, ``law``, ``ends`` (the most, over five thresholds of the ratio), ``lost``
    (of the best F1, at an epsilon of 3).
    """
    random, rows = make_generator(seed, "prrelation", "ends"), []
    for number in range(laws):
        drawn = {
            "exchangeable": ExchangeableLaw(
                random.dirichlet(np.full(random.integers(2, 9), 0.3)).tolist()
            ),
            "independent": TableLaw.build_independent(random.uniform(0.05, 0.95, 4).tolist()),
        }
        for kind, law in drawn.items():
            question = RecordHypothesis(law)
            ends = [_count_ends(question, float(t)) for t in random.normal(0, 1, 5)]
            rows.append((kind, number, max(ends), _compute_lost(question)))
    household = BlockLaw([ExchangeableLaw([1, 1]), ExchangeableLaw.build_copies(3, 0.5)])
    question = RecordHypothesis(household)
    rows.append(("beside a household", 0, _count_ends(question, 0.0), _compute_lost(question)))
    return pd.DataFrame(rows, columns=["kind", "law", "ends", "lost"])


def _count_ends(question: RecordHypothesis, log_ratio: float) -> int:
    """Count the changes of sign of p_1 - e^t p_0 along a fine grid of answers."""
    ((points, one, two),) = question.parts
    grid = np.linspace(points[0] - 9, points[-1] + 9, 4001)
    weights = one - math.exp(log_ratio) * two
    above = np.exp(-np.abs(grid[:, None] - points)) @ weights > 0
    return int((above[1:] != above[:-1]).sum())


def _compute_lost(question: RecordHypothesis) -> float:
    """Compute the best F1 minus that of the best threshold, in either direction, on a grid."""
    ((points, one, two),) = question.parts
    z = 3.0 * (np.linspace(points[0] - 3, points[-1] + 3, 4001)[:, None] - points)
    tail = np.where(z > 0, np.exp(-np.abs(z)) / 2, 1 - np.exp(-np.abs(z)) / 2)
    odds = (1 - question.prior) / question.prior
    scores = [2 * r / (r + odds * g + 1) for r, g in (
        (tail @ one, tail @ two), (1 - tail @ one, 1 - tail @ two))]  # fmt: skip
    best = max(float(np.max(scores)), 2 / (2 + odds))
    return risk(FScore(), epsilon_nats=3.0, hypothesis=question).high - best


@universe(**_SIZES)
def worst_mechanisms(laws: int, seed: int) -> pd.DataFrame:
    """Compare the programmes of the worst mechanism with its vertices, and with their dual.

    Columns: ``law`` (of two bits), ``vertices`` (the gain of the best test minus that of the best
    vertex), ``transport`` (epsilon of the record minus the logarithm of the cheapest transport).
    """
    random, rows = make_generator(seed, "prrelation", "worst"), []
    budgets = (0.5, 1.5)
    vertices = {budget: _list_vertices(math.exp(budget)) for budget in budgets}
    for number, law in enumerate(draw_laws(2, laws, seed)):
        budget, t = budgets[number % 2], float(random.normal(0, 0.7))
        question, (one, two) = RecordHypothesis(TableLaw(law)), split(law)
        gain = [one.get(x, 0.0) - math.exp(t) * two.get(x, 0.0) for x in enumerate_databases(2)]
        curve = question.build_curve("any", budget, 1)
        best = float((vertices[budget] @ np.array(gain)).max())
        cheapest = _compute_transport(one, two, budget)
        ratio = curve.compute_loss_quantile(0.0).high
        rows.append((number, curve.compute_delta(t).high - best, ratio - cheapest))
    return pd.DataFrame(rows, columns=["law", "vertices", "transport"])


def _list_vertices(ratio: float) -> Any:
    """List the vertices of the tests of two bits, by solving every four of the 24 conditions."""
    every, rows, bounds = enumerate_databases(2), [], []
    for a, b in itertools.permutations(range(4), 2):
        if sum(x != y for x, y in zip(every[a], every[b], strict=True)) == 1:
            for one, two, bound in ((1, -ratio, 0.0), (ratio, -1, ratio - 1)):
                row = np.zeros(4)
                row[a], row[b] = one, two
                rows.append(row)
                bounds.append(bound)
    matrix = np.array([*rows, *np.eye(4), *-np.eye(4)])
    limits = np.array([*bounds, *[1.0] * 4, *[0.0] * 4])
    chosen = np.array(list(itertools.combinations(range(len(limits)), 4)))
    kept = np.abs(np.linalg.det(matrix[chosen])) > 1e-9
    points = np.linalg.solve(matrix[chosen[kept]], limits[chosen[kept]][..., None])[..., 0]
    return points[(points @ matrix.T <= limits + 1e-9).all(axis=1)]


def _compute_transport(one: Weights, two: Weights, epsilon_nats: float) -> float:
    """Compute the logarithm of the cheapest kernel, each step of which costs e^epsilon."""
    cost = np.exp(
        [[epsilon_nats * sum(p != q for p, q in zip(x, y, strict=True)) for y in two] for x in one]
    )
    n, m = cost.shape
    leaves = np.hstack([np.kron(np.eye(n), np.ones(m)), np.zeros((n, 1))])
    arrives = np.hstack([cost[i] * np.eye(m) for i in range(n)])
    arrives = np.hstack([arrives, -np.array(list(two.values()))[:, None]])
    found = linprog(
        np.append(np.zeros(n * m), 1),
        A_ub=arrives,
        b_ub=np.zeros(m),
        A_eq=leaves,
        b_eq=list(one.values()),
        method="highs",
    )
    return math.log(found.x[-1])


@universe(**_SIZES)
def positive_laws(laws: int, seed: int) -> pd.DataFrame:
    """Compare the closed form of positive laws with a programme and with a Laplace count.

    Columns: ``kind`` (``positive`` or ``any``), ``law``, ``programme`` and ``laplace``: the epsilon
    of the record by each, minus log E[e^(epsilon S) | 1] - log E[e^(epsilon S) | 0].
    """
    rows = []
    for kind, draw in (("positive", draw_positive_laws), ("any", draw_laws)):
        for number, law in enumerate(draw(3, laws, seed)):
            question, budget = RecordHypothesis(TableLaw(law)), (0.3, 1.0)[number % 2]
            one, two = (
                math.log(sum(w * math.exp(budget * sum(x)) for x, w in side.items()))
                for side in split(law)
            )
            programme = question.build_curve("any", budget, 1).compute_loss_quantile(0.0).high
            laplace = question.build_curve("laplace", budget, 1).compute_loss_quantile(0.0).high
            rows.append((kind, number, programme - (one - two), laplace - (one - two)))
    return pd.DataFrame(rows, columns=["kind", "law", "programme", "laplace"])


@universe()
def copies() -> pd.DataFrame:
    """Compare groups of copies with geometric noise, and with randomized response of k epsilon.

    Columns: ``copies``, ``step`` (recall at a false alarm rate of 0.1 by k steps of the corner's
    line), ``geometric``, ``any`` (by a programme), ``response`` (of k epsilon); ``f_score`` and
    ``f_response``.  Epsilon is 1.
    """
    rows = []
    for copies in (1, 2, 3, 5):
        question = RecordHypothesis(ExchangeableLaw.build_copies(copies, 0.5))
        step = 0.1
        for _ in range(copies):
            step = min(math.e * step, 1 - (1 - step) / math.e)
        asked: dict[str, Any] = {"hypothesis": question, "epsilon_nats": 1.0}
        response: dict[str, Any] = {"epsilon_nats": float(copies), "mechanism": "any"}
        rows.append(
            {
                "copies": copies,
                "step": step,
                "geometric": risk(TruePositives(0.1), mechanism="discrete_laplace", **asked).high,
                "any": risk(TruePositives(0.1), mechanism="any", **asked).high,
                "response": risk(TruePositives(0.1), **response).high,
                "f_score": risk(FScore(), mechanism="any", **asked).high,
                "f_response": risk(FScore(), **response).high,
            }
        )
    return pd.DataFrame(rows)


@universe(**_SIZES)
def small_epsilons(laws: int, seed: int) -> pd.DataFrame:
    """Compare what an epsilon of 1e-4 is worth with the distance of the two laws.

    Columns: ``kind`` (``positive`` or ``any``), ``law``, ``ratio`` (worth over epsilon),
    ``distance`` (least mean number of records in which databases of both laws differ, drawn
    together) and ``slopes``, the sum of Cov(d_i, d_j)/Var(d_i).
    """
    rows = []
    for kind, draw in (("positive", draw_positive_laws), ("any", draw_laws)):
        for number, law in enumerate(draw(3, laws, seed)):
            one, two = split(law)
            worth = compute_joint_epsilon(RecordHypothesis(TableLaw(law)), 1e-4)
            slopes = sum(w * sum(x) for x, w in one.items()) - sum(
                w * sum(x) for x, w in two.items()
            )
            rows.append((kind, number, worth / 1e-4, _compute_distance(one, two), slopes))
    return pd.DataFrame(rows, columns=["kind", "law", "ratio", "distance", "slopes"])


def _compute_distance(one: Weights, two: Weights) -> float:
    """Compute the least mean number of changed records, of all ways to draw both together."""
    changed = [[sum(p != q for p, q in zip(x, y, strict=True)) for y in two] for x in one]
    rows = np.kron(np.eye(len(one)), np.ones(len(two)))
    columns = np.kron(np.ones(len(one)), np.eye(len(two)))
    found = linprog(
        np.ravel(changed),
        A_eq=np.vstack([rows, columns]),
        b_eq=[*one.values(), *two.values()],
        method="highs",
    )
    return float(found.fun)


CHAIN_EPSILONS: Final = (1e-4, 0.1, 0.5, 1.0, 3.0, 10.0)


@universe()
def chains() -> pd.DataFrame:
    """Compute what an epsilon is worth in fair chains, and by the recursion of temporal leakage.

    Columns: ``correlation``, ``records``, ``record``, ``epsilon_nats``, ``ratio`` (worth over
    epsilon), ``recursion`` (the same by two messages of numbers), ``least`` (sum of r^|i - j|),
    ``limit`` ((1 + r)/(1 - r)).
    """
    rows = []
    for stay, records in itertools.product((0.5, 0.6, 0.8, 0.95), (1, 2, 5, 20)):
        r = 2 * stay - 1
        law = ChainLaw.build_symmetric(stay, records)
        for record, budget in itertools.product(sorted({0, records // 2}), CHAIN_EPSILONS):
            worth = compute_joint_epsilon(RecordHypothesis(law, record), budget)
            sides = [record, records - 1 - record]
            recursion = budget + sum(_pass_on(stay, budget, steps) for steps in sides)
            least = sum(r ** abs(record - j) for j in range(records))
            rows.append((r, records, record, budget, worth / budget, recursion / budget, least,
                         (1 + r) / (1 - r)))  # fmt: skip
    columns = ["correlation", "records", "record", "epsilon_nats", "ratio", "recursion", "least",
               "limit"]  # fmt: skip
    return pd.DataFrame(rows, columns=columns)


def _pass_on(stay: float, epsilon_nats: float, steps: int) -> float:
    """Compute the leakage that arrives after some steps of a fair chain (Cao and others, 2017)."""
    message = 0.0
    for _ in range(steps):
        ratio = math.exp(message + epsilon_nats)
        message = math.log((stay * ratio + 1 - stay) / ((1 - stay) * ratio + stay))
    return message


@universe(**_SIZES)
def public_counts(laws: int, seed: int) -> pd.DataFrame:
    """Compute what an epsilon of 0.7 is worth for independent bits whose count is public.

    Columns: ``law``, ``records``, ``ones``, ``value``, ``ratio`` (worth over epsilon).
    """
    random, rows = make_generator(seed, "prrelation", "public counts"), []
    for number in range(laws):
        records = int(random.integers(2, 6))
        ones = int(random.integers(1, records))
        independent = TableLaw.build_independent(random.uniform(0.05, 0.95, records).tolist())
        law = independent.keep(partial(_has_ones, ones))
        for value in (0.0, 1.0):
            found = compute_joint_epsilon(RecordHypothesis(law, 0, value, 1 - value), 0.7)
            rows.append((number, records, ones, value, found / 0.7))
    return pd.DataFrame(rows, columns=["law", "records", "ones", "value", "ratio"])


def _has_ones(ones: int, x: Database) -> bool:
    """Return whether a database has a number of ones."""
    return sum(x) == ones


def _has_rest(rest: Database, x: Database) -> bool:
    """Return whether all records but the first have given values."""
    return x[1:] == rest


def build_told_table(laws: Mapping[int, Sequence[Weights]], printed: Any) -> pd.DataFrame:
    """Compare Equations 20, 21 and 23 with adversaries who know the law, at an epsilon of 1.

    The value that is asked about is the one with the largest odds given all other records. ``laws``
    are by the equation, 20 or 23, and ``printed`` gives the printed odds against the likeliest
    value from an equation and a law. A row for each (equation, law, told): told ``nothing``, ``all
    others``, or the ``worst`` values of all others. Columns ``f_score``, ``posterior`` (the
    largest) and ``precision`` (at a recall of one half), and by the formulae with the true largest
    odds (``f_bound``, ``precision_bound``) and with the printed odds (``f_printed``,
    ``precision_printed``: NaN where they are none).
    """
    rows = []
    for (equation, law), told in itertools.product(
        ((equation, law) for equation, each in laws.items() for law in each),
        ("nothing", "all others", "worst"),
    ):
        odds, value, rest = find_worst_others(law)
        table = TableLaw(law)
        known = tuple(range(1, table.records)) if told == "all others" else ()
        kept = table.keep(partial(_has_rest, rest)) if told == "worst" else table
        question = RecordHypothesis(kept, 0, value, 1 - value, known=known)
        rows.append(
            {
                "equation": equation,
                "law": str(tuple(law.values())),
                "told": told,
                "f_score": risk(FScore(), epsilon_nats=1.0, hypothesis=question).high,
                "posterior": risk(Posterior(), epsilon_nats=1.0, hypothesis=question).high,
                "precision": compute_precision_at_recall(question),
                **_apply_formulae("bound", odds),
                **_apply_formulae("printed", printed(equation, law)),
            }
        )
    return pd.DataFrame(rows)


def find_worst_others(law: Weights) -> tuple[float, int, Database]:
    """Find the smallest odds against a value of the first record, the value, and the others."""
    return min(
        (law[1 - x[0], *x[1:]] / w if (1 - x[0], *x[1:]) in law else 0.0, int(x[0]), x[1:])
        for x, w in law.items()
    )


def compute_precision_at_recall(question: RecordHypothesis) -> float:
    """Compute the largest precision at a recall of one half, by the complement's test."""
    swapped = RecordHypothesis(
        question.law, question.record, question.other, question.value, known=question.known
    )
    curve = swapped.build_curve("laplace", 1.0, 1)
    alarms = 1 - curve.compute_true_positive_rate(1 - _EVEN_RECALL).high
    odds = (1 - question.prior) / question.prior
    return _EVEN_RECALL / (_EVEN_RECALL + odds * alarms)


def _apply_formulae(name: str, odds: float) -> dict[str, float]:
    """Apply Equations 20 and 21 with given odds, where these are odds."""
    if odds <= 0:
        return {f"f_{name}": math.nan, f"precision_{name}": math.nan}
    precision = 1 / (1 + odds * math.exp(-1.0))  # of a Laplace threshold at this recall
    return {
        f"f_{name}": risk(FScore(), epsilon_nats=1.0, prior=1 / (1 + odds)).high,
        f"precision_{name}": precision,
    }
