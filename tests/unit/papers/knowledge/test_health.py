"""The health example, against a grid and a plain loop."""

import itertools
import math

import numpy as np
import pytest

from noiseless.papers.knowledge import health


def test_sixteen_losses_agree_with_a_grid_and_the_sum_of_chances():
    table = health.build_losses_table(**health.CHECKUP, epsilon_nats=1.0, tolerance=1e-4)
    loss = table[table["statistic"] == "loss"].set_index("answer")
    assert len(loss) == 16
    # Table I by itself: no query object, no box.
    age, sex, pressure, bmi = np.meshgrid(
        np.linspace(10, 100, 31),
        [0, 1],
        np.linspace(50, 200, 51),
        np.linspace(10, 50, 11),
        indexing="ij",
    )
    e, chances = math.e, []
    for name in health.REGRESSIONS:
        a, b, c, d, intercept = health.CHECKUP["regressions"][name]
        w = a * age + b * sex + c * pressure + d * bmi + intercept
        share = np.clip(w, 0, 12) / 12 if name == "sleep" else 1 / (1 + np.exp(-w))
        chances.append((e - 1) / (e + 1) * share + 1 / (e + 1))
    total = 0
    for bits in itertools.product((0, 1), repeat=4):
        likelihood = np.prod(
            [p if bit else 1 - p for p, bit in zip(chances, bits, strict=True)], axis=0
        )
        total = total + likelihood
        name = "-".join([*map(str, bits[:3]), "12" if bits[3] else "0"])
        on_grid = math.log(likelihood.max() / likelihood.min())
        assert on_grid <= loss.loc[name, "high"]
        assert on_grid >= loss.loc[name, "low"] - 0.02
    np.testing.assert_allclose(total, 1)


def test_the_median_share_of_a_person_agrees_with_a_plain_loop():
    checkup, people = health.CHECKUP, health.PEOPLE
    losses = health.build_losses_table(**checkup, epsilon_nats=1.0, tolerance=1e-3)
    spent = health.build_spent_table(
        losses,
        **checkup,
        epsilon_nats=1.0,
        people=people,
        grid_points=3,
        adults=health.ADULTS,
    ).set_index(["statistic", "basis"])["value"]
    share, remaining = spent["median_share"], spent["remaining_nats"]
    queries = health.build_health_queries(checkup["regressions"], checkup["sleep_range_h"], 1.0)
    high = losses[losses["statistic"] == "loss"].set_index("answer")["high"]
    point, chances = np.array([people[0]], dtype=float), []
    for answer, loss in high.items():
        bits = [int(part != "0") for part in answer.split("-")]
        chance = math.exp(
            sum(q.log_likelihood(b, point)[0] for q, b in zip(queries, bits, strict=True))
        )
        chances.append((loss / 4, chance))
    reached = 0.0
    for value, chance in sorted(chances):
        reached += chance
        if reached >= 0.5:
            assert share["person 0"] == pytest.approx(value)
            break
    assert share["answers"] == pytest.approx(np.median(high) / 4)
    assert share["grid, least"] <= share["person 0"] <= share["grid, largest"]
    for name in ("grid", "adults"):
        of_most = spent["share_of_99_percent", name]
        assert share[f"{name}, least"] <= of_most <= share[f"{name}, largest"]
    assert remaining["answers"] == pytest.approx(4 - np.median(high))


def test_functions_of_the_truncated_query():
    """At the longest sleep of the range, by hand; and convex where they go on."""
    table = health.build_truncated_table(**health.CHECKUP, epsilons_nats=[1, 2])
    found = table.set_index(["output", "epsilon_nats", "statistic"])["value"]
    longest = 0.0855 * 100 + 0.4617 - 0.07 * 50 + 12.323
    for epsilon in (1.0, 2.0):
        low = 1 / (math.exp(epsilon) + 1)
        argument = 1 - low - (1 - 2 * low) * longest / 12
        assert found[0.0, epsilon, "least_argument"] == pytest.approx(argument)
        assert found[0.0, epsilon, "least_bend"] > -1e-12
    assert found[0.0, 1.0, "least_argument"] > 0 > found[0.0, 2.0, "least_argument"]
    assert table[table["statistic"] == "identity_error"]["value"].max() < 1e-12
