"""Sentences of ``noiseless`` between its theorems, on all small universes.

:func:`sentences_table` counts, in whole numbers, the cases that break each.
"""

import itertools

from noiseless.tables import Rows, as_table
from noiseless.theory.enumeration import Facts, Tallies, all_maps, all_relations
from noiseless.theory.finite import Relation

_SIZES = ((2, 2), (2, 3), (3, 2), (3, 3))  # numbers of values of the two variables
_PEOPLE = ((2, 2), (2, 3), (3, 2))  # numbers of data of a person, and of all others together
_MOST_REPORTS = 6


@as_table("statement", "universe")
def sentences_table() -> Rows:
    """Count the cases that break each sentence.

    Returns
    -------
    DataFrame
        Cells (statement, universe).  Statistics: those of
        :func:`noiseless.theory.enumeration.tally`.  Statements:

        - ``I* is symmetric`` (Section II.B): the larger of both directions, and the smaller.
        - ``psi o X, product`` and ``psi o X, related`` (Section III.A): a person's data beside the
          fixed data of all others, and all others' own data, are unrelated: as many pairs are
          possible as there are values of the one times values of the other.
        - ``epsilon 0`` (Section III.A): where each person can choose one report, it is constant
          given the others' data; ``epsilon 1``, where each can choose two, is the control.
        - ``Appendix F, printed``: ``log(m) x m'`` is the sum of the logarithms of two measures, as
          ``m^m' <= m m'`` and the reverse; ``Appendix F, mended``: ``log(m x m')`` is.
    """
    tallies = Tallies()
    for xs, ys in _SIZES:
        tallies.count(map(_both_ways, all_relations(xs, ys)), f"{xs} x {ys}")
    for own, others in _PEOPLE:
        tallies.count(_fixed_others(own, others), f"{own} x {others}")
        tallies.count(_few_reports(own, others), f"{own} x {others}")
    for m, n in itertools.product(range(1, _MOST_REPORTS + 1), repeat=2):
        words = len(set(itertools.product(range(m), range(n))))
        facts = [
            ("Appendix F, printed", max(m**n, m * n), min(m**n, m * n)),
            ("Appendix F, mended", words, m * n),
        ]
        tallies.count(facts, f"up to {_MOST_REPORTS} reports")
    yield from tallies.rows()


def _both_ways(relation: Relation) -> tuple[str, int, int]:
    """The number of parts of the overlap partitions of X and of Y, the larger one left."""
    parts = (len(relation.overlap_partition), len(relation.transposed.overlap_partition))
    return "I* is symmetric", max(parts), min(parts)


def _fixed_others(own: int, others: int) -> Facts:
    """For every range of data sets and fixed data of all others: pairs there should be, and are."""
    # The largest range first: it is a product.
    ranges = sorted(all_relations(own, others), key=lambda data: len(data.pairs), reverse=True)
    for data in ranges:
        kind = "product" if len(data.pairs) == own * others else "related"
        for fixed in range(others):
            joint = Relation(frozenset(((mine, fixed), other) for mine, other in data.pairs))
            wanted = len(joint.x_range) * len(joint.transposed.x_range)
            yield f"psi o X, {kind}", wanted, len(joint.pairs)


def _few_reports(own: int, others: int) -> Facts:
    """Maximin information with the others' data fixed, of all mechanisms, by budget in bits."""
    for reports in all_maps(own * others):
        given = [reports[other * own : (other + 1) * own] for other in range(others)]
        most = max(len(set(each)) for each in given)
        for bits, each in itertools.product((0, 1), given):
            if most <= 2**bits:
                parts = len(Relation.of(range(own), each).overlap_partition)
                yield f"epsilon {bits}", parts, 1
