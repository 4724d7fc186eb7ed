"""The meters' parsers: samples, real homes, and every way to spoil a file."""

import gzip
import logging
import re

import numpy as np
import pandas as pd
import pytest

from noiseless.data.ausgrid import HALF_HOURS, read_ausgrid, read_ausgrid_features
from noiseless.data.london import read_london
from noiseless.data.meters import report_identical
from noiseless.data.prepare import identify_source
from noiseless.data.samples.ausgrid import write_ausgrid
from noiseless.data.samples.london import write_block, write_households
from noiseless.data.samples.young_people import write_young_people
from noiseless.errors import DataError
from noiseless.files import compute_file_sha256

YEAR = "2012-2013"


@pytest.fixture(scope="module")
def ausgrid_text(tmp_path_factory):
    path = tmp_path_factory.mktemp("ausgrid") / "year.csv"
    write_ausgrid(path, homes=4, year=YEAR, seed=1)
    return path.read_text()


@pytest.fixture
def ausgrid(ausgrid_text, tmp_path):
    path = tmp_path / "solar_home_2012-2013.csv"
    path.write_text(ausgrid_text)
    return path


@pytest.fixture(scope="module")
def london_texts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("london")
    write_households(folder / "households.csv", blocks=2, seed=1)
    for block in range(2):
        write_block(folder / f"block_{block}.csv", block=block, seed=1)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def london(london_texts, tmp_path):
    for name, content in london_texts.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


def read_blocks(folder):
    blocks = {f"block_{k}": folder / f"block_{k}.csv" for k in range(2)}
    return read_london(households=folder / "households.csv", year=2013, tariff="Std", **blocks)


def edit_line(path, line, change):
    lines = path.read_text().split("\n")
    lines[line - 1] = change(lines[line - 1])
    path.write_text("\n".join(lines))


# --- Ausgrid ----------------------------------------------------------------------------------


def test_half_hours_are_called_by_their_end():
    assert HALF_HOURS[:3] == ("0:30", "1:00", "1:30")
    assert HALF_HOURS[-2:] == ("23:30", "0:00")
    assert len(set(HALF_HOURS)) == 48


@pytest.mark.slow
def test_consumption_is_general_plus_controlled_and_never_generation(ausgrid):
    """A plain loop over the lines of the file."""
    table = read_ausgrid(ausgrid, year=YEAR)
    assert table.columns.tolist() == ["home", "time", "energy_kwh"]
    expected = {}
    seen = set()
    for line in ausgrid.read_text().splitlines()[2:]:
        home, _, _, category, date, *cells = line.split(",")
        if category == "GG" or line in seen:
            continue
        seen.add(line)
        start = pd.to_datetime(date, format="%d/%m/%Y")
        for k, cell in enumerate(cells[:48]):
            key = (home, start + pd.Timedelta(minutes=30 * k))
            expected[key] = expected.get(key, 0) + float(cell)
    found = table.set_index(["home", "time"])["energy_kwh"]
    assert len(found) == 3 * 365 * 48  # home 2 misses a day
    wanted = [expected[key] for key in found.index]
    np.testing.assert_allclose(found, wanted, rtol=1e-12)
    times = table.loc[table["home"] == "1", "time"]
    assert times.iloc[0] == pd.Timestamp("2012-07-01 00:00")
    assert times.iloc[-1] == pd.Timestamp("2013-06-30 23:30")
    assert times.is_monotonic_increasing


def test_excluded_homes_and_repeated_rows_are_named(ausgrid, caplog):
    caplog.set_level(logging.INFO)
    homes = read_ausgrid(ausgrid, year=YEAR)["home"].unique().tolist()
    assert homes == ["1", "3", "4"]
    assert "home 2 is excluded: 364 of 365 days are complete" in caplog.text
    assert "line 11: the row repeats an earlier one" in caplog.text
    assert "3 homes with a reading at each time, 1 excluded" in caplog.text


def test_excluded_homes_go_with_the_table(ausgrid, london):
    found = read_ausgrid(ausgrid, year=YEAR).attrs["excluded"]
    assert found == "1 of 4 homes are left out: 2 (364 of 365 days are complete)."
    table = read_blocks(london)
    left_out = table.attrs["excluded"]
    assert re.match(r"\d+ of \d+ homes are left out: MAC\d+ \(.*\)", left_out)
    used = table["home"].nunique()
    count, of, *_ = [int(word) for word in re.findall(r"\d+", left_out)]
    assert of - count == used


@pytest.mark.parametrize("reading", ["1e308", "18446744073709551615", "40"])
def test_a_half_hour_that_no_home_can_draw_is_refused(ausgrid, reading):
    edit_line(
        ausgrid, 7, lambda text: ",".join([*text.split(",")[:9], reading, *text.split(",")[10:]])
    )
    with pytest.raises(DataError, match=r"line 7, column '2:30': .* kWh is more than the 35.42 a"):
        read_ausgrid(ausgrid, year=YEAR)


@pytest.mark.parametrize("reading", ["1e308", "18446744073709551615", "1701"])
def test_a_day_that_no_home_can_draw_is_refused(london, reading):
    block = london / "block_1.csv"
    place = block.read_text().splitlines()[0].split(",").index("energy_sum")
    edit_line(
        block,
        5,
        lambda text: ",".join([*text.split(",")[:place], reading, *text.split(",")[place + 1 :]]),
    )
    with pytest.raises(DataError, match=r"line 5, column 'energy_sum': .* more than the 1700 a"):
        read_blocks(london)


def test_rows_of_a_day_that_differ_exclude_the_home(ausgrid, caplog):
    edit_line(ausgrid, 11, lambda line: line.replace(line.split(",")[5], "9.875", 1))
    assert "1" not in read_ausgrid(ausgrid, year=YEAR)["home"].unique()
    assert "home 1 is excluded: two rows of the same day differ" in caplog.text


def test_empty_reading_excludes_the_home(ausgrid, caplog):
    edit_line(ausgrid, 5, lambda line: ",".join([*line.split(",")[:5], "", *line.split(",")[6:]]))
    assert "1" not in read_ausgrid(ausgrid, year=YEAR)["home"].unique()
    assert "home 1 is excluded: 364 of 365" in caplog.text


def test_controlled_load_on_some_days_is_nil_on_the_others(ausgrid, caplog):
    caplog.set_level(logging.INFO)
    lines = ausgrid.read_text().splitlines()
    home = next(line.split(",")[0] for line in lines if ",CL," in line and line[:2] != "2,")
    first = next(
        k for k, line in enumerate(lines) if line.startswith(f"{home},") and ",CL," in line
    )
    before = read_ausgrid(ausgrid, year=YEAR).query("home == @home")["energy_kwh"].to_numpy()
    load = np.array(lines.pop(first).split(",")[5:53], dtype=float)
    ausgrid.write_text("\n".join(lines) + "\n")
    after = read_ausgrid(ausgrid, year=YEAR).query("home == @home")["energy_kwh"].to_numpy()
    np.testing.assert_allclose(before - after, [*load, *np.zeros(364 * 48)], atol=1e-12)
    assert f"home {home} has a controlled load on 364 of the days" in caplog.text


@pytest.mark.parametrize("year", ["2010-2011", "2011-2012"])
def test_other_years_write_their_dates_in_their_manner(tmp_path, year):
    path = tmp_path / "year.csv"
    write_ausgrid(path, homes=3, year=year, seed=1)
    assert (",1-Jul-10," in path.read_text()) == (year == "2010-2011")
    days = 366 if year == "2011-2012" else 365
    assert len(read_ausgrid(path, year=year)) == 2 * days * 48


def test_a_file_cut_at_the_end_of_a_row_of_controlled_load_excludes_the_home(ausgrid, caplog):
    """Cut anywhere else, days are missing; here they would count as days without a load."""
    lines = ausgrid.read_text().splitlines()
    rows = [line.split(",") for line in lines]
    first, last = min(k for k, row in enumerate(rows) if "CL" in row), len(lines)
    home = rows[first][0]
    mine = [k for k, row in enumerate(rows) if row[0] == home and k > 1]
    generation = [k for k in mine if rows[k][3] == "GG"]
    load = [k for k in mine if rows[k][3] == "CL"]
    others = [k for k in range(2, last) if k not in mine]
    general = [k for k in mine if rows[k][3] == "GC"]
    for kept, is_read in ((load, True), (load[:-1], False), (load[:40], False)):
        order = [0, 1, *others, *generation, *general, *kept]
        ausgrid.write_text("\n".join(lines[k] for k in order) + "\n")
        homes = read_ausgrid(ausgrid, year=YEAR)["home"].unique()
        assert (home in homes) == is_read
    assert f"home {home} is excluded: the file ends within its controlled load" in caplog.text


def test_gzipped_file_reads_the_same(ausgrid, tmp_path):
    packed = tmp_path / "year.csv.gz"
    packed.write_bytes(gzip.compress(ausgrid.read_bytes()))
    pd.testing.assert_frame_equal(read_ausgrid(packed, year=YEAR), read_ausgrid(ausgrid, year=YEAR))
    packed.write_bytes(packed.read_bytes()[:-4000])
    with pytest.raises(DataError, match="damaged, cut short"):
        read_ausgrid(packed, year=YEAR)


@pytest.mark.parametrize(
    ("line", "change", "message"),
    [
        (2, lambda line: line.replace("0:30", "0:3O", 1), r"column '0:30' is missing"),
        (
            2,
            lambda line: line.replace("Consumption Category", "Category"),
            "'Consumption Category'",
        ),
        (2, lambda line: "x" + line, "none of the first 5 lines is a header"),
        (7, lambda line: line.replace(",GC,", ",GX,"), r"line 7, column .* 'GX' is not one of GC"),
        (
            8,
            lambda line: line.replace("/2012", "/1812"),
            r"line 8, column 'date': .*1812' is not in the year",
        ),
        (8, lambda line: line.replace("/2012", ""), r"line 8, column 'date': .* is not a date"),
        (9, lambda line: line.replace(",0.", ",-1.", 1), r"line 9, column .*: -1\.\d+ kWh"),
        (-1, lambda line: "4,1.0,2000,GG,30/06/2013,0.1", r"line \d+: 6 cells instead of 54"),
    ],
)
def test_spoiled_year_is_one_readable_error(ausgrid, line, change, message):
    edit_line(ausgrid, line if line > 0 else len(ausgrid.read_text().splitlines()), change)
    with pytest.raises(DataError, match=message) as caught:
        read_ausgrid(ausgrid, year=YEAR)
    assert str(ausgrid) in str(caught.value)
    assert "\n" not in str(caught.value)


# --- London -----------------------------------------------------------------------------------


def test_london_sample_is_read_by_tariff_and_year(london, caplog):
    table = read_blocks(london)
    info = pd.read_csv(london / "households.csv", index_col="LCLid")
    homes = table["home"].unique()
    assert set(info.loc[homes, "stdorToU"]) == {"Std"}
    raw = pd.concat(pd.read_csv(london / f"block_{k}.csv") for k in range(2))
    raw = raw[raw["day"].str.startswith("2013")]
    counts = raw.groupby("LCLid").size()
    whole = counts.index[counts == 365].intersection(info.index[info["stdorToU"] == "Std"])
    assert sorted(homes) == sorted(whole)
    found = table.set_index(["home", "time"])["energy_kwh"]
    row = raw[raw["LCLid"] == homes[0]].iloc[100]
    assert found[homes[0], pd.Timestamp(row["day"])] == row["energy_sum"]
    assert len(table) == 365 * len(homes)
    assert "is excluded: " in caplog.text


def test_homes_with_the_same_readings_are_counted_in_the_log_and_stay(caplog):
    caplog.set_level("INFO")
    energy_kwh = np.array([1.0, 2, 3, 4, 1, 2, 5, 6, 1, 2])
    report_identical("london", list("abcde"), energy_kwh)
    assert "london: 3 homes have the same readings as another one: a, c, e." in caplog.text
    report_identical("ausgrid", ["a", "b"], energy_kwh[:4])
    assert "ausgrid: no two homes have the same readings." in caplog.text


def test_copies_of_a_home_are_in_the_log_of_both_datasets(ausgrid, london, caplog):
    caplog.set_level("INFO")
    read_ausgrid(ausgrid, year=YEAR)
    assert "ausgrid: no two homes have the same readings." in caplog.text
    first, second = read_blocks(london)["home"].unique()[:2]
    for block in london.glob("block_*.csv"):
        lines = block.read_text().splitlines()
        kept = [line for line in lines if not line.startswith(second)]
        copies = [line.replace(first, second) for line in lines if line.startswith(first)]
        block.write_text("\n".join(kept + copies) + "\n")
    assert {first, second} <= set(read_blocks(london)["home"])
    assert (
        f"london: 2 homes have the same readings as another one: {first}, {second}" in caplog.text
    )


def test_real_homes_of_london_are_as_many_as_pandas_finds(london_daily):
    """490 homes of 13 blocks; pandas alone finds the same."""
    assert london_daily["home"].nunique() == 490
    assert len(london_daily) == 490 * 365
    assert london_daily["energy_kwh"].between(0, 300).all()


def test_two_rows_for_a_day_exclude_the_home(london, caplog):
    home = read_blocks(london)["home"].iloc[0]
    block = london / "block_0.csv"
    line = next(x for x in block.read_text().splitlines() if x.startswith(f"{home},2013-05-05"))
    block.write_text(block.read_text() + line + "\n")
    assert home not in read_blocks(london)["home"].unique()
    assert f"home {home} is excluded: it has two rows for the same day" in caplog.text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda line: line.replace("MAC", "MAK"), "line 9, column 'LCLid': 'MAK.*households.csv"),
        (lambda line: ",".join([*line.split(",")[:7], "-3", "0"]), r"line 9.*'energy_sum': -3 kWh"),
    ],
)
def test_spoiled_block_is_one_readable_error(london, change, message):
    edit_line(london / "block_1.csv", 9, change)
    with pytest.raises(DataError, match=message) as caught:
        read_blocks(london)
    assert "block_1.csv" in str(caught.value)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"year": 2009}, r"no row of .*block_0\.csv is of 2009\. Give the blocks of that year, or"),
        (
            {"year": 2014},
            r"all readings of the year \(\d+ excluded; first: home MAC\d+, \d+ of 365",
        ),
        (
            {"tariff": "std"},
            r"households\.csv: no home has the tariff 'std' in column 'stdorToU', but 'Std', 'ToU'",
        ),
    ],
)
def test_no_home_left_is_an_error(london, given, message):
    files = {"households": london / "households.csv", "block_0": london / "block_0.csv"}
    with pytest.raises(DataError, match=message):
        read_london(**{**files, "year": 2013, "tariff": "Std", **given})


@pytest.mark.parametrize("count", ["1", ""])
def test_a_day_of_a_few_half_hours_is_not_called_complete(london, caplog, count):
    """It is a sum all the same, and stays one; a total alone would not tell of which day."""
    homes = read_blocks(london)["home"].unique()
    assert "miss half-hours" not in caplog.text
    path = london / "block_0.csv"
    lines = path.read_text().splitlines()
    line = next(k for k, text in enumerate(lines) if text.startswith(f"{homes[0]},2013-03-05"))
    cells = lines[line].split(",")
    cells[lines[0].split(",").index("energy_count")] = count
    edit_line(path, line + 1, lambda _: ",".join(cells))
    table = read_blocks(london)
    assert (
        f"london: 1 of {len(table)} rows (first: home {homes[0]} on 2013-03-05, with "
        f"{count or 'nan'} of 48) miss half-hours"
    ) in caplog.text


@pytest.mark.slow
@pytest.mark.parametrize(
    "write", [write_ausgrid, write_block, write_households, write_young_people]
)
def test_samples_depend_on_the_seed_alone(tmp_path, write):
    size = {
        write_ausgrid: {"homes": 2, "year": YEAR},
        write_block: {"block": 3},
        write_households: {"blocks": 2},
        write_young_people: {"rows": 60},
    }[write]
    paths = [tmp_path / name for name in "abc"]
    for path, seed in zip(paths, (1, 1, 2), strict=True):
        write(path, seed=seed, **size)
    first, again, other = (path.read_bytes() for path in paths)
    assert first == again
    assert first != other


# --- What counts as the public file -----------------------------------------------------------


def test_gzipped_public_file_is_registered_and_one_of_no_known_digest_is_unknown(tmp_path):
    plain, packed = tmp_path / "b.csv", tmp_path / "b.csv.gz"
    plain.write_bytes(b"abc")
    packed.write_bytes(gzip.compress(b"abc"))
    digest = compute_file_sha256(plain)

    def source(path, tier, known):
        files = {"path": path}
        return identify_source(dataset="london", tier=tier, files=files, registered={"path": known})

    assert source(packed, "local", digest).sha256 == digest
    for tier in ("local", "download"):
        assert source(packed, tier, digest).digest == "registered"
        assert source(packed, tier, compute_file_sha256(packed)).digest == "registered"
        assert source(packed, tier, None).digest == "unknown"
        assert source(packed, tier, "0" * 64).digest == "other"
        assert [source(plain, tier, known).is_public for known in (digest, None, "0" * 64)] == [
            True,
            True,
            False,
        ]
    assert source(packed, "sample", digest).digest == "other"
    assert not source(packed, "sample", digest).is_public
    packed.write_bytes(packed.read_bytes()[:-6])
    with pytest.raises(DataError, match="damaged or cut off"):
        source(packed, "local", digest)


@pytest.mark.parametrize(
    ("registered", "digest"),
    [
        ({"a": "of a", "b": "of b"}, "registered"),
        ({"a": "of a", "b": None}, "unknown"),
        ({"a": "of a"}, "other"),  # the registry has no file b
        ({"a": None, "b": "0" * 64}, "other"),
    ],
)
def test_the_worst_of_several_files_counts(tmp_path, registered, digest):
    files = {name: tmp_path / name for name in "ab"}
    for name, path in files.items():
        path.write_text(name)
    known = {
        name: compute_file_sha256(files[name]) if sha256 in ("of a", "of b") else sha256
        for name, sha256 in registered.items()
    }
    source = identify_source(
        dataset="london", tier="local", files=files, registered=known, file="x"
    )
    assert (source.digest, source.file) == (digest, "x")


# Days of 2010-2011 that others made of Ausgrid's first year --------------------------------------


YEAR_OF_OTHERS = pd.date_range("2010-07-01", "2011-06-30")


def features(homes=(1, 2, 10)):
    rows = [
        (home, f"{day:%Y-%m-%d}", "winter", home + day.dayofyear / 1000, 0)
        for home in homes
        for day in YEAR_OF_OTHERS
    ]
    return pd.DataFrame(rows, columns=["customer", "date", "season", "load_kwh", "pv_kwh"])


def test_days_of_others_are_read_as_a_plain_loop_reads_them(tmp_path, caplog):
    table = features()
    short = features(homes=(3,)).iloc[:-1]
    twice = features(homes=(4,)).iloc[[0, *range(365)]]
    table = pd.concat([table, short, twice]).sample(frac=1, random_state=1)
    table.to_csv(tmp_path / "days.csv.gz", index=False)
    with caplog.at_level(logging.INFO):
        found = read_ausgrid_features(tmp_path / "days.csv.gz")
    assert found["home"].cat.categories.tolist() == ["1", "2", "10"]
    assert len(found) == 3 * 365
    expected = {(str(row[0]), row[1]): row[3] for row in table.itertuples(index=False)}
    for home, time, energy in found.itertuples(index=False):
        assert energy == expected[home, f"{time:%Y-%m-%d}"]
    assert found.groupby("home", observed=True)["time"].is_monotonic_increasing.all()
    assert "ausgrid-2010: home 3 is excluded: 364 of 365 days have a reading." in caplog.messages
    assert "ausgrid-2010: home 4 is excluded: it has two rows for the same day." in caplog.messages
