"""How long each rule ran and how much memory it took, from the files of ``benchmark:``."""

import csv
import math
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
        Of all its jobs together; NaN where a job was too short to be measured.
    peak_memory_mb : float
        Largest resident memory of a job, with the Python that runs it; NaN likewise.
    """

    rule: str
    jobs: int
    run_time_s: float
    cpu_time_s: float
    peak_memory_mb: float


def read_run_times(benchmarks: Mapping[str, str | Path]) -> list[RunTime]:
    """What each rule took, the longest first.

    Parameters
    ----------
    benchmarks : mapping of str to path
        The benchmark file of each rule by its name; ``{wildcards}`` stand for the files of its
        jobs.  Files that are not there are left out: their jobs did not run here.

    Returns
    -------
    list of RunTime
    """
    rules = []
    for rule, pattern in benchmarks.items():
        pattern = Path(re.sub(r"{[^}]*}", "*", str(pattern)))
        records = [_record(path) for path in sorted(pattern.parent.glob(pattern.name))]
        if records:
            memory = [record["max_rss"] for record in records]
            rules.append(
                RunTime(
                    rule=rule,
                    jobs=len(records),
                    run_time_s=sum(record["s"] for record in records),
                    cpu_time_s=sum(record["cpu_time"] for record in records),
                    peak_memory_mb=math.nan if any(map(math.isnan, memory)) else max(memory),
                )
            )
    return sorted(rules, key=lambda each: (-each.run_time_s, each.rule))


def _record(path: Path) -> dict[str, float]:
    """The last line of a benchmark file; what was not measured is NaN."""
    with path.open(encoding="utf-8", newline="") as file:
        *_, last = csv.DictReader(file, delimiter="\t")
    return {column: _number(last.get(column)) for column in ("s", "max_rss", "cpu_time")}


def _number(text: str | None) -> float:
    try:
        return float(text or "nan")
    except ValueError:
        return math.nan
