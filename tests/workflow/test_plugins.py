"""Plugins in a run of the workflow: all that they use, and no more."""

import re

import pandas as pd
import pytest

RANKS = "rank correlation"
FILES = ["ranks.py", "rounding.py"]


def rules_to_run(plan: str) -> set[str]:
    """The rules of a dry run's jobs."""
    return set(re.findall(r"^ *rule (\w+):", plan, flags=re.MULTILINE))


@pytest.fixture
def with_plugins(fresh, root):
    """A checkout with the files of the documentation."""
    text = (root / "docs" / "plugins.md").read_text(encoding="utf-8")
    for block in re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL):
        if (name := re.match(r'"""(\w+\.py)"""', block)) and name[1] in FILES:
            (fresh.path / name[1]).write_text(block, encoding="utf-8")
    return fresh


def test_a_users_plugins_take_part_and_an_edit_runs_again_what_used_them(with_plugins):
    path = with_plugins.path
    config = {
        "plugins": FILES,
        "noiseless": {"membership": {"games": 60, "n": [2], "epsilon_bits": [2]}},
    }
    membership = "results/tables/noiseless/membership_london.parquet"
    targets = {"target": membership, "config": config}
    others = (
        "results/tables/nsht/blurring_budget.parquet",
        "results/figures/noiseless/fig3_london.png",
    )
    with_plugins.smoke(*others, **targets)
    table = pd.read_parquet(path / membership)
    assert RANKS in set(table["adversary"])
    assert set(table.loc[table["statistic"] == "advantage", "over"]) == {"games"}

    # Nothing else is new to the workflow.
    plan = with_plugins.smoke(*others, "--dry-run", "--quiet", "host", **targets)
    assert rules_to_run(plan) == set()
    ranks = path / "ranks.py"
    ranks.write_text(ranks.read_text(encoding="utf-8") + "\n# edited\n", encoding="utf-8")
    plan = with_plugins.smoke(*others, "--dry-run", "--quiet", "host", **targets)
    again = rules_to_run(plan)
    assert "noiseless_membership" in again
    assert not {"nsht_theory", "prepare_london"} & again


def test_a_plugin_that_cannot_be_used_stops_before_anything_runs(fresh):
    (fresh.path / "mine.py").write_text("ADVERSARY = 7\n")
    output = fresh.smoke(target="theory", config={"plugins": ["mine.py"]}, succeeds=False)
    assert "mine.py is 7, but it must be derived from Adversary" in output
    assert "Traceback" not in output
    assert not (fresh.path / "data/prepared").exists()
