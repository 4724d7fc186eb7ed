"""Which notion of privacy asks for how much more than which (``prrelation``, Section 6).

A database is a tuple of bits, a record each.  A prior gives every database that is possible a
positive whole weight; the others are what a public constraint excludes.  A *block* is a smallest
group of records that is independent of all the others.  The notions, each as the paper prints it or
as the source that it cites has it:

================ ==================================================================================
notion           what it compares
================ ==================================================================================
``DP``           any two databases that differ in one record (Section 6.1)
``DP possible``  the same, both possible
``DDP 6.1``      any two that differ inside one block: Section 6.1's "possible changes"
``DDP``          the same, both possible: dependent privacy, and by Bayes' rule inferential privacy
                 of databases, as Section 6.1 prints both
``BP any``       any two possible databases (Section 6.1 and the proof in 10.6)
``BP minimal``   two possible databases between which no third one lies, that is, differs from one
                 of them in some of the records in which the two differ (the cited source)
``IP record``    the two values of one record, the others drawn given it (the cited source)
``MP databases`` a possible database, and one drawn by the prior (10.6)
``MP record``    a value of one record, and a database drawn by the prior (10.6)
================ ==================================================================================

Each is a list of conditions (u, v) on the probabilities f of one answer: its e^epsilon is the
largest ratio of the mean of f under u to the mean under v, over all answers.  The number ignores
the scale of f.  So if some mechanism has epsilon_A > c epsilon_B, one with the answers s f and
1 - s f has it, too, for a small s; and the largest epsilon_A at a given epsilon_B is the optimum of
one linear programme for each condition of A.  No lattice of mechanisms is needed.

1. :func:`orders_table`: the largest multiples, of every pair of notions, by linear programmes.
2. :func:`distances_table`: pair notions, and the mechanism that reaches their distance, exactly.
3. :func:`swaps_table`: databases with a public count of ones.
4. :func:`counts_table`: inferential privacy of one record under public constraints.
5. :func:`examples_table`: mechanisms with a few answers, in fractions.
6. :func:`neighbours_table`: in how many records Blowfish's neighbours differ.

:func:`orders_tables` makes all of them.
"""

import itertools
import math
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

import numpy as np
import pandas as pd
from scipy import sparse
from scipy.optimize import linprog

from noiseless.tables import Rows, as_table

Database = tuple[int, ...]
Prior = Mapping[Database, int]
Pair = tuple[Database, Database]
Condition = tuple[Prior, Prior]

PAIRS: Final = ("DP", "DP possible", "DDP 6.1", "DDP", "BP any", "BP minimal")
NOTIONS: Final = (*PAIRS, "IP record", "MP databases", "MP record")
_BUDGET: Final = 2  # e^epsilon of the notion that is kept
_ROUNDING: Final = 1e-6  # of a linear programme's multiple
_DECIMALS: Final = 6  # that its solver can be trusted with


def orders_tables() -> dict[str, pd.DataFrame]:
    """Return all tables of this module.

    Returns
    -------
    dict
        ``orders``, ``distances``, ``swaps``, ``counts``, ``examples`` and ``neighbours``.
    """
    return {
        "orders": orders_table(),
        "distances": distances_table(),
        "swaps": swaps_table(),
        "counts": counts_table(),
        "examples": examples_table(),
        "neighbours": neighbours_table(),
    }


# Notions ------------------------------------------------------------------------------------------


def databases(records: int) -> list[Database]:
    """Return all databases of so many records of one bit."""
    return list(itertools.product((0, 1), repeat=records))


def find_blocks(prior: Prior) -> list[frozenset[int]]:
    """Return the smallest groups of records that are each independent of all the others."""
    records = range(len(next(iter(prior))))
    groups = [
        frozenset(group)
        for size in range(1, len(records) + 1)
        for group in itertools.combinations(records, size)
        if _is_independent(prior, group)
    ]
    # Independent groups that share records share an independent group: what is common to all.
    smallest = {frozenset.intersection(*(g for g in groups if i in g)) for i in records}
    return sorted(smallest, key=min)


def _is_independent(prior: Prior, group: Sequence[int]) -> bool:
    """Whether these records are independent of all the others together."""
    others = [i for i in range(len(next(iter(prior)))) if i not in group]
    of_group: dict[Database, int] = {}
    of_others: dict[Database, int] = {}
    for x, weight in prior.items():
        for part, found in ((group, of_group), (others, of_others)):
            values = tuple(x[i] for i in part)
            found[values] = found.get(values, 0) + weight
    total = sum(prior.values())
    possible = {(tuple(x[i] for i in group), tuple(x[i] for i in others)): w
                for x, w in prior.items()}  # fmt: skip
    return all(
        possible.get((one, two), 0) * total == of_group[one] * of_others[two]
        for one in of_group
        for two in of_others
    )


def list_pairs(prior: Prior, notion: str) -> list[Pair]:
    """Return the ordered pairs of databases that a notion of :data:`PAIRS` compares."""
    every, possible = databases(len(next(iter(prior)))), list(prior)
    blocks = find_blocks(prior) if notion in ("DDP 6.1", "DDP") else []

    def compare(x: Database, y: Database) -> bool:
        changed = _changed(x, y)
        if notion in ("DP", "DP possible"):
            return len(changed) == 1
        if notion in ("DDP 6.1", "DDP"):
            return any(changed <= block for block in blocks)
        if notion == "BP minimal":
            return not any(_is_between(z, x, y) for z in possible)
        return True

    compared = every if notion in ("DP", "DDP 6.1") else possible
    return [(x, y) for x, y in itertools.permutations(compared, 2) if compare(x, y)]


def _changed(x: Database, y: Database) -> frozenset[int]:
    """The records in which two databases differ."""
    return frozenset(i for i, (one, two) in enumerate(zip(x, y, strict=True)) if one != two)


def _is_between(z: Database, x: Database, y: Database) -> bool:
    """Whether z differs from x in some, and not all, of the records in which y does, as y does."""
    return z not in (x, y) and all(c in (a, b) for a, b, c in zip(x, y, z, strict=True))


def list_conditions(prior: Prior, notion: str) -> list[Condition]:
    """Return the pairs (u, v) of weights of databases whose means a notion compares."""
    if notion in PAIRS:
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
            raise AssertionError(f"there is no notion {notion!r}")
    return found


def find_ratio(conditions: Sequence[Condition], yes: Mapping[Database, Fraction]) -> Fraction:
    """Return e^epsilon of the mechanism that says yes with these probabilities, or else no."""
    answers = (yes, {x: 1 - chance for x, chance in yes.items()})
    return max(
        (_mean(u, f) / _mean(v, f) for u, v in conditions for f in answers), default=Fraction(1)
    )


def _mean(weights: Prior, values: Mapping[Database, Fraction]) -> Fraction:
    """The mean of values under weights."""
    return sum((w * values[x] for x, w in weights.items()), Fraction(0)) / sum(weights.values())


# Linear programmes --------------------------------------------------------------------------------


def find_multiple(
    conditions: Sequence[Condition], kept: Sequence[Condition], *, budget: float = _BUDGET
) -> float:
    """Return how many times epsilon the conditions may have when those that are kept have it.

    Parameters
    ----------
    conditions, kept : sequence of Condition
        Of two notions at the same prior.
    budget : float
        e^epsilon of the kept conditions, above 1.

    Returns
    -------
    float
        The largest epsilon of the first notion over that of the second one, over all mechanisms;
        infinite if there is no bound.
    """
    if not conditions:
        return 0.0
    used = sorted({x for pair in (*conditions, *kept) for each in pair for x in each})
    at = {x: k for k, x in enumerate(used)}
    matrix = _means([u for u, _ in kept], at) - budget * _means([v for _, v in kept], at)
    above, below = (_means([pair[k] for pair in conditions], at) for k in (0, 1))
    # The conditions have programmes of their own, side by side in one.
    found = linprog(
        -above.ravel(),
        A_ub=sparse.kron(sparse.eye_array(len(above)), matrix) if len(matrix) else None,
        b_ub=np.zeros(len(above) * len(matrix)) if len(matrix) else None,
        A_eq=sparse.block_diag([row[None] for row in below]),
        b_eq=np.ones(len(below)),
        method="highs",
        options={"presolve": False},  # which calls some of those without a bound infeasible
    )
    if found.status == 3:
        return math.inf
    if found.status != 0:
        raise AssertionError(f"a linear programme of two notions failed: {found.message}")
    largest = max(1.0, (above * found.x.reshape(above.shape)).sum(axis=1).max())
    return math.log(largest) / math.log(budget)


def _means(weights: Sequence[Prior], at: Mapping[Database, int]) -> np.ndarray:
    """Rows of shares of each database."""
    rows = np.zeros((len(weights), len(at)))
    for row, each in zip(rows, weights, strict=True):
        for x, weight in each.items():
            row[at[x]] = weight / sum(each.values())
    return rows


@as_table("records", "notion", "than")
def orders_table() -> Rows:
    """How many times the epsilon of one notion another may ask for, over all mechanisms.

    The mechanisms are those whose e^epsilon of ``than`` is at most 2.

    Returns
    -------
    DataFrame
        Cells (records, notion, than); ``records`` is ``uniform``, ``independent``, ``correlated``
        (in these all databases are possible), ``count`` (the number of ones is public) or
        ``constrained`` (another constraint).  Statistics: ``priors``; ``above``, those under which
        ``notion`` may ask for more than ``than``; ``unbounded``, for any number of times as much;
        ``bounded``, the others; ``largest_multiple`` of these, 0 if there are none; ``nested``,
        priors under which all pairs of ``notion`` are pairs of ``than``, and these are more;
        ``nested_above``, those among them where it may ask for more.  Of the records that the best
        test infers under a prior where ``notion`` asks for no more than ``than``: ``tests``;
        ``contradicted``, those of which it detects less from a mechanism that keeps ``notion``;
        ``weaker``, those of which it detects more (at a false alarm rate of a quarter, with the
        same epsilon, a factor of two).
    """
    found: dict[tuple[str, str, str], list[tuple[float, bool, np.ndarray]]] = {}
    for prior in list_priors():
        conditions = {notion: list_conditions(prior, notion) for notion in NOTIONS}
        compared = {notion: set(list_pairs(prior, notion)) for notion in PAIRS}
        detected = {notion: _detect_records(prior, conditions[notion]) for notion in NOTIONS}
        for notion, than in itertools.permutations(NOTIONS, 2):
            is_nested = (
                notion in compared and than in compared and compared[notion] < compared[than]
            )
            multiple = find_multiple(conditions[notion], conditions[than])
            gained = detected[notion] - detected[than]
            gained = gained[: len(gained) if multiple <= 1 + _ROUNDING else 0]
            found.setdefault((kind_of(prior), notion, than), []).append(
                (multiple, is_nested, gained)
            )
    for (records, notion, than), each in found.items():
        finite = [multiple for multiple, _, _ in each if math.isfinite(multiple)]
        gains = np.concatenate([gained for _, _, gained in each])
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
    """The best test's detection rate of each record that is open, at a false alarm rate of 1/4.

    A test turns a mechanism of a notion into one that says yes or no, which keeps the notion, too.
    So the best one is a linear programme in the probabilities of a yes.
    """
    used = sorted({x for pair in kept for each in pair for x in each} | set(prior))
    at = {x: k for k, x in enumerate(used)}
    above, below = (_means([pair[k] for pair in kept], at) for k in (0, 1))
    # What holds of yes: above.f <= 2 below.f; of no, for f below 1: the same of 1 - f.
    bounds = np.concatenate((np.zeros(len(kept)), np.full(len(kept), _BUDGET - 1.0)))
    matrix = np.concatenate((above - _BUDGET * below, _BUDGET * below - above))
    rates = []
    for i in range(len(next(iter(prior)))):
        given = [{x: w for x, w in prior.items() if x[i] == value} for value in (0, 1)]
        if not all(given):
            continue
        absent, present = _means(given, at)
        found = linprog(
            -present,
            A_ub=np.vstack((matrix, absent)),
            b_ub=np.append(bounds, 0.25),
            bounds=(0, 1),
            method="highs",
        )
        if found.status != 0:
            raise AssertionError(f"a linear programme of the best test failed: {found.message}")
        rates.append(-found.fun)
    return np.array(rates)


def kind_of(prior: Prior) -> str:
    """Return ``uniform``, ``independent``, ``correlated``, ``count`` or ``constrained``."""
    records = len(next(iter(prior)))
    if len(prior) == 2**records:
        if len(set(prior.values())) == 1:
            return "uniform"
        return "independent" if len(find_blocks(prior)) == records else "correlated"
    ones = {sum(x) for x in prior}
    is_count = len(ones) == 1 and len(prior) == math.comb(records, *ones)
    return "count" if is_count else "constrained"


def list_priors() -> list[Prior]:
    """Return the priors of :func:`orders_table`: two bits in thirds, and some of up to four."""
    two, three, four = databases(2), databases(3), databases(4)
    balanced = [x for x in four if sum(x) == 2]
    found: list[Prior] = [
        {x: weight for x, weight in zip(two, weights, strict=True) if weight}
        for weights in itertools.product(range(4), repeat=4)
        if sum(weights) == 3 and _leaves_open(weights)
    ]
    found += [
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
    return found


def _leaves_open(weights: Sequence[int]) -> bool:
    """Whether each of two records has two values."""
    a, b, c, d = weights
    return min(a + b, c + d, a + c, b + d) > 0


# Pairs, and the mechanism that reaches their distance ---------------------------------------------


def find_steps(pairs: Sequence[Pair], start: Database) -> dict[Database, int]:
    """Return, for each database that pairs join to the start, in how many steps."""
    joined: dict[Database, list[Database]] = {}
    for x, y in pairs:
        joined.setdefault(x, []).append(y)
    steps, waiting = {start: 0}, deque([start])
    while waiting:
        x = waiting.popleft()
        for y in joined.get(x, ()):
            if y not in steps:
                steps[y] = steps[x] + 1
                waiting.append(y)
    return steps


def find_farthest(pairs: Sequence[Pair], kept: Sequence[Pair]) -> tuple[float, Pair]:
    """Return the largest number of kept steps between two of a pair, and such a pair."""
    joined: dict[Database, list[Database]] = {}
    for x, y in pairs:
        joined.setdefault(x, []).append(y)
    farthest = []
    for x, others in joined.items():
        steps = find_steps(kept, x)
        farthest.append(max((float(steps.get(y, math.inf)), (x, y)) for y in others))
    return max(farthest)


def reach_distance(
    kept: Sequence[Pair], farthest: tuple[float, Pair], records: int
) -> dict[Database, Fraction]:
    """Return the probabilities of a yes that tell the farthest pair apart as well as can be.

    Each kept step changes them by a factor of 2 at most, and the way between the two doubles them
    at each step; where no way joins them, they are 1/3 and 2/3.
    """
    distance, (x, _) = farthest
    steps = find_steps(kept, x)
    if not math.isfinite(distance):
        return {y: Fraction(1 if y in steps else 2, 3) for y in databases(records)}
    whole = int(distance)
    return {
        y: Fraction(2 ** (1 + min(steps.get(y, whole), whole)), 3 * 2**whole)
        for y in databases(records)
    }


@as_table("constraint", "notion", "than")
def distances_table() -> Rows:
    """Steps between what one notion compares, along what another one does.

    The least c with epsilon_notion <= c epsilon_than is the largest number of steps.  It is held
    against the mechanism that should reach it, whose epsilons are computed in fractions.

    Returns
    -------
    DataFrame
        Cells (constraint, notion, than), with ``constraint`` ``none`` or ``some``.  Statistics:
        ``priors``, two for each set of two or more possible databases of one to three records;
        ``pairs``, those of ``notion``; ``missing``, those that are no pairs of ``than``;
        ``unjoined``, priors with a pair that no steps join; ``largest_distance`` among the others;
        ``wrong``, priors whose mechanism has another epsilon of either notion than said; and
        ``beyond``, pairs that are more steps apart than records in which they differ.
    """
    names = ("priors", "pairs", "missing", "unjoined", "largest_distance", "wrong", "beyond")
    cells: dict[tuple[str, str, str], dict[str, float]] = {}
    for prior in _all_supports():
        records = len(next(iter(prior)))
        pairs = {notion: list_pairs(prior, notion) for notion in PAIRS}
        constraint = "none" if len(prior) == 2**records else "some"
        for notion, than in itertools.permutations(PAIRS, 2):
            if not pairs[notion]:
                continue
            cell = cells.setdefault((constraint, notion, than), dict.fromkeys(names, 0))
            farthest = find_farthest(pairs[notion], pairs[than])
            yes = reach_distance(pairs[than], farthest, records)
            distance = farthest[0]
            ratios = [_pair_ratio(pairs[each], yes) for each in (notion, than)]
            is_joined = math.isfinite(distance)
            expected = [Fraction(2) ** int(distance), 2] if is_joined else [2, 1]
            steps = {x: find_steps(pairs[than], x) for x in {x for x, _ in pairs[notion]}}
            cell["priors"] += 1
            cell["pairs"] += len(pairs[notion])
            cell["missing"] += len(set(pairs[notion]) - set(pairs[than]))
            cell["unjoined"] += not is_joined
            cell["largest_distance"] = max(cell["largest_distance"], distance if is_joined else 0)
            cell["wrong"] += ratios != expected
            cell["beyond"] += sum(
                steps[x].get(y, math.inf) > len(_changed(x, y)) for x, y in pairs[notion]
            )
    for (constraint, notion, than), cell in cells.items():
        yield {"constraint": constraint, "notion": notion, "than": than, **cell}


def _pair_ratio(pairs: Sequence[Pair], yes: Mapping[Database, Fraction]) -> Fraction:
    """e^epsilon of a pair notion: the largest ratio among the few that occur."""
    chances = {(yes[x], yes[y]) for x, y in pairs}
    return max(
        (max(p / q, (1 - p) / (1 - q)) for p, q in chances),
        default=Fraction(1),
    )


def _all_supports() -> Iterator[Prior]:
    """Every set of possible databases of one to three records, with even and with other weights."""
    for records in (1, 2, 3):
        every = databases(records)
        for size in range(2, len(every) + 1):
            for possible in itertools.combinations(every, size):
                yield dict.fromkeys(possible, 1)
                yield {x: 8 if x == possible[-1] else 3 if x == possible[0] else 1
                       for x in possible}  # fmt: skip


@as_table("records", "ones")
def swaps_table() -> Rows:
    """The distance of two databases with a public number of ones, along Blowfish's neighbours.

    Returns
    -------
    DataFrame
        Cells (records, ones), of two to six records.  Statistics: ``databases``;
        ``swaps``, the most steps that two of them are apart; ``excess`` of it over
        min(ones, records - ones); ``not_swapped``, pairs of neighbours that differ in more or
        fewer than two records.
    """
    for records in range(2, 7):
        for ones in range(1, records):
            prior = {x: 1 for x in databases(records) if sum(x) == ones}
            pairs = list_pairs(prior, "BP minimal")
            swaps, _ = find_farthest(list(itertools.permutations(prior, 2)), pairs)
            yield {
                "records": records,
                "ones": ones,
                "databases": len(prior),
                "swaps": swaps,
                "excess": swaps - min(ones, records - ones),
                "not_swapped": sum(len(_changed(x, y)) != 2 for x, y in pairs),
            }


# One record under a public constraint -------------------------------------------------------------

_ODDS: Final = (1, 5, 1000)


@as_table("constraint")
def counts_table() -> Rows:
    """Inferential privacy of one record beside Blowfish privacy, where something is public.

    Returns
    -------
    DataFrame
        Cells (constraint,): ``count`` (the ones of three to five records) and ``two counts`` (of
        two pairs of records), of independent records; ``range`` (one or two ones of three),
        ``implication`` (the first record implies the second) and ``none``, of independent records,
        too; and ``correlated`` (two ones of four, no independent records).  Statistics:
        ``priors``; ``above``, those under which one record may ask for more than Blowfish privacy
        with the cited source's neighbours; ``reached``, for as much; ``largest_multiple``.
    """
    for constraint, priors in _public().items():
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


def _public() -> dict[str, list[Prior]]:
    """Priors of each public constraint; independent records have odds, a bit each."""

    def given(records: int, odds: Sequence[int], possible: Sequence[Database]) -> Prior:
        return {
            x: math.prod(odd for odd, bit in zip(odds, x, strict=True) if bit) for x in possible
        }

    def spread(records: int) -> list[tuple[int, ...]]:
        return list(itertools.combinations_with_replacement(_ODDS, records))

    two, three, four = databases(2), databases(3), databases(4)
    pairs = [x for x in four if x[0] != x[1] and x[2] != x[3]]
    some = [x for x in three if sum(x) in (1, 2)]
    implied = [x for x in two if x != (1, 0)]
    balanced = [x for x in four if sum(x) == 2]
    return {
        "count": [
            given(records, odds, [x for x in databases(records) if sum(x) == ones])
            for records, ones in ((3, 1), (3, 2), (4, 1), (4, 2), (4, 3), (5, 2))
            for odds in spread(records)
        ],
        "two counts": [given(4, odds, pairs) for odds in spread(4)],
        "range": [given(3, odds, some) for odds in spread(3)],
        "implication": [given(2, odds, implied) for odds in itertools.product(_ODDS, repeat=2)],
        "none": [given(3, odds, three) for odds in spread(3)],
        "correlated": [
            {x: weight if x[0] == x[1] else 1 for x in balanced} for weight in (2, 8, 30)
        ],
    }


# Mechanisms that break an order -------------------------------------------------------------------

_BALANCED: Final = ("0011", "0101", "0110", "1001", "1010", "1100")
_SAME: Final = {"00": "3/4", "01": "1/4", "10": "1/4", "11": "3/4"}
_DOUBLED: Final = {"000": "1/12", "001": "1/6", "010": "1/6", "011": "1/3", "100": "1/6",
                   "101": "1/3", "110": "1/3", "111": "2/3"}  # fmt: skip
_FAR: Final = dict(zip(_BALANCED, ("2/3", *["1/3"] * 4, "1/6"), strict=True))
_EXAMPLES: Final[dict[str, tuple[dict[str, int], dict[str, str]]]] = {
    "equal, fair": (dict.fromkeys(_SAME, 1), _SAME),
    "equal, always equal": ({"00": 1, "11": 1}, _SAME),
    "equal, one of two": ({"01": 1, "10": 1}, _SAME),
    "equal, mostly equal": (dict(zip(_SAME, (4, 1, 1, 4), strict=True)), _SAME),
    "two of four": (dict.fromkeys(_BALANCED, 1), _FAR),
    "two of four, ends likelier": (dict(zip(_BALANCED, (8, 1, 1, 1, 1, 8), strict=True)), _FAR),
    "ones, mostly equal": (
        dict(zip(_SAME, (4, 1, 1, 4), strict=True)),
        dict(zip(_SAME, ("1/6", "1/3", "1/3", "2/3"), strict=True)),
    ),
    "implication": (
        {"00": 2, "01": 1, "11": 1},
        dict(zip(_SAME, ("2/3", "1/3", "1/2", "1/6"), strict=True)),
    ),
    "three fair": (dict.fromkeys(_DOUBLED, 1), _DOUBLED),
    "three correlated": (
        {x: 4 if x in ("000", "111") else 1 for x in _DOUBLED},
        _DOUBLED,
    ),
    "one stands out": (
        dict.fromkeys(_SAME, 1),
        dict(zip(_SAME, ("1/2", "1/8", "3/16", "3/16"), strict=True)),
    ),
    "one record": ({"0": 1, "1": 2}, {"0": "1/2", "1": "1/8"}),
}


@as_table("example", "notion")
def examples_table() -> Rows:
    """Mechanisms with the answers yes and no that break an order, in fractions.

    Returns
    -------
    DataFrame
        Cells (example, notion).  Statistic: ``ratio``, the mechanism's e^epsilon.
    """
    for example, (weights, chances) in _EXAMPLES.items():
        prior = {_database(x): weight for x, weight in weights.items()}
        records = len(next(iter(prior)))
        given = {_database(x): Fraction(chance) for x, chance in chances.items()}
        yes = {x: given.get(x, Fraction(1, 2)) for x in databases(records)}
        for notion in NOTIONS:
            ratio = find_ratio(list_conditions(prior, notion), yes)
            yield {"example": example, "notion": notion, "ratio": float(ratio)}


def _database(bits: str) -> Database:
    """The database of a word of bits."""
    return tuple(map(int, bits))


# In how many records neighbours differ ------------------------------------------------------------


@as_table("records")
def neighbours_table() -> Rows:
    """Blowfish's neighbours by the cited source, for every set of possible databases.

    Returns
    -------
    DataFrame
        Cells (records,).  Statistics: ``constraints``, the sets that are tried; ``never``, numbers
        of records, from one to all, in which no neighbours of any set differ; ``pairs`` of possible
        databases; ``apart``, those that are no neighbours.
    """
    for records in (1, 2, 3):
        changed, constraints, pairs, apart = set(), 0, 0, 0
        for size in range(2, 2**records + 1):
            for possible in itertools.combinations(databases(records), size):
                neighbours = list_pairs(dict.fromkeys(possible, 1), "BP minimal")
                changed |= {len(_changed(x, y)) for x, y in neighbours}
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
