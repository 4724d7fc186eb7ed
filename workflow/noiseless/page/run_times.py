"""Run time and memory of each rule, read from the records beside its logs."""

import csv
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class RunTime:
    """Time and memory that the jobs of one rule took in their last run.

    Times are those of all its jobs together; ``peak_memory_mb`` is the largest resident memory of a
    job, with the Python that runs it and what that has imported.
    """

    rule: str
    jobs: int
    run_time_s: float
    cpu_time_s: float
    peak_memory_mb: float


def read_run_times(logs: str | Path) -> list[RunTime]:
    """Read the run time and memory of each rule, sorted from the longest run time.

    Jobs write their records beside their logs (:func:`noiseless.pipeline.jobs.run_job`); those of
    other seeds and of halves do not count.
    """
    jobs: dict[str, list[dict[str, float]]] = {}
    for path in sorted(Path(logs).rglob("*.tsv")):
        parts = path.relative_to(logs).with_suffix("").parts
        if parts[:2] == ("results", "robustness"):
            continue
        rule = parts[1] if parts[0] == "results" else parts[0]
        jobs.setdefault(rule, []).append(_read_record(path))
    rules = [
        RunTime(
            rule=rule,
            jobs=len(records),
            run_time_s=sum(record["run_time_s"] for record in records),
            cpu_time_s=sum(record["cpu_time_s"] for record in records),
            peak_memory_mb=max(record["peak_memory_mb"] for record in records),
        )
        for rule, records in jobs.items()
    ]
    return sorted(rules, key=lambda each: (-each.run_time_s, each.rule))


def read_run_time(path: str | Path) -> float | None:
    """Read the run time (s) of a job's record; None if it has none, or one that was damaged."""
    try:
        return _read_record(Path(path))["run_time_s"]
    except (OSError, ValueError, KeyError):
        return None


def _read_record(path: Path) -> dict[str, float]:
    """Read the numbers of a job's record, by name."""
    with path.open(encoding="utf-8", newline="") as file:
        (numbers,) = csv.DictReader(file, delimiter="\t")
    return {name: float(number) for name, number in numbers.items()}
