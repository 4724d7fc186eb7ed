"""The summary of a dataset of the user's, from tables whose every number is known."""

import itertools
import math
import re

import numpy as np
import pandas as pd
import pytest

from noiseless.custodian.people import blur_settings, people_tables, unique_after_blurring
from noiseless.custodian.summary import answer_of, summary_page, summary_table, write_summary
from noiseless.ledger.claims import load_claims
from noiseless.ledger.judge import judge_claims
from noiseless.papers.noiseless.trips import place_budget_table, uniqueness_tables
from noiseless.papers.nsht.figures.two_numbers import fig5_people
from noiseless.papers.nsht.quantities import Quantities
from noiseless.tables import Provenance, Source, read_table, tidy, write_table
from recommended import AIMS, recommendation_tables

OWN = Source("my-town", "local", "ab" * 32, "other")
PLACE = ("latitude", "longitude")
BOX = {"latitude_range_deg": [48.0, 49.0], "longitude_range_deg": [2.0, 3.0]}
ADVERSARIES = ("correlation", "mse", "peaks", "control")


def advantages(values, games=100):
    """An advantage table; ``values`` by (adversary, n, epsilon)."""
    rows = []
    for (adversary, n, epsilon_bits), value in values.items():
        cell = {"adversary": adversary, "n": n, "epsilon_bits": epsilon_bits}
        interval = {"low": value - 0.01, "high": value + 0.01, "over": "games"}
        rows.append({**cell, "statistic": "advantage", "value": value, **interval})
        nothing = {"low": np.nan, "high": np.nan, "over": "-"}
        rows.append({**cell, "statistic": "games", "value": games, **nothing})
    return pd.DataFrame(rows)


@pytest.fixture(scope="module")
def meters():
    simple = dict.fromkeys(itertools.product(ADVERSARIES, [2, 4], [1.0, math.inf]), 0.0)
    simple |= {
        ("correlation", 2, 1.0): 0.3,
        ("mse", 2, math.inf): 0.9,
        ("peaks", 4, 1.0): -0.06,
        ("mse", 4, math.inf): 0.02,
        ("control", 4, 1.0): 0.015,
    }
    taken = {"homes_in_file": 9, "homes": 7, "days": 30, "interval_s": 1800}
    return {
        "taken": tidy(pd.DataFrame([taken]), []),
        "membership": advantages(simple),
        **recommendation_tables(),
    }


@pytest.fixture(scope="module")
def trips():
    """Two trips between the same cells, and one from far away."""
    table = pd.DataFrame(
        {
            "pickup_latitude": [48.1, 48.1001, 48.9],
            "pickup_longitude": [2.1, 2.1001, 2.9],
            "dropoff_latitude": [48.3, 48.3001, 48.3],
            "dropoff_longitude": [2.3, 2.3001, 2.3],
        }
    )
    shared = {"epsilon_bits": [8, 14, 30], **BOX}
    found = uniqueness_tables(table, k=[2], numbers=[2], **shared)
    taken = {"rows": 5, "used": 3, "missing": 2, "zero": 0}
    return {
        "taken": tidy(pd.DataFrame([taken]), []),
        "trips_budget": place_budget_table(**shared),
        "trips_unique": found["known"],
        "trips_unique_half": found["half"],
    }


@pytest.fixture(scope="module")
def people(own_people_tables, own_people_settings):
    taken = {"people_in_file": 6, "people": 5, "people_with_both": 5}
    pairs = pd.DataFrame({"x1": [80.0, 101, 97, 120, 60], "x2": [90.0, 100, 100, 100, 60]})
    named = pairs.set_axis(["kilos", "waist"], axis=1)
    asked = {"identifying": ["kilos", "waist"], "sensitive": [], "k": 2, "diversity": 1}
    unique = unique_after_blurring(pairs, **blur_settings(own_people_settings))
    return {
        "taken": tidy(pd.DataFrame([taken]), []),
        **{f"people_{name}": table for name, table in people_tables(named, **asked).items()},
        "blurring_unique": Quantities(**own_people_settings["quantities"]).named(unique),
        "blurring_people": own_people_tables["people"],
        "blurring_budget": own_people_tables["budget"],
        "blurring_histogram": own_people_tables["histogram"],
    }


def observed(summary, words):
    """The row of the one statement with these words."""
    (row,) = summary[summary["statement"].str.contains(words, regex=False)].to_dict("records")
    return row


def summarize(tables, kind, quantities=None):
    named = {"dataset": "my-town", "kind": kind}
    return summary_table(tables, **named, almost_zero=0.05, aims=AIMS, quantities=quantities)


def test_summary_of_meters(meters):
    summary = summarize(meters, "meters")
    assert set(summary["dataset"]) == {"my-town"}
    row = observed(summary, "mean of 2 homes is released as it is")
    assert (row["observed"], row["low"], row["high"]) == pytest.approx((0.9, 0.89, 0.91))
    assert row["over"] == "games"
    assert (row["number"], row["of"]) == (100, "games")
    assert "(mean square error)" in row["statement"]
    row = observed(summary, "Smallest advantage of the strongest of the three")
    assert row["observed"] == pytest.approx(0.02)
    assert "n = 4, exact mean" in row["statement"]
    assert observed(summary, "Largest advantage of the strongest")["observed"] == 0.9
    # Of four pairs, one has all three within 0.05 with their intervals.
    row = observed(summary, "Pairs of n and budget")
    assert (row["observed"], row["number"]) == (1, 4)
    assert math.isnan(row["low"])
    assert observed(summary, "control")["observed"] == 0.015
    row = observed(summary, "Homes with all readings (days: 30), one every 30 minutes")
    assert (row["observed"], row["number"]) == (7, 9)
    row = observed(summary, "mostly the same number every time")
    assert (row["observed"], row["number"]) == (1, 4)
    by = "At the same error, means of 4 homes, 7 days a value, by "
    for mechanism, gain in (("no mechanism", 0.9), ("Laplace noise", 0.12), ("a plugin's", 0.3)):
        row = observed(summary, f"{by}{mechanism}: advantage of the best adversary")
        assert (row["observed"], row["number"], row["of"]) == (gain, 300, "homes")
    row = observed(summary, "kWh, 7 days a value: advantage of the best adversary who sees all")
    assert (row["observed"], row["low"], row["high"]) == pytest.approx((0.1, 0.0, 0.18))
    assert "64 homes, rounded to 2 kWh" in row["statement"]
    assert observed(summary, "at most 60 of 100 games")["observed"] == 2


def test_the_answer_for_people_says_what_blurring_hides_and_what_not(people, own_people_settings):
    """All five stand alone; of the policies, the one that proves the fewest is named."""
    names = own_people_settings["quantities"]
    answer = answer_of(people, kind="people", aims=AIMS, quantities=names)
    assert dict(answer.points)["Risk"].endswith("100 % of 5 people stand alone.")
    moved = people["blurring_people"]
    proven = moved[moved["statistic"].str.endswith("_identifiable")]["value"]
    (lines,) = (lines for title, lines in answer.options if title.startswith("Blurring kilos"))
    assert f"{proven.min():g} of 3 heavy people stay proven" in lines[0]
    assert "100 % of the people stand alone by kilos and waist before, and after it" in lines[1]
    page = " ".join([answer.headline, *(o for _, p in answer.options for o in p)])
    assert "stretch`" not in page
    assert "rho" not in page


def test_summary_of_trips(trips):
    summary = summarize(trips, "trips")
    row = observed(summary, "Trips with both ends in the box (2 missing excluded)")
    assert (row["observed"], row["number"]) == (3, 5)
    # Cells of 1/16 degree, of 1/128 and of 1/32768; a degree is 111.195 km, or less by the cosine.
    shares = summary[summary["statement"].str.startswith("Share of trips")]
    assert shares["observed"].tolist() == pytest.approx([1 / 3, 1 / 3, 1])
    height = 111_195 / 16
    size = f"{height:,.0f} m by {height * math.cos(math.radians(48.5)):,.0f} m"
    assert f"a cell of {size} (ε = 8 bits a place)" in shares["statement"].iloc[0]
    half = observed(summary, "half of the trips are unique")
    assert 14 < half["observed"] < 30


def test_summary_of_people(people, own_people_settings):
    summary = summarize(people, "people", own_people_settings["quantities"])
    assert observed(summary, "People with any value")["number"] == 6
    assert observed(summary, "both kilos and waist")["number"] == 5
    assert observed(summary, "stand alone, by all of them")["observed"] == 1
    row = observed(summary, "Of them, heavy")
    assert (row["observed"], row["number"]) == (3, 5)
    at = "At rho = 0.2/kg (kilos is changed by at most 5 kg): "
    statements = summary["statement"]
    printed = summary[statements.str.startswith(f"{at}the policy “collapse (as printed)” (mean")]
    left_open, proven = printed.to_dict("records")
    assert left_open["statement"].endswith("leaves open on which side of the threshold they are.")
    assert (left_open["observed"], left_open["number"]) == (3, 5)
    assert proven["statement"].endswith("heavy people whose report proves it.")
    assert (proven["observed"], proven["number"], proven["of"]) == (1, 3, "heavy people")
    overlay = summary[statements.str.startswith(f"{at}the policy “overlay")].to_dict("records")
    assert overlay[0]["observed"] >= left_open["observed"]
    # The band is 10 of 200 kg wide.
    assert observed(summary, f"{at}privacy budget")["observed"] == pytest.approx(10 / 190)


def test_files_of_a_dataset(meters, own_people_settings, own_people_tables, tmp_path):
    """Tier and digest in the metadata and on the page; the same bytes."""
    tables = {}
    for name, table in meters.items():
        tables[name] = tmp_path / f"{name}.parquet"
        write_table(table, tables[name], Provenance("c", (OWN,)))
    picture = tmp_path / "picture.png"
    drawn = fig5_people(own_people_tables["people"], quantities=own_people_settings["quantities"])
    drawn.savefig(picture)
    for attempt in ("one", "two"):
        write_summary(
            tables,
            [(picture, "**Who** is it? 1 < 2. So.")],
            tmp_path / attempt,
            dataset="my-town",
            kind="meters",
            almost_zero=0.05,
            asked={"aims": AIMS, "quantities": None},
            code="0" * 16,
        )
    for file in ("summary.parquet", "summary.csv", "summary.html"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    summary, provenance = read_table(tmp_path / "one" / "summary.parquet")
    assert provenance.sources == (OWN,)
    page = (tmp_path / "one" / "summary.html").read_text(encoding="utf-8")
    assert "my-town (local abababab)" in page
    assert "<h1>my-town</h1>" in page
    assert page.count("data:image/png") == 1
    assert "<figcaption><strong>Who</strong> is it? 1 &lt; 2. So.</figcaption>" in page
    assert "Publish weekly means of at least 64 homes" in page
    assert page.count('<span class="number">') == len(summary)
    text = re.sub(r"data:image/png;base64,[^\"]*|<style>.*?</style>", "", page, flags=re.DOTALL)
    assert not re.search(r"\bnan\b|\de[+-]\d|results/|`", text)


def test_a_kind_that_there_is_not_is_an_error(meters):
    with pytest.raises(ValueError, match="no kind of dataset: 'meter'"):
        summarize(meters, "meter")


def test_page_escapes_what_columns_are_called(people, own_people_settings):
    named = {**own_people_settings["quantities"], "x1": "kilos<script>"}
    renamed = {
        key: table.rename(columns={"kilos_kg": "kilos_script_kg"}) for key, table in people.items()
    }
    summary = summarize(renamed, "people", named)
    answer = answer_of(renamed, kind="people", aims=AIMS, quantities=named)
    page = summary_page(
        answer, summary, [], dataset="my-town", kind="people", provenance=Provenance("c")
    )
    assert "<script>" not in page
    assert "kilos&lt;script&gt;" in page


def test_own_data_never_makes_a_claim_count_as_tested(root):
    """Not even if its tables stood where those of a public dataset are."""
    claims = load_claims(root / "workflow/noiseless/papers")
    needing = [claim for claim in claims if claim.needs]
    assert needing
    tables = {
        name: (pd.DataFrame(), Provenance("c", (OWN,)))
        for claim in needing
        for name in claim.tables
    }
    assert set(judge_claims(needing, tables)["verdict"]) == {"not tested"}
    sources = {
        Source(dataset, "local", "ab" * 32, "other") for claim in needing for dataset in claim.needs
    }
    named = {name: (table, Provenance("c", tuple(sources))) for name, (table, _) in tables.items()}
    assert set(judge_claims(needing, named)["verdict"]) == {"not tested"}
    assert not any(name.startswith("own/") for claim in claims for name in claim.tables)
