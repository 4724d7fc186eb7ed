"""Definition 5 for continuous answers, by a formula and by hand."""

import math

import pytest

from noiseless.papers.nsht import continuous_queries
from wide_table import wide


def test_largest_difference_is_twice_the_smaller_of_the_move_and_the_others_part():
    table = wide(
        continuous_queries.build_indistinguishability_table(people=[2, 3, 5]),
        ["query", "people", "unit"],
    )
    for count in (2, 3, 5):
        for unit, length in (("cm", 150), ("m", 1.5)):
            for query, share in (("average", 1 / count), ("sum", 1)):
                moved, others = share * length, share * (count - 1) * length
                row = table.loc[(query, count, unit)]
                assert row["largest_difference"] == pytest.approx(2 * min(moved, others))
                assert row["least_epsilon_nats"] == pytest.approx(math.log(2 * moved))
                assert row["proves_share"] == pytest.approx(2 / count)
            alone = table.loc[("one height", count, unit)]
            assert (alone["largest_difference"], alone["proves_share"]) == (0, 1)
    assert table[["above_difference", "best_off"]].to_numpy().sum() == 0
