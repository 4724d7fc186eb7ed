"""Tables of the leakage of private policies: loops over floats, and the bounds that hold."""

import itertools
import math

import numpy as np

from noiseless.papers.nsht.leakage import build_bound_table, build_enumeration_table

NOT_RANDOM = {"random_universes": [], "random_maps": 1, "seed": 1}


def test_enumeration_counts_what_a_loop_over_floats_counts():
    table = build_enumeration_table(largest_universe=5, **NOT_RANDOM).pivot(
        index="universe", columns="statistic", values="value"
    )
    for outcomes in (2, 3, 4, 5):
        cases = above = above_bits = one = above_one = at_one = 0
        for reports in itertools.product(range(outcomes), repeat=outcomes):
            if list(dict.fromkeys(reports)) != list(range(len(set(reports)))):
                continue  # the same map with other names
            for side in itertools.product((0, 1), repeat=outcomes):
                if len(set(side)) < 2:
                    continue
                cases += 1
                y = [{r for r, s in zip(reports, side, strict=True) if s == k} for k in (0, 1)]
                decided = len(y[0] ^ y[1])
                everything = len(y[0] | y[1])
                if decided in (0, everything):
                    continue
                epsilon = everything / decided - 1
                leakage = math.log(everything / min(map(len, y)))
                above += leakage > -math.log(1 - math.exp(-epsilon))
                # Priv >= epsilon in bits; Priv >= 1 + epsilon in nats, in Appendix 13.
                above_bits += leakage > -math.log(1 - math.exp(-math.log2(1 + epsilon)))
                if math.log(1 + epsilon) > 1:
                    appendix = -math.log(1 - math.exp(-(math.log(1 + epsilon) - 1) - 1))
                    one += 1
                    above_one += leakage > appendix + 1e-12
                    at_one += abs(leakage - appendix) < 1e-12
        assert table.loc[f"all of {outcomes} outcomes", "cases"] == cases
        assert table.loc[f"all of {outcomes} outcomes", "above_printed"] == above
        assert table.loc[f"all of {outcomes} outcomes", "above_printed_bits"] == above_bits
        assert table.loc[f"all of {outcomes} outcomes", "private_cases_one"] == one
        assert table.loc[f"all of {outcomes} outcomes", "above_appendix_one"] == above_one == 0
        assert table.loc[f"all of {outcomes} outcomes", "at_appendix_one"] == at_one
    assert (table["above_corrected"] == 0).all()
    assert min(above, above_bits, at_one) > 0


def test_corrected_bound_is_attained_so_nothing_smaller_holds():
    table = build_enumeration_table(largest_universe=4, **NOT_RANDOM)
    attained = table.loc[table["statistic"] == "at_corrected", "value"]
    assert attained.iloc[-1] > 0


def test_random_universes_are_larger_and_break_what_is_false():
    settings = {"largest_universe": 2, "random_universes": [9, 15], "random_maps": 200}
    table = build_enumeration_table(**settings, seed=3)
    counts = table.pivot(index="universe", columns="statistic", values="value")
    random = counts.loc[[f"200 random, {outcomes} outcomes" for outcomes in (9, 15)]]
    assert (random["cases"] == 200).all()
    assert (random["above_corrected"] == 0).all()
    assert (random[["above_printed", "above_appendix", "at_corrected"]] > 0).all(axis=None)
    assert table.equals(build_enumeration_table(**settings, seed=3))
    assert not table.equals(build_enumeration_table(**settings, seed=4))


def test_printed_bound_lies_below_the_corrected_one_everywhere():
    table = build_bound_table(epsilon=np.geomspace(1e-3, 30, 50))
    difference = table.loc[table["statistic"] == "printed_minus_corrected", "value"]
    assert (difference < 0).all()
