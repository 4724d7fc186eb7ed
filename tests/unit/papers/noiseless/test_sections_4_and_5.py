"""Sections IV and V of the noiseless paper: plain loops beside the statements' cases."""

import itertools
import math
from fractions import Fraction

from noiseless.papers.noiseless import section_4, section_5
from noiseless.statements.registry import Run, Sizes


def test_queries_of_one_person_agree_with_fractions(monkeypatch):
    """Every query of three data, quantized in bins of exact ends."""
    number = full = 0
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
            number += 1
            full += len(bins) == allowed
    monkeypatch.setattr(section_4, "_UNIVERSES", ((3,),))
    finding = section_4.sec4_any.check()
    assert (finding.cases, finding.failed, finding.sharp) == (number, 0, full)


def test_outputs_are_those_of_fractions_of_bins():
    for levels, data, people in itertools.product((1, 2, 3, 5, 8), (2, 3, 4), (1, 2, 3)):
        counts = []
        for others in itertools.product(range(data), repeat=people - 1):
            own = {
                min(
                    levels - 1,
                    math.floor(Fraction(levels * (sum(others) + x), people * (data - 1))),
                )
                for x in range(data)
            }
            counts.append(len(own))
        assert section_4.count_max_outputs(levels, data=data, people=people) == max(counts)


def test_a_measure_of_zero_grants_too_many_levels():
    of_three = section_4.Grid(3, 1, 1.0)
    assert of_three.is_broken
    assert not section_4.Grid(2, 1, 1.0).is_broken
    grids = section_4.grids.load(Run(Sizes.SMOKE, 1))
    assert not section_4.thm8_sensitivity.check(grids).holds
    assert section_4.thm8_sensitivity_difference(grids).holds


def test_lengths_of_ranges_agree_with_counts_of_points():
    """Values at the middle of each of many small steps, and the share of them that is met."""
    number = jumps = 0
    functions = list(itertools.product(itertools.product(range(3), repeat=2), repeat=2))
    for both in itertools.product(functions, repeat=2):
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
        if any(pieces[0][1] != pieces[1][0] for pieces in both):
            jumps += max(lengths) < max(differences)
        else:
            number += 1
            assert max(lengths) == max(differences)
    finding = section_4.thm8_sensitivity_interval.check()
    assert (finding.cases, finding.failed) == (number, 0)
    assert jumps > 0  # with a jump they differ


def test_adversaries_of_a_release_that_tells_the_home():
    """Four adversaries: right, wrong, and two who always say the same."""
    adversaries = section_5.adversaries.load(Run(Sizes.SMOKE, 1))
    of_one_draw = [each for each in adversaries if len(each.outputs) == 2]
    constant, telling = of_one_draw[:2], of_one_draw[2:]  # one output, then two
    assert [(each.gain, each.reverse) for each in constant] == [(0, 0), (0, 0)]
    assert sorted(each.gain for each in telling) == [-2, 0, 0, 2]
    assert all(each.gain == -each.reverse for each in adversaries)
