"""``rules.py RUN``: keep what the jobs of the last run took, from ``logs/``.

``RUN`` is ``smoke`` or ``paper``.
"""

import sys
from pathlib import Path

import pandas as pd
from record import keep


def jobs_of(folder: Path) -> pd.DataFrame:
    """One row for each job: rule, seconds, processor's seconds and largest memory."""
    rows = []
    for path in sorted(folder.rglob("*.tsv")):
        took = pd.read_csv(path, sep="\t").iloc[0]
        rule = path.relative_to(folder).parts[0].removesuffix(".tsv")
        rows.append((rule, *took[["run_time_s", "cpu_time_s", "peak_memory_mb"]]))
    return pd.DataFrame(rows, columns=["rule", "seconds", "processor_s", "memory_mb"])


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
    keep(f"rules_{run}", {"rules": rows.to_dict(orient="records")})


if __name__ == "__main__":
    main()
