"""The guides of docs/adding-*.md, followed to the letter, in a copy of the project."""

import re
from pathlib import Path

import pandas as pd

from noiseless.tables import read_table

STEP = re.compile(
    r"(?:(?P<new>New\s+file)|(?P<below>In)|(?P<end>At\s+the\s+end\s+of))\s+"
    r"(?P<files>`[^`]+`(?:(?:,|\s+and)\s+`[^`]+`)*)(?:,\s+below\s+`(?P<anchor>[^`]+)`)?:\n\n"
    r"```\w+\n(?P<lines>.*?)```\n",
    re.DOTALL,
)


def follow(guide: str, folder: Path) -> list[str]:
    """Do every step of a guide; the files that it names."""
    touched = []
    for step in STEP.finditer(guide):
        for file in re.findall(r"`([^`]+)`", step["files"]):
            path = folder / file
            touched.append(file)
            if step["new"]:
                assert not path.exists(), file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(step["lines"], encoding="utf-8")
            elif step["end"]:
                path.write_text(path.read_text(encoding="utf-8") + step["lines"], encoding="utf-8")
            else:
                lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
                place = next(k for k, line in enumerate(lines) if line.startswith(step["anchor"]))
                lines.insert(place + 1, step["lines"])
                path.write_text("".join(lines), encoding="utf-8")
    return touched


def test_guides_lead_to_tables_figures_and_a_verdict(fresh, root):
    for name, places in (("adding-an-experiment", 5), ("adding-data", None)):
        guide = (root / f"docs/{name}.md").read_text(encoding="utf-8")
        touched = follow(guide, fresh.path)
        # No code of the guide was passed over.
        assert guide.count("```") == 2 * len(STEP.findall(guide))
        assert len(touched) == len(STEP.findall(guide))
        assert places in (None, len(set(touched)))
    plugins = (root / "docs/plugins.md").read_text(encoding="utf-8")
    package = fresh.path / "workflow/noiseless"
    for file, folder in {
        "rounding.py": "mechanisms/families",
        "ranks.py": "adversaries/membership",
    }.items():
        (lines,) = re.findall(rf'```python\n("""{file}""".*?)```', plugins, re.DOTALL)
        named = re.sub("^    name = .*\n", r"\g<0>    label = name\n", lines, flags=re.MULTILINE)
        (package / folder / file).write_text(named, encoding="utf-8")
    small = {"games": 40, "n": [2], "epsilon_bits": [2]}
    homes = {"games": 40, "training_games": 20, "n": [2], "target_error_kwh": [5]}
    output = fresh.smoke(
        "data/prepared/polls.parquet",
        "results/tables/noiseless/membership_london.parquet",
        "results/tables/beyond/comparison_homes_london.parquet",
        "results/tables/nsht/blurring_budget.parquet",
        target="warner",
        config={"noiseless": {"membership": small}, "beyond": {"comparison": {"homes": homes}}},
    )
    assert "Traceback" not in output
    results = fresh.path / "results"
    assert (results / "figures/warner/response.png").is_file()
    ledger = pd.read_parquet(results / "ledger/warner.parquet")
    assert ledger["id"].tolist() == ["warner-sec2-price", "warner-sec2-unbiased"]
    assert ledger["verdict"].tolist() == ["reproduced"] * 2
    typed = pd.read_parquet(results / "statements/warner.parquet")
    assert len(typed) == 2
    polls, provenance = read_table(fresh.path / "data/prepared/polls.parquet")
    assert len(polls) == 300
    assert provenance.is_sample
    homes, _ = read_table(results / "tables/beyond/comparison_homes_london.parquet")
    assert "rounding to a private grid" in set(homes["mechanism"])
    blurred, _ = read_table(results / "tables/nsht/blurring_budget.parquet")
    assert "middle" in set(blurred["policy"])
    games, _ = read_table(results / "tables/noiseless/membership_london.parquet")
    assert "rank correlation" in set(games["adversary"])
