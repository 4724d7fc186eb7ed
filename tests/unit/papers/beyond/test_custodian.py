"""The custodian's question: answers worked by hand, limits by their definition, and extremes."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from noiseless.errors import ConfigError
from noiseless.games.releases import AggregateRelease
from noiseless.papers.beyond.custodian import (
    INSIDER,
    OUTSIDER,
    answers_table,
    limits_table,
    limits_tables,
)
from noiseless.papers.beyond.informed import advantages
from toy_homes import make_steady_energy, make_table

GRID = {"games": 400, "n": [2, 4, 8], "levels": [1, 4, 16], "days": [1, 30]}
SETTINGS = {
    "dataset": "toy",
    "seed": 3,
    "public_range_kwh": make_steady_energy().max() / 1000,
    "confidence": 0.95,
}


def made_up_limits(cells):
    """A table of limits from (n, levels, low, gain, high) of the insider, on 30 days."""
    return pd.DataFrame(
        [
            {
                **{"knowledge": INSIDER, "adversary": "exact", "n": n, "levels": levels},
                **{"days": 30, "statistic": "gain", "value": gain, "low": low, "high": high},
            }
            for n, levels, low, gain, high in cells
        ]
    )


def answers(limits, gain=0.1):
    found = answers_table(limits, gains=[gain])
    index = ["question", "given", "given_value", "statistic"]
    return found.set_index(index)["value"].sort_index()


def test_fewest_homes_by_hand():
    """More homes gain less: 4 is refuted, 16 likely but not sure, 64 sure."""
    found = answers(
        made_up_limits([(4, 8, 0.2, 0.3, 0.4), (16, 8, 0.04, 0.08, 0.12), (64, 8, 0.0, 0.03, 0.07)])
    )["fewest homes", "levels", 8]
    assert found["certified"] == 64
    assert found["estimate"] == 16
    assert found["refuted"] == 4


def test_finest_scale_by_hand():
    found = answers(
        made_up_limits([(4, 2, 0, 0, 0.02), (4, 8, 0, 0.05, 0.11), (4, 32, 0.1, 0.2, 0.3)])
    )["finest scale", "n", 4]
    assert found["certified"] == 2
    assert found["estimate"] == 8
    assert found["refuted"] == 32


def test_a_lucky_cell_beyond_a_bad_one_does_not_count():
    found = answers(
        made_up_limits([(4, 8, 0, 0.01, 0.05), (16, 8, 0.2, 0.3, 0.4), (64, 8, 0, 0.03, 0.07)])
    )["fewest homes", "levels", 8]
    assert (found["certified"], found["estimate"], found["refuted"]) == (64, 64, 16)


def test_no_answer_among_those_tried_is_missing():
    bad = answers(made_up_limits([(4, 8, 0.5, 0.6, 0.7), (8, 8, 0.4, 0.5, 0.6)]))
    bad = bad["fewest homes", "levels", 8]
    assert math.isnan(bad["certified"])
    assert math.isnan(bad["estimate"])
    assert bad["refuted"] == 8
    good = answers(made_up_limits([(4, 8, 0, 0, 0.02)]))["fewest homes", "levels", 8]
    assert good["certified"] == good["estimate"] == 4
    assert math.isnan(good["refuted"])


def test_a_bound_on_the_edge_is_neither_certified_nor_open():
    """Less than x is asked for: an upper limit of x is not enough, a lower one of x refutes."""
    edge = answers(made_up_limits([(4, 8, 0.1, 0.1, 0.1)]))["fewest homes", "levels", 8]
    assert math.isnan(edge["certified"])
    assert math.isnan(edge["estimate"])
    assert edge["refuted"] == 4


def test_homes_for_a_budget_come_from_cells_of_equal_epsilon():
    found = answers(
        made_up_limits([(4, 8, 0.2, 0.3, 0.4), (8, 16, 0, 0.01, 0.02), (4, 16, 0.5, 0.6, 0.7)])
    )["fewest homes", "epsilon_bits"]
    assert (found[1.0]["certified"], found[1.0]["refuted"]) == (8, 4)
    assert math.isnan(found[2.0]["certified"])


def test_fewer_levels_than_any_budget_grants_have_no_epsilon():
    found = answers(made_up_limits([(4, 4, 0, 0, 0.02), (4, 2, 0, 0, 0.02), (4, 8, 0, 0, 0.02)]))
    assert list(found["fewest homes", "epsilon_bits"].index.get_level_values(0).unique()) == [1.0]


@pytest.fixture(scope="module")
def limits():
    return limits_table(make_table(make_steady_energy()), **GRID, **SETTINGS)


def test_limits_are_clopper_and_pearsons_with_bonferronis_correction(limits):
    """At an end of an interval, a result as extreme has half of the error's share."""
    rows = limits[limits["statistic"] == "gain"]
    intervals = 3 * 3 * 2 * 5
    assert (limits.loc[limits["statistic"] == "intervals", "value"] == intervals).all()
    error = 0.05 / intervals / 2
    insider = rows[rows["knowledge"] == INSIDER]
    assert (insider["adversary"] == "exact").all()
    hits = np.rint(insider["value"] * 400)
    inner = (hits > 0) & (hits < 400)
    assert inner.sum() > 4
    np.testing.assert_allclose(binom.sf(hits - 1, 400, insider["low"])[inner], error, rtol=1e-6)
    np.testing.assert_allclose(binom.cdf(hits, 400, insider["high"])[inner], error, rtol=1e-6)
    assert (insider.loc[hits == 0, "low"] == 0).all()


def test_outsider_is_the_best_of_four_and_never_better_than_the_insider(limits):
    rows = limits[limits["statistic"] == "gain"].set_index(["n", "levels", "days"])
    insider = rows[rows["knowledge"] == INSIDER]
    outsider = rows[rows["knowledge"] == OUTSIDER].loc[insider.index]
    assert (outsider["value"] <= insider["value"]).all()
    assert (outsider["high"] <= insider["high"]).all()
    assert (outsider["low"] <= outsider["high"]).all()
    own = (outsider["high"] < insider["high"]) & (outsider["value"] < insider["value"])
    assert own.sum() > 4
    # Its own upper limit is the largest of four: not below that of the one that is named.
    hits = np.rint((1 + outsider["value"]) / 2 * 400)[own]
    error = 0.05 / (3 * 3 * 2 * 5) / 2
    high = (1 + outsider["high"][own]) / 2
    assert (binom.cdf(hits, 400, high) <= error * 1.000001).all()
    played = advantages_by_name()
    for cell in outsider.index[own]:
        assert outsider["value"][cell] == pytest.approx(max(played[cell].abs()))


def advantages_by_name():
    """Played advantages of those who know no other home, by cell, in the same games."""
    energy = make_steady_energy()
    releases = {
        n: [({"levels": q}, AggregateRelease(n, int(energy.max()), q)) for q in GRID["levels"]]
        for n in GRID["n"]
    }
    table = advantages(
        energy,
        releases,
        **{key: GRID[key] for key in ("games", "days")},
        **{"known_shares": [0], "dataset": "toy", "seed": 3},
    )
    chosen = (table["statistic"] == "advantage") & ~table["adversary"].isin(["control", "exact"])
    groups = table[chosen].groupby(["n", "levels", "days"])["value"]
    return dict(list(groups))


def test_interval_over_homes_is_that_of_the_named_adversary():
    """Six groups of three homes for n = 2, one of them alone for n = 8."""
    found = limits_table(make_table(make_steady_energy()), **{**GRID, "n": [2, 8]}, **SETTINGS)
    gain = found[found["statistic"] == "gain"].reset_index(drop=True)
    over_homes = found[found["statistic"] == "gain_over_homes"].reset_index(drop=True)
    cell = ["knowledge", "adversary", "n", "levels", "days"]
    pd.testing.assert_frame_equal(gain[cell], over_homes[cell])
    assert set(gain["over"]) == {"games"}
    assert set(over_homes["over"]) == {"homes"}
    assert (over_homes["value"] >= gain["value"]).all()  # which is capped
    two = over_homes["n"] == 2
    assert over_homes.loc[~two, ["low", "high"]].isna().all(axis=None)
    assert (over_homes["low"] <= over_homes["value"])[two].all()
    assert (over_homes["value"] <= over_homes["high"])[two].all()


def test_scale_of_one_level_tells_nothing(limits):
    rows = limits[(limits["statistic"] == "gain") & (limits["levels"] == 1)]
    assert (rows.loc[rows["knowledge"] == INSIDER, "value"] == 0).all()
    assert (rows["low"] == 0).all()


def test_facts_of_a_cell(limits):
    cell = limits[(limits["n"] == 4) & (limits["levels"] == 16)]
    facts = cell.drop_duplicates("statistic").set_index("statistic")["value"]
    assert facts["epsilon_bits"] == 2
    assert facts["attained_bits"] == pytest.approx(math.log2(5))
    assert facts["bin_kwh"] == pytest.approx(make_steady_energy().max() / 16_000)


def all_answers(readings, *, gains, **settings):
    """The answers for a table of readings."""
    return answers_table(limits_table(readings, **settings), gains=gains)


def test_homes_that_are_alike_are_safe_and_homes_that_are_not_are_found():
    settings = {**GRID, **SETTINGS, "games": 1000, "levels": [4, 4000]}
    alike = all_answers(make_table(np.tile(np.arange(100, 130), (20, 1))), gains=[0.3], **settings)
    assert (alike.loc[alike["statistic"] == "certified", "value"].notna()).all()
    assert alike.loc[alike["statistic"] == "refuted", "value"].isna().all()
    unlike = all_answers(make_table(make_steady_energy()), gains=[0.3], **settings)
    rows = unlike[(unlike["knowledge"] == INSIDER) & (unlike["days"] == 30)]
    fine = rows[(rows["given"] == "levels") & (rows["given_value"] == 4000)]
    assert fine.set_index("statistic")["value"]["refuted"] == 8  # the most homes tried
    assert math.isnan(fine.set_index("statistic")["value"]["certified"])


def test_tables_of_a_rule_agree_with_those_made_alone():
    settings = {**SETTINGS, **GRID, "games": 80, "levels": [4, 8], "gains": [0.1, 0.5]}
    readings = make_table(make_steady_energy())
    found = limits_tables(readings, **settings)
    assert set(found) == {"limits", "answers"}
    pd.testing.assert_frame_equal(found["answers"], all_answers(readings, **settings))


def test_errors_name_what_is_missing():
    with pytest.raises(ConfigError, match="needs 26 homes, but there are 20"):
        limits_table(make_table(make_steady_energy()), **{**GRID, "n": [12]}, **SETTINGS)
    with pytest.raises(ConfigError, match="365 daily reports need as many days"):
        limits_table(make_table(make_steady_energy()), **{**GRID, "days": [365]}, **SETTINGS)
