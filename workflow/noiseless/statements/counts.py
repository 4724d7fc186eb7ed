"""How many cases each statement of a run had, and how many of them a sharper statement would fail.

A universe that shrinks, or a check that has become lax, keeps its verdict; the counts fall.  They
are written by every run, with the sizes that it had; ``tests/counts`` keeps those of the smoke run.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from noiseless.files import write_atomically
from noiseless.statements.findings import Finding
from noiseless.statements.registry import Run, load_sections
from noiseless.statements.running import Tested


def build_counts(paper: str, run: Run, tested: Iterable[Tested]) -> dict[str, Any]:
    """Build the counts of a run: ``sizes`` by universe, and ``statements`` by id.

    A statement has its ``cases`` and ``sharp`` ones (None where any other number fails), as printed
    and of each correction. Those that were not tested are left out.
    """
    universes = {
        each.name: each.get_sizes(run)
        for statement in load_sections(paper).statements
        for each in statement.universes
    }
    return {
        "sizes": {name: universes[name] for name in sorted(universes)},
        "statements": {
            each.id: [_count(finding) for finding in (each.printed, *each.corrections) if finding]
            for each in tested
            if each.printed
        },
    }


def _count(finding: Finding) -> dict[str, int | None]:
    return {"cases": finding.cases, "sharp": finding.sharp}


def write_counts(paper: str, run: Run, tested: Iterable[Tested], output: str | Path) -> None:
    """Write the counts of a run as JSON."""
    with write_atomically(Path(output)) as partial:
        partial.write_text(format_counts(build_counts(paper, run, tested)), encoding="utf-8")


def format_counts(counts: Mapping[str, Any]) -> str:
    """Format counts as JSON, a line a statement."""
    parts = []
    for name, part in counts.items():
        lines = [f"  {json.dumps(key)}: {json.dumps(each)}" for key, each in dict(part).items()]
        parts.append(f" {json.dumps(name)}: {{\n" + ",\n".join(lines) + "\n }")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def find_falling_counts(now: dict[str, Any], then: dict[str, Any]) -> list[str]:
    """Find the counts that have fallen, that are gone, or that sizes no longer allow to compare."""
    if now["sizes"] != then["sizes"]:
        return [f"sizes are {now['sizes']}, and were {then['sizes']}"]
    found = []
    for name, before in then["statements"].items():
        after = now["statements"].get(name, [])
        if len(after) != len(before):
            found.append(f"{name}: {len(after)} checks, and there were {len(before)}")
        for one, other in zip(after, before, strict=False):
            for key in ("cases", "sharp"):
                if other[key] is not None and (one[key] is None or one[key] < other[key]):
                    found.append(f"{name}: {key} {one[key]}, and it was {other[key]}")
    return found
