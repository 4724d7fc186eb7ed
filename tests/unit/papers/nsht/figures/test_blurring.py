"""Figures 4 and 5 of ``nsht``."""

import numpy as np
import pytest

from drawn import alike, points, shown, tidy
from noiseless.papers.nsht.blurring import list_compared_policies
from noiseless.papers.nsht.figures import blurring

POLICIES = list(list_compared_policies())
RHO = [0.05, 0.1, 1.0]


def test_figure_4_shows_the_budget_against_the_accuracy():
    names = ("epsilon", "privacy_nats")
    plain = tidy(*names, unit=1 / 32, policy=POLICIES, rho_per_kg=RHO)
    nothing = (plain["policy"] == "collapse") & (plain["statistic"] == "privacy_nats")
    plain.loc[nothing, "value"] = [0.0, 0.0, 0.5]
    (axis,) = blurring.plot_fig4(plain).axes
    found = list(shown(axis).values())
    printed = points(plain, "rho_per_kg", statistic="epsilon", policy="collapse")
    assert found[0] == printed
    scale = printed[-1][0] * printed[-1][1]
    np.testing.assert_allclose(found[1], [(rho, scale / rho) for rho in RHO])
    earned = points(plain, "rho_per_kg", statistic="privacy_nats", policy="stretch")
    np.testing.assert_allclose(found[2], [(rho, np.exp(nats) - 1) for rho, nats in earned])
    assert found[3] == [(rho, 0) for rho in RHO[:2]]


def test_histograms_of_the_policies_that_are_offered():
    bins = {"weight_kg": [60, 100], "height_cm": [180, 230]}
    histogram = tidy("people", policy=["none", *POLICIES], rho_per_kg=[0.1, 0.5], **bins)
    histogram = histogram[(histogram["policy"] != "none") | (histogram["rho_per_kg"] == 0.1)]
    people = tidy("undecided", policy=POLICIES, rho_per_kg=[0.1, 0.5])
    figure = blurring.plot_fig5(
        histogram,
        people,
        **{"bmi_kg_m2": 30, "histogram_bin": {"weight_kg": 5, "height_cm": 4}},
    )
    offered = [name for name, each in list_compared_policies().items() if each.has_histograms]
    *axes, _ = figure.axes
    assert len(axes) == 3 * len(offered)
    for row, name in enumerate(offered):
        first, fine, coarse = axes[3 * row : 3 * row + 3]
        *words, height = first.get_ylabel().split("\n")
        assert (" ".join(words), height) == (list_compared_policies()[name].label, "height (cm)")
        for axis, rho in ((fine, 0.5), (coarse, 0.1)):
            drawn = histogram[(histogram["policy"] == name) & (histogram["rho_per_kg"] == rho)]
            assert axis.collections[0].get_array().tolist() == drawn["value"].tolist()
            undecided = people[(people["policy"] == name) & (people["rho_per_kg"] == rho)][
                "value"
            ].item()
            beyond = drawn.loc[drawn["height_cm"] > 210, "value"].sum()
            notes = [f"{beyond:.0f} outside", f"{undecided:.0f} undecided"]
            assert [text.get_text() for text in axis.texts] == notes
        weights, heights = axis.lines[0].get_data()
        np.testing.assert_allclose(weights, 30 * (heights / 100) ** 2)


@pytest.fixture
def people():
    names = ("people", "obese", "undecided", "obese_identifiable", "mean_change_kg")
    return alike(tidy(*names, policy=POLICIES, rho_per_kg=RHO), "people", "obese")


def test_the_figure_shows_people_undecided_and_proven(people):
    left, right = blurring.plot_fig5_people(people).axes
    undecided = points(people, "rho_per_kg", statistic="undecided", policy="overlay")
    (label,) = (each for each in shown(left) if each.startswith("overlay"))
    assert label == "overlay and slices, alike"
    assert [text.get_text() for text in right.texts] == [
        f"all {1 + 3 * len(POLICIES)} obese people"
    ]
    np.testing.assert_allclose(shown(left)[label], [(rho, 100 * y) for rho, y in undecided])
    proven = points(people, "rho_per_kg", statistic="obese_identifiable", policy="overlay")
    assert shown(right)[label] == proven
    assert [line.get_ydata()[0] for line in right.lines][-1] == 1 + 3 * len(POLICIES)


def test_the_figure_shows_the_change_that_being_undecided_costs(people):
    (axis,) = blurring.plot_blurring_price(people).axes
    for name, each in list_compared_policies().items():
        change, undecided = (
            [y for _, y in points(people, "rho_per_kg", statistic=which, policy=name)]
            for which in ("mean_change_kg", "undecided")
        )
        assert shown(axis)[each.label] == list(zip(change, undecided, strict=True))
    # Of the changes that are marked, these accuracies have 1, 10 and 20 kg.
    noted = sum(bool(each.note) for each in list_compared_policies().values())
    assert sorted(text.get_text() for text in axis.texts) == sorted(
        f"$\\pm${kg} kg" for kg in (1, 10, 20) for _ in range(noted)
    )
