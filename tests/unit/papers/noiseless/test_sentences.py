"""Sentences between the theorems, against plain loops over outcomes."""

import itertools
import math
from collections import Counter

import pytest

from enumerations import sums_by_statement
from noiseless.papers.noiseless import sentences


@pytest.fixture(scope="module")
def tallies():
    return sums_by_statement(sentences.sentences_table())


def test_what_is_broken_and_what_is_not(tallies):
    broken = {"psi o X, related", "epsilon 1", "Appendix F, printed"}
    assert set(tallies.index[tallies["violations"] > 0]) == broken
    assert (tallies["violations_if_halved"] > 0).all()


def test_appendix_f_with_logarithms(tallies):
    numbers = list(itertools.product(range(1, 7), repeat=2))
    differ = sum(not math.isclose(math.log(m) * n, math.log(m) + math.log(n)) for m, n in numbers)
    assert tallies.loc["Appendix F, printed", "violations"] == differ


def test_fixed_others_by_outcomes():
    """Data sets as outcomes: what psi gives, beside what the others have."""
    unrelated = related = 0
    every = list(itertools.product(range(2), range(3)))
    for bits in range(1, 2**6):
        outcomes = [pair for k, pair in enumerate(every) if bits >> k & 1]
        if len({a for a, _ in outcomes}) < 2 or len({b for _, b in outcomes}) < 3:
            continue
        for fixed in range(3):
            seen = {((mine, fixed), other) for mine, other in outcomes}
            wanted = {((mine, fixed), other) for mine in range(2) for other in range(3)}
            unrelated += seen == wanted
            related += seen != wanted
    statements = Counter(statement for statement, *_ in sentences._fixed_others(2, 3))
    assert statements == {"psi o X, product": unrelated, "psi o X, related": related}


def test_mechanisms_with_one_report_a_person():
    """All maps by hand: constant along the person's data, for each data of the others."""
    statements = Counter(statement for statement, *_ in sentences._few_reports(2, 2))
    maps = set()
    for reports in itertools.product(range(4), repeat=4):
        first = {}
        maps.add(tuple(first.setdefault(each, len(first)) for each in reports))
    constant = [m for m in maps if m[0] == m[1] and m[2] == m[3]]
    assert statements["epsilon 0"] == 2 * len(constant)
