"""The blurring experiment's tables: three routes to the same guarantee, and the real people."""

import itertools

import numpy as np
import pandas as pd
import pytest

from bodies import survey
from noiseless.data.young_people import read_young_people
from noiseless.errors import DataError
from noiseless.mechanisms.blurring import AffineBlurring, PolynomialThreshold, PublicRange
from noiseless.mechanisms.policies import load_blurring_policies
from noiseless.papers.nsht import blurring
from wide_table import wide

PUBLIC = {"weight_range_kg": [0, 200], "height_range_cm": [0, 250], "bmi_kg_m2": 30}
NORM = {**PUBLIC, "kg_per_cm": 1}
BIN = {"weight_kg": 2.5, "height_cm": 2.5}


def survey_tables(survey, rho_per_kg, **public):
    """Tables of people and histograms for the same accuracies."""
    return blurring.build_survey_tables(
        survey,
        **{**NORM, **public},
        rho_per_kg=rho_per_kg,
        histogram_rho_per_kg=rho_per_kg,
        histogram_bin=BIN,
    )


def test_printed_policy_earns_nothing_under_equation_9_and_stretch_earns_the_budget():
    table = wide(
        blurring.build_guarantees_table(**NORM, rho_per_kg=[0.05, 0.1, 1, 10]),
        ["policy", "rho_per_kg"],
    )
    assert (table.loc["collapse", "privacy_nats"] == 0).all()
    np.testing.assert_allclose(
        table.loc["stretch", "privacy_nats"], np.log1p(table.loc["stretch", "epsilon"])
    )
    for policy in ("collapse", "stretch"):
        of_policy = table.loc[policy]
        np.testing.assert_allclose(of_policy["privacy_h0x_nats"], np.log1p(of_policy["epsilon"]))


def test_equation_9_and_the_share_of_the_range_disagree():
    """The band of 2/rho is what the overlay hides; rounding everybody else is worth infinity."""
    table = wide(
        blurring.build_guarantees_table(**NORM, rho_per_kg=[0.05, 0.1, 1]), ["policy", "rho_per_kg"]
    )
    hidden = table["undecided_share"].unstack("policy")
    assert (hidden["collapse"] == hidden["stretch"]).all()
    assert (hidden["round"] == hidden["stretch"]).all()
    assert hidden.loc[0.1, "overlay"] == hidden.loc[0.05, "stretch"]
    assert (hidden["normal"] > hidden["overlay"]).all()
    assert np.isinf(table.loc["round", "privacy_nats"]).all()
    with pytest.raises(NotImplementedError, match="the policy other defines no sizes"):
        blurring.build_policy_guarantees_table(
            *blurring.build_bmi_problem(**PUBLIC),
            [1],
            {"other": type("Other", (AffineBlurring,), {"name": "other", "reach": 1})},
        )


@pytest.mark.parametrize("policy", sorted(load_blurring_policies()))
def test_share_undecided_where_the_threshold_is_the_end_of_the_range_is_that_of_the_records(policy):
    threshold, box = PolynomialThreshold((100,)), PublicRange((0, 0), (100, 10))
    mechanism = load_blurring_policies()[policy]
    table = blurring.build_policy_guarantees_table(threshold, box, [0.1], {policy: mechanism})
    shares = wide(table, ["policy"]).loc[policy]
    x = (np.arange(1000) + 0.5) / 10
    each = mechanism(threshold, box, 0.1)
    undecided = ~each.is_decided(each.release(np.column_stack([x, np.full(1000, 5.0)])))
    assert shares["undecided_share"] == pytest.approx(undecided.mean(), abs=1e-9)
    assert shares["identifiable_share"] == pytest.approx((~undecided).mean(), abs=1e-9)


def test_lattice_count_tends_to_the_exact_privacy():
    """Counting cells that reports reach knows nothing of the integral; errors fall like 1/cells."""
    table = wide(
        blurring.build_lattice_table(
            **PUBLIC, rho_per_kg=[0.1], cells=[50, 100, 200], cells_per_record=20
        ),
        ["policy", "cells"],
    )
    collapse = table.loc["collapse", "privacy_nats"].to_numpy()
    np.testing.assert_allclose(collapse[:-1] / collapse[1:], 2, rtol=0.1)
    assert (table["error_beyond_allowed_nats"] < 0).all()
    allowed = table.loc["stretch", "allowed_error_nats"].to_numpy()
    assert (allowed[1:] < 0.7 * allowed[:-1]).all()
    assert (table["largest_change_times_rho"] <= 1 + 1e-12).all()


def test_counts_of_all_policies():
    """A policy that has bounds of its counts has the privacy of its formula; round's only grows."""
    problem = blurring.build_bmi_problem(**PUBLIC)
    policies = [each for each in load_blurring_policies().values() if not each.moves_all]
    counted = {
        each.name: [blurring._count_lattice(each(*problem, 0.1), cells, 20) for cells in (50, 100)]
        for each in policies
    }
    rounded = counted.pop("round")
    assert set(counted) == {"collapse", "stretch", "overlay", "slices", "odds"}
    for each in itertools.chain.from_iterable(counted.values()):
        assert each["error_beyond_allowed_nats"] < 0
        assert each["largest_change_times_rho"] <= 1 + 1e-12
    assert rounded[1]["privacy_nats"] > rounded[0]["privacy_nats"] + 0.2
    for mine, stretched in zip(rounded, counted["stretch"], strict=True):
        assert mine["identifiable_share"] == pytest.approx(stretched["identifiable_share"])


def test_thresholds_give_the_printed_policy_nothing_and_stretch_its_due():
    table = wide(
        blurring.build_thresholds_table(
            seed=3, degrees=[0, 2], thresholds=2, cells=60, cells_per_record=6
        ),
        ["policy", "degree"],
    )
    assert (table["off_expected"] == 0).all()
    assert (table["changes_above_1"] == 0).all()
    assert (table.loc["stretch", "short_of_epsilon"] == 0).all()
    assert table.loc["collapse", "short_of_epsilon"].sum() > 0


def toy_survey() -> pd.DataFrame:
    """Heights of 200 cm (threshold 120 kg) but for the last, 100 cm (30 kg); one incomplete."""
    return survey([120, 119, 126, 80, None, 31], [200] * 5 + [100])


def test_people_are_counted_by_hand():
    table = wide(survey_tables(toy_survey(), [0.2])["people"], ["policy", "rho_per_kg"])
    row = table.loc[("collapse", 0.2)]
    # Within 5 kg of their threshold: 120 (unchanged by the policy), 119 and 31.
    assert row["people"] == 5
    assert row["moved"] == 2
    assert row["obese"] == 3  # 120, 126 and 31
    assert row["obese_identifiable"] == 1  # 126
    assert row["identifiable"] == 2  # 126 and 80
    assert row["largest_change_kg"] == 1
    # 119 moves to the bin of 120; 31 stays in the bin of 30.
    assert row["histogram_change_share"] == pytest.approx(1 / 5)


def test_histogram_holds_everybody_once():
    table = survey_tables(toy_survey(), [0.2, 1])["histogram"]
    sums = table.groupby(["policy", "rho_per_kg"])["value"].sum()
    assert len(sums) == 1 + 2 * 6
    assert (sums == 5).all()
    recorded = table[table["policy"] == "none"].set_index(["weight_kg", "height_cm"])["value"]
    assert recorded.to_dict() == {
        (30.0, 100.0): 1,
        (80.0, 200.0): 1,
        (117.5, 200.0): 1,
        (120.0, 200.0): 1,
        (125.0, 200.0): 1,
    }


def test_survey_without_any_complete_person_is_an_error():
    with pytest.raises(DataError, match="no respondent"):
        blurring.select_bodies(toy_survey().iloc[[4]])


def test_person_outside_the_public_range_is_an_error():
    with pytest.raises(DataError, match=r"126\.0 in coordinate 0, outside the public range"):
        survey_tables(toy_survey(), [1], weight_range_kg=[0, 125])


def test_counts_of_the_real_survey_are_those_of_a_plain_loop(young_people_csv):
    """980 people, 14 of them obese, of whom one by an entry error; a plain loop counts again."""
    read = read_young_people(young_people_csv)
    facts = wide(blurring.build_survey_table(read, bmi_kg_m2=30).assign(cell=0), ["cell"]).loc[0]
    counted = facts[["records", "features", "complete_bodies", "obese"]]
    assert counted.tolist() == [1010, 150, 980, 14]
    assert facts["obese_below_100_cm"] == 1
    assert facts[["integer_features", "categorical_features"]].tolist() == [139, 11]
    rows = read[["weight_kg", "height_cm"]].dropna().itertuples(index=False)
    people = [(int(weight), int(height)) for weight, height in rows]
    for rho, radius in ((0.05, 20), (0.1, 10), (0.2, 5), (1, 1)):
        # In whole numbers: |w - 3 h^2 / 1000| <= radius, and w >= 3 h^2 / 1000.
        offsets = [1000 * weight - 3 * height**2 for weight, height in people]
        moved = sum(0 < abs(offset) <= 1000 * radius for offset in offsets)
        proven = sum(offset > 1000 * radius for offset in offsets)
        table = wide(survey_tables(read, [rho])["people"], ["policy"])
        assert (table.loc[["collapse", "stretch"], "moved"] == moved).all()
        narrow = ["collapse", "stretch", "round"]
        assert (table.loc[narrow, "obese_identifiable"] == proven).all()
        # Whoever is less than twice as far away has a twin in the weights, on either side.
        wide_band = sum(-2000 * radius <= offset < 2000 * radius for offset in offsets)
        assert (table.loc[["overlay", "slices"], "undecided"] == wide_band).all()
        assert (table["undecided_minus_bound"][["overlay", "slices", "normal"]] == 0).all()


def test_random_thresholds_stay_inside_their_range():
    """Polynomials that hardly span anything, too; some draw of 2,000 is one."""
    spans = []
    for seed in range(2000):
        random = np.random.default_rng(seed)
        threshold, box, _ = blurring._draw_threshold(random, seed % 5)
        ends = np.array(box.lower)[1:, None], np.array(box.upper)[1:, None]
        low, high = (float(each[0]) for each in threshold.bounds(*ends))
        assert box.lower[0] < low <= high < box.upper[0]
        spans.append(high - low)
    assert min(spans) < 0.05
