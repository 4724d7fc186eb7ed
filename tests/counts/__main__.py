"""Counts of a paper's cases in the smoke run: ``tests/counts/<paper>.json``.

    python tests/counts PAPER RESULTS [REASON]

takes the counts of a run, which every run writes (``RESULTS/findings/<PAPER>_counts.json``).  Where
a count falls, or sizes change, it wants a reason, and keeps it in the file under ``lowered``.
"""

import json
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parents[1] / "workflow"))

from noiseless.statements.counts import find_falling_counts, format_counts  # noqa: E402


def path_of(paper: str) -> Path:
    """Return the path of a paper's counts."""
    return FOLDER / f"{paper}.json"


def take(paper: str, results: Path, reason: str = "") -> str:
    """Take the counts of a run; return what it lacks, or "" where they are taken."""
    now = json.loads((results / f"findings/{paper}_counts.json").read_text(encoding="utf-8"))
    path = path_of(paper)
    then = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else now
    lowered = dict(then.get("lowered", {}))
    fallen = find_falling_counts(now, then)
    if fallen and not reason:
        return "\n".join(["Counts have fallen. Give the reason as a third argument.", *fallen])
    if fallen:
        lowered[reason] = fallen
    path.write_text(format_counts({**now, "lowered": lowered}), encoding="utf-8")
    return ""


if __name__ == "__main__":
    sys.exit(take(sys.argv[1], Path(sys.argv[2]), *sys.argv[3:]))
