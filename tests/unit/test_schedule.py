"""The simulated schedule of a run, on jobs whose end is known, and the limits of its rules."""

from graphlib import CycleError

import pytest
import yaml

from benchmarks.schedule import Job, longest_chain, measured, read_jobs, report, simulate

DRY_RUN = """
Job stats:
job      count
[Sun Nov 22 07:07:56 2026]
rule prepare:
    input: raw.csv
    output: data/a.parquet, data/b.parquet
    log: logs/prepare.log
    jobid: 3
    reason: Missing output files: data/a.parquet
    resources: tmpdir=/tmp

[Sun Nov 22 07:07:56 2026] Group job data (jobs in lexicogr. order):

    [Sun Nov 22 07:07:56 2026]
    rule play:
        input: data/a.parquet
        output: results/x.parquet (update)
        jobid: 2
        log: logs/play/london.log
        wildcards: homes=london
        threads: 2
localrule all:
    input: results/x.parquet, data/b.parquet
    jobid: 0
"""


def job(name, seconds, *after, threads=1):
    return Job(name, tuple(after), (name,), threads=threads, seconds=seconds)


# One job of 2 s, before four of 3, 3, 3 and 7 s, before one of 1 s.
FAN = [
    job("first", 2),
    *(job(f"short {k}", 3, "first") for k in range(3)),
    job("long", 7, "first"),
    job("last", 1, "short 0", "short 1", "short 2", "long"),
]


@pytest.mark.parametrize(
    ("cores", "longest_first", "end"),
    [(1, True, 19), (2, True, 12), (2, False, 13), (4, True, 10), (64, False, 10)],
)
def test_end_of_a_fan(cores, longest_first, end):
    """With two cores 3 + 3 + 3 s beside 7 s; as listed, the long one waits for a short one."""
    assert simulate(FAN, cores, longest_first=longest_first) == end


def test_longest_chain_decides_where_it_is_longer_than_the_work_of_each_core():
    seconds, path = longest_chain(FAN)
    assert (seconds, [each.name for each in path]) == (10, ["first", "long", "last"])
    lines = report(FAN, [1, 16]).splitlines()
    assert lines[-2].endswith("the work of all")
    assert lines[-1].endswith("long")


def test_threads_take_cores():
    two = [job("a", 5, threads=2), job("b", 5)]
    assert simulate(two, 2) == 10
    assert simulate(two, 3) == 5
    assert simulate([job("c", 5, threads=8)], 2) == 5


def test_jobs_that_wait_for_each_other_are_an_error():
    with pytest.raises(CycleError):
        simulate([job("a", 1, "b"), job("b", 1, "a")], 2)


def test_jobs_are_read_from_a_dry_run_and_their_times_from_the_first_folder(tmp_path):
    for folder, name, seconds in (("new", "play/london", 4), ("old", "play/london", 9)):
        path = tmp_path / folder / f"{name}.tsv"
        path.parent.mkdir(parents=True)
        path.write_text(f"run_time_s\tcpu_time_s\n{seconds}\t2\n", encoding="utf-8")
    jobs = measured(read_jobs(DRY_RUN), [tmp_path / "new", tmp_path / "old"])
    assert jobs == [
        Job("prepare", ("raw.csv",), ("data/a.parquet", "data/b.parquet"), "logs/prepare.log"),
        Job(
            *("play", ("data/a.parquet",), ("results/x.parquet",), "logs/play/london.log", 2),
            seconds=4,
        ),
        Job("all", ("results/x.parquet", "data/b.parquet"), (), seconds=0),
    ]
    assert measured(jobs, [tmp_path / "old"], "cpu_time_s")[1].seconds == 2
    assert report(jobs).endswith("counted as no time: prepare")


def test_limits_are_of_rules_there_are_and_below_their_times(root):
    limits = yaml.safe_load((root / "tests/benchmarks/limits.yaml").read_text(encoding="utf-8"))
    rules = "".join(
        path.read_text(encoding="utf-8") for path in (root / "workflow/rules").glob("*.smk")
    )
    for name, limit in limits.items():
        assert f"_table as {name.partition('/')[0]} with" in rules
        assert 0 < limit["count"] * limit["unit_ns"] / 1e9 < limit["cpu_time_s"]
        assert limit.keys() == {"counted", "count", "formula", "unit_ns", "cpu_time_s"}
