"""Examples, lemmas and definitions, in exact fractions (``knowledge``, Sections 1 to 4).

1. :func:`build_examples_table`: Examples 1, 2 and 3.
2. :func:`build_learning_table`: Lemmas 3.1 and 3.2, Theorems 3.1 to 3.3, on random finite
   mechanisms.
3. :func:`build_approximate_table`: whether Definitions 4.6 and 4.7 of (epsilon, delta)-LDP agree.
4. :func:`build_estimator_table`: the expectation of the mean estimator, as printed and corrected.
5. :func:`build_line_15_table`: Algorithm 4 with the comparison of its line 15 as printed and
   corrected.

:func:`build_theory_tables` builds all of them.
"""

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pandas as pd

from noiseless.accounting import rational
from noiseless.accounting.filters import ApproximateFilter, BayesianFilter
from noiseless.accounting.queries import Query
from noiseless.accounting.rational import Mechanism
from noiseless.mechanisms.families.one_bit import OneBitMechanism
from noiseless.mechanisms.interface import Domain
from noiseless.seeds import make_generator
from noiseless.tables import Rows, returns_table, tidy

VALUES = range(11)


def build_power_query(power: int) -> Mechanism:
    """Build Equation 11's query about X^i, i = ``power``, on values 0 to 10; row y is output y."""
    ones = [Fraction(2, 10) * Fraction(value, 10) ** power + Fraction(4, 10) for value in VALUES]
    return [[1 - each for each in ones], ones]


# Cases of the mean estimator: intervals of responses, position of the mean in them, and epsilon.
ESTIMATOR = {
    "intervals": [[0, 1], [2, 6], [-1, 1], [0, 12]],
    "shares": [0, 0.25, 0.5, 1],
    "epsilon_nats": 1.0,
}


def build_theory_tables(
    *, mechanisms: int, beliefs: int, line_15: dict, seed: int, estimator: dict = ESTIMATOR
) -> dict[str, pd.DataFrame]:
    """Build the five tables of this module, by name.

    Parameters
    ----------
    mechanisms, beliefs : int
        Numbers of mechanisms and of beliefs of :func:`build_learning_table`;
        :func:`build_approximate_table` has as many mechanisms.
    estimator, line_15 : dict
        Arguments of :func:`build_estimator_table` and :func:`build_line_15_table`.
    seed : int
        Seed of the random mechanisms, beliefs and answers.

    Returns
    -------
    dict
        ``examples``, ``learning``, ``approximate``, ``estimator`` and ``line_15``.
    """
    return {
        "examples": build_examples_table(),
        "learning": build_learning_table(mechanisms=mechanisms, beliefs=beliefs, seed=seed),
        "approximate": build_approximate_table(mechanisms=mechanisms, seed=seed),
        "estimator": build_estimator_table(**estimator),
        "line_15": build_line_15_table(**line_15, seed=seed),
    }


def build_examples_table() -> pd.DataFrame:
    """Build the table of the numbers in Examples 1 to 3 and of the die in Section 2.2.

    Returns
    -------
    DataFrame
        Cells (example, step).  Example 1: step 4, ``loss_ratio`` of randomized response after
        0110, and at step 1 after either answer, as ``least_loss_ratio``; ``worst_ratio`` over all
        sequences of as many answers as the step says, and ``worst_minus_guarantee``, its distance
        from (p/(1-p))^k.  Example 0 is the die of Section 2.2, ``vulnerability``: the chance of a
        right guess of what it shows, by a person who gives even odds that it has six or four faces.
        Example 2: steps are the values x, ``likelihood`` of the answers 1, 0, 1;
        ``loss_ratio`` and ``composed_ratio``, the product of the queries' guarantees, at step 3;
        ``guarantee_ratio`` of each query.  Example 3: ``loss_ratio`` after each of the answers 1,
        0, 1, 1, and ``accepted`` (1 or 0) for each query, and for those after the fourth.
    """
    faces = (6, 4)
    rows: list[tuple[int, int, str, Fraction | int]]
    rows = [(0, 1, "vulnerability", sum(Fraction(1, len(faces)) / each for each in faces))]
    response = rational.build_randomized_response(Fraction(3, 4))
    rows.append(
        (
            1,
            4,
            "loss_ratio",
            rational.compute_exp_loss(rational.compute_likelihood([response] * 4, (0, 1, 1, 0))),
        )
    )
    rows.append((1, 1, "least_loss_ratio", min(map(rational.compute_exp_loss, response))))
    for k in range(1, 7):
        worst = max(
            rational.compute_exp_loss(rational.compute_likelihood([response] * k, each))
            for each in itertools.product((0, 1), repeat=k)
        )
        rows.append((1, k, "worst_ratio", worst))
        rows.append(
            (1, k, "worst_minus_guarantee", worst - rational.compute_exp_guarantee(response) ** k)
        )
    queries = [build_power_query(power) for power in range(1, 13)]
    likelihood = rational.compute_likelihood(queries[:3], (1, 0, 1))
    rows += [(2, value, "likelihood", likelihood[value]) for value in VALUES]
    rows.append((2, 3, "loss_ratio", rational.compute_exp_loss(likelihood)))
    guarantees = list(map(rational.compute_exp_guarantee, queries[:3]))
    rows += [(2, step, "guarantee_ratio", each) for step, each in enumerate(guarantees, start=1)]
    rows.append((2, 3, "composed_ratio", math.prod(guarantees)))
    outputs = (1, 0, 1, 1)
    privacy_filter = BayesianFilter(2 * math.log(1.5), rational.build_domain(len(VALUES)))
    for step, mechanism in enumerate(queries, start=1):
        query = rational.convert_to_query(mechanism)
        accepted = privacy_filter.accepts(query)
        rows.append((3, step, "accepted", int(accepted)))
        if accepted and step <= len(outputs):
            privacy_filter.record(query, outputs[step - 1])
            ratio = rational.compute_exp_loss(
                rational.compute_likelihood(queries[:step], outputs[:step])
            )
            rows.append((3, step, "loss_ratio", ratio))
    table = pd.DataFrame(rows, columns=["example", "step", "statistic", "value"])
    return table.astype({"value": float})


def build_learning_table(*, mechanisms: int, beliefs: int, seed: int) -> pd.DataFrame:
    """Build the table that compares gains of random beliefs with the realized loss L(y), exactly.

    Parameters
    ----------
    mechanisms : int
        Number of random mechanisms, of 2 to 5 values and 2 to 4 outputs.
    beliefs : int
        Number of random priors, statements and gain functions for each mechanism and output.
    seed : int
        Seed of the mechanisms and beliefs.

    Returns
    -------
    DataFrame
        One cell.  ``cases``: (mechanism, output, belief).  ``above_loss`` and ``below_inverse``:
        cases in which Q(f|y)/Q(f) leaves [1/L, L] (Lemma 3.1).  ``shortfall``: by how much
        Lemma 3.2's belief for its delta of 1e-6 misses L, at most.  ``leakage_above_loss``: cases
        in which the realized g-leakage exceeds L (Theorem 3.3).  ``leakage_above_guarantee``: cases
        in which it exceeds e^epsilon, the largest L (Corollary 3.1).
        ``limit_minus_epsilon_nats``:
        largest distance between the LDP guarantee and the learning limit that the beliefs of
        Lemma 3.2 attain (Theorems 3.1, 3.2).
    """
    delta = Fraction(1, 10**6)
    kinds = ("above_loss", "below_inverse", "leakage_above_loss", "leakage_above_guarantee")
    counts = dict.fromkeys(("cases", *kinds), 0)
    shortfall, distance = Fraction(0), 0.0
    for number in range(mechanisms):
        rng = make_generator(seed, "learning", number)
        mechanism = _draw_mechanism(rng)
        limits, guarantee = [], rational.compute_exp_guarantee(mechanism)
        for likelihood in mechanism:
            loss = rational.compute_exp_loss(likelihood)
            inverse = 1 / loss
            # A gain does not depend on the scale of the likelihoods, and integers are faster.
            scaled = rational.scale_to_integers(likelihood)
            beliefs_and_statements = rng.integers(
                1, [[30], [11], [11], [11]], (beliefs, 4, len(likelihood))
            )
            for prior, *statements in beliefs_and_statements.tolist():
                counts["cases"] += 1
                gains = [
                    rational.compute_knowledge_gain(prior, scaled, statement)
                    for statement in statements
                ]
                counts["above_loss"] += max(gains) > loss
                counts["below_inverse"] += min(gains) < inverse
                leakage = rational.compute_leakage(prior, scaled, statements)
                counts["leakage_above_loss"] += leakage > loss
                counts["leakage_above_guarantee"] += leakage > guarantee
            extreme = _compute_lemma_3_2_gain(likelihood, delta)
            limits.append(extreme)
            shortfall = max(shortfall, loss - extreme)
        distance = max(distance, abs(math.log(guarantee) - math.log(max(limits))))
    facts = {**counts, "shortfall": float(shortfall), "limit_minus_epsilon_nats": distance}
    return tidy(pd.DataFrame([facts]), [])


def build_approximate_table(*, mechanisms: int, seed: int) -> pd.DataFrame:
    """Build the table that compares the smallest deltas of mechanisms by Definitions 4.6 and 4.7.

    Parameters
    ----------
    mechanisms : int
        Number of random mechanisms.
    seed : int
        Seed of the mechanisms.

    Returns
    -------
    DataFrame
        Cells (mechanism,): ``randomized response`` with a ratio of 3, judged at e^epsilon = 2, and
        ``random``.  Statistics: ``delta_4_6`` and ``delta_4_7`` (of the one mechanism);
        ``mechanisms``, ``only_4_6`` and ``only_4_7``: among random mechanisms, those whose delta of
        one definition is smaller than of the other.
    """
    response = rational.build_randomized_response(Fraction(3, 4))
    one = {
        "delta_4_6": float(_compute_delta_4_6(response, Fraction(2))),
        "delta_4_7": float(_compute_delta_4_7(response, Fraction(2))),
    }
    counts = {"mechanisms": mechanisms, "only_4_6": 0, "only_4_7": 0}
    for number in range(mechanisms):
        rng = make_generator(seed, "approximate", number)
        mechanism = _draw_mechanism(rng)
        exp_epsilon = 1 + Fraction(int(rng.integers(1, 40)), 20)
        sets = _compute_delta_4_6(mechanism, exp_epsilon)
        losses = _compute_delta_4_7(mechanism, exp_epsilon)
        counts["only_4_6"] += sets < losses
        counts["only_4_7"] += losses < sets
    tables = [
        tidy(pd.DataFrame([{"mechanism": name, **facts}]), ["mechanism"])
        for name, facts in (("randomized response", one), ("random", counts))
    ]
    return pd.concat(tables, ignore_index=True)


@returns_table("low", "high", "share")
def build_estimator_table(
    *, intervals: Sequence[Sequence[float]], shares: Sequence[float], epsilon_nats: float
) -> Rows:
    """Build the table of the mean estimator's bias, printed and corrected, for people of one value.

    Parameters
    ----------
    intervals : sequence of 2 float each
        Ends a and b of the interval of the responses.
    shares : sequence of float
        Position of the value in the interval, from 0 to 1.
    epsilon_nats : float
        Guarantee of each report.

    Returns
    -------
    DataFrame
        Cells (low, high, share), where the value is ``low + share (high - low)``.  Statistics:
        ``printed_bias`` and ``bias`` (with b - a in place of b), in the unit of the value; and
        ``loss_minus_epsilon_nats``, the log-ratio of Equation 5's probabilities at the value and
        at low, or at high if that is larger, of either output, minus epsilon.
    """
    for (low, high), share in itertools.product(intervals, shares):
        interval = Domain((float(low),), (float(high),))
        mechanism = OneBitMechanism(interval, epsilon_nats, clip=False)
        value = low + share * (high - low)
        probability = float(mechanism.compute_probability_high(value))
        bias = {
            name: (1 - probability) * estimate([0]) + probability * estimate([1]) - value
            for name, estimate in (
                ("printed_bias", mechanism.estimate_mean_as_printed),
                ("bias", mechanism.estimate_mean),
            )
        }
        at = np.array(
            [mechanism.compute_probability_high(x) for x in (low, high, value)], dtype=float
        )
        logs = np.log([at, 1 - at])
        loss_nats = float(np.abs(logs[:, :2] - logs[:, 2:]).max())
        yield {
            "low": float(low),
            "high": float(high),
            "share": float(share),
            **bias,
            "loss_minus_epsilon_nats": loss_nats - epsilon_nats,
        }


class _PrintedApproximateFilter(ApproximateFilter):
    """Filter of Algorithm 4 with line 15 as printed, which compares the ratio L with epsilon_g."""

    def accepts(self, query: Query) -> bool:
        if self._first.accepts(query):
            return True
        return math.exp(self.bound_loss().upper) <= self._limit and self._second.accepts(query)


@returns_table("budget_nats", "line_15")
def build_line_15_table(
    *,
    queries: int,
    runs: int,
    seed: int,
    budgets_nats: Sequence[float] = (0.5, 0.8, 1.0, 2.0),
    delta: float = 1e-05,
) -> Rows:
    """Build the table of the queries X^1, X^2, ... that Algorithm 4 accepts for the value 5.

    Parameters
    ----------
    queries : int
        Number of queries asked in a run.
    runs : int
        Number of runs.
    seed : int
        Seed of the answers.
    budgets_nats : sequence of float
        Budgets of the object.
    delta : float
        Delta of the filter.

    Returns
    -------
    DataFrame
        Cells (budget_nats, line_15), where line 15 is ``printed`` or ``corrected``.  Statistics:
        ``mean_accepted``, of ``queries`` asked, over the runs; ``largest_loss_nats``.
    """
    mechanisms = [build_power_query(power) for power in range(1, queries + 1)]
    query_list = list(map(rational.convert_to_query, mechanisms))
    for budget_nats in budgets_nats:
        for name, filter_class in (
            ("printed", _PrintedApproximateFilter),
            ("corrected", ApproximateFilter),
        ):
            accepted, losses = 0, []
            for run in range(runs):
                rng = make_generator(seed, "line 15", float(budget_nats), run)
                privacy_filter = filter_class(
                    budget_nats, delta, rational.build_domain(len(VALUES))
                )
                for mechanism, query in zip(mechanisms, query_list, strict=True):
                    output = int(rng.random() < mechanism[1][5])
                    if not privacy_filter.accepts(query):
                        break
                    privacy_filter.record(query, output)
                    accepted += 1
                losses.append(privacy_filter.bound_loss().upper)
            yield {
                "budget_nats": float(budget_nats),
                "line_15": name,
                "mean_accepted": accepted / runs,
                "largest_loss_nats": max(losses),
            }


def _draw_shares(rng: np.random.Generator, count: int) -> list[Fraction]:
    """Draw ``count`` positive fractions that sum to 1."""
    weights = rng.integers(1, 30, count).tolist()
    return [Fraction(weight, sum(weights)) for weight in weights]


def _draw_mechanism(rng: np.random.Generator) -> Mechanism:
    """Draw a mechanism of 2 to 4 outputs (rows) and 2 to 5 values (columns)."""
    values, outputs = int(rng.integers(2, 6)), int(rng.integers(2, 5))
    columns = [_draw_shares(rng, outputs) for _ in range(values)]
    return [list(row) for row in zip(*columns, strict=True)]


def _compute_lemma_3_2_gain(likelihood: Sequence[Fraction], delta: Fraction) -> Fraction:
    """Compute the knowledge gain of the belief in the proof of Lemma 3.2 (Appendix A.3)."""
    most, least = max(likelihood), min(likelihood)
    if most == least:
        return Fraction(1)
    share = delta * least**2 / ((most - least) * (most - delta * least))
    prior = [share, 1 - share]
    return rational.compute_knowledge_gain(prior, [most, least], [Fraction(1), Fraction(0)])


def _compute_delta_4_6(mechanism: Mechanism, exp_epsilon: Fraction) -> Fraction:
    """Compute the smallest delta of Definition 4.6, max over pairs of sum max(0, P - e^eps P')."""
    columns = list(zip(*mechanism, strict=True))
    return max(
        sum((max(p - exp_epsilon * q, 0) for p, q in zip(one, two, strict=True)), Fraction(0))
        for one, two in itertools.product(columns, repeat=2)
    )


def _compute_delta_4_7(mechanism: Mechanism, exp_epsilon: Fraction) -> Fraction:
    """Compute the smallest delta of Definition 4.7, the largest Pr(L(y) >= e^epsilon | x)."""
    bad = [rational.compute_exp_loss(row) >= exp_epsilon for row in mechanism]
    return max(
        sum(itertools.compress(column, bad), Fraction(0)) for column in zip(*mechanism, strict=True)
    )
