"""Write docs/proofs.md: which statements are proved by hand, by enumeration and by a solver."""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "workflow"))

from noiseless.ledger.claims import Check, load_paper_claims  # noqa: E402

PROOFS = ROOT / "docs" / "proofs.md"
PAPERS = ("nsht", "deterministic")  # the papers of which a solver checks some proofs
HEAD = """# Proofs

<!-- written by `make docs` from docs/proofs/, claims.yaml and the tests of proofs -->

A proof for every statement that fails as printed, for a reader who has only the paper: the printed
words, the reading, a counter-example, what holds instead with its proof, and the check that runs.

```{toctree}
:maxdepth: 1
:glob:

proofs/*
```

## Which statement is proved in which way

Every section has a proof by hand; the table begins with the shortest. *Cases* are those that
every run must find in the section's enumerations: cases that would break a slightly stronger
statement, or else all cases that were tried. *Other checks* compare numbers. *z3* counts the
tests in which the solver closes arithmetic of the section for all real numbers; the other
sections need none, or one line of it.
"""
# Statistics that count the cases of a check; the first one that it demands is shown.
_TRIED = ("cases", "private_cases", "thresholds", "tests", "either_way", "undecided")


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


def count_critical_cases(check: Check) -> int:
    """Count the cases that would break a slightly stronger statement, or all cases of a check."""
    demands = Counter(check.demands)
    for of_statement in check.demands_each.values():
        demands.update(of_statement)
    stronger = [int(n) for name, n in demands.items() if name.startswith("violations_if")]
    tried = [int(demands[name]) for name in _TRIED if name in demands]
    return max(stronger, default=0) or next(iter(tried), 0)


def render_table(paper: str) -> str:
    """Render the table of a paper's sections in Markdown, the shortest proof by hand first."""
    claims = {
        claim.id: claim
        for claim in load_paper_claims(ROOT / "workflow/noiseless/papers" / paper / "claims.yaml")
    }
    by_solver = list(iterate_z3_proofs())
    rows = []
    for heading, text in split_sections(paper).items():
        ids = dict.fromkeys(re.findall(rf"`({paper}-[\w.-]+)`", text))
        checks = [
            check
            for claim in map(claims.__getitem__, ids)
            for check in (claim.check, claim.erratum and claim.erratum.check)
            if check is not None
        ]
        counts = [count_critical_cases(check) for check in checks]
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


def render_page() -> str:
    """Render the page of proofs: its head, and a table for each paper."""
    return "\n".join([HEAD, *("\n".join([render_table(paper), ""]) for paper in PAPERS)])


if __name__ == "__main__":
    PROOFS.write_text(render_page(), encoding="utf-8")
