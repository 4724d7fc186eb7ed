"""Section V: k-anonymity."""

import math
from collections.abc import Iterator

import pandas as pd

from noiseless.papers.deterministic import paper
from noiseless.papers.deterministic.k_anonymity import (
    build_proof_release,
    compute_anonymity,
    compute_d0,
    iterate_tables,
    release_if_equal,
)
from noiseless.statements import (
    Finding,
    Kind,
    at_most,
    bounded,
    corrects,
    equals,
    for_all,
    select,
    table,
)
from noiseless.statements.findings import Fact
from noiseless.theory.enumeration import enumerate_maps
from noiseless.theory.finite import Relation

homogeneity = table("deterministic/k_anonymity_homogeneity")


@paper.states(
    "Proposition V.1",
    "There exists a reporting function f~(X) admitting k-anonymity property for which the "
    "following holds: d0(X|f(X)) = 0 (and thus L0(X;f(X)) = h0(X)); I*(X;f(X)) = inf.",
    reading="the set of all tables, [X], has a positive and finite measure",
)
def prop5_1_d0() -> Finding:
    """Some k-anonymous release has d0(X|f(X)) = 0, and thus L0(X;f(X)) = h0(X), and an infinite I*.
    Shown, as the d0 that the proof finds, for the release of tables of 2, 3 and 5 numbers in [0, 1]
    that tells a table whose rows are all equal, and nothing of any other.
    """
    return equals([compute_d0(rows) for rows in (2, 3, 5)], 0)


@corrects(
    prop5_1_d0,
    Kind.PREMISE,
    fails="the proof leaves a set of measure 0 open, and d0 is its logarithm, -∞; with I* = ∞ "
    "infinitely many disjoint sets would need a measure of 1 each",
    premise="[X] has an infinite measure",
    mend="d0 = -∞ and L0 = ∞",
    rests="the message, that k-anonymity is not private, becomes stronger",
    proof="proposition-v1",
)
def prop5_1_infinite() -> Finding:
    """For some k-anonymous release with an infinite I*, d0(X|f(X)) is minus infinity and L0(X;f(X))
    infinite.
    """
    return equals([compute_d0(rows) for rows in (2, 3, 5)], -math.inf)


def _keep_anonymous() -> Iterator[Fact]:
    """State that :func:`release_if_equal` is k-anonymous for every k up to the number of rows."""
    for _, tables in iterate_tables():
        for rows in tables:
            yield at_most(len(rows), compute_anonymity(release_if_equal(rows)), {"table": rows})


@paper.states(
    "Proposition V.1, second bullet",
    prop5_1_d0.quote,
    of=prop5_1_d0,
)
def prop5_1_maximin() -> Finding:
    """Some k-anonymous release has an infinite I*(X;f(X)). Shown by the release that tells a table
    whose rows are all equal, and nothing of any other: it is k-anonymous for every k up to the
    number of rows, and has at least as many reports as a row has values, however many these are.
    """
    as_many = (
        at_most(
            values,
            Relation.from_outcomes(tables, map(release_if_equal, tables)).maximin_count,
            {"values of a row": values},
        )
        for values, tables in iterate_tables()
    )
    return for_all([*_keep_anonymous(), *as_many])


@paper.states(
    "Proof of Proposition V.1",
    "By construction f~ is also a k-anonymous reporting function.",
)
def prop5_1_proof() -> Finding:
    """The release that keeps the first k rows, which are equal, as they are, and the other rows as
    a k-anonymous release has them, is k-anonymous. Checked for every division of up to six rows
    into classes of two or three and more, as the number of divisions that lose k-anonymity.
    """
    return for_all(
        at_most(k, compute_anonymity(build_proof_release(classes, k)), {"k": k, "classes": classes})
        for k in (2, 3)
        for rows in range(k, 7)
        for classes in enumerate_maps(rows)
        if compute_anonymity(classes) >= k
    )


@corrects(
    prop5_1_proof,
    Kind.SLIP,
    fails="some of the other rows may have equalled only the first k rows: of three rows that are "
    "all suppressed, and k = 2, the third is alone in being suppressed",
    mend="release a table as it is if all rows are equal, else suppress all",
    shown_by=prop5_1_maximin,
    proof="proposition-v1",
)
def prop5_1_release() -> Finding:
    """The release of a table as it is if all of its rows are equal, and of nothing otherwise, is
    k-anonymous for every k up to the number of rows, and a report of the first kind leaves one
    table open.
    """
    one_table = (
        at_most(
            Relation.from_outcomes(tables, map(release_if_equal, tables)).smallest_conditional,
            1,
            {"values of a row": values},
        )
        for values, tables in iterate_tables()
    )
    return for_all([*_keep_anonymous(), *one_table])


@paper.states(
    "Section V, homogeneity attack",
    "In such cases, even though the data has been k-anonymized, the sensitive value for"
    " the set of k records may be exactly predicted.",
    needs=("young_people",),
    figure="deterministic/k_anonymity",
    over=homogeneity,
)
def prop5_1_attack(homogeneity: pd.DataFrame) -> Finding:
    """Although data are k-anonymous, the sensitive values of some people can be told exactly. Shown
    on the young people survey, as the most people whose answer to one of four questions is
    revealed, for k = 10. (There it is handedness, which has two answers; the other three questions
    reveal nobody from k = 6 on.)
    """
    return bounded([select(homogeneity, k=10)["revealed"].max()], at_least=1)
