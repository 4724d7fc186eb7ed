"""Write docs/proofs.md, and the list at the top of each of its pages.

The page lists all proofs, and says which are by hand, by enumeration and by a solver.
"""

import ast
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "workflow"))

from noiseless.ledger.errata import build_anchor  # noqa: E402
from noiseless.statements.registry import Statement, load_sections  # noqa: E402

PROOFS = ROOT / "docs" / "proofs.md"
COUNTS = ROOT / "tests" / "counts"
PAPERS = ("nsht", "deterministic")  # the papers of which a solver checks some proofs
LIST_MARKS = "<!-- list of proofs: by `make docs` -->", "<!-- end of the list -->"
HEAD = """# Proofs

<!-- written by `make docs` from docs/proofs/, the claims and the tests of proofs -->

A proof for every statement that fails as printed, for a reader who has only the paper. Each has the
printed words, the reading, a counter-example, what holds instead with its proof, and the check.

```{{toctree}}
:maxdepth: 1
:glob:
:hidden:

proofs/*
```

{list}

## Which statement is proved in which way

Every section has a proof by hand; the table begins with the shortest. *Cases* are those that
every run must find in the section's enumerations: cases that would break a slightly stronger
statement, or else all cases that were tried. *Other checks* compare numbers. *z3* counts the
tests in which the solver closes arithmetic of the section for all real numbers; the other
sections need none, or one line of it.
"""


def split_sections(paper: str) -> dict[str, str]:
    """Split a paper's page of proofs into the text of each section, by its heading."""
    text = (ROOT / "docs" / "proofs" / f"{paper}.md").read_text(encoding="utf-8")
    parts = re.split(r"^## (.*)$", text, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def iterate_z3_proofs() -> Iterator[str]:
    """Iterate over ``paper: section`` of each test that is marked as the section's proof by z3."""
    for path in sorted((ROOT / "tests" / "unit").rglob("test_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            for mark in getattr(node, "decorator_list", []):
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.proves":
                    yield ast.literal_eval(mark.args[0])


def list_critical_cases(
    statement: Statement, kept: Sequence[Mapping[str, int | None]]
) -> list[int]:
    """List the critical cases of a statement's check, and of its correction's.

    Those would break a slightly stronger statement, or else are all cases.

    Parameters
    ----------
    statement : Statement
        The statement.
    kept : sequence of mapping
        Its counts (``tests/counts``).
    """
    checks = 2 if any(not each.reading for each in statement.corrections) else 1
    found = [each if each["sharp"] is not None else {"sharp": 0, "cases": 0} for each in kept]
    counts = [each["sharp"] or each["cases"] or 0 for each in found[:checks]]
    return [*counts, *[0] * (checks - len(counts))]


def render_table(paper: str) -> str:
    """Render the table of a paper's sections in Markdown, the shortest proof by hand first."""
    statements = {each.id: each for each in load_sections(paper).statements}
    by_solver = list(iterate_z3_proofs())
    counts_file = COUNTS / f"{paper}.json"
    kept = json.loads(counts_file.read_text())["statements"] if counts_file.is_file() else {}
    rows = []
    for heading, text in split_sections(paper).items():
        ids = dict.fromkeys(re.findall(rf"`({paper}-[\w.-]+)`", text))
        counts = [
            count
            for name in ids
            for count in list_critical_cases(statements[name], kept.get(name, []))
        ]
        closed = by_solver.count(f"{paper}: {heading}")
        words = len(text.split())
        cells = [f"{each:,}" if each else "-" for each in (sum(counts), counts.count(0), closed)]
        rows.append((words, f"| {' | '.join([heading, str(words), *cells])} |"))
    return "\n".join(
        [
            f"### {paper}",
            "",
            "| statement | by hand: words | by enumeration: cases | other checks | by z3: tests |",
            "|---|---|---|---|---|",
            *(row for _, row in sorted(rows)),
        ]
    )


def render_list(paper: str, page: str = "") -> str:
    """Render the list of a paper's proofs, as links into its page or, by default, within it."""
    used: Counter[str] = Counter()
    return "\n".join(
        f"- [{heading}]({page}#{build_anchor(heading, used)})" for heading in split_sections(paper)
    )


def list_papers() -> list[str]:
    """List the names of the pages of proofs that have sections."""
    names = [path.stem for path in sorted((ROOT / "docs" / "proofs").glob("*.md"))]
    return [name for name in names if split_sections(name)]


def read_title(paper: str) -> str:
    """Read the authors and the title of a paper."""
    return load_sections(paper).title


def fill_list(paper: str) -> str:
    """Return a paper's page of proofs with the list of its sections between its marks."""
    text = (ROOT / "docs" / "proofs" / f"{paper}.md").read_text(encoding="utf-8")
    start, end = map(text.index, LIST_MARKS)
    return f"{text[:start]}{LIST_MARKS[0]}\n\n{render_list(paper)}\n\n{text[end:]}"


def render_page() -> str:
    """Render the page of proofs: its head with the list of all, and a table for each paper."""
    lists = []
    for paper in list_papers():
        page = f"proofs/{paper}.md"
        lists.append(f"**[{read_title(paper)}]({page})**\n\n{render_list(paper, page)}")
    lists.append("**[Losses of steep queries in many dimensions](proofs/accounting.md)**")
    head = HEAD.format(list="\n\n".join(lists))
    return "\n".join([head, *("\n".join([render_table(paper), ""]) for paper in PAPERS)])


if __name__ == "__main__":
    for name in list_papers():
        (ROOT / "docs" / "proofs" / f"{name}.md").write_text(fill_list(name), encoding="utf-8")
    PROOFS.write_text(render_page(), encoding="utf-8")
