"""Write docs/tables.md: the columns and statistics of every table that a run makes.

``python workflow/schemas/write_tables.py [FOLDER ...]`` reads the tables of runs, by default those
of ``results``; ``make docs`` does.  What columns mean stands in ``columns.yaml``, beside this file.
"""

import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet as pq
import yaml

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "tables.md"
COLUMNS = Path(__file__).with_name("columns.yaml")
ESTIMATE = ("value", "low", "high", "over")
# Tables of one home set, or of one recording, end in its name.
_SETS = re.compile(
    r"(?<=_)(?:(?P<homes>ausgrid-16|ausgrid|london|network|swiss)|redd|minutes-\d+)$"
)
HEAD = """# Tables

<!-- written by `make docs` from a run's tables and workflow/schemas/columns.yaml -->

A table `results/tables/<paper>/<name>.parquet` is long: columns that say what a row is of, then
`statistic` and `value`. A table of estimates also has `low`, `high` and `over`. A complete run
writes each as CSV, too. `<set>` is the name of a set of homes, `<recording>` that of a recording.
To have a column for each statistic:

```python
import pandas as pd

table = pd.read_parquet("results/tables/noiseless/membership_ausgrid.parquet")
wide = table.pivot(index=["adversary", "n", "epsilon_bits"], columns="statistic", values="value")
print(wide.loc[("correlation", 4), ["advantage", "levels"]])
```

The results of the library's functions are described [with them](api.md).
"""


def read_tables(
    folders: Iterable[str | Path],
) -> dict[tuple[str, str], tuple[list[str], list[str]]]:
    """Read the columns and the statistics of all tables in results, by paper and name.

    Tables of several sets of homes, or recordings, are one, with the statistics of all.
    """
    found: dict[tuple[str, str], tuple[list[str], list[str]]] = {}
    for folder in folders:
        for path in sorted(Path(folder).glob("tables/*/*.parquet")):
            name = generalise_name(path.stem)
            schema = pq.read_schema(path).names
            statistics = []
            if "statistic" in schema:
                column = pq.read_table(path, columns=["statistic"])["statistic"]
                statistics = pc.unique(column.cast("string")).to_pylist()
            columns, known = found.setdefault((path.parent.name, name), ([], []))
            columns += [each for each in schema if each not in columns]
            known += [each for each in statistics if each not in known]
    return found


def generalise_name(name: str) -> str:
    """Return the name of a table with ``<set>`` or ``<recording>`` for the data that it is of."""
    return _SETS.sub(lambda data: "<set>" if data["homes"] else "<recording>", name)


def describe_columns() -> dict[str, dict[str, str]]:
    """Read what columns and statistics mean."""
    return yaml.safe_load(COLUMNS.read_text(encoding="utf-8"))


def render_row(name: str, columns: Sequence[str], statistics: Sequence[str]) -> str:
    """Render the row of a table: its key columns, its statistics, and whether it has intervals."""
    keys = [each for each in columns if each not in ("statistic", *ESTIMATE)]
    cells = (
        f"`{name}`",
        ", ".join(f"`{each}`" for each in keys) or "-",
        ", ".join(f"`{each}`" for each in statistics) or "-",
        "yes" if "low" in columns else "",
    )
    return f"| {' | '.join(cells)} |"


def render_page(tables: dict[tuple[str, str], tuple[list[str], list[str]]]) -> str:
    """Render the page.

    Raises
    ------
    SystemExit
        If a column has no description.
    """
    told = describe_columns()
    there = {each for columns, _ in tables.values() for each in columns}
    if lacking := sorted(there - set(told["columns"])):
        sys.exit(f"{COLUMNS.name} does not say what these columns mean: {', '.join(lacking)}")
    lines = [HEAD]
    for paper in sorted({paper for paper, _ in tables}):
        lines += [f"## {paper}\n", "| table | a row is of | `statistic` | interval |"]
        lines += ["| --- | --- | --- | --- |"]
        for (of, name), (columns, statistics) in sorted(tables.items()):
            if of == paper:
                lines.append(render_row(name, columns, statistics))
        lines.append("")
    for title, kind in (("What the columns mean", "columns"), ("Some statistics", "statistics")):
        lines += [f"## {title}\n", f"| {kind[:-1]} | meaning |", "| --- | --- |"]
        lines += [f"| `{name}` | {meaning} |" for name, meaning in told[kind].items()]
        lines.append("")
    lines.append("A unit ends a name: `_kwh`, `_nats`, `_bits`, `_m`; a `_share` is from 0 to 1.")
    return "\n".join(lines) + "\n"


def main(folders: Sequence[str]) -> None:
    """Write the page, if there are tables to read; a page of part of them would be wrong."""
    tables = read_tables(folders or [str(ROOT / "results")])
    if not {paper for paper, _ in tables} >= {"noiseless", "nsht", "beyond"}:
        print("docs/tables.md stays as it is: run `make` and `make smoke TARGET=beyond` before.")
        return
    PAGE.write_text(render_page(tables), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
