"""What no blurring policy can do better, and two releases together, by hand and by plain loops."""

import itertools
import math
from fractions import Fraction

import pytest

from bodies import survey
from noiseless.papers.nsht import blurring_limits
from wide_table import wide

PUBLIC = {"weight_range_kg": [0, 200], "height_range_cm": [0, 250], "bmi_kg_m2": 30}


def test_search_equals_a_plain_loop_over_all_policies():
    """Six points in a line: sets and dictionaries in place of bits."""
    table = wide(
        blurring_limits.build_search_table(lines=[(6, 1)], grids=[(2, 2)]), ["policies", "universe"]
    )
    row = table.loc[("first coordinate", "6 points, step 1")]
    moves = [[y for y in range(6) if abs(x - y) <= 1] for x in range(6)]
    policies = list(itertools.product(*moves))
    assert row["policies_tried"] == len(policies)
    at_bound = fewest = at_largest_privacy = misleads = 0
    for g in range(1, 6):
        best, undecided = 0, {}
        for reports in policies:
            sides = [set(reports[g:]), set(reports[:g])]
            count = sum(report in sides[0] & sides[1] for report in reports)
            best = max(best, count)
            # exp Priv of Equation 10: all reports for each one that proves a hypothesis.
            proving = len(sides[0] ^ sides[1])
            privacy = Fraction(len(sides[0] | sides[1]), proving) if proving else math.inf
            undecided.setdefault(privacy, []).append(count)
        bound = sum(
            any(abs(x - z) <= 2 for z in range(6) if (z >= g) != (x >= g)) for x in range(6)
        )
        assert best <= bound
        at_bound += best == bound
        fewest += 6 - best
        protected = min(undecided[max(undecided)])
        at_largest_privacy += 6 - protected
        misleads += protected < best
    assert (row["thresholds"], row["above_bound"]) == (5, 0)
    assert (row["at_bound"], row["fewest_decided"]) == (at_bound, fewest)
    assert row["decided_at_largest_privacy"] == at_largest_privacy
    assert row["privacy_misleads"] == misleads


@pytest.mark.slow
def test_two_releases_prove_what_is_computed_by_hand():
    """At 200 cm the threshold is 120 kg; weights at 1, 6 and 12 kg below it and 3 above."""
    people = survey([119, 114, 108, 123])
    pairs = [
        {"rho_per_kg": [0.1, 0.2], "bmi_kg_m2": 30},
        {"rho_per_kg": [0.1, 0.1], "bmi_kg_m2": 30},
    ]
    table = wide(
        blurring_limits.build_composition_table(people, **PUBLIC, pairs=pairs),
        ["policy", "second_rho_per_kg"],
    )
    columns = ["first", "second", "either_way", "together"]
    assert table.loc[("collapse", 0.2), columns].tolist() == [3, 2, 2, 2]
    assert table.loc[("stretch", 0.2), columns].tolist() == [3, 2, 2, 0]
    assert table.loc[("overlay", 0.2), columns].tolist() == [4, 3, 3, 0]
    for policy, count in (("collapse", 3), ("stretch", 3), ("overlay", 4)):
        assert table.loc[(policy, 0.1), columns].tolist() == [count] * 4


@pytest.mark.slow
@pytest.mark.parametrize(("first", "second", "expected"), [((0.05), (0.1), 0), ((0.1), (0.1), 2)])
def test_the_order_of_accuracies_does_not_matter(first, second, expected):
    together = []
    for pair in ([first, second], [second, first]):
        table = blurring_limits.build_composition_table(
            survey([115, 125]), **PUBLIC, pairs=[{"rho_per_kg": pair, "bmi_kg_m2": 30}]
        )
        chosen = (table["policy"] == "overlay") & (table["statistic"] == "together")
        together.append(table.loc[chosen, "value"].item())
    assert together == [expected, expected]
