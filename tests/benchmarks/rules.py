"""``rules.py RUN``: keep what the jobs of the last run took, from ``logs/``.

``RUN`` is ``smoke``, ``paper`` or ``slurm``, and was made in a clean checkout: its wall time runs
from the start of the first job to the end of the last one.
"""

import sys
from pathlib import Path

import pandas as pd
from record import keep

import noiseless


def jobs_of(folder: Path) -> pd.DataFrame:
    """One row for each job: rule, seconds, processor's seconds, largest memory, and its end."""
    rows = []
    for path in sorted(folder.rglob("*.tsv")):
        took = pd.read_csv(path, sep="\t").iloc[0]
        rule = next(part for part in path.relative_to(folder).parts if part != "results")
        rule = rule.removesuffix(".tsv")
        measured = took[["run_time_s", "cpu_time_s", "peak_memory_mb"]]
        rows.append((rule, *measured, path.stat().st_mtime))
    return pd.DataFrame(rows, columns=["rule", "seconds", "processor_s", "memory_mb", "end_s"])


def main() -> None:
    """See the module."""
    (run,) = sys.argv[1:]
    jobs = jobs_of(Path("logs"))
    rules = jobs.groupby("rule").agg(
        jobs=("seconds", "size"),
        seconds=("seconds", "sum"),
        longest_s=("seconds", "max"),
        processor_s=("processor_s", "sum"),
        memory_mb=("memory_mb", "max"),
    )
    rows = rules.round(1).sort_values("seconds", ascending=False).reset_index()
    wall_s = jobs["end_s"].max() - (jobs["end_s"] - jobs["seconds"]).min()
    keep(
        f"rules_{run}",
        {
            "version": noiseless.__version__,
            "wall_s": round(float(wall_s), 1),
            "rules": rows.to_dict(orient="records"),
        },
    )


if __name__ == "__main__":
    main()
