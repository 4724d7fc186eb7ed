"""Exact levels of Theorem 5 for any linear query, against every number of levels."""

from fractions import Fraction

import pytest

from noiseless.errors import ConfigError
from noiseless.theory.levels import (
    indistinguishable_levels,
    indistinguishable_levels_of,
    reports_that_differ,
)

QUERIES = [(1, 1), (2, 1), (3, 1), (9, 1), (1, 1, 1), (2, 2, 1), (3, 2, 2), (5, 1, 1), (4, 3, 2, 1)]


@pytest.mark.parametrize("coefficients", QUERIES)
@pytest.mark.parametrize("epsilon", [1, 2, 3])
def test_one_level_more_differs_in_more_reports(coefficients, epsilon):
    """Every number far beyond the answer is tried; where ranges meet, all below it are private."""
    shares = [Fraction(each, sum(coefficients)) for each in coefficients]

    def is_private(levels):
        return all(reports_that_differ(levels, share) <= 2**epsilon for share in set(shares))

    most = indistinguishable_levels_of(epsilon, shares)
    assert is_private(most)
    assert not any(map(is_private, range(most + 1, 2 * most + 8)))
    if max(shares) <= Fraction(1, 2):
        assert all(map(is_private, range(1, most)))
    # Theorem 5 grants no more.
    printed = max(1, int((2 ** (epsilon - 1) - 1) / max(shares)))
    assert printed <= most


def test_the_average_is_one_of_them():
    for people in (2, 3, 7):
        for epsilon in (1, 2, 4):
            assert indistinguishable_levels_of(
                epsilon, [Fraction(1, people)] * people
            ) == indistinguishable_levels(epsilon, people)


def test_one_person_alone_may_be_told_at_any_resolution():
    """Each of two values gives one report, and two reports are within one bit (Definition 5)."""
    assert indistinguishable_levels_of(1, [Fraction(1), Fraction(0)]) is None
    assert all(reports_that_differ(levels, Fraction(1)) <= 2 for levels in range(1, 50))


def test_shares_that_do_not_add_up():
    with pytest.raises(ConfigError, match="add up to 1"):
        indistinguishable_levels_of(1, [Fraction(1, 3)])
