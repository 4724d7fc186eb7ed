"""Sentences between the theorems, against plain loops over outcomes."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import pytest

from enumerations import sums_by_statement
from noiseless.papers.noiseless import sentences
from noiseless.seeds import make_generator
from noiseless.theory.finite import Relation


@pytest.fixture(scope="module")
def tallies():
    return sums_by_statement(sentences.build_sentences_table())


def test_what_is_broken_and_what_is_not(tallies):
    broken = {
        *("I0(X;Y) is L0(X;Y)", "I0(X;Y) is L0(Y;X)", "psi o X, related", "epsilon 1"),
        *("epsilon infinite, weight 0", "epsilon infinite, squares", "each leaked"),
        *("S(f), jumps", "Adv, as it is", "Appendix F, printed"),
    }
    assert set(tallies.index[tallies["violations"] > 0]) == broken
    assert (tallies["violations_if_halved"] > 0).all()


def test_appendix_f_breaks_where_logarithms_say_so(tallies):
    numbers = list(itertools.product(range(1, 7), repeat=2))
    differ = sum(not math.isclose(math.log(m) * n, math.log(m) + math.log(n)) for m, n in numbers)
    assert tallies.loc["Appendix F, printed", "violations"] == differ


def test_fixed_others_are_counted_as_over_all_outcomes():
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
    statements = Counter(statement for statement, *_ in sentences._enumerate_fixed_data_facts(2, 3))
    assert statements == {"psi o X, product": unrelated, "psi o X, related": related}


def test_mechanisms_with_one_report_a_person_are_those_counted_by_hand():
    """All maps by hand: constant along the person's data, for each data of the others."""
    statements = Counter(statement for statement, *_ in sentences._enumerate_budget_facts(2, 2))
    maps = set()
    for reports in itertools.product(range(4), repeat=4):
        first = {}
        maps.add(tuple(first.setdefault(each, len(first)) for each in reports))
    constant = [m for m in maps if m[0] == m[1] and m[2] == m[3]]
    assert statements["epsilon 0"] == 2 * len(constant)


def tallied(facts):
    """Cases and violations of each statement."""
    cases, violations = Counter(), Counter()
    for statement, left, right in facts:
        cases[statement] += 1
        violations[statement] += left > right
    return {name: (cases[name], violations[name]) for name in cases}


def test_information_and_leakage_are_counted_in_bits():
    """Equations 5 and 6 on every joint range of two and three values, with logarithms."""
    cases = same = crossed = 0
    every = list(itertools.product(range(2), range(3)))
    for bits in range(1, 2**6):
        pairs = [pair for k, pair in enumerate(every) if bits >> k & 1]
        xs, ys = {x for x, _ in pairs}, {y for _, y in pairs}
        if (len(xs), len(ys)) != (2, 3):
            continue
        of_x = [math.log2(len(xs) / sum(y == each for _, y in pairs)) for each in ys]
        of_y = [math.log2(len(ys) / sum(x == each for x, _ in pairs)) for each in xs]
        cases += 1
        same += max(of_x) > min(of_x)
        crossed += max(of_y) > min(of_x) + 1e-12
    found = tallied(sentences._enumerate_information_facts(2, 3))
    assert found["I0(X;Y) is L0(X;Y)"] == (cases, same)
    assert found["I0(X;Y) is L0(Y;X)"] == (cases, crossed)
    assert found["one overlap partition"] == (2 * cases, 0)


def test_overlap_partitions_are_those_of_chains_of_any_length():
    """Boolean powers of "in one conditional range" are chains of any length."""
    random = make_generator(7, "overlap")
    several = 0
    for _ in range(60):
        held = random.random((4, 3)) < 0.4
        pairs = frozenset((x, y) for x, y in itertools.product(range(4), range(3)) if held[x, y])
        if not pairs:
            continue
        relation = Relation(pairs)
        together = held.astype(int) @ held.T.astype(int)
        for _ in range(3):
            together = ((together @ together) > 0).astype(int)
        parts = {
            frozenset(other for other in relation.x_range if together[x, other])
            for x in relation.x_range
        }
        several += len(parts) > 1
        assert list(sentences._enumerate_overlap_partitions(relation)) == [frozenset(parts)]
    assert several > 10


def test_linear_queries_agree_with_pairs_of_data():
    """Two data of a person with the same answer are what an adversary cannot tell apart."""
    open_to_doubt = 0
    for own, others, known in itertools.product(range(-2, 3), range(-2, 3), (-1, 0, 1)):
        same = any(
            own * one + others * known == own * two + others * known
            for one, two in itertools.combinations((-1, 0, 1), 2)
        )
        assert same == (own == 0)
        open_to_doubt += same
    found = tallied(sentences._enumerate_query_facts())
    assert found["epsilon infinite, weight"] == (60, 0)
    assert found["epsilon infinite, weight 0"] == (15, open_to_doubt)
    assert found["epsilon infinite, squares"] == (75, 75)


def test_smaller_budget_and_more_leaked_of_one_person():
    """The erratum's example: one mechanism tells one person's datum, the other the other's."""
    facts = list(sentences._enumerate_leakage_facts((2, 3)))
    assert ("each leaked", 2, 1) in facts
    mechanisms = cases = 0
    budgets = []
    for reports in itertools.product(range(6), repeat=6):
        if list(dict.fromkeys(reports)) != list(range(len(set(reports)))):
            continue
        lines = [{reports[3 * x + y] for x in range(2)} for y in range(3)]
        lines += [{reports[3 * x + y] for y in range(3)} for x in range(2)]
        budgets.append(max(map(len, lines)))
        mechanisms += 1
    cases = sum(one < other for one, other in itertools.product(budgets, repeat=2)) * 5
    found = tallied(facts)
    assert found["most leaked"] == (2 * mechanisms, 0)
    assert found["each leaked"][0] == cases


def test_queries_of_one_person_agree_with_fractions():
    """Every query of three data, quantized in bins of exact ends."""
    cases = full = 0
    for values in itertools.product([Fraction(k, 4) for k in range(5)], repeat=3):
        largest = max(values) - min(values)
        if not largest:
            continue
        for allowed in (2, 2, 4):  # 2^1, 2^1.5 and 2^2, rounded down
            levels = max(allowed, math.floor((allowed - 1) / largest))
            bins = {
                next(k for k in range(levels) if v < Fraction(k + 1, levels) or k == levels - 1)
                for v in values
            }
            assert len(bins) <= allowed
            cases += 1
            full += len(bins) == allowed
    facts = list(sentences._enumerate_level_facts((3,)))
    assert tallied(facts) == {"any query": (cases, 0)}
    assert sum(left == right for _, left, right in facts) == full


def test_lengths_of_ranges_agree_with_counts_of_points():
    """Values at the middle of each of many small steps, and the share of them that is met."""
    facts = iter(sentences._enumerate_sensitivity_facts())
    functions = list(itertools.product(itertools.product(range(3), repeat=2), repeat=2))
    for both in itertools.product(functions, repeat=2):
        statement, difference, length = next(facts)
        lengths, differences = [], []
        for pieces in both:
            met = {
                min(20 * lo + k, 20 * hi - 1)
                for lo, hi in (sorted(piece) for piece in pieces)
                for k in range(20 * (hi - lo))
            }
            lengths.append(Fraction(len(met), 20))
            ends = [end for piece in pieces for end in piece]
            differences.append(max(abs(a - b) for a in ends for b in ends))
        jumps = any(pieces[0][1] != pieces[1][0] for pieces in both)
        assert statement == ("S(f), jumps" if jumps else "S(f), continuous")
        assert (difference, length) == (max(differences), max(lengths))
    assert next(facts, None) is None


def test_adversaries_of_a_release_that_tells_the_home():
    """Four adversaries: right, wrong, and two who always say the same."""
    facts = [fact for fact in sentences._enumerate_advantage_facts(1) if fact[0] == "Adv, as it is"]
    constant, telling = facts[:2], facts[2:]  # one output, then two
    assert [fact[1:] for fact in constant] == [(0, 0), (0, 0)]
    assert sorted(fact[1:] for fact in telling) == [(0, 0), (0, 0), (2, -2), (2, 2)]
