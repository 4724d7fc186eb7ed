"""Calls made again with something changed, and what that does to verdicts."""

import pandas as pd
import pytest

from noiseless.errors import ConfigError
from noiseless.ledger.calls import Call, calls_behind
from noiseless.ledger.claims import load_claims
from noiseless.ledger.judge import judge_claims
from noiseless.ledger.replay import replay
from noiseless.ledger.robustness import flips_of, robustness_table, write_robustness
from noiseless.tables import Provenance, Source, read_table, write_table
from toy_claims import claims_file, entry

HOMES = Source("ausgrid", "local", "ab" * 32, "registered", "all.csv")
READINGS = pd.DataFrame({"home": [f"h{k}" for k in range(6)], "energy_kwh": [0, 0, 0, 9, 9, 9]})
CALLS = [
    Call("toy_claims.toy_draw", {"seed": 2}, {}, {"table": "toy/t"}),
    Call("toy_claims.toy_count", {}, {"readings": "p"}, {"count": "toy/n", "mean": "toy/m"}),
    Call("toy_claims.toy_draw", {"seed": 3}, {}, {"table": "toy/other"}),
]
TABLES = {"p": (READINGS, Provenance("c", (HOMES,)))}


def test_replay_makes_tables_with_the_sources_of_their_inputs():
    made = replay(CALLS[:2], TABLES)
    assert set(made) == {"toy/t", "toy/n", "toy/m"}
    assert made["toy/n"][0]["value"].item() == 6
    assert made["toy/m"][1].sources == (HOMES,)
    assert made["toy/t"][1].sources == ()


def test_replay_changes_the_settings_that_a_call_has():
    made = replay(CALLS[:2], TABLES, settings={"seed": 5, "unknown": 1})
    assert made["toy/t"][0]["value"].tolist() == [1.1, 1.2, 1.3]


def test_replay_hands_on_what_it_has_made():
    chain = [
        Call("toy_claims.toy_draw", {"seed": 2}, {}, {"table": "toy/t"}),
        Call("toy_claims.toy_count", {}, {"readings": "toy/t"}, {"count": "toy/n"}),
    ]
    with pytest.raises(KeyError, match="home"):  # the first table was given to the second call
        replay(chain, {})


def test_replay_says_what_is_missing():
    with pytest.raises(ConfigError, match="its input p was not given"):
        replay(CALLS[1:2], {})
    with pytest.raises(ConfigError, match=r"no function toy_claims\.nothing"):
        replay([Call("toy_claims.nothing", {}, {}, {})], {})


def test_calls_behind_tables_with_those_behind_their_inputs():
    chain = [
        Call("a", {}, {"x": "data/p"}, {"table": "toy/a"}),
        Call("b", {}, {}, {"table": "toy/b"}),
        Call("c", {}, {"x": "toy/a"}, {"table": "toy/c"}),
    ]
    assert [call.function for call in calls_behind(chain, {"toy/c"})] == ["a", "c"]
    assert calls_behind(chain, {"toy/nothing"}) == []


@pytest.fixture
def claims(tmp_path):
    """One claim for each thing that a verdict may depend on, and one that depends on nothing."""
    exact = "tolerance: {absolute: 0, why: w}"
    claims_file(
        tmp_path,
        entry(f"{{where: {{eps: 1}}, equals: 0.1, {exact}}}", id="toy-seed"),
        entry("{where: {eps: 1}, at_most: 9}", id="toy-firm"),
        entry(f"{{table: toy/m, equals: 4.5, {exact}}}", id="toy-homes"),
        entry("{table: toy/m, at_most: 4}", id="toy-first", locator="Eq. 1", reading="one"),
        entry("{table: toy/m, at_most: 5}", id="toy-second", locator="Eq. 1", reading="other"),
        entry("{table: toy/n, at_least: 1}", id="toy-untested", needs=["redd"]),
    )
    return tmp_path / "claims" / "toy.yaml"


def robustness(claims):
    tables = {**TABLES, **replay(CALLS[:2], TABLES)}
    loaded = load_claims(claims.parent)
    table = robustness_table(loaded, CALLS, tables, seeds=[3, 4, 5], halves=4, seed=1)
    return loaded, tables, table


def test_verdicts_under_seeds_halves_and_readings(claims):
    _, _, table = robustness(claims)
    found = table.groupby(["claim", "kind"])["verdict"].agg(list)
    assert found["toy-seed", "as run"] == ["reproduced"]
    assert found["toy-seed", "seed"] == ["differs", "reproduced", "differs"]
    assert found["toy-firm", "seed"] == ["reproduced"] * 3
    assert len(found["toy-homes", "homes"]) == 4
    assert found["toy-first", "reading"] == found["toy-second", "reading"]
    assert sorted(found["toy-first", "reading"]) == ["differs", "reproduced"]
    # What does not rest on homes is not judged on halves of them.
    assert ("toy-seed", "homes") not in found
    assert ("toy-homes", "seed") not in found
    # The halves are halves, and not all the same.
    means = table[(table["claim"] == "toy-homes") & (table["kind"] == "homes")]["observed"]
    assert set(means) <= {"0", "3", "6", "9"}
    assert len(set(means)) > 1


def test_table_between_two_calls_need_not_be_one_of_the_run(claims):
    """No claim is about it, so that the run does not hand it over; the calls make it again."""
    chain = [
        Call("toy_claims.toy_nothing", {}, {"readings": "p"}, {"table": "toy/between"}),
        Call("toy_claims.toy_count", {}, {"readings": "toy/between"}, {"mean": "toy/m"}),
    ]
    tables = {**TABLES, **replay(CALLS[:2], TABLES)}
    table = robustness_table(load_claims(claims.parent), chain, tables, seeds=[], halves=0, seed=1)
    assert set(table["kind"]) == {"as run", "reading"}


def test_experiment_that_refuses_half_of_the_homes_is_no_flip(claims):
    few = READINGS.iloc[:4].assign(energy_kwh=4.5)
    tables = {"p": (few, TABLES["p"][1])}
    tables |= replay(CALLS[:2], tables)
    table = robustness_table(load_claims(claims.parent), CALLS, tables, seeds=[], halves=2, seed=1)
    halves = table[table["kind"] == "homes"]
    assert set(halves["verdict"]) == {"not tested"}
    assert set(halves["observed"]) == {"2 homes are too few."}
    assert "toy-homes" not in flips_of(table)


def test_what_flips_is_inconclusive_and_says_on_what_it_depends(claims):
    loaded, tables, table = robustness(claims)
    flips = flips_of(table)
    assert flips["toy-seed"] == "the seed (differs in 2 of 3)"
    assert flips["toy-homes"].startswith("the homes (differs in 4 of 4)")
    assert "toy-firm" not in flips
    assert "toy-untested" not in flips
    ledger = judge_claims(loaded, tables, flips=flips).set_index("id")["verdict"]
    assert ledger["toy-seed"] == ledger["toy-homes"] == "inconclusive"
    assert ledger["toy-firm"] == "reproduced"
    assert ledger["toy-untested"] == "not tested"


def test_table_on_disk(claims, tmp_path):
    made = {**TABLES, **replay(CALLS[:2], TABLES)}
    paths = {name: tmp_path / f"{name.replace('/', '_')}.parquet" for name in made}
    for name, path in paths.items():
        write_table(*made[name][:1], path, made[name][1])
    fields = ("function", "settings", "inputs", "outputs")
    write_robustness(
        claims=claims,
        calls=[{name: getattr(call, name) for name in fields} for call in CALLS[:2]],
        tables=paths,
        output=tmp_path / "r.parquet",
        code="c0de",
        seed=2,
        seeds=3,
        halves=4,
    )
    table, provenance = read_table(tmp_path / "r.parquet")
    assert set(table["variant"]) >= {"-", "3", "4", "5", "half 1", "half 4"}
    assert provenance.sources == (HOMES,)
