"""Which grid is recommended, by hand; how often what is called certain fails, on made-up towns."""

import numpy as np
import pandas as pd
import pytest

from noiseless.custodian.trips import (
    HOUR,
    NO_TIME,
    WEEK_HOUR,
    protected_trips,
    release_table,
    trips_answer,
)
from noiseless.papers.noiseless.trips import place_budget_table
from noiseless.seeds import generator

BOX = {"latitude_range_deg": [48.0, 49.0], "longitude_range_deg": [2.0, 3.0]}
PLACES = [f"{end}_{axis}" for end in ("pickup", "dropoff") for axis in ("latitude", "longitude")]


def two_towns(trips):
    """Rides between two places, each second one back; ten an hour."""
    south, north = [48.1, 2.1], [48.9, 2.9]
    rides = [south + north if k % 2 else north + south for k in range(trips)]
    hours = np.arange(trips) // 10
    start = pd.Timestamp("2024-03-01") + pd.to_timedelta(hours, unit="h")
    return pd.DataFrame(rides, columns=PLACES).assign(pickup_time=start)


def scattered(trips, seed=1):
    """Places anywhere in the box, over sixty days."""
    draw = generator(seed, "rides")
    table = pd.DataFrame(draw.uniform([48, 2] * 2, [49, 3] * 2, (trips, 4)), columns=PLACES)
    start = pd.Timestamp("2024-03-01") + pd.to_timedelta(draw.uniform(0, 60, trips), unit="D")
    return table.assign(pickup_time=start)


def tables_of(trips, epsilon_bits, seed=1):
    asked = {"epsilon_bits": epsilon_bits, **BOX}
    return {
        "trips_release": release_table(trips, **asked, dataset="rides", seed=seed),
        "trips_budget": place_budget_table(**asked),
    }


def cells(tables):
    table = tables["trips_release"]
    return table.pivot(index=["time", "levels"], columns="statistic", values="value")


def test_shares_are_those_of_a_count():
    trips = scattered(300)
    found = cells(tables_of(trips, [2, 4, 6]))
    for levels in (2, 4, 8):
        cell = ((trips[PLACES] % 1) * levels).astype(int)
        stamps = trips["pickup_time"].dt
        moments = {
            NO_TIME: cell[[]],
            WEEK_HOUR: pd.DataFrame({"d": stamps.day_of_week, "h": stamps.hour}),
            HOUR: pd.DataFrame({"t": stamps.floor("h")}),
        }
        for time, moment in moments.items():
            both = pd.concat([cell, moment], axis=1)
            size = both.assign(one=1).groupby(list(both))["one"].transform("sum")
            row = found.loc[(time, levels)]
            assert row["all_unique_share"] == pytest.approx((size == 1).mean())
            assert row["all_few_share"] == pytest.approx((size < 5).mean())


def test_halves_are_cut_by_days_and_make_the_whole():
    table = tables_of(scattered(2000), [6])["trips_release"]
    row = table[(table["time"] == NO_TIME) & (table["statistic"] == "unique_share")].iloc[0]
    assert row["over"] == "days"
    assert 0 <= row["low"] < row["value"] < row["high"] <= 1
    wide = cells({"trips_release": table}).loc[(NO_TIME, 8)]
    # Of half as many trips, more are unique.
    assert wide["all_unique_share"] < min(wide["unique_share"], wide["held_unique_share"])
    without = tables_of(scattered(2000).drop(columns="pickup_time"), [6])["trips_release"]
    assert set(without["over"]) == {"trips", "-"}
    assert set(without["time"]) == {NO_TIME}


def test_the_error_is_that_of_places():
    """Of places spread evenly it is that of a rectangle; a constant errs as the box does."""
    found = cells(tables_of(scattered(20000), [1, 8])).loc[NO_TIME]
    height, width = 111_195, 111_195 * np.cos(np.radians(48.5))
    assert found.loc[16, "error_m"] == pytest.approx(
        np.hypot(height, width) / 16 / 12**0.5, rel=0.01
    )
    assert found.loc[1, "error_m"] == pytest.approx(np.hypot(height, width) / 12**0.5, rel=0.01)
    assert found.loc[1, "constant_error_m"] == pytest.approx(found.loc[1, "error_m"], rel=0.01)
    assert found["useful"].tolist() == [0, 1]


def test_one_cell_for_all_places_is_named_and_not_recommended():
    answer = trips_answer(tables_of(scattered(40), [1, 8, 14]))
    assert answer.headline.startswith("Nothing to publish")
    assert not answer.is_to_publish
    whole = "a cell of 111 km by 74 km"
    (never,) = (lines for title, lines in answer.options if title.startswith("Never recommended"))
    assert never == [f"A{whole[1:]}"]
    said = [answer.headline, *answer.helps, *answer.publish, *(text for _, text in answer.points)]
    assert whole not in " ".join(said)
    assert "100 % of half of your trips are unique" in dict(answer.points)["Risk"]


def test_all_trips_in_one_cell_of_several_are_a_constant():
    same = two_towns(100)
    same[PLACES] = [48.1, 2.1, 48.1, 2.1]
    answer = trips_answer(tables_of(same, [1, 2, 8]))
    assert answer.headline.startswith("Nothing to publish")
    assert [len(lines) for _, lines in answer.options] == [3]


def test_with_a_time_another_grid_may_do_or_none():
    trips = two_towns(12000)
    answer = trips_answer(tables_of(trips, [1, 4]))
    assert answer.headline == (
        "Publish each place as the middle of a cell of 28 km by 18 km, and no time."
    )
    assert "held on the other half" in dict(answer.points)["How sure"]
    others = dict(answer.points)["Other times"]
    # Of ten rides an hour, five go either way: five alike, in the file and on the days of a half.
    assert "With the hour of the week: a cell of 28 km by 18 km." in others
    assert "With the hour: a cell of 28 km by 18 km." in others
    answer = trips_answer(tables_of(trips[::2], [1, 4]), HOUR)
    assert answer.headline.startswith("Nothing to publish")


def test_what_is_not_certain_or_did_not_hold_is_not_to_be_published():
    tables = tables_of(two_towns(2000), [4])
    for name, value in (("certain", 0.0), ("held_unique_share", 0.02), ("held_few_share", 0.06)):
        changed = tables["trips_release"].copy()
        changed.loc[changed["statistic"] == name, "value"] = value
        answer = trips_answer({**tables, "trips_release": changed})
        assert answer.headline.startswith("The best that we found, not shown to be safe")
        assert not answer.is_to_publish
    assert trips_answer(tables).is_to_publish


@pytest.mark.parametrize("time", [NO_TIME, WEEK_HOUR, HOUR])
def test_the_protected_trips_have_company_and_no_order(time):
    trips = pd.concat([two_towns(2000), scattered(50)], ignore_index=True)
    rows = protected_trips(trips, 4, time, **BOX)
    assert list(rows) == PLACES + ["pickup_time"] * (time != NO_TIME)
    assert rows.groupby(list(rows)).size().min() >= 5
    assert 2000 <= len(rows) < 2050
    assert set(rows["pickup_latitude"]) <= {48.125, 48.375, 48.625, 48.875}
    again = protected_trips(trips.sample(frac=1, random_state=1), 4, time, **BOX)
    assert again.equals(rows)


@pytest.mark.slow
def test_what_is_called_certain_seldom_fails_on_other_days():
    """Made-up towns whose days differ: of what is certain, at most one in twenty may fail."""
    said = failed = 0
    grids = set()
    for seed in range(40):
        draw = generator(seed, "towns")
        days = draw.gamma(4, 100, 60).astype(int)
        middle = draw.normal(0.5, 0.05, (60, 2)).repeat(days, axis=0)
        ends = middle[:, [0, 1, 0, 1]] + draw.normal(0, 0.2, (days.sum(), 4))
        corner = np.array([48, 2, 48, 2])
        table = pd.DataFrame(np.clip(ends, 0.001, 0.999) + corner, columns=PLACES)
        since = pd.to_timedelta(np.arange(60).repeat(days), unit="D")
        table["pickup_time"] = pd.Timestamp("2024-03-01") + since
        found = cells(tables_of(table, [4, 4.7, 5.2, 5.7, 6], seed)).loc[NO_TIME]
        for levels, row in found[(found["certain"] == 1) & (found["chosen"] == 1)].iterrows():
            said += 1
            grids.add(levels)
            failed += row["held_unique_share"] > 0.01 or row["held_few_share"] > 0.05
    assert said >= 30
    assert len(grids) > 1
    assert failed <= 0.05 * said
