"""Fingerprints of a run's tables and figures: they tell whether a change left them alone.

    python tests/fingerprints write RESULTS FILE.json [DRAWN]
    python tests/fingerprints check RESULTS FILE.json [DRAWN]

A table's fingerprint is its number of rows and a digest of its cells: numbers to six digits and to
1e-9, below which other processors round otherwise, rows and columns in any order, columns under any
name, provenance left aside.  A figure's is a digest of
the numbers that it shows, which a run notes in the folder DRAWN (``drawn/sitecustomize.py``).

A file also names its players, the mechanisms and adversaries of its tables.  Rows of one who has
come since are left aside, in tables, and one line names it; figures show all players at once, so
that none is compared then.

``names.yaml`` says what tables, figures and labels within tables were called when a file of
fingerprints was written; so a new name keeps the fingerprint, and a changed value does not.
"""

import hashlib
import json
import math
import sys
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import yaml

FOLDER = Path(__file__).resolve().parent
SMOKE = FOLDER / "smoke.json"
_DECIMALS = 9
_PLAYERS = {"adversary", "mechanism"}  # columns that name them


def load_names() -> dict[str, dict]:
    """``tables`` and ``figures`` by their old names; ``labels`` by table: the new and the old."""
    return yaml.safe_load((FOLDER / "names.yaml").read_text(encoding="utf-8"))


def _cell(value: object, labels: dict[str, str]) -> str:
    if isinstance(value, float):
        return "nan" if math.isnan(value) else f"{round(value, _DECIMALS) + 0.0:.5e}"
    return labels.get(str(value), str(value))


def _digest(rows: list[str]) -> str:
    return hashlib.sha256("\n".join(sorted(rows)).encode()).hexdigest()[:16]


def table_print(path: Path, labels: dict[str, str], players: set[str] | None = None) -> list:
    """Number of rows and digest of one table; of the rows of some players, if they are given."""
    table = pd.read_parquet(path)
    for column in _PLAYERS.intersection(table) if players is not None else ():
        table = table[table[column].isin(players)]
    rows = [
        "|".join(sorted(_cell(value, labels) for value in row))
        for row in table.itertuples(index=False, name=None)
    ]
    return [len(rows), _digest(rows)]


def players_of(results: Path) -> set[str]:
    """Mechanisms and adversaries that the tables of a run name."""
    found: set[str] = set()
    for path in (results / "tables").rglob("*.parquet"):
        columns = _PLAYERS.intersection(pq.read_schema(path).names)
        table = pd.read_parquet(path, columns=sorted(columns)) if columns else pd.DataFrame()
        found |= {str(each) for column in columns for each in table[column].unique()}
    return found


def fingerprints(
    results: Path, drawn: Path | None, players: set[str] | None = None
) -> dict[str, list]:
    """Fingerprints of all tables and noted figures of a run, under their old names."""
    names = load_names()
    old_table = {new: old for old, new in names["tables"].items()}
    old_figure = {new: old for old, new in names["figures"].items()}
    prints = {}
    for path in sorted((results / "tables").rglob("*.parquet")):
        name = str(path.relative_to(results / "tables").with_suffix(""))
        labels = {new: old for old, new in names["labels"].get(name, {}).items()}
        prints[f"tables/{old_table.get(name, name)}"] = table_print(path, labels, players)
    for path in sorted(drawn.rglob("*.json")) if drawn else []:
        name = str(path.relative_to(drawn).with_suffix(""))
        rows = json.loads(path.read_text())
        prints[f"figures/{old_figure.get(name, name)}"] = [len(rows), _digest(rows)]
    return prints


def differences(results: Path, file: Path, drawn: Path | None = None) -> list[str]:
    """What is gone, changed or new against a file of fingerprints, a sentence each."""
    then = json.loads(file.read_text())
    known = set(then.pop("players", ())) or players_of(results)
    if players_of(results) - known:
        drawn = None
    now = fingerprints(results, drawn, known)
    if drawn is None:
        then = {name: value for name, value in then.items() if name.startswith("tables/")}
    return [
        *(f"{name} is gone" for name in sorted(set(then) - set(now))),
        *(f"{name} has changed" for name in sorted(now) if then.get(name, now[name]) != now[name]),
        *(f"{name} is new" for name in sorted(set(now) - set(then))),
    ]


def main(mode: str, results: str, file: str, drawn: str | None = None) -> int:
    """The exit code: 0 where nothing is gone or changed."""
    folder = Path(drawn) if drawn else None
    if mode == "write":
        prints = fingerprints(Path(results), folder)
        prints["players"] = sorted(players_of(Path(results)))
        Path(file).write_text(json.dumps(prints, indent=0) + "\n")
        print(len(prints) - 1, "fingerprints")
        return 0
    found = differences(Path(results), Path(file), folder)
    known = set(json.loads(Path(file).read_text()).get("players", ()))
    if known and (more := players_of(Path(results)) - known):
        print(f"{', '.join(sorted(more))}: new players, whose rows and figures are not compared")
    print("\n".join(found) or "the same")
    return int(any(not line.endswith("new") for line in found))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
