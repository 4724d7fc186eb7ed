"""Enumerations of statements: none finds a case against a theorem, and would if there was one."""

import pandas as pd
import pytest

from enumerations import THEOREMS, sums_by_statement
from noiseless.papers.deterministic import k_anonymity, theorems

# Statements as printed that do not hold, by what their names begin with.
FALSE = (
    "Section I:",
    "Section III:",
    "Section IV:",
    "Equation 16 as printed",
    "Section II-B: I0(X;Y)",
    "Section II-B: L0(X;Y)",
    "Appendix B, printed",
    "printed",
    "absolute",
    "I0(X;Y)",
    "L0(X;Y)",
    "Proof of Proposition V.1",
)
# Statements that hold with room: left is smaller than right by one or more.
STRICT = ("Equal rows or nothing: as many reports as values",)


@pytest.fixture(scope="module")
def tallies():
    """Every enumeration of statements that can be halved or lowered by one."""
    tables = [k_anonymity.build_construction_table(), theorems.build_theorems_table(**THEOREMS)]
    return pd.concat(map(sums_by_statement, tables))


def test_true_statements_are_never_broken(tallies):
    true = ~tallies.index.str.startswith(FALSE)
    assert true.sum() >= 35
    assert (tallies.loc[true, "violations"] == 0).all()
    assert (tallies["cases"] > 0).all()


def test_every_false_statement_has_a_counterexample(tallies):
    false = tallies.index.str.startswith(FALSE)
    assert false.sum() == 10
    assert (tallies.loc[false, "violations"] > 0).all()


def test_every_enumeration_catches_a_bound_that_is_half_as_large(tallies):
    assert (tallies["violations_if_halved"] > 0).all()


def test_every_enumeration_catches_a_bound_that_is_one_less(tallies):
    counts = tallies["violations_if_one_less"].drop(list(STRICT)).dropna()
    assert len(counts) >= 22
    assert (counts > 0).all()
