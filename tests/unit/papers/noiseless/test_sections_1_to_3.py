"""Sections I to III of the noiseless paper: plain loops beside the statements' cases."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from noiseless.papers.noiseless import appendix, cases, ours, section_2, section_3
from noiseless.seeds import make_generator
from noiseless.statements.registry import Run, Sizes
from noiseless.theory.enumeration import enumerate_maps
from noiseless.theory.finite import Relation
from noiseless.theory.stochastic import least_squared_error

SEED = 5


def load(source, **sizes):
    """The cases of a universe with other sizes than those of the small run."""
    return source.load(Run(Sizes.SMOKE, SEED, overrides={source.name: sizes}))


def maps_of(size):
    """All maps to numbers of outputs, in the order in which outputs first occur."""
    for outputs in itertools.product(range(size), repeat=size):
        if list(dict.fromkeys(outputs)) == list(range(len(set(outputs)))):
            yield outputs


# Mechanisms -----------------------------------------------------------------------------------


def test_theorems_1_and_3_have_the_cases_that_plain_loops_count():
    """All functions of a 2 x 2 and a 2 x 3 universe, in floats, with names of outputs as well."""
    lines_of_all = tests = 0
    for sizes in ((2, 2), (2, 3)):
        data = list(itertools.product(*map(range, sizes)))
        for outputs in maps_of(len(data)):
            f = dict(zip(data, outputs, strict=True))
            lines = [[f[x, y] for x in range(sizes[0])] for y in range(sizes[1])]
            lines += [[f[x, y] for y in range(sizes[1])] for x in range(sizes[0])]
            epsilon_bits = max(math.log2(len(set(line))) for line in lines)
            for line in lines:
                lines_of_all += 1
                assert math.log2(len(set(line))) <= epsilon_bits
                for one, other in itertools.combinations(line, 2):
                    tests += 2 ** len({one, other})
    tried = load(cases.mechanisms, universes=((2, 2), (2, 3)), random_universes=(), random_maps=1)
    assert sum(each.times for each in tried) == lines_of_all
    assert section_3.thm1.check(tried).cases == 4 * lines_of_all
    assert section_3.thm3.check(tried).cases == tests


def test_random_maps_alone_could_break_a_theorem_and_depend_on_the_seed():
    sizes = {"universes": ((2, 2),), "random_universes": ((3, 3),), "random_maps": 20}
    found = load(cases.mechanisms, **sizes)
    run = Run(Sizes.SMOKE, SEED + 1, overrides={"mechanisms": sizes})
    assert found == load(cases.mechanisms, **sizes) != cases.mechanisms.load(run)
    random = [each for each in found if len(each.outputs) == 3]
    for statement in (section_3.thm1, section_3.thm2, section_3.thm3, section_3.thm5):
        finding = statement.check(random)
        assert finding.holds
        assert not finding.is_vacuous


def test_a_budget_one_value_too_small_is_caught(monkeypatch):
    """A mutation of the code itself, not of the bound."""
    true = section_3.compute_exp2_epsilon
    monkeypatch.setattr(section_3, "compute_exp2_epsilon", lambda *given: max(1, true(*given) - 1))
    assert not section_3.thm6.check(load(section_3.pairs, pair_universes=((2, 2),))).holds


# Section II -----------------------------------------------------------------------------------


def test_leakage_is_not_the_same_in_both_directions():
    """Y tells X where it is b; X never tells Y."""
    relation = Relation(frozenset([(0, "a"), (1, "a"), (0, "b")]))
    assert relation.leakage == relation.transposed.leakage == 2
    wide = Relation(frozenset([(0, "a"), (1, "a"), (2, "a"), (0, "b")]))
    assert (wide.leakage, wide.transposed.leakage) == (3, 2)


def test_information_and_leakage_are_counted_in_bits():
    """Equations 5 and 6 on every joint range of two and three values, with logarithms."""
    number = same = crossed = 0
    every = list(itertools.product(range(2), range(3)))
    for bits in range(1, 2**6):
        pairs = [pair for k, pair in enumerate(every) if bits >> k & 1]
        xs, ys = {x for x, _ in pairs}, {y for _, y in pairs}
        if (len(xs), len(ys)) != (2, 3):
            continue
        of_x = [math.log2(len(xs) / sum(y == each for _, y in pairs)) for each in ys]
        of_y = [math.log2(len(ys) / sum(x == each for x, _ in pairs)) for each in xs]
        number += 1
        same += max(of_x) > min(of_x)
        crossed += max(of_y) > min(of_x) + 1e-12
    relations = load(cases.small_relations)
    assert len(relations[2, 3]) == number
    finding = section_2.sec2b_unequal.check({(2, 3): relations[2, 3]})
    assert finding.found == (same, crossed)


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
        assert list(section_2._enumerate_overlap_partitions(relation)) == [frozenset(parts)]
    assert several > 10


def test_bits_against_nats_is_the_sign_in_floats():
    rng = make_generator(3, "units")
    for _ in range(200):
        one, top, bottom = (int(rng.integers(1, 40)) for _ in range(3))
        other = Fraction(max(top, bottom), min(top, bottom))
        expected = math.log2(one) - math.log(other)
        assert section_2.compare_bits_with_nats(one, other) == (expected > 1e-12) - (
            expected < -1e-12
        )


def test_halves_of_a_range_break_proposition_1_in_nats():
    halves = section_2.prop1_continuous.check(load(section_2.cuts, cells=(2,)))
    assert (halves.cases, halves.failed) == (2, 1)
    assert halves.example.numbers == {"Y in the cells of X": "0 1"}
    one_base = section_2.prop1_continuous_one_base(load(section_2.cuts, cells=(2, 6)))
    assert one_base.holds
    assert one_base.sharp


def test_tests_and_letters_are_as_many_as_counted_by_hand():
    """Of two outcomes with reports of their own a test can be right at both."""
    finding = section_2.prop3.check({(2, 2): []})
    assert finding.holds
    assert (finding.example.left, finding.example.right) == (2, 2)
    identity = Relation.from_outcomes((0, 1), (0, 1))
    assert appendix.compute_pair_leakage(identity) == 4
    bits = map(appendix.compute_whole_bits, map(Fraction, ("1", "2", "8", "3", "3/2")))
    assert list(bits) == [0, 1, 3, None, None]


def test_appendix_f_breaks_where_logarithms_say_so():
    numbers = list(itertools.product(range(1, 7), repeat=2))
    differ = sum(not math.isclose(math.log(m) * n, math.log(m) + math.log(n)) for m, n in numbers)
    assert appendix.thm6_proof.check().failed == differ


# Section III.A --------------------------------------------------------------------------------


def test_fixed_others_are_counted_as_over_all_outcomes():
    """Data sets as outcomes: what psi gives, beside what the others have."""
    unrelated = related = 0
    for own, others in ((2, 2), (2, 3), (3, 2)):
        every = list(itertools.product(range(own), range(others)))
        for bits in range(1, 2 ** len(every)):
            outcomes = [pair for k, pair in enumerate(every) if bits >> k & 1]
            if len({a for a, _ in outcomes}) < own or len({b for _, b in outcomes}) < others:
                continue
            for fixed in range(others):
                seen = {((mine, fixed), other) for mine, other in outcomes}
                wanted = {((mine, fixed), other) for mine in range(own) for other in range(others)}
                unrelated += seen == wanted
                related += seen != wanted
    fixed_data = load(section_3.fixed_data)
    assert section_3.sec3a_unrelated.check(fixed_data).cases == unrelated
    finding = section_3.sec3a_unrelated_related.check(fixed_data)
    assert (finding.cases, finding.failed) == (related, related)


def test_mechanisms_with_one_report_a_person_are_those_counted_by_hand():
    """All maps by hand: constant along the person's data, for each data of the others."""
    constant = [m for m in maps_of(4) if m[0] == m[1] and m[2] == m[3]]
    told = section_3._list_told(2, 2)
    assert sum(each.bits == 0 for each in told) == 2 * len(constant)
    assert {each.parts for each in told if each.bits == 0} == {1}


def test_linear_queries_agree_with_pairs_of_data():
    """Two data of a person with the same answer are what an adversary cannot tell apart."""
    told = 0
    for own, others, known in itertools.product(range(-2, 3), range(-2, 3), (-1, 0, 1)):
        same = any(
            own * one + others * known == own * two + others * known
            for one, two in itertools.combinations((-1, 0, 1), 2)
        )
        assert same == (own == 0)
        told += not same
    finding = section_3.sec3a_infinite.check()
    assert (finding.cases, finding.failed, finding.sharp) == (told, 0, told)


# Related people -------------------------------------------------------------------------------


def test_a_plain_loop_finds_as_many_breaks():
    """Every range of 2 x 2 data and every map, in sets; the budget is counted by Definition 1."""
    data = list(itertools.product(range(2), repeat=2))
    number = breaks = outside = 0
    for size in range(1, 5):
        for held in itertools.combinations(data, size):
            xs, ys = {x for x, _ in held}, {y for _, y in held}
            if len(held) == len(xs) * len(ys):
                continue
            for outputs in maps_of(4):
                of = dict(zip(data, outputs, strict=True))
                beside = [{of[d] for d in held if d[1] == y} for y in ys]
                beside += [{of[d] for d in held if d[0] == x} for x in xs]
                budget = max(map(len, beside))
                fixed = [{of[x, y] for x in xs} for y in ys] + [{of[x, y] for y in ys} for x in xs]
                number += len(fixed)
                breaks += sum(len(seen) > budget for seen in fixed)
                outside += sum(len(seen) > budget for seen in beside)
    assert (number, breaks, outside) == (360, 88, 0)
    ranges = load(section_3.ranges, universes=((2, 2),))
    for statement in ("thm1", "thm2", "thm3", "thm5"):
        printed = getattr(section_3, f"{statement}_related").check(ranges)
        assert (printed.cases, printed.failed) == (number, breaks)
        assert getattr(section_3, f"{statement}_related_known")(ranges).holds
        # Two people who always have the same datum; the first one's is released.
        assert printed.example.numbers == {"outputs of a person's data": "0 1", "2^epsilon": 1}
        assert (printed.example.left, printed.example.right) == (2, 1)


# Theorem 4 ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def errors():
    return load(section_3.errors, cells=(2, 3))


def count_broken(errors, bound, **beside):
    chosen = [each for each in errors if each.is_beside(**beside)]
    return sum(bound(each) > each.error for each in chosen), len(chosen)


def test_theorem_4_is_about_intervals_of_data():
    """By all pairs of cells with one report: each cell between them has it, too."""
    for size in (2, 3, 4):
        for reports in enumerate_maps(size):
            beside = all(
                reports[k] == reports[i]
                for i, j in itertools.combinations(range(size), 2)
                for k in range(i, j)
                if reports[i] == reports[j]
            )
            error = section_3.Error((1,) * size, reports, 2, Fraction(1), Fraction(1), Fraction(0))
            chosen = section_3.choose_connected([error], moment=2, share=1)
            assert chosen == [error] * beside


def test_the_mended_bounds_of_the_estimation_error_hold_and_are_attained(errors):
    sharp = section_3.thm4_density_sharp(errors)
    assert sharp.holds
    assert not sharp.is_vacuous
    assert appendix.thm4_constant_twice(errors).holds
    printed = section_3.thm4_moment.check(errors)  # without the absolute value
    assert printed.failed == printed.cases

    def absolute(each):
        return each.joint * each.loose

    assert count_broken(errors, absolute, moment=1, share=1, width=1)[0] == 0
    assert count_broken(errors, absolute, moment=2, share=1, width=1)[0] == 0
    # A thin range makes the joint density large.
    assert count_broken(errors, absolute, moment=1, share=1, width=0.01)[0] > 0
    assert count_broken(errors, absolute, moment=2, share=1, width=0.01)[0] > 0

    def conditional(each):
        return each.density * each.loose

    # With the length of all data, where the others' leave a quarter open.
    assert count_broken(errors, conditional, moment=2, share=1)[0] == 0
    assert count_broken(errors, conditional, moment=2, share=0.25)[0] > 0


def test_a_neighbour_within_a_distance_agrees_with_an_integral():
    """X1 within 1/8 of X2, in steps of a fine grid, under a constant output."""
    share, cells, weights = 0.25, 2, (1, 1)
    points = (np.arange(4000) + 0.5) / 4000 * share - share / 2
    error = np.mean(points**2)
    exact = least_squared_error(weights, (0,) * cells) * Fraction(1, 16)
    assert float(exact) == pytest.approx(error, rel=1e-6)
    assert float(exact) == pytest.approx((share / 2) ** 2 / 3)
    # Equation 17 with the conditional density 1/share, all data's length 1, and epsilon near 0.
    assert 1 / share / 2**6 > error


def test_bounds_of_theorem_4_agree_with_their_formula():
    linear, sharp_linear, squared, sharp = load(section_3.bounds, epsilon_bits=(1, 2))
    assert (linear[2], sharp_linear[2]) == (2**-4 / 2**4, 2**-2 / 4)
    assert (squared[1], sharp[1]) == (2**-3 / 2**6, 2**-2 / 12)


# Section III.E --------------------------------------------------------------------------------


def test_smaller_budget_and_more_leaked_of_one_person():
    """The erratum's example: one mechanism tells one person's datum, the other the other's."""
    budgets = []
    for reports in maps_of(6):
        lines = [{reports[3 * x + y] for x in range(2)} for y in range(3)]
        lines += [{reports[3 * x + y] for y in range(3)} for x in range(2)]
        budgets.append(max(map(len, lines)))
    leaking = load(section_3.leaking)
    assert len(leaking) == len(budgets)
    each = ours.sec3e_minimize_each.check(leaking)
    # Of two people and their others' data there are five numbers for each two mechanisms.
    pairs = 5 * sum(one < other for one, other in itertools.product(budgets, repeat=2))
    assert 0 < each.found[0] < pairs
    assert (each.example.left, each.example.right) == (2, 1)
