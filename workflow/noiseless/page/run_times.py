"""How long each rule ran and how much memory it took, from what stands beside its logs."""

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class RunTime:
    """What the jobs of one rule took, in their last run.

    Attributes
    ----------
    rule : str
    jobs : int
        Jobs with a record.
    run_time_s, cpu_time_s : float
        Of all its jobs together.
    peak_memory_mb : float
        Largest resident memory of a job, with the Python that runs it and what that has imported.
    """

    rule: str
    jobs: int
    run_time_s: float
    cpu_time_s: float
    peak_memory_mb: float


def read_run_times(logs: Mapping[str, str | Path]) -> list[RunTime]:
    """What each rule took, the longest first.

    Parameters
    ----------
    logs : mapping of str to path
        The log of each rule by its name, beside which its jobs keep what they took
        (:func:`noiseless.jobs.job`); ``{wildcards}`` stand for the files of its jobs.  Files that
        are not there are left out: their jobs did not run here.

    Returns
    -------
    list of RunTime
    """
    rules = []
    for rule, log in logs.items():
        pattern = Path(re.sub(r"{[^}]*}", "*", str(log))).with_suffix(".tsv")
        records = [_record(path) for path in sorted(pattern.parent.glob(pattern.name))]
        if records:
            rules.append(
                RunTime(
                    rule=rule,
                    jobs=len(records),
                    run_time_s=sum(record["run_time_s"] for record in records),
                    cpu_time_s=sum(record["cpu_time_s"] for record in records),
                    peak_memory_mb=max(record["peak_memory_mb"] for record in records),
                )
            )
    return sorted(rules, key=lambda each: (-each.run_time_s, each.rule))


def _record(path: Path) -> dict[str, float]:
    """The numbers of a job by name."""
    with path.open(encoding="utf-8", newline="") as file:
        (numbers,) = csv.DictReader(file, delimiter="\t")
    return {name: float(number) for name, number in numbers.items()}
