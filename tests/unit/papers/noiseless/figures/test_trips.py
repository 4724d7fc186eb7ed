"""Figures 5 and 6 of ``noiseless``."""

import numpy as np
import pandas as pd

from drawn import alike, points, shown, tidy
from noiseless.papers.noiseless.figures import trips

BITS = [2.0, 8.0, 16.0]
BOTH = "start and end"


def test_figure_5_is_a_map_of_pickups():
    density = pd.DataFrame(
        {"latitude_deg": [40.5, 41.5], "longitude_deg": [-73.5, -75.9], "value": [3.0, 10.0]}
    )
    figure = trips.plot_fig5(
        density, latitude_range_deg=[40, 42], longitude_range_deg=[-76, -72], levels=4
    )
    axis = figure.axes[0]
    image = axis.images[0]
    expected = np.full((4, 4), np.nan)
    expected[1, 2], expected[3, 0] = 3, 10  # from the south and from the west
    np.testing.assert_array_equal(np.ma.filled(image.get_array(), np.nan), expected)
    assert image.get_extent() == [-76, -72, 40, 42]
    assert axis.figure.get_supxlabel() == "13 pickups, 4 x 4 cells"


def test_unique_trips_and_where_half_are():
    known = tidy("portion_below_2", "trips", unit=0.125, known=["start", BOTH], epsilon_bits=BITS)
    known.loc[known["statistic"] == "trips", "value"] = 1000
    half = tidy("epsilon_bits", "cell_height_m", known=["start", BOTH], trips=[10, 1000])
    budget = tidy("cell_height_m", epsilon_bits=BITS)
    budget["value"] = [20_000.0, 2_000.0, 200.0]
    (axis,) = (each for each in trips.plot_fig6(known, half, budget).axes)
    lines = [list(map(tuple, line.get_xydata().tolist())) for line in axis.lines]
    unique = points(known, "epsilon_bits", statistic="portion_below_2", known=BOTH)
    assert lines == [unique, [(4, 0), (4, 0.5), (0, 0.5)], [(4, 0.5)]]
    assert axis.texts[0].get_text() == "half of the trips at\n$\\epsilon$ = 4.0, cells\n8 m high"
    assert axis.figure.get_supxlabel() == "1,000 trips"
    (top,) = axis.child_axes
    ticks = {text.get_text(): text.get_position()[0] for text in top.get_xticklabels()}
    # A power of ten of a height is 6 of 8 bits here, and 10 km are 0.301 of one below 20 km.
    np.testing.assert_allclose(ticks["10 km"], 2 + 6 * np.log10(2))
    assert set(ticks) == {"10 km", "1 km"}
    assert len(trips.plot_fig6(known, half.iloc[:0], budget).axes[0].lines) == 1


def test_the_figure_shows_groups_knowledge_and_fewer_trips():
    names = ("portion_below_2", "portion_below_5", "trips")
    known = tidy(*names, unit=0.03, known=["start", BOTH], epsilon_bits=BITS)
    numbers = tidy("portion_below_2", unit=0.1, trips=[10, 1000], epsilon_bits=BITS)
    groups, by_known, by_number = trips.plot_fig6_beyond(known, numbers).axes
    assert shown(groups) == {
        "fewer than 2 (unique)": points(known, "epsilon_bits", statistic=names[0], known=BOTH),
        "fewer than 5": points(known, "epsilon_bits", statistic=names[1], known=BOTH),
    }
    assert shown(by_known) == {
        each: points(known, "epsilon_bits", statistic=names[0], known=each)
        for each in ("start", BOTH)
    }
    assert shown(by_number) == {
        f"{n:,}": points(numbers, "epsilon_bits", trips=n) for n in (10, 1000)
    }


def test_figure_6_shows_the_share_of_rides_that_are_found():
    table = tidy(
        *("portion_unique", "trips_a_period"),
        **{"unit": 1 / 16, "known": ["end", "start"], "epsilon_bits": BITS},
    )
    table.loc[table["statistic"] == "trips_a_period", "value"] *= 16_000
    table = alike(table, "trips_a_period", by=["known"])
    (axis,) = trips.plot_fig6_attribution(table).axes
    assert shown(axis) == {
        "end (7,000 trips)": points(table, "epsilon_bits", statistic="portion_unique", known="end"),
        "start (10,000 trips)": points(
            table, "epsilon_bits", statistic="portion_unique", known="start"
        ),
    }
    band = axis.collections[1].get_paths()[0].vertices[:, 1]
    mine = table[(table["statistic"] == "portion_unique") & (table["known"] == "start")]
    assert {*mine["low"], *mine["high"]} == set(band)
