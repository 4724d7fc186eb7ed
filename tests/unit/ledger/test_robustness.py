"""What other seeds and halves of the homes do to verdicts."""

import pandas as pd
import pytest

from noiseless.data.homes import select_half
from noiseless.ledger.claims import load_claims
from noiseless.ledger.files import judge_paper
from noiseless.ledger.judge import judge_claims
from noiseless.ledger.robustness import describe_verdict_changes, write_robustness
from noiseless.pipeline.jobs import run_job
from noiseless.tables import Source, derive_provenance, read_table, write_table
from script_calls import given
from toy_claims import claims_file, entry, toy_count, toy_draw

HOMES = Source("ausgrid", "local", "ab" * 32, "registered", "all.csv")
SEED, SEEDS, HALVES = 2, [3, 4, 5], range(1, 7)
RUNS = {
    "results": (SEED, None),
    **{f"results/robustness/seed_{seed}": (seed, None) for seed in SEEDS},
    **{f"results/robustness/half_{half}": (SEED, half) for half in HALVES},
}


@pytest.fixture
def claims(tmp_path):
    """One claim for each thing that a verdict may depend on, and one that depends on nothing."""
    exact = "tolerance: {absolute: 0, why: w}"
    claims_file(
        tmp_path,
        entry(f"{{where: {{eps: 1}}, equals: 0.1, {exact}}}", id="toy-seed"),
        entry("{where: {eps: 1}, at_most: 9}", id="toy-firm"),
        entry(f"{{table: toy/mean, equals: 4.5, {exact}}}", id="toy-homes"),
        entry(
            "{table: toy/mean, at_most: 4}",
            id="toy-first",
            locator="Eq. 1",
            reading="one",
            statement="toy-eq1",
        ),
        entry(
            "{table: toy/mean, at_most: 5}",
            id="toy-second",
            locator="Eq. 1",
            reading="other",
            statement="toy-eq1",
        ),
        entry("{table: toy/number, at_least: 1}", id="toy-untested", needs=["redd"]),
    )
    return tmp_path / "papers/toy/claims.yaml"


def run(rule, log, script, **names):
    """Run a rule's script, a function of a job."""
    asked = given(rule=rule, log=log, **names)
    with run_job(asked) as this:
        script(this)


def count_homes(this):
    """Make the tables of homes, as a script does whose experiment may refuse a small set."""
    made = {}
    with this.attempt("number", "mean"):
        made = toy_count(this.load_table("homes"))
    this.save(made)


@pytest.fixture
def robustness(claims, tmp_path):
    """The table of a run on some homes, as the rules make it."""

    def made(energy_kwh):
        homes = [f"h{k}" for k in range(len(energy_kwh))]
        readings = pd.DataFrame({"home": homes, "energy_kwh": energy_kwh})
        log = str(tmp_path / "job.log")
        paths, ledgers = {}, {}
        for results, (seed, half) in RUNS.items():
            folder = tmp_path / results / "tables/toy"
            folder.mkdir(parents=True)
            some = readings if half is None else select_half(readings, half, seed=1)
            settings = {} if half is None else {"half": half}
            prepared = str(tmp_path / results / "homes.parquet")
            write_table(some, prepared, derive_provenance(settings, "c0de", sources=[HOMES]))
            found = {name: str(folder / f"{name}.parquet") for name in ("t", "number", "mean")}
            wildcards = {"results": results}
            run(
                *("toy_draw", log, lambda this, seed=seed: this.save({"t": toy_draw(seed=seed)})),
                output={"t": found["t"]},
                params={"seed": seed, "code": "c0de"},
                wildcards=wildcards,
            )
            run(
                *("toy_count", log, count_homes),
                input={"homes": prepared},
                output={name: found[name] for name in ("number", "mean")},
                params={"code": "c0de"},
                wildcards=wildcards,
            )
            paths[results] = {f"toy/{name}": path for name, path in found.items()}
            ledgers[results] = folder / "ledger.parquet"
            judge_paper(claims=claims, tables=paths[results], ledger=ledgers[results], code="c0de")
        base = paths.pop("results")
        ledgers.pop("results")
        output = tmp_path / "r.parquet"
        write_robustness(
            claims=claims, tables=base, varied=paths, ledgers=ledgers, output=output, code="c0de"
        )
        return read_table(output)

    return made


@pytest.fixture
def table(robustness):
    """Of six homes, three of which use nothing."""
    return robustness([0, 0, 0, 9, 9, 9])[0]


def test_verdicts_are_counted_under_seeds_halves_and_readings(table):
    found = table.groupby(["claim", "kind"])["verdict"].agg(list)
    assert found["toy-seed", "as run"] == ["reproduced"]
    assert found["toy-seed", "seed"] == ["differs", "reproduced", "differs"]
    assert found["toy-firm", "seed"] == ["reproduced"] * 3
    assert len(found["toy-homes", "half"]) == 6
    assert found["toy-first", "reading"] == found["toy-second", "reading"]
    assert sorted(found["toy-first", "reading"]) == ["differs", "reproduced"]
    # What does not rest on homes is not judged on halves of them.
    assert ("toy-seed", "half") not in found
    assert ("toy-homes", "seed") not in found
    # The halves are halves, and not all the same.
    means = table[(table["claim"] == "toy-homes") & (table["kind"] == "half")]["observed"]
    assert set(means) <= {"0", "3", "6", "9"}
    assert len(set(means)) > 1


def test_experiment_that_refuses_half_of_the_homes_is_no_flip(robustness):
    table, _ = robustness([4.5] * 4)
    halves = table[table["kind"] == "half"]
    assert set(halves["verdict"]) == {"not tested"}
    assert "toy-homes" not in describe_verdict_changes(table)


def test_what_flips_is_inconclusive_and_says_on_what_it_depends(claims, table, tmp_path):
    flips = describe_verdict_changes(table)
    assert flips["toy-seed"] == "the seed (differs in 2 of 3)"
    assert flips["toy-homes"].startswith("the homes (differs in 6 of 6)")
    assert "toy-firm" not in flips
    assert "toy-untested" not in flips
    read = {
        f"toy/{name}": read_table(tmp_path / f"results/tables/toy/{name}.parquet")
        for name in ("t", "number", "mean")
    }
    ledger = judge_claims(load_claims(claims.parents[1]), read, flips=flips)
    judged = ledger.set_index("id")["verdict"]
    assert judged["toy-seed"] == judged["toy-homes"] == "inconclusive"
    assert judged["toy-firm"] == "reproduced"
    assert judged["toy-untested"] == "not tested"


def test_the_table_on_disk_has_all_variants_and_their_source(robustness):
    table, provenance = robustness([0, 0, 0, 9, 9, 9])
    assert set(table["variant"]) >= {"-", "3", "4", "5", "1"}
    assert provenance.sources == (HOMES,)
