"""``rules.py RUN``: keep what the jobs of the last run took, from Snakemake's ``benchmarks/``.

``RUN`` is ``smoke`` or ``paper``.  Snakemake looks at a job every half second at first and every
30 s later, so that the processor's time and the memory of short jobs are lower bounds, or unknown.
"""

import sys
from pathlib import Path

import pandas as pd
from record import keep


def jobs_of(folder: Path) -> pd.DataFrame:
    """One row for each job: rule, seconds, processor's seconds and largest memory."""
    rows = []
    for path in sorted(folder.rglob("*.tsv")):
        last = pd.read_csv(path, sep="\t", na_values="-").iloc[-1]
        rule = path.relative_to(folder).parts[0].removesuffix(".tsv")
        rows.append((rule, float(last["s"]), float(last["cpu_time"]), float(last["max_rss"])))
    return pd.DataFrame(rows, columns=["rule", "seconds", "processor_s", "memory_mb"])


def main() -> None:
    """See the module."""
    (run,) = sys.argv[1:]
    jobs = jobs_of(Path("benchmarks"))
    rules = jobs.groupby("rule").agg(
        jobs=("seconds", "size"),
        seconds=("seconds", "sum"),
        longest_s=("seconds", "max"),
        processor_s=("processor_s", "sum"),
        memory_mb=("memory_mb", "max"),
    )
    rows = rules.round(1).sort_values("seconds", ascending=False).reset_index()
    known = rows.astype(object).where(rows.notna(), None)
    keep(f"rules_{run}", {"rules": known.to_dict(orient="records")})


if __name__ == "__main__":
    main()
