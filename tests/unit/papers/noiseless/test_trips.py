"""Cells, keys and portions of trips, each by a second route."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pycanon import anonymity

from noiseless.data.nyc_taxi import COORDINATES, prepare_trips
from noiseless.data.plane import compute_cell_size_m
from noiseless.data.samples.nyc_taxi import draw_trips
from noiseless.errors import ConfigError, DataError
from noiseless.papers.noiseless.trips import (
    build_attribution_table,
    build_density_table,
    build_file_table,
    build_place_budget_table,
    build_shards_table,
    build_uniqueness_tables,
    compute_levels,
    compute_trip_keys,
    count_reports,
)
from noiseless.seeds import make_generator
from noiseless.tables import Provenance, write_table
from wide_table import wide

BOX = {"latitude_range_deg": [40.49, 40.92], "longitude_range_deg": [-74.27, -73.68]}
LATITUDES = st.integers(404900, 409200).map(lambda units: units / 10_000)
LONGITUDES = st.integers(-742700, -736800).map(lambda units: units / 10_000)


def trips_of(rows):
    """Trips from (start latitude, start longitude, end latitude, end longitude)."""
    trips = pd.DataFrame(rows, columns=list(COORDINATES), dtype=float)
    return trips.assign(pickup_time=np.datetime64("2014-01-01", "s"))


def stored(trips, *files):
    """Prepared trips in as many files, in their order."""
    for file, part in zip(files, np.array_split(np.arange(len(trips)), len(files)), strict=True):
        write_table(trips.iloc[part], file, Provenance("c"))
    return trips, list(files)


def uniqueness(trips, epsilon_bits, *, k=(2,), numbers=()):
    """Statistics of each of the tables in columns, by its cells."""
    tables = build_uniqueness_tables(trips, **BOX, epsilon_bits=epsilon_bits, k=k, numbers=numbers)
    cells = {"known": ["known", "epsilon_bits"], "numbers": ["trips", "epsilon_bits"]}
    cells["half"] = ["known", "trips"]
    return {name: wide(tables[name], cell) for name, cell in cells.items()}


def exact_cell(value, low, high, levels):
    """Bin of a decimal, in exact fractions."""
    low, high, value = (Fraction(str(each)) for each in (low, high, value))
    return min(levels - 1, math.floor((value - low) / (high - low) * levels))


def exact_report(row, levels):
    box = [*BOX.values()] * 2
    return tuple(exact_cell(value, *ends, levels) for value, ends in zip(row, box, strict=True))


ROWS = st.lists(
    st.tuples(LATITUDES, LONGITUDES, LATITUDES, LONGITUDES)
    | st.sampled_from([(40.49, -74.27, 40.92, -73.68), (40.705, -73.975, 40.705, -73.975)]),
    min_size=1,
    max_size=30,
)


@pytest.mark.slow
@given(rows=ROWS, epsilon_bits=st.integers(1, 31))
@settings(deadline=None, max_examples=60)
def test_portion_equals_a_dictionary_count_of_exact_cells(rows, epsilon_bits):
    levels = math.isqrt(2**epsilon_bits)
    assert compute_levels(epsilon_bits) == levels
    reports = Counter(exact_report(row, levels) for row in rows)
    keys = compute_trip_keys(trips_of(rows), epsilon_bits, **BOX)
    assert sorted(Counter(keys.tolist()).values()) == sorted(reports.values())
    known = uniqueness(trips_of(rows), [epsilon_bits], k=[2, 3])["known"]
    found = known.loc["start and end"].iloc[0]
    for k in (2, 3):
        few = sum(count for count in reports.values() if count < k)
        assert found[f"portion_below_{k}"] == few / len(rows)
    assert found["groups"] == len(reports)


@pytest.mark.slow
@given(rows=ROWS, offset=st.integers(1, 3))
@settings(deadline=None, max_examples=25)
def test_portion_never_falls_on_nested_grids(rows, offset):
    """Every second budget doubles the bins, so that each cell is cut in four."""
    epsilon_bits = [2 * each for each in range(offset, 13)]
    tables = uniqueness(trips_of(rows), epsilon_bits, k=[2, 5], numbers=[3])
    for _, curves in tables["known"].groupby(level="known"):
        assert curves["portion_below_2"].is_monotonic_increasing
        assert curves["portion_below_5"].is_monotonic_increasing
    for _, curves in tables["numbers"].groupby(level="trips"):
        assert curves["portion_below_2"].is_monotonic_increasing


@pytest.mark.parametrize("known", ["start", "end", "start and end"])
def test_k_anonymity_agrees_with_pycanon(known):
    trips = draw_trips(np.random.default_rng(3), 3000)
    levels = compute_levels(5)
    cells = pd.DataFrame(
        [exact_report(row, levels) for row in trips[list(COORDINATES)].to_numpy().tolist()],
        columns=list(COORDINATES),
    )
    columns = [name for name in COORDINATES if known != "start" or name.startswith("pickup")]
    columns = [name for name in columns if known != "end" or name.startswith("dropoff")]
    k = anonymity.k_anonymity(cells, columns)
    found = uniqueness(trips, [5], k=[2, k, k + 1])["known"].loc[(known, 5.0)]
    assert found[f"portion_below_{k}"] == 0
    assert found[f"portion_below_{k + 1}"] > 0


@pytest.mark.parametrize(("period", "rule"), [("hour", "h"), ("day", "D"), ("week", "W")])
def test_released_time_counts_as_pandas_periods(period, rule):
    trips = draw_trips(np.random.default_rng(4), 4000)
    found = uniqueness(trips, [7, 30])["known"]["portion_below_2"]
    for epsilon_bits in (7, 30):
        keys = compute_trip_keys(trips, epsilon_bits, **BOX).tolist()
        groups = Counter(zip(keys, trips["pickup_time"].dt.to_period(rule), strict=True))
        unique = sum(count == 1 for count in groups.values()) / len(trips)
        assert found[f"start and end, {period}", float(epsilon_bits)] == unique
        assert unique >= found["start and end", float(epsilon_bits)]


def test_numbers_are_the_first_trips():
    trips = draw_trips(np.random.default_rng(5), 2000)
    numbers = uniqueness(trips, [9], numbers=[100, 700, 5000])["numbers"]["portion_below_2"]
    numbers = numbers.droplevel("epsilon_bits")
    assert numbers.index.tolist() == [100, 700, 2000]
    for number, portion in numbers.items():
        keys = compute_trip_keys(trips[:number], 9, **BOX).tolist()
        assert portion == sum(c == 1 for c in Counter(keys).values()) / number


def test_half_is_where_the_lines_cross_one_half():
    trips = draw_trips(np.random.default_rng(6), 3000)
    tables = uniqueness(trips, range(1, 31), numbers=[500])
    half, known = tables["half"], tables["known"]["portion_below_2"]
    reached = half["epsilon_bits"]
    for name in ("start", "start and end", "start and end, day"):
        at = reached[name, 3000]
        left, right = known[name, math.floor(at)], known[name, math.ceil(at)]
        assert left < 0.5 <= right
        assert left + (right - left) * (at % 1) == pytest.approx(0.5)
    assert reached["start and end", 500] < reached["start and end", 3000]
    height, _ = compute_cell_size_m(2 ** (reached["start", 3000] / 2), **BOX)
    assert half.loc[("start", 3000), "cell_height_m"] == pytest.approx(height)


def test_attribution_by_counting_what_is_known():
    trips = draw_trips(make_generator(4, "trips"), 2000)
    known = {
        "ends": lambda time: 0,
        "ends and hour of the week": lambda time: (time.day_of_week, time.hour),
        "ends and hour": lambda time: (time.date(), time.hour),
    }
    # Of 30 bits, the keys of reports and hours do not fit 64 bits before they are numbered anew.
    table = build_attribution_table(trips, **BOX, epsilon_bits=[5, 9, 30], paper_trips=2000)
    for epsilon_bits in (5.0, 9.0, 30.0):
        keys = compute_trip_keys(trips, epsilon_bits, **BOX)
        for name, of in known.items():
            told = [(key, of(time)) for key, time in zip(keys, trips["pickup_time"], strict=True)]
            times = Counter(told)
            cell = table[(table["known"] == name) & (table["epsilon_bits"] == epsilon_bits)]
            cell = cell.set_index("statistic")
            expected = sum(times[each] == 1 for each in told) / len(told)
            assert cell.loc["portion_unique", ["value", "low", "high"]].tolist() == [expected] * 3
            periods = len({each for _, each in told})
            assert cell.loc["trips_a_period", "value"] == pytest.approx(2000 / periods)


def test_fewer_trips_bound_the_portion_from_above_alone():
    trips = draw_trips(make_generator(4, "trips"), 1000)
    table = build_attribution_table(trips, **BOX, epsilon_bits=[9], paper_trips=1112)
    portion = table[table["statistic"] == "portion_unique"]
    assert (portion["low"] == 0).all()
    assert (portion["high"] == portion["value"]).all()
    assert (portion["value"] > 0).all()
    enough = build_attribution_table(trips, **BOX, epsilon_bits=[9], paper_trips=1111)
    assert (enough["low"].dropna() > 0).all()


def test_half_that_is_not_reached_has_no_row():
    tables = uniqueness(trips_of([(40.6, -74, 40.6, -74)] * 4), [1, 2])
    assert tables["half"].empty


def test_two_places_never_cost_more_than_two_epsilon():
    table = build_place_budget_table(epsilon_bits=np.arange(1, 63) / 2, **BOX)
    excess = table[table["statistic"] == "excess_bits"]
    assert (excess["value"] <= 0).all()
    assert (excess.query("epsilon_bits % 2 == 0")["value"] == 0).all()


def test_a_budget_in_bins_is_that_in_bits():
    found = wide(build_place_budget_table(epsilon_bits=[1, 5, 16], **BOX), "epsilon_bits")
    assert found["levels"].tolist() == [1, 5, 256]
    assert found["budget_bits"].tolist() == [0, math.log2(5**4), 32]
    assert found.loc[16, "cell_height_m"] == compute_cell_size_m(256, **BOX)[0]


def test_the_cell_size_agrees_with_the_haversine_formula():
    height, width = compute_cell_size_m(1, **BOX)
    south, north, west, east = map(math.radians, (40.49, 40.92, -74.27, -73.68))
    middle = (south + north) / 2
    across = 2 * 6_371_000 * math.asin(math.cos(middle) * math.sin((east - west) / 2))
    assert height == pytest.approx(6_371_000 * (north - south))
    assert width == pytest.approx(across, rel=1e-4)


def test_density_counts_every_pickup_once():
    trips = draw_trips(np.random.default_rng(7), 1000)
    table = build_density_table(trips, **BOX, levels=16)
    counts = Counter(
        (exact_cell(lat, 40.49, 40.92, 16), exact_cell(lon, -74.27, -73.68, 16))
        for lat, lon in trips[["pickup_latitude", "pickup_longitude"]].to_numpy().tolist()
    )
    found = {
        (
            exact_cell(round(lat, 6), 40.49, 40.92, 16),
            exact_cell(round(lon, 6), -74.27, -73.68, 16),
        ): n
        for lat, lon, n in table[["latitude_deg", "longitude_deg", "value"]].to_numpy().tolist()
    }
    assert found == counts
    assert (table["statistic"] == "pickups").all()


EPSILON_BITS = [6, 13, 30]


@pytest.fixture
def shards(tmp_path):
    """5,000 trips in three files."""
    trips = draw_trips(np.random.default_rng(8), 5000)
    return stored(trips, *(tmp_path / f"{shard}.parquet" for shard in range(3)))


def counted(files, folder, *, partitions, memory_mb=200, **settings):
    """What each partition counts."""
    settings = {"epsilon_bits": EPSILON_BITS, "folder": folder, "threads": 1, **BOX, **settings}
    return [
        count_reports(files, partition=each, partitions=partitions, memory_mb=memory_mb, **settings)
        for each in range(partitions)
    ]


@pytest.mark.parametrize("partitions", [1, 2, 7])
def test_shards_count_as_one_file(tmp_path, monkeypatch, shards, partitions):
    """Partitions of three files, against counting all trips at once in memory."""
    monkeypatch.setattr("noiseless.papers.noiseless.trips._BATCH_TRIPS", 700)
    trips, files = shards
    parts = counted(files, tmp_path, partitions=partitions)
    assert sorted(path.name for path in tmp_path.iterdir()) == [file.name for file in files]
    merged = wide(build_shards_table(parts, files=3, k=[2, 5]), "epsilon_bits")
    whole = uniqueness(trips, EPSILON_BITS, k=[2, 5])["known"].loc["start and end"]
    assert (merged["files"] == 3).all()
    for name in ("trips", "groups", "portion_below_2", "portion_below_5"):
        assert merged[name].tolist() == whole[name].tolist()


def test_partitions_are_about_equally_large(tmp_path, shards):
    """Neighbouring cells, of which some are far more popular, are spread over all of them."""
    _, files = shards
    for budget in EPSILON_BITS[1:]:
        parts = counted(files, tmp_path, partitions=4, epsilon_bits=[budget])
        trips = [(part["size"] * part["groups"]).sum() for part in parts]
        assert sum(trips) == 5000
        assert max(trips) < 1.5 * 5000 / 4


def test_keys_are_counted_exactly_at_the_end_of_64_bits(tmp_path, monkeypatch):
    """Neighbours near 2^63, which no float tells apart, by a dictionary."""
    keys = 2**63 - 1 - np.random.default_rng(1).integers(0, 50, 1000)
    monkeypatch.setattr("noiseless.papers.noiseless.trips.compute_trip_keys", lambda *_, **__: keys)
    trips = draw_trips(np.random.default_rng(8), 1000)
    _, files = stored(trips, tmp_path / "a.parquet")
    parts = counted(files, tmp_path, partitions=3, epsilon_bits=[30])
    found = pd.concat(parts).groupby("size")["groups"].sum()
    assert found.to_dict() == Counter(Counter(keys.tolist()).values())


def test_count_goes_through_the_disk_within_its_memory(tmp_path, monkeypatch):
    """Four million different keys in 64 MB: the counts are right, and nothing is left behind."""
    rng = np.random.default_rng(3)
    batches = iter([np.arange(2_000_000), np.arange(1_000_000, 3_000_000)])
    monkeypatch.setattr("noiseless.papers.noiseless.trips._COORDINATES", ["pickup_latitude"])
    monkeypatch.setattr(
        "noiseless.papers.noiseless.trips.compute_trip_keys",
        lambda *_, **__: rng.permutation(next(batches)),
    )
    trips = draw_trips(np.random.default_rng(8), 20)
    _, files = stored(trips, tmp_path / "0.parquet", tmp_path / "1.parquet")
    (counts,) = counted(files, tmp_path, partitions=1, memory_mb=64, epsilon_bits=[30])
    assert counts[["size", "groups"]].to_numpy().tolist() == [[1, 2_000_000], [2, 1_000_000]]
    assert sorted(tmp_path.iterdir()) == files


def test_count_that_needs_more_memory_says_so(tmp_path, shards):
    _, files = shards
    with pytest.raises(MemoryError, match=r"(?i)memory"):
        counted(files, tmp_path, partitions=1, memory_mb=1)
    assert sorted(tmp_path.iterdir()) == files


def test_damaged_file_of_trips_is_named(tmp_path, shards):
    """The error of the reader, which runs within DuckDB's query."""
    _, files = shards
    content = bytearray(files[1].read_bytes())
    content[len(content) // 3] ^= 1
    files[1].write_bytes(content)
    with pytest.raises(DataError, match=r"1\.parquet"):
        counted(files, tmp_path, partitions=1)


def test_a_job_that_is_stopped_within_the_query_ends(tmp_path, monkeypatch, shards):
    def stop(*_, **__):
        raise SystemExit(143)

    monkeypatch.setattr("noiseless.papers.noiseless.trips.compute_trip_keys", stop)
    with pytest.raises(SystemExit, match="143"):
        counted(shards[1], tmp_path, partitions=1)


def test_taken_tables_are_numbered_by_file():
    one = pd.DataFrame({"statistic": ["rows"], "value": [3.0]})
    table = build_file_table([one, one])
    assert table.to_numpy().tolist() == [[1, "rows", 3.0], [2, "rows", 3.0]]


@pytest.mark.parametrize("epsilon_bits", [0, -1, 32, float("nan")])
def test_budget_that_cannot_be_counted_is_refused(epsilon_bits):
    with pytest.raises(ConfigError, match="epsilon"):
        compute_levels(epsilon_bits)


def test_trip_outside_the_box_is_refused():
    with pytest.raises(DataError, match="outside the public range"):
        compute_trip_keys(trips_of([(41.0, -74, 40.6, -74)]), 4, **BOX)


@pytest.mark.parametrize("longitude", [-70.0, np.nan])
def test_tables_say_which_trip_is_outside_the_box(longitude):
    trips = draw_trips(np.random.default_rng(5), 10)
    trips.loc[7, "dropoff_longitude"] = longitude
    with pytest.raises(DataError, match=r"1 of 10 values .* at position 7"):
        uniqueness(trips, [9])
    with pytest.raises(DataError, match=r"1 of 10 values .* at position 7"):
        build_attribution_table(trips, **BOX, epsilon_bits=[9], paper_trips=10)


@pytest.mark.slow
def test_the_first_million_of_the_real_trips_has_the_printed_numbers(nyc_taxi_csv, tmp_path):
    """Figure 6 by pandas on the real trips, and the numbers that the documents quote."""
    taken = prepare_trips(
        nyc_taxi_csv,
        tmp_path / "trips.parquet",
        rows=1_000_000,
        patience={},
        provenance=lambda taken: Provenance("c"),
        **BOX,
    )
    assert (taken.rows, taken.counts["used"]) == (1_000_000, 977_404)
    trips = pd.read_parquet(tmp_path / "trips.parquet")
    found = uniqueness(trips, [10, 16])["known"].loc["start and end", "portion_below_2"]
    for epsilon_bits in (10, 16):
        # Exact in integers: the file has six decimals up to 2014.
        units = np.rint(trips[list(COORDINATES)].to_numpy() * 10**6).astype(int)
        low, size = np.array([40490000, -74270000] * 2), np.array([430000, 590000] * 2)
        levels = 2 ** (epsilon_bits // 2)
        cells = np.minimum((units - low) * levels // size, levels - 1)
        _, counts = np.unique(cells @ levels ** np.arange(4), return_counts=True)
        assert found[epsilon_bits] == pytest.approx((counts == 1).sum() / len(trips), abs=1e-5)
