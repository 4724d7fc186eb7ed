"""Largest ratio of the epsilons of two notions of privacy (``prrelation``, Section 6).

A database is a tuple of bits, one for each record.  A prior gives every possible database a
positive whole weight; a public constraint excludes the other databases.  A *block* is a smallest
group of records that is independent of all other records.  The notions are those that the paper
prints, or those of the sources that it cites:

================ ==================================================================================
notion           compared databases or distributions of databases
================ ==================================================================================
``DP``           any two databases that differ in one record (Section 6.1)
``DP possible``  two possible databases that differ in one record
``DDP 6.1``      any two that differ inside one block: Section 6.1's "possible changes"
``DDP``          two possible databases that differ inside one block: dependent privacy, and by
                 Bayes' rule inferential privacy of databases, as Section 6.1 prints both
``BP any``       any two possible databases (Section 6.1 and the proof in 10.6)
``BP minimal``   two possible databases between which no third one lies, that is, differs from one
                 of them in some of the records in which the two differ (the cited source)
``IP record``    the two values of one record, with the others drawn given it (the cited source)
``MP databases`` a possible database, and one drawn by the prior (10.6)
``MP record``    a value of one record, and a database drawn by the prior (10.6)
================ ==================================================================================

Each is a list of conditions (u, v) on the probabilities f of one answer: its e^epsilon is the
largest ratio of the mean of f under u to the mean under v, over all answers.  This ratio does
not depend on the scale of f.  So if some mechanism has epsilon_A > c epsilon_B, then so has a
mechanism with the two answers s f and 1 - s f, for a small s; and the largest epsilon_A at a given
epsilon_B is the optimum of one linear programme for each condition of A.  No lattice of mechanisms
is needed.

1. :func:`build_orders_table`: the largest ratio of the epsilons of every two notions, by linear
   programmes.
2. :func:`build_distances_table`: notions that compare pairs of databases, and the mechanism that
   reaches their largest ratio, in fractions.
3. :func:`build_swaps_table`: databases with a public count of ones.
4. :func:`build_counts_table`: inferential privacy of one record under public constraints.
5. :func:`build_examples_table`: mechanisms with a few answers, in fractions.
6. :func:`build_neighbours_table`: in how many records Blowfish's neighbours differ.
"""

import itertools
import math
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Final

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from noiseless.tables import Rows, returns_table

Database = tuple[int, ...]
Prior = Mapping[Database, int]
Pair = tuple[Database, Database]
Condition = tuple[Prior, Prior]
_Items = tuple[tuple[Database, int], ...]
_Frozen = tuple[tuple[_Items, _Items], ...]
Steps = Mapping[Database, Mapping[Database, int]]  # from each start to what it reaches

PAIR_NOTIONS: Final = ("DP", "DP possible", "DDP 6.1", "DDP", "BP any", "BP minimal")
NOTIONS: Final = (*PAIR_NOTIONS, "IP record", "MP databases", "MP record")
_BUDGET: Final = 2  # e^epsilon of the notion that the mechanism keeps
_ROUNDING: Final = 1e-6  # largest error of the optimum of a linear programme
_DECIMALS: Final = 6  # number of decimals of an optimum that do not depend on rounding


# Notions ------------------------------------------------------------------------------------------


def enumerate_databases(records: int) -> list[Database]:
    """Enumerate all databases of a number of records of one bit."""
    return list(itertools.product((0, 1), repeat=records))


def find_blocks(prior: Prior) -> list[frozenset[int]]:
    """Find the smallest groups of records that are each independent of all other records."""
    records = range(len(next(iter(prior))))
    groups = [
        frozenset(group)
        for size in range(1, len(records) + 1)
        for group in itertools.combinations(records, size)
        if _is_independent(prior, group)
    ]
    # The records that independent groups have in common are an independent group, too.
    smallest = {frozenset.intersection(*(g for g in groups if i in g)) for i in records}
    return sorted(smallest, key=min)


def _is_independent(prior: Prior, group: Sequence[int]) -> bool:
    """Return whether a group of records is independent of all other records together."""
    others = [i for i in range(len(next(iter(prior)))) if i not in group]
    group_weights: dict[Database, int] = {}
    other_weights: dict[Database, int] = {}
    for x, weight in prior.items():
        for records, weights_of in ((group, group_weights), (others, other_weights)):
            values = tuple(x[i] for i in records)
            weights_of[values] = weights_of.get(values, 0) + weight
    total = sum(prior.values())
    possible = {(tuple(x[i] for i in group), tuple(x[i] for i in others)): w
                for x, w in prior.items()}  # fmt: skip
    return all(
        possible.get((one, two), 0) * total == group_weights[one] * other_weights[two]
        for one in group_weights
        for two in other_weights
    )


def list_pairs(prior: Prior, notion: str) -> list[Pair]:
    """List the ordered pairs of databases that a notion of :data:`PAIR_NOTIONS` compares."""
    every, possible = enumerate_databases(len(next(iter(prior)))), list(prior)
    blocks = find_blocks(prior) if notion in ("DDP 6.1", "DDP") else []

    def is_compared(x: Database, y: Database) -> bool:
        """Return whether the notion compares two databases, given that they may be compared."""
        changed = _find_changed_records(x, y)
        if notion in ("DP", "DP possible"):
            return len(changed) == 1
        if notion in ("DDP 6.1", "DDP"):
            return any(changed <= block for block in blocks)
        if notion == "BP minimal":
            return not any(_is_between(z, x, y) for z in possible)
        return True

    compared = every if notion in ("DP", "DDP 6.1") else possible
    return [(x, y) for x, y in itertools.permutations(compared, 2) if is_compared(x, y)]


def _find_changed_records(x: Database, y: Database) -> frozenset[int]:
    """Find the indices of the records in which two databases differ."""
    return frozenset(i for i, (one, two) in enumerate(zip(x, y, strict=True)) if one != two)


def _is_between(z: Database, x: Database, y: Database) -> bool:
    """Return whether z has the bit of x or of y in each record, and is neither x nor y."""
    return z not in (x, y) and all(c in (a, b) for a, b, c in zip(x, y, z, strict=True))


def list_conditions(prior: Prior, notion: str) -> list[Condition]:
    """List the pairs (u, v) of weights of databases whose means a notion compares."""
    if notion in PAIR_NOTIONS:
        return [({x: 1}, {y: 1}) for x, y in list_pairs(prior, notion)]
    if notion == "MP databases":
        return [ends for x in prior for ends in (({x: 1}, prior), (prior, {x: 1}))]
    found: list[Condition] = []
    for i in range(len(next(iter(prior)))):
        given = [{x: w for x, w in prior.items() if x[i] == value} for value in (0, 1)]
        if not all(given):
            continue
        if notion == "IP record":
            found += [(given[0], given[1]), (given[1], given[0])]
        elif notion == "MP record":
            found += [ends for each in given for ends in ((each, prior), (prior, each))]
        else:
            raise AssertionError(f"notion must be one of {NOTIONS}, got {notion!r}")
    return found


def find_ratio(conditions: Sequence[Condition], yes: Mapping[Database, Fraction]) -> Fraction:
    """Compute e^epsilon of the mechanism that answers yes with these probabilities, else no."""
    answers = (yes, {x: 1 - chance for x, chance in yes.items()})
    return max(
        (_compute_mean(u, f) / _compute_mean(v, f) for u, v in conditions for f in answers),
        default=Fraction(1),
    )


def _compute_mean(weights: Prior, values: Mapping[Database, Fraction]) -> Fraction:
    """Compute the exact mean of a value per database under a weight per database."""
    return sum((w * values[x] for x, w in weights.items()), Fraction(0)) / sum(weights.values())


# Linear programmes --------------------------------------------------------------------------------


def find_multiple(
    conditions: Sequence[Condition], kept: Sequence[Condition], *, budget: float = _BUDGET
) -> float:
    """Find the largest ratio of a notion's epsilon to that of a kept notion, over all mechanisms.

    Both are conditions at one prior, and ``budget`` is e^epsilon of the kept one, above 1. Infinite
    if there is no bound.
    """
    if not conditions:
        return 0.0
    return _solve_multiple(*map(_freeze, (conditions, kept)), budget)


def _freeze(conditions: Sequence[Condition]) -> _Frozen:
    """Make conditions a key of a cache: many priors and notions have the same ones."""
    return tuple((tuple(u.items()), tuple(v.items())) for u, v in conditions)


@cache
def _solve_multiple(frozen: _Frozen, frozen_kept: _Frozen, budget: float) -> float:
    """Compute :func:`find_multiple` of conditions as :func:`_freeze` returns them."""
    conditions, kept = ([(dict(u), dict(v)) for u, v in each] for each in (frozen, frozen_kept))
    databases_used = sorted({x for pair in (*conditions, *kept) for each in pair for x in each})
    at = {x: k for k, x in enumerate(databases_used)}
    matrix = _build_share_rows([u for u, _ in kept], at) - budget * _build_share_rows(
        [v for _, v in kept], at
    )
    above, below = (_build_share_rows([pair[k] for pair in conditions], at) for k in (0, 1))
    # Each condition is a linear programme of its own; all are solved as the blocks of one.
    solution = linprog(
        -above.ravel(),
        A_ub=sparse.kron(sparse.eye_array(len(above)), matrix) if len(matrix) else None,
        b_ub=np.zeros(len(above) * len(matrix)) if len(matrix) else None,
        A_eq=sparse.block_diag([row[None] for row in below]),
        b_eq=np.ones(len(below)),
        method="highs",
        options={"presolve": False},  # presolve calls some unbounded programmes infeasible
    )
    if solution.status == 3:
        return math.inf
    if solution.status != 0:
        raise AssertionError(f"the linear programme of two notions failed: {solution.message}")
    max_ratio = max(1.0, (above * solution.x.reshape(above.shape)).sum(axis=1).max())
    return math.log(max_ratio) / math.log(budget)


def _build_share_rows(weights: Sequence[Prior], column_of: Mapping[Database, int]) -> np.ndarray:
    """Compute the share of each database under each prior, a row for each prior."""
    rows = np.zeros((len(weights), len(column_of)))
    for row, each in zip(rows, weights, strict=True):
        for x, weight in each.items():
            row[column_of[x]] = weight / sum(each.values())
    return rows


@returns_table("records", "notion", "than")
def build_orders_table() -> Rows:
    """Compute the largest ratio of the epsilons of every two notions, over all mechanisms.

    The mechanisms are those whose e^epsilon of ``than`` is at most 2. ``records`` is ``uniform``,
    ``independent``, ``correlated`` (in these all databases are possible), ``count`` (the number of
    ones is public) or ``constrained`` (another constraint). Statistics: ``priors``; ``above``,
    priors under which the epsilon of ``notion`` may be larger than that of ``than``; ``unbounded``,
    priors under which the ratio has no bound; ``bounded``, all other priors; ``largest_multiple``,
    the largest ratio under these, 0 if there are none; ``nested``, priors under which the pairs of
    ``notion`` are a proper subset of the pairs of ``than``; ``nested_above``, nested priors under
    which the epsilon of ``notion`` may be larger. Of the records that the best test infers under a
    prior where the epsilon of ``notion`` is at most that of ``than``: ``tests``; ``contradicted``,
    records that the test detects less often from a mechanism that keeps ``notion`` than from one
    that keeps ``than``; ``weaker``, records that it detects more often (at a false alarm rate of a
    quarter and e^epsilon = 2 of both).
    """
    results: dict[tuple[str, str, str], list[tuple[float, bool, np.ndarray]]] = {}
    for prior in list_priors():
        conditions = {notion: list_conditions(prior, notion) for notion in NOTIONS}
        compared = {notion: set(list_pairs(prior, notion)) for notion in PAIR_NOTIONS}
        detected = {notion: _detect_records(prior, conditions[notion]) for notion in NOTIONS}
        for notion, than in itertools.permutations(NOTIONS, 2):
            is_nested = (
                notion in compared and than in compared and compared[notion] < compared[than]
            )
            multiple = find_multiple(conditions[notion], conditions[than])
            gain = detected[notion] - detected[than]
            gain = gain[: len(gain) if multiple <= 1 + _ROUNDING else 0]
            results.setdefault((classify_prior(prior), notion, than), []).append(
                (multiple, is_nested, gain)
            )
    for (records, notion, than), each in results.items():
        finite = [multiple for multiple, _, _ in each if math.isfinite(multiple)]
        gains = np.concatenate([gain for _, _, gain in each])
        yield {
            "records": records,
            "notion": notion,
            "than": than,
            "priors": len(each),
            "above": sum(multiple > 1 + _ROUNDING for multiple, _, _ in each),
            "unbounded": len(each) - len(finite),
            "bounded": len(finite),
            "largest_multiple": round(max(finite, default=0.0), _DECIMALS),
            "nested": sum(is_nested for _, is_nested, _ in each),
            "nested_above": sum(
                is_nested and multiple > 1 + _ROUNDING for multiple, is_nested, _ in each
            ),
            "tests": len(gains),
            "contradicted": (gains < -_ROUNDING).sum(),
            "weaker": (gains > _ROUNDING).sum(),
        }


def _detect_records(prior: Prior, kept: Sequence[Condition]) -> np.ndarray:
    """Compute the best test's recall for each uncertain record, at a false alarm rate of 1/4.

    A test turns a mechanism of a notion into one that answers yes or no, which keeps the notion,
    too.  So the best test is a linear programme in the probabilities of a yes.
    """
    databases_used = sorted({x for pair in kept for each in pair for x in each} | set(prior))
    column_of = {x: k for k, x in enumerate(databases_used)}
    above, below = (_build_share_rows([pair[k] for pair in kept], column_of) for k in (0, 1))
    # The answer yes has above.f <= 2 below.f, and the answer no has this for 1 - f.
    bounds = np.concatenate((np.zeros(len(kept)), np.full(len(kept), _BUDGET - 1.0)))
    matrix = np.concatenate((above - _BUDGET * below, _BUDGET * below - above))
    rates = []
    for i in range(len(next(iter(prior)))):
        halves = [{x: w for x, w in prior.items() if x[i] == value} for value in (0, 1)]
        if not all(halves):
            continue
        absent, present = _build_share_rows(halves, column_of)
        found = linprog(
            -present,
            A_ub=np.vstack((matrix, absent)),
            b_ub=np.append(bounds, 0.25),
            bounds=(0, 1),
            method="highs",
        )
        if found.status != 0:
            raise AssertionError(f"the linear programme of the best test failed: {found.message}")
        rates.append(-found.fun)
    return np.array(rates)


def classify_prior(prior: Prior) -> str:
    """Classify a prior by its ``records`` in :func:`build_orders_table`, such as ``uniform``."""
    records = len(next(iter(prior)))
    if len(prior) == 2**records:
        if len(set(prior.values())) == 1:
            return "uniform"
        return "independent" if len(find_blocks(prior)) == records else "correlated"
    ones = {sum(x) for x in prior}
    is_count = len(ones) == 1 and len(prior) == math.comb(records, *ones)
    return "count" if is_count else "constrained"


def list_priors() -> list[Prior]:
    """List priors for :func:`build_orders_table`: two bits in thirds, and some of up to four."""
    two, three, four = enumerate_databases(2), enumerate_databases(3), enumerate_databases(4)
    balanced = [x for x in four if sum(x) == 2]
    priors: list[Prior] = [
        {x: weight for x, weight in zip(two, (a, b, c, d), strict=True) if weight}
        for a, b, c, d in itertools.product(range(4), repeat=4)
        if a + b + c + d == 3 and min(a + b, c + d, a + c, b + d) > 0  # each record is uncertain
    ]
    priors += [
        {(0,): 1, (1,): 2},
        dict.fromkeys(two, 1),
        dict(zip(two, (4, 1, 1, 4), strict=True)),  # the two are equal in four of five cases
        dict(zip(two, (1, 2, 2, 4), strict=True)),
        {(0, 0): 2, (0, 1): 1, (1, 1): 1},  # the first implies the second
        {(0, 0): 1, (1, 1): 1},
        {(0, 1): 1, (1, 0): 1},
        dict.fromkeys(three, 1),
        {x: 2 ** sum(x) for x in three},
        {x: 4 if len(set(x)) == 1 else 1 for x in three},
        {x: 2 if x[0] == x[1] else 1 for x in three},
        {x: 1 for x in three if x[0] == x[1]},
        {x: 1 for x in three if len(set(x)) == 1},
        {x: 1 for x in three if sum(x) == 1},
        {x: 1 for x in three if sum(x) == 2},
        dict.fromkeys(balanced, 1),
        {x: 8 if x[0] == x[1] else 1 for x in balanced},
        {x: 1 for x in four if x[0] != x[1] and x[2] != x[3]},
    ]
    return priors


# Pairs, and the mechanism that reaches their distance ---------------------------------------------


def find_all_steps(pairs: Sequence[Pair], starts: Iterable[Database]) -> Steps:
    """Count the fewest steps along pairs from each start to each database that they reach."""
    neighbours: dict[Database, list[Database]] = {}
    for x, y in pairs:
        neighbours.setdefault(x, []).append(y)
    return {x: _count_steps(neighbours, x) for x in starts}


def _count_steps(
    neighbours: Mapping[Database, Sequence[Database]], start: Database
) -> dict[Database, int]:
    """Count the fewest steps to neighbours from a start to each database that they reach."""
    steps, queue = {start: 0}, deque([start])
    while queue:
        x = queue.popleft()
        for y in neighbours.get(x, ()):
            if y not in steps:
                steps[y] = steps[x] + 1
                queue.append(y)
    return steps


def find_farthest(pairs: Sequence[Pair], steps: Steps) -> tuple[float, Pair]:
    """Find the pair of databases that are the most steps apart; return the steps and the pair."""
    return max((float(steps[x].get(y, math.inf)), (x, y)) for x, y in pairs)


def build_extreme_mechanism(
    steps_from: Steps, farthest: tuple[float, Pair], records: int
) -> tuple[dict[Database, int], int]:
    """Compute the probabilities of a yes whose ratio on the farthest pair is the largest.

    Each kept step changes them by a factor of 2 at most, and they double at each step of the path
    between the two databases; where no path joins the two, they are 1/3 and 2/3. The probability of
    a database is its part over the whole, which is returned, too.
    """
    distance, (x, _) = farthest
    steps = steps_from[x]
    if not math.isfinite(distance):
        return {y: 1 if y in steps else 2 for y in enumerate_databases(records)}, 3
    most = int(distance)
    parts = {y: 2 ** (1 + min(steps.get(y, most), most)) for y in enumerate_databases(records)}
    return parts, 3 * 2**most


@returns_table("constraint", "notion", "than")
def build_distances_table() -> Rows:
    """Count the steps along one notion's pairs between the databases that another one compares.

    The smallest c with epsilon_notion <= c epsilon_than is the largest number of steps. It is
    checked with the mechanism that should reach it, whose epsilons are computed in fractions.
    ``constraint`` is ``none`` or ``some``. Statistics: ``priors``, two for each set of two or more
    possible databases of one to three records; ``pairs``, pairs of ``notion``; ``missing``, pairs
    that are not pairs of ``than``; ``unjoined``, priors with a pair that no steps join;
    ``largest_distance``, in steps, under all other priors; ``wrong``, priors whose mechanism has an
    unexpected epsilon of either notion; and ``beyond``, pairs that are more steps apart than
    records in which they differ.
    """
    names = ("priors", "pairs", "missing", "unjoined", "largest_distance", "wrong", "beyond")
    cells: dict[tuple[str, str, str], dict[str, float]] = {}
    for prior in _enumerate_priors():
        records = len(next(iter(prior)))
        pairs = {notion: list_pairs(prior, notion) for notion in PAIR_NOTIONS}
        # The databases that any notion compares.
        starts = {x for each in pairs.values() for x, _ in each}
        steps_along = {notion: find_all_steps(each, starts) for notion, each in pairs.items()}
        constraint = "none" if len(prior) == 2**records else "some"
        for notion, than in itertools.permutations(PAIR_NOTIONS, 2):
            if not pairs[notion]:
                continue
            cell = cells.setdefault((constraint, notion, than), dict.fromkeys(names, 0))
            steps = steps_along[than]
            farthest = find_farthest(pairs[notion], steps)
            yes, whole = build_extreme_mechanism(steps, farthest, records)
            distance = farthest[0]
            ratios = [_find_pair_ratio(pairs[each], yes, whole) for each in (notion, than)]
            is_joined = math.isfinite(distance)
            expected = [Fraction(2) ** int(distance), 2] if is_joined else [2, 1]
            cell["priors"] += 1
            cell["pairs"] += len(pairs[notion])
            cell["missing"] += len(set(pairs[notion]) - set(pairs[than]))
            cell["unjoined"] += not is_joined
            cell["largest_distance"] = max(cell["largest_distance"], distance if is_joined else 0)
            cell["wrong"] += ratios != expected
            cell["beyond"] += sum(
                steps[x].get(y, math.inf) > len(_find_changed_records(x, y))
                for x, y in pairs[notion]
            )
    for (constraint, notion, than), cell in cells.items():
        yield {"constraint": constraint, "notion": notion, "than": than, **cell}


def _find_pair_ratio(pairs: Sequence[Pair], yes: Mapping[Database, int], whole: int) -> Fraction:
    """Compute e^epsilon of the mechanism with answers yes and no, by the pairs of a notion."""
    chances = {(yes[x], yes[y]) for x, y in pairs}
    return max(
        (max(Fraction(p, q), Fraction(whole - p, whole - q)) for p, q in chances),
        default=Fraction(1),
    )


def _enumerate_priors() -> Iterator[Prior]:
    """Enumerate sets of possible databases of one to three records, each with two priors."""
    for records in (1, 2, 3):
        every = enumerate_databases(records)
        for size in range(2, len(every) + 1):
            for possible in itertools.combinations(every, size):
                yield dict.fromkeys(possible, 1)
                yield {x: 8 if x == possible[-1] else 3 if x == possible[0] else 1
                       for x in possible}  # fmt: skip


@returns_table("records", "ones")
def build_swaps_table() -> Rows:
    """Compute the largest distance, in Blowfish's steps, of databases with equal counts of ones.

    Statistics, for two to six records: ``databases``; ``swaps``, the largest number of steps
    between two of them; ``excess``, swaps minus min(ones, records - ones); ``not_swapped``, pairs
    of neighbours that differ in more or fewer than two records.
    """
    for records in range(2, 7):
        for ones in range(1, records):
            prior = {x: 1 for x in enumerate_databases(records) if sum(x) == ones}
            pairs = list_pairs(prior, "BP minimal")
            swaps, _ = find_farthest(
                list(itertools.permutations(prior, 2)), find_all_steps(pairs, prior)
            )
            yield {
                "records": records,
                "ones": ones,
                "databases": len(prior),
                "swaps": swaps,
                "excess": swaps - min(ones, records - ones),
                "not_swapped": sum(len(_find_changed_records(x, y)) != 2 for x, y in pairs),
            }


# One record under a public constraint -------------------------------------------------------------

_ODDS: Final = (1, 5, 1000)


@returns_table("constraint")
def build_counts_table() -> Rows:
    """Compare the epsilons of inferential and of Blowfish privacy under public constraints.

    Constraints: ``count`` (the ones of three to five records) and ``two counts`` (of two pairs of
    records), of independent records; ``range`` (one or two ones of three), ``implication`` (the
    first record implies the second) and ``none``, of independent records, too; and ``correlated``
    (two ones of four, no independent records). Statistics: ``priors``; ``above``, priors under
    which the epsilon of inferential privacy of one record may be larger than that of Blowfish
    privacy with the cited source's neighbours; ``reached``, priors under which it may be as large;
    ``largest_multiple``, the largest ratio.
    """
    for constraint, priors in _build_constrained_priors().items():
        multiples = [
            find_multiple(list_conditions(p, "IP record"), list_conditions(p, "BP minimal"))
            for p in priors
        ]
        yield {
            "constraint": constraint,
            "priors": len(multiples),
            "above": sum(multiple > 1 + _ROUNDING for multiple in multiples),
            "reached": sum(multiple >= 1 - _ROUNDING for multiple in multiples),
            "largest_multiple": round(max(multiples), _DECIMALS),
        }


def _build_constrained_priors() -> dict[str, list[Prior]]:
    """Build the priors of each public constraint, by name of the constraint."""

    def build_prior(odds: Sequence[int], possible: Sequence[Database]) -> Prior:
        """Build the prior of independent records with some odds, given the possible databases."""
        return {
            x: math.prod(odd for odd, bit in zip(odds, x, strict=True) if bit) for x in possible
        }

    def enumerate_odds(records: int) -> list[tuple[int, ...]]:
        """Enumerate the odds of a number of records, in any order."""
        return list(itertools.combinations_with_replacement(_ODDS, records))

    two, three, four = enumerate_databases(2), enumerate_databases(3), enumerate_databases(4)
    pairs = [x for x in four if x[0] != x[1] and x[2] != x[3]]
    some = [x for x in three if sum(x) in (1, 2)]
    implied = [x for x in two if x != (1, 0)]
    balanced = [x for x in four if sum(x) == 2]
    return {
        "count": [
            build_prior(odds, [x for x in enumerate_databases(records) if sum(x) == ones])
            for records, ones in ((3, 1), (3, 2), (4, 1), (4, 2), (4, 3), (5, 2))
            for odds in enumerate_odds(records)
        ],
        "two counts": [build_prior(odds, pairs) for odds in enumerate_odds(4)],
        "range": [build_prior(odds, some) for odds in enumerate_odds(3)],
        "implication": [build_prior(odds, implied) for odds in itertools.product(_ODDS, repeat=2)],
        "none": [build_prior(odds, three) for odds in enumerate_odds(3)],
        "correlated": [
            {x: weight if x[0] == x[1] else 1 for x in balanced} for weight in (2, 8, 30)
        ],
    }


# Mechanisms that break an order -------------------------------------------------------------------

_BALANCED: Final = ("0011", "0101", "0110", "1001", "1010", "1100")
_EQUAL_CHANCES: Final = {"00": "3/4", "01": "1/4", "10": "1/4", "11": "3/4"}
_DOUBLING_CHANCES: Final = {"000": "1/12", "001": "1/6", "010": "1/6", "011": "1/3", "100": "1/6",
                   "101": "1/3", "110": "1/3", "111": "2/3"}  # fmt: skip
_FAR_CHANCES: Final = dict(zip(_BALANCED, ("2/3", *["1/3"] * 4, "1/6"), strict=True))
_EXAMPLES: Final[dict[str, tuple[dict[str, int], dict[str, str]]]] = {
    "equal, fair": (dict.fromkeys(_EQUAL_CHANCES, 1), _EQUAL_CHANCES),
    "equal, always equal": ({"00": 1, "11": 1}, _EQUAL_CHANCES),
    "equal, one of two": ({"01": 1, "10": 1}, _EQUAL_CHANCES),
    "equal, mostly equal": (dict(zip(_EQUAL_CHANCES, (4, 1, 1, 4), strict=True)), _EQUAL_CHANCES),
    "two of four": (dict.fromkeys(_BALANCED, 1), _FAR_CHANCES),
    "two of four, ends likelier": (
        dict(zip(_BALANCED, (8, 1, 1, 1, 1, 8), strict=True)),
        _FAR_CHANCES,
    ),
    "ones, mostly equal": (
        dict(zip(_EQUAL_CHANCES, (4, 1, 1, 4), strict=True)),
        dict(zip(_EQUAL_CHANCES, ("1/6", "1/3", "1/3", "2/3"), strict=True)),
    ),
    "implication": (
        {"00": 2, "01": 1, "11": 1},
        dict(zip(_EQUAL_CHANCES, ("2/3", "1/3", "1/2", "1/6"), strict=True)),
    ),
    "three fair": (dict.fromkeys(_DOUBLING_CHANCES, 1), _DOUBLING_CHANCES),
    "three correlated": (
        {x: 4 if x in ("000", "111") else 1 for x in _DOUBLING_CHANCES},
        _DOUBLING_CHANCES,
    ),
    "one stands out": (
        dict.fromkeys(_EQUAL_CHANCES, 1),
        dict(zip(_EQUAL_CHANCES, ("1/2", "1/8", "3/16", "3/16"), strict=True)),
    ),
    "one record": ({"0": 1, "1": 2}, {"0": "1/2", "1": "1/8"}),
}


@returns_table("example", "notion")
def build_examples_table() -> Rows:
    """Compute e^epsilon of mechanisms with two answers that break an order, in fractions."""
    for example, (weights, chances) in _EXAMPLES.items():
        prior = {tuple(map(int, bits)): weight for bits, weight in weights.items()}
        records = len(next(iter(prior)))
        yes_of_some = {tuple(map(int, bits)): Fraction(each) for bits, each in chances.items()}
        yes = {x: yes_of_some.get(x, Fraction(1, 2)) for x in enumerate_databases(records)}
        for notion in NOTIONS:
            ratio = find_ratio(list_conditions(prior, notion), yes)
            yield {"example": example, "notion": notion, "ratio": float(ratio)}


# In how many records neighbours differ ------------------------------------------------------------


@returns_table("records")
def build_neighbours_table() -> Rows:
    """Count Blowfish's neighbours by the cited source, over all sets of possible databases.

    Statistics: ``constraints``, the sets that are tried; ``never``, numbers of records, from one to
    all, in which no neighbours of any set differ; ``pairs`` of possible databases; ``apart``, pairs
    that are not neighbours.
    """
    for records in (1, 2, 3):
        changed, constraints, pairs, apart = set(), 0, 0, 0
        for size in range(2, 2**records + 1):
            for possible in itertools.combinations(enumerate_databases(records), size):
                neighbours = list_pairs(dict.fromkeys(possible, 1), "BP minimal")
                changed |= {len(_find_changed_records(x, y)) for x, y in neighbours}
                constraints += 1
                pairs += size * (size - 1)
                apart += size * (size - 1) - len(neighbours)
        yield {
            "records": records,
            "constraints": constraints,
            "never": len(set(range(1, records + 1)) - changed),
            "pairs": pairs,
            "apart": apart,
        }
