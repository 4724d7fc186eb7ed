"""Enumerations of statements: none finds a case against a theorem, and would if there was one."""

import pandas as pd
import pytest

from enumerations import GUARANTEES
from noiseless.papers.noiseless import guarantees

# Statements as printed that do not hold, by what their names begin with.
FALSE = ("Section I:", "Section II-B: I0(X;Y)", "Section II-B: L0(X;Y)", "Appendix B, printed")


@pytest.fixture(scope="module")
def tallies(guarantee_tallies):
    """Every enumeration of statements that can be halved or lowered by one."""
    return guarantee_tallies


def test_true_statements_are_never_broken(tallies):
    true = ~tallies.index.str.startswith(FALSE)
    assert true.sum() >= 21
    assert (tallies.loc[true, "violations"] == 0).all()
    assert (tallies["cases"] > 0).all()


def test_every_false_statement_has_a_counterexample(tallies):
    false = tallies.index.str.startswith(FALSE)
    assert false.sum() == 4
    assert (tallies.loc[false, "violations"] > 0).all()


def test_every_enumeration_catches_a_bound_that_is_half_as_large(tallies):
    assert (tallies["violations_if_halved"] > 0).all()


def test_every_enumeration_catches_a_bound_that_is_one_less(tallies):
    counts = tallies["violations_if_one_less"].dropna()
    assert len(counts) >= 22
    assert (counts > 0).all()


@pytest.mark.slow
def test_random_universes_depend_on_the_seed_alone():
    for function, settings in (
        (guarantees.build_theorem_table, {**GUARANTEES, "universes": [], "pair_universes": []}),
    ):
        one = function(**settings)
        pd.testing.assert_frame_equal(one, function(**settings))
        assert not one.equals(function(**{**settings, "seed": 6}))
