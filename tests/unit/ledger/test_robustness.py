"""What other seeds and halves of the homes do to verdicts."""

import pandas as pd
import pytest

from noiseless.data.homes import select_half
from noiseless.ledger import rows
from noiseless.ledger.files import judge_paper
from noiseless.ledger.robustness import describe_verdict_changes, write_robustness
from noiseless.pipeline.jobs import run_job
from noiseless.statements import bounded, equals, running, select, universe
from noiseless.statements.registry import Run, Sizes
from noiseless.statements.running import check_paper
from noiseless.tables import Source, derive_provenance, read_table, write_table
from script_calls import given
from toy_statements import entry, toy_count, toy_draw, toy_paper

HOMES = Source("ausgrid", "local", "ab" * 32, "registered", "all.csv")
SEED, SEEDS, HALVES = 2, [3, 4, 5], range(1, 7)
RUNS = {
    "results": (SEED, None),
    **{f"results/robustness/seed_{seed}": (seed, None) for seed in SEEDS},
    **{f"results/robustness/half_{half}": (SEED, half) for half in HALVES},
}


def is_low(cells):
    """The first number is 0.1."""
    return equals(select(cells, eps=1)["advantage"], 0.1)


def is_firm(cells):
    """The first number is at most 9."""
    return bounded(select(cells, eps=1)["advantage"], at_most=9)


def is_mean(cells):
    """The mean is 4.5."""
    return equals(cells["energy"], 4.5)


def is_at_most(number):
    """Return the check of a bound on the mean."""

    def check(cells):
        """The mean is bounded."""
        return bounded(cells["energy"], at_most=number)

    return check


def has_homes(cells):
    """There is a home."""
    return bounded(cells["homes"], at_least=1)


@universe()
def drawn(seed):
    return seed


@pytest.fixture(scope="module")
def monkeypatch():
    """For as long as the runs that several tests look at."""
    with pytest.MonkeyPatch.context() as patch:
        yield patch


@pytest.fixture(scope="module")
def paper(monkeypatch):
    """A statement for each thing that a verdict may depend on, and one that rests on nothing."""
    mean = {"on": "toy/mean"}
    made = toy_paper(
        entry(is_low, id="seed"),
        entry(is_firm, id="firm"),
        entry(is_mean, id="homes", **mean),
        entry(is_at_most(4), id="first", where="Eq. 1", reading="one", of="eq1", **mean),
        entry(is_at_most(5), id="second", where="Eq. 1", reading="other", of="eq1", **mean),
        entry(has_homes, id="untested", on="toy/number", needs=("redd",)),
    )

    @made.states("Theorem 1", over=drawn)
    def cases(seed):
        """The seed of the cases is even."""
        return equals([seed % 2], 0)

    monkeypatch.setattr(rows, "load_sections", {"toy": made}.get)
    return made


def judge_run(paper, tables, ledger, seed, **more):
    """Check and judge a paper on the tables of a run, as its rules do."""
    findings = ledger.with_suffix(".json")
    check_paper("toy", Run(Sizes.SMOKE, seed, tables), findings)
    typed = ledger.with_suffix(".typed.parquet")
    given = {"typed": typed, "ledger": ledger, "tables": tables.values()}
    judge_paper("toy", findings, code="c0de", **given, **more)
    return findings


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


@pytest.fixture(scope="module")
def robustness(paper, tmp_path_factory, monkeypatch):
    """The table of a run on some homes, as the rules make it, its provenance, and the folder."""

    monkeypatch.setattr(running, "load_sections", {"toy": paper}.get)

    def made(energy_kwh):
        tmp_path = tmp_path_factory.mktemp("robustness")
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
            findings = judge_run(paper, paths[results], ledgers[results], seed)
            if results == "results":
                as_run = findings
        base = paths.pop("results")
        ledgers.pop("results")
        output = tmp_path / "r.parquet"
        write_robustness(
            *("toy", as_run),
            tables=base,
            varied=paths,
            ledgers=ledgers,
            output=output,
            code="c0de",
        )
        return *read_table(output), tmp_path

    return made


@pytest.fixture(scope="module")
def some_use_nothing(robustness):
    """The run of six homes, three of which use nothing."""
    return robustness([0, 0, 0, 9, 9, 9])


@pytest.fixture(scope="module")
def table(some_use_nothing):
    """Its table."""
    return some_use_nothing[0]


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
    # Cases are drawn anew by a seed, and by no half.
    assert found["toy-cases", "seed"] == ["differs", "reproduced", "differs"]
    assert ("toy-cases", "half") not in found
    # The halves are halves, and not all the same.
    means = table[(table["claim"] == "toy-homes") & (table["kind"] == "half")]["observed"]
    assert set(means) <= {"0", "3", "6", "9"}
    assert len(set(means)) > 1


def test_experiment_that_refuses_half_of_the_homes_is_no_flip(robustness):
    table, *_ = robustness([4.5] * 4)
    halves = table[table["kind"] == "half"]
    assert set(halves["verdict"]) == {"not tested"}
    assert "toy-homes" not in describe_verdict_changes(table)


def test_what_flips_is_inconclusive_and_says_on_what_it_depends(paper, some_use_nothing):
    table, _, folder = some_use_nothing
    flips = describe_verdict_changes(table)
    assert flips["toy-seed"] == flips["toy-cases"] == "the seed (differs in 2 of 3)"
    assert flips["toy-homes"].startswith("the homes (differs in 6 of 6)")
    assert "toy-firm" not in flips
    assert "toy-untested" not in flips
    names = ("t", "number", "mean")
    tables = {f"toy/{name}": f"{folder}/results/tables/toy/{name}.parquet" for name in names}
    ledger = folder / "again.parquet"
    judge_run(paper, tables, ledger, SEED, robustness=folder / "r.parquet")
    judged = read_table(ledger)[0].set_index("id")["verdict"]
    assert judged["toy-seed"] == judged["toy-homes"] == judged["toy-cases"] == "inconclusive"
    assert judged["toy-firm"] == "reproduced"
    assert judged["toy-untested"] == "not tested"


def test_the_table_on_disk_has_all_variants_and_their_source(some_use_nothing):
    table, provenance, _ = some_use_nothing
    assert set(table["variant"]) >= {"-", "3", "4", "5", "1"}
    assert provenance.sources == (HOMES,)
