"""Sentences of ``noiseless`` between its theorems, checked on all small universes.

:func:`build_sentences_table` counts, in whole numbers, the cases that break each.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

from noiseless.mechanisms.families.quantizer import compute_local_levels
from noiseless.papers.noiseless.guarantees import (
    build_channel,
    compute_exp2_epsilon,
    list_conditional_maps,
    list_slices,
)
from noiseless.tables import Rows, returns_table
from noiseless.theory.enumeration import (
    StatementCounts,
    StatementSides,
    enumerate_maps,
    enumerate_relations,
)
from noiseless.theory.finite import Relation
from noiseless.theory.levels import compute_exact_levels
from noiseless.theory.stochastic import maximal_leakage

_SIZES = ((2, 2), (2, 3), (3, 2), (3, 3))  # numbers of values of the two variables
_PEOPLE = ((2, 2), (2, 3), (3, 2))  # numbers of data of a person, and of all others together
_UNIVERSES = ((3,), (4,), (2, 2))  # numbers of data of each person
_MAX_REPORTS = 6
_LEAKAGE_UNIVERSE = (2, 3)  # numbers of data of two people, the smallest with two budgets above 0
_DATA = (-1, 0, 1)  # two of them have the same square
_WEIGHTS = (-2, -1, 0, 1, 2)
_LEVELS = 4  # values of a query, from 0 to this
_BUDGETS = (1, 1.5, 2)  # in bits
_DRAWS = (1, 2, 3)  # equally likely draws of the other homes
_HEIGHTS = 3  # values at the ends of the pieces of a query


@returns_table("statement", "universe")
def build_sentences_table() -> Rows:
    """Count the cases that break each sentence, on all small universes.

    Returns
    -------
    DataFrame
        Cells (statement, universe).  Statistics: those of
        :func:`noiseless.theory.enumeration.count_violations`, and ``equalities_above_1``, the
        equalities of numbers above 1.  Statements:

        - ``I* is symmetric`` (Section II.B): the larger of both directions, and the smaller.
        - ``I0(X;Y) is L0(X;Y)`` and ``I0(X;Y) is L0(Y;X)`` (Section II.B): the leakage is at most
          the information, with equality in some cases only.
        - ``one overlap partition`` (Section II.B): of all partitions of X, exactly one meets the
          definition, and it equals
          :attr:`~noiseless.theory.finite.Relation.overlap_partition`.
        - ``psi o X, product`` and ``psi o X, related`` (Section III.A): a person's data beside the
          fixed data of all others, and all others' own data, are unrelated: as many pairs are
          possible as there are values of the one times values of the other.
        - ``epsilon 0`` (Section III.A): where each person can choose one report, it is constant
          given the others' data; ``epsilon 1``, where each can choose two, is the control.
        - ``epsilon infinite, weight`` (Section III.A): every exact answer to a linear query tells a
          person's datum to whoever knows the others': the number of data is at most 2^I0;
          ``epsilon infinite, weight 0`` and ``epsilon infinite, squares`` are the controls.
        - ``most leaked`` (Section III.E): the largest maximal leakage of a mechanism, over people
          and others' data, is its smallest budget (both ways); ``each leaked``: the mechanism with
          the smaller budget of two leaks no more of any person beside any data of the others.
        - ``any query`` (Section IV): a quantizer with the exact number of levels is private for
          every query with values on a grid.
        - ``S(f), continuous`` (Theorem 8): the largest difference of a query that is linear on
          pieces of an interval is at most the length of its range; ``S(f), jumps``: where it jumps.
        - ``Adv, as it is`` (Section V.A): the absolute value of an adversary's advantage is at most
          P(right) - P(wrong); ``Adv, turned round``: at most the larger of this difference and that
          of the adversary who gives the opposite answers.
        - ``Appendix F, printed``: ``log(m) x m'`` is the sum of the logarithms of two measures, as
          ``m^m' <= m m'`` and the reverse; ``Appendix F, mended``: ``log(m x m')`` is.
    """
    tallies = StatementCounts()
    for xs, ys in _SIZES:
        tallies.count(map(_compare_part_counts, enumerate_relations(xs, ys)), f"{xs} x {ys}")
        tallies.count(_enumerate_information_facts(xs, ys), f"{xs} x {ys}")
    for own, others in _PEOPLE:
        tallies.count(_enumerate_fixed_data_facts(own, others), f"{own} x {others}")
        tallies.count(_enumerate_budget_facts(own, others), f"{own} x {others}")
    for m, n in itertools.product(range(1, _MAX_REPORTS + 1), repeat=2):
        words = len(set(itertools.product(range(m), range(n))))
        facts = [
            ("Appendix F, printed", max(m**n, m * n), min(m**n, m * n)),
            ("Appendix F, mended", words, m * n),
        ]
        tallies.count(facts, f"up to {_MAX_REPORTS} reports")
    tallies.count(_enumerate_query_facts(), f"{len(_DATA)} data")
    tallies.count(
        _enumerate_leakage_facts(_LEAKAGE_UNIVERSE), " x ".join(map(str, _LEAKAGE_UNIVERSE))
    )
    for sizes in _UNIVERSES:
        tallies.count(_enumerate_level_facts(sizes), " x ".join(map(str, sizes)))
    tallies.count(_enumerate_sensitivity_facts(), "2 pieces")
    for draws in _DRAWS:
        tallies.count(_enumerate_advantage_facts(draws), f"{draws} draws")
    yield from tallies.iterate_rows(above_1=True)


def _compare_part_counts(relation: Relation) -> tuple[str, int, int]:
    """Compare the numbers of parts of both overlap partitions: a fact with the larger one left."""
    parts = (len(relation.overlap_partition), len(relation.transposed.overlap_partition))
    return "I* is symmetric", max(parts), min(parts)


def _enumerate_fixed_data_facts(own: int, others: int) -> StatementSides:
    """Compare the pairs that are possible beside fixed others' data with those of a product."""
    # The largest range comes first, because it is a product: its rows begin the table.
    ranges = sorted(
        enumerate_relations(own, others), key=lambda data: len(data.pairs), reverse=True
    )
    for data in ranges:
        kind = "product" if len(data.pairs) == own * others else "related"
        for fixed in range(others):
            joint = Relation(frozenset(((datum, fixed), other) for datum, other in data.pairs))
            n_expected = len(joint.x_range) * len(joint.transposed.x_range)
            yield f"psi o X, {kind}", n_expected, len(joint.pairs)


def _enumerate_budget_facts(own: int, others: int) -> StatementSides:
    """Compute 2^I* of all mechanisms within a budget of 0 or 1 bit, with others' data fixed."""
    for reports in enumerate_maps(own * others):
        conditional = [reports[other * own : (other + 1) * own] for other in range(others)]
        max_outputs = max(len(set(each)) for each in conditional)
        for bits, each in itertools.product((0, 1), conditional):
            if max_outputs <= 2**bits:
                parts = len(Relation.from_outcomes(range(own), each).overlap_partition)
                yield f"epsilon {bits}", parts, 1


def _enumerate_information_facts(xs: int, ys: int) -> StatementSides:
    """Compare information with leakage, and count the overlap partitions, for every relation."""
    for relation in enumerate_relations(xs, ys):
        yield "I0(X;Y) is L0(X;Y)", relation.leakage, relation.information
        yield "I0(X;Y) is L0(Y;X)", relation.transposed.leakage, relation.information
        partitions = list(_enumerate_overlap_partitions(relation))
        yield "one overlap partition", len(partitions), 1
        yield "one overlap partition", 1, partitions.count(relation.overlap_partition)


def _enumerate_overlap_partitions(relation: Relation) -> Iterator[frozenset[frozenset]]:
    """Enumerate the partitions of [X] that meet every word of the definition of an overlap one."""
    xs = sorted(relation.x_range, key=repr)
    ranges = list(relation.x_given_y.values())
    connected = {
        (x, other)
        for length in range(1, len(ranges) + 1)
        for chain in itertools.permutations(ranges, length)
        if all(one & next_one for one, next_one in itertools.pairwise(chain))
        for x in chain[0]
        for other in chain[-1]
    }
    for labels in enumerate_maps(len(xs)):
        part_of = dict(zip(xs, labels, strict=True))
        pairs = list(itertools.product(xs, repeat=2))
        within = all(pair in connected for pair in pairs if _is_same_part(part_of, pair))
        isolated = not any(pair in connected for pair in pairs if not _is_same_part(part_of, pair))
        if within and isolated:
            yield frozenset(
                frozenset(x for x in xs if part_of[x] == label) for label in set(labels)
            )


def _is_same_part(part_of: dict, pair: tuple) -> bool:
    """Return whether both elements of a pair lie in one part."""
    return part_of[pair[0]] == part_of[pair[1]]


def _enumerate_query_facts() -> StatementSides:
    """Compare a person's number of data with 2^I0 of the exact answer to each linear query."""
    for own, others, known in itertools.product(_WEIGHTS, _WEIGHTS, _DATA):
        kind = "weight" if own else "weight 0"
        answers = [own * datum + others * known for datum in _DATA]
        yield (
            f"epsilon infinite, {kind}",
            len(_DATA),
            Relation.from_outcomes(_DATA, answers).information,
        )
        squares = [own * datum**2 + others * known for datum in _DATA]
        yield (
            "epsilon infinite, squares",
            len(_DATA),
            Relation.from_outcomes(_DATA, squares).information,
        )


def _enumerate_leakage_facts(sizes: Sequence[int]) -> StatementSides:
    """Compare the maximal leakage of mechanisms with their budgets, and of two with each other."""
    mechanisms = []
    for reports in enumerate_maps(math.prod(sizes)):
        conditional = list_conditional_maps(sizes, reports)
        leaked = [maximal_leakage(build_channel(each)) for each in conditional]
        budget = compute_exp2_epsilon(sizes, reports)
        yield "most leaked", max(leaked), budget
        yield "most leaked", budget, max(leaked)
        mechanisms.append((budget, leaked))
    for (smaller, less), (larger, more) in itertools.product(mechanisms, repeat=2):
        if smaller < larger:
            yield from (("each leaked", *both) for both in zip(less, more, strict=True))


def _enumerate_level_facts(sizes: Sequence[int]) -> StatementSides:
    """Count a person's outputs for every query on a grid, with the exact number of levels."""
    for answers in itertools.product(range(_LEVELS + 1), repeat=math.prod(sizes)):
        max_difference = max(
            max(answers[k] for k in held) - min(answers[k] for k in held)
            for held in list_slices(sizes)
        )
        if not max_difference:
            continue  # a query that nobody's data move is private under every quantizer
        for epsilon_bits in _BUDGETS:
            levels = compute_exact_levels(
                epsilon_bits, output_range=(0, 1), sensitivity=Fraction(max_difference, _LEVELS)
            )
            outputs = tuple(min(levels - 1, levels * each // _LEVELS) for each in answers)
            yield (
                "any query",
                compute_exp2_epsilon(sizes, outputs),
                compute_local_levels(epsilon_bits),
            )


def _enumerate_sensitivity_facts() -> StatementSides:
    """Compare both forms of S(f) for queries of two linear pieces, given either of two data."""
    functions = list(itertools.product(itertools.product(range(_HEIGHTS), repeat=2), repeat=2))
    for both in itertools.product(functions, repeat=2):
        # A piece goes in a line from its first number to its second.
        is_continuous = all(one[1] == other[0] for one, other in both)
        difference = max(max(map(max, each)) - min(map(min, each)) for each in both)
        length = max(
            len({unit for piece in each for unit in range(min(piece), max(piece))}) for each in both
        )
        yield f"S(f), {'continuous' if is_continuous else 'jumps'}", difference, length


def _enumerate_advantage_facts(draws: int) -> StatementSides:
    """Compare the absolute advantage with the gain, for all releases and adversaries."""
    homes = [home for home in (0, 1) for _ in range(draws)]
    for outputs in enumerate_maps(2 * draws):
        for answers in itertools.product((0, 1), repeat=len(set(outputs))):
            gain, reverse = (
                sum(
                    1 if (answers[y] ^ turned) == home else -1
                    for home, y in zip(homes, outputs, strict=True)
                )
                for turned in (0, 1)
            )
            yield "Adv, as it is", abs(gain), gain
            yield "Adv, turned round", abs(gain), max(gain, reverse)
