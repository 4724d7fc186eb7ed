"""Statements of ``prrelation`` that have no number: records of many values, rates, and entropy.

1. :func:`build_values_table`: Section 4.2, on distinguishing two of many values of a record.
2. :func:`build_pairs_table`: Section 3, on pairs of rates, and Section 4.1.5, on plausible
   deniability.
3. :func:`build_conditioning_table`: "conditioning always reduces entropy", which explains Fig. 8.
4. :func:`build_knowing_table`: any adversary (Theorem 3), distances (4.2), coefficients of 0 (5.2,
   5.3).
"""

import itertools
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pandas as pd

from noiseless.adversaries.likelihood_ratio import (
    SideKnowledge,
    compute_laplace_rates,
    compute_laplace_threshold,
)
from noiseless.papers.prrelation.curves import EPSILONS_NATS, KNOWLEDGE
from noiseless.tables import Rows, returns_table

_SHARES = tuple(Fraction(k, 8) for k in range(1, 8))  # distances of values, in sensitivities
_FALSE_ALARM = tuple(k / 20 for k in range(1, 20))
_ROUNDING = 1e-12
_DENOMINATOR = 12  # denominator of rates and probabilities
_ODDS = (Fraction(1, 2), Fraction(1), Fraction(3))  # odds against the value that is looked for
_RECORDS = 3  # number of records of a mechanism
_GAMMAS = (Fraction(3, 2), Fraction(2), Fraction(4))
_TOTAL_WEIGHT = 8  # total weight of an enumerated joint distribution


def build_sentences_tables() -> dict[str, pd.DataFrame]:
    """Build all tables of this module, by name.

    Returns
    -------
    dict
        ``values``, ``pairs``, ``conditioning`` and ``knowing``.
    """
    return {
        "values": build_values_table(),
        "pairs": build_pairs_table(),
        "conditioning": build_conditioning_table(),
        "knowing": build_knowing_table(),
    }


@returns_table("epsilon_nats")
def build_values_table(*, epsilon_nats: Sequence[float] = EPSILONS_NATS) -> Rows:
    """Count the cases where the best test detects near values less or more often than extremes.

    Near values of a record are less than the sensitivity apart (Section 4.2).

    Parameters
    ----------
    epsilon_nats : sequence of float
        Budgets of the Laplace mechanism for the sensitivity, the distance of the extreme values.

    Returns
    -------
    DataFrame
        Cells (epsilon_nats,).  Statistics: ``cases``, distances (eighths of the sensitivity) and
        false alarm rates that are tried; ``worse``, cases where the best test detects the nearer
        pair less often than the extreme pair; ``better``, cases where it detects the nearer pair
        more often.  Differences of less than 1e-12 are rounding.
    """
    alpha = np.array(_FALSE_ALARM)
    for epsilon in epsilon_nats:
        extreme = _compute_recall(alpha, epsilon)
        gains = (
            np.array([_compute_recall(alpha, float(share) * epsilon) for share in _SHARES])
            - extreme
        )
        yield {
            "epsilon_nats": float(epsilon),
            "cases": gains.size,
            "worse": int((gains < -_ROUNDING).sum()),
            "better": int((gains > _ROUNDING).sum()),
        }


def _compute_recall(false_alarm: np.ndarray, epsilon_nats: float) -> np.ndarray:
    """Compute the recall of the best test of two answers that are ``epsilon_nats`` scales apart."""
    return compute_laplace_rates(
        compute_laplace_threshold(false_alarm, epsilon_nats), epsilon_nats
    )[0]


@returns_table("statement")
def build_pairs_table() -> Rows:
    """Count the pairs of rates, and mechanisms of three records, that break a statement.

    Returns
    -------
    DataFrame
        Cells (statement,).  Statistics: ``cases``, ``violations`` and ``converse``.

        - ``one to one`` (Section 3): pairs of a detection rate and a false alarm rate that is not
          larger, at several odds; ``violations``, pairs with the precision and recall of an earlier
          pair; ``converse``, pairs with the recall of an earlier pair.
        - ``stronger`` (Section 4.1.5): mechanisms of three records and two outputs, each with two
          numbers of plausible records and several gamma; ``violations``, mechanisms that are
          log(gamma)-differentially private and have an output of a record that is not releasable
          with plausible deniability (Definition 4); ``converse``, mechanisms whose outputs are all
          releasable and that are not log(gamma)-differentially private.
    """
    yield {"statement": "one to one", **_count_shared_rates()}
    yield {"statement": "stronger", **_count_undeniable_mechanisms()}


def _count_shared_rates() -> dict[str, int]:
    """Count the pairs of rates that share precision and recall, or recall, with an earlier pair."""
    counts = dict.fromkeys(("cases", "violations", "converse"), 0)
    for odds in _ODDS:
        pairs, recalls = set(), set()
        for caught in range(_DENOMINATOR + 1):
            for alarms in range(caught + 1):
                # Without a detection there is no alarm either, so that the precision is undefined.
                precision = Fraction(caught) / (caught + odds * alarms) if caught else None
                counts["cases"] += 1
                counts["violations"] += (precision, caught) in pairs
                counts["converse"] += caught in recalls
                pairs.add((precision, caught))
                recalls.add(caught)
    return counts


def _count_far_results() -> dict[str, int]:
    """Count the pairs of query results whose distance is above, or at, the sensitivity."""
    counts = dict.fromkeys(("cases", "violations", "converse"), 0)
    for size in (2, 3, 4):
        for steps in itertools.product(range(4), repeat=size - 1):
            results = list(itertools.accumulate(steps, initial=0))
            sensitivity = results[-1] - results[0]
            for one, other in itertools.combinations(results, 2):
                counts["cases"] += 1
                counts["violations"] += abs(one - other) > sensitivity
                counts["converse"] += abs(one - other) == sensitivity
    return counts


def _count_undeniable_mechanisms() -> dict[str, int]:
    """Count the mechanisms that are private but not plausibly deniable, and the converse."""
    counts = dict.fromkeys(("cases", "violations", "converse"), 0)
    for shares in itertools.product(range(1, _DENOMINATOR), repeat=_RECORDS):
        outputs = (shares, tuple(_DENOMINATOR - share for share in shares))
        ratios = [
            [[Fraction(one, other) for other in output] for one in output] for output in outputs
        ]
        for gamma, plausible in itertools.product(_GAMMAS, range(2, _RECORDS + 1)):
            private = max(ratio for output in ratios for row in output for ratio in row) <= gamma
            # A record counts as one of the records that plausibly explain its own output.
            deniable = all(
                sum(1 / gamma <= ratio <= gamma for ratio in row) >= plausible
                for output in ratios
                for row in output
            )
            counts["cases"] += 1
            counts["violations"] += private and not deniable
            counts["converse"] += deniable and not private
    return counts


@returns_table("learned")
def build_conditioning_table() -> Rows:
    """Count the joint distributions of two bits where learning one raises the other's entropy.

    Returns
    -------
    DataFrame
        Cells (learned,): ``average``, the conditional entropy, on average over the learned bit; or
        ``value``, the entropy after one value was learned.  Statistics: ``cases`` (joint
        distributions of two bits in eighths; for ``value``, with each learned value of positive
        probability); ``violations``, cases with more entropy afterwards than before;
        ``reductions``, cases with less.  Entropies are compared in whole numbers, without
        logarithms.
    """
    names = ("cases", "violations", "reductions")
    counts = {learned: dict.fromkeys(names, 0) for learned in ("average", "value")}
    # A joint distribution is the whole weights of all pairs (learned bit, record's value).
    for joint in itertools.product(range(_TOTAL_WEIGHT + 1), repeat=4):
        if sum(joint) != _TOTAL_WEIGHT:
            continue
        rows = [joint[:2], joint[2:]]
        before = [sum(column) for column in zip(*rows, strict=True)]
        for learned, possible in (
            ("average", [row for row in rows if sum(row)]),
            *(("value", [row]) for row in rows if sum(row)),
        ):
            sign = _compare_entropies(possible, before)
            counts[learned]["cases"] += 1
            counts[learned]["violations"] += sign > 0
            counts[learned]["reductions"] += sign < 0
    yield from ({"learned": name, **each} for name, each in counts.items())


def _compare_entropies(rows: Sequence[Sequence[int]], before: Sequence[int]) -> int:
    """Compute the sign of the entropy after learning, on average over ``rows``, minus before.

    A row of weights w with sum s has s times its entropy = s log s - sum w log w.  With S the sum
    of all rows and N that of ``before``, N (sum over rows) and S (before) are compared as powers.
    """
    total, weight = sum(before), sum(map(sum, rows))
    left, left_over = _compute_entropy_powers(rows, total)
    right, right_over = _compute_entropy_powers([before], weight)
    after, prior = left * right_over, right * left_over
    return (after > prior) - (after < prior)


def _compute_entropy_powers(rows: Sequence[Sequence[int]], exponent: int) -> tuple[int, int]:
    """Compute exp(exponent x sum over rows of (s log s - sum w log w)) as a fraction's two parts.

    A row has weights w and sum s.  Returned are the numerator and the denominator.
    """
    numerator = denominator = 1
    for row in rows:
        numerator *= sum(row) ** (sum(row) * exponent)
        for weight in row:
            denominator *= weight ** (weight * exponent)
    return numerator, denominator


@returns_table("statement")
def build_knowing_table() -> Rows:
    """Count the cases that break statements on stronger adversaries and on coefficients of 0.

    Returns
    -------
    DataFrame
        Cells (statement,).  Statistics: ``cases``, ``violations`` and ``converse``.

        - ``any adversary`` (after Theorem 3): odds of each kind of side knowledge, for the likelier
          and for the rarer value, and false alarm rates of Laplace answers in bins; ``violations``,
          cases where accepting the bins with the largest posterior detects more than the threshold
          of Theorem 3; ``converse``, cases where accepting the bins with the smallest posterior
          detects less.
        - ``smaller`` (Section 4.2): pairs of values of a record of two to four values, whose query
          results rise from 0 in whole steps of up to 3; ``violations``, pairs whose results are
          farther apart than the sensitivity; ``converse``, pairs whose results are as far apart.
        - ``records`` (Section 5.2) and ``time`` (Section 5.3): joint distributions of a record and
          a correlated one, and of a record, a correlated one and an earlier one, all bits, in
          positive parts; ``cases``, distributions whose coefficient rho_c, or rho_t, is 0 or whose
          records are independent (given the correlated one, for rho_t); ``violations``, cases where
          only one of these is true; ``converse``, all other distributions.
    """
    yield {"statement": "any adversary", **_count_stronger_tests()}
    yield {"statement": "smaller", **_count_far_results()}
    yield {"statement": "records", **_count_mismatches(12, past=False)}
    yield {"statement": "time", **_count_mismatches(16, past=True)}


def _count_stronger_tests() -> dict[str, int]:
    """Count the tests by the posterior that detect more than a threshold on the answer."""
    counts = dict.fromkeys(("cases", "violations", "converse"), 0)
    edges = np.linspace(-1, 2, 121)
    for epsilon, coefficients, power in itertools.product(
        EPSILONS_NATS, KNOWLEDGE.values(), (1, -1)
    ):
        odds = SideKnowledge(**coefficients).odds_against ** power
        above = compute_laplace_rates(edges, epsilon)
        present, absent = (-np.diff(np.concatenate(([1.0], each, [0.0]))) for each in above)
        posterior = present / (present + odds * absent)
        order = np.argsort(-posterior, kind="stable")
        for alpha in _FALSE_ALARM:
            best = _compute_recall(np.array([alpha]), epsilon)[0]
            max_recall, min_recall = (
                np.interp(
                    alpha,
                    np.append(0.0, np.cumsum(absent[each])),
                    np.append(0.0, np.cumsum(present[each])),
                )
                for each in (order, order[::-1])
            )
            counts["cases"] += 1
            counts["violations"] += max_recall > best + _ROUNDING
            counts["converse"] += min_recall < best - _ROUNDING
    return counts


def _count_mismatches(parts: int, *, past: bool) -> dict[str, int]:
    """Count the distributions where only one of "coefficient is 0" and "independent" is true.

    Weights are indexed by the record's value, that of the correlated record and, if there is one,
    that of the earlier record.
    """
    counts = dict.fromkeys(("cases", "violations", "converse"), 0)
    size = 8 if past else 4
    for cut in itertools.combinations(range(1, parts), size - 1):
        weights = [b - a for a, b in itertools.pairwise((0, *cut, parts))]
        if past:
            # Each table has the record and the earlier one, given a value of the correlated one.
            tables = [[weights[2 * c : 2 * c + 2], weights[4 + 2 * c : 6 + 2 * c]] for c in (0, 1)]
        else:
            tables = [[weights[:2], weights[2:]]]
        least = min(
            Fraction(sum(row), sum(map(sum, table))) / Fraction(row[k], table[0][k] + table[1][k])
            for table in tables
            for row in table
            for k in (0, 1)
        )
        is_zero = least == 1  # the coefficient is 1 - least
        is_independent = all(
            table[0][0] * table[1][1] == table[0][1] * table[1][0] for table in tables
        )
        either = is_zero or is_independent
        counts["cases"] += either
        counts["violations"] += either and not (is_zero and is_independent)
        counts["converse"] += not either
    return counts
