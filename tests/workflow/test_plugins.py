"""Plugins in a run of the workflow, on homes of the user's: all that they use, and no more."""

import re

import numpy as np
import pandas as pd
import pytest

RANKS, GRID = "rank correlation", "rounding to a private grid"
FILES = ["ranks.py", "rounding.py"]


def rules_to_run(plan: str) -> set[str]:
    """The rules of a dry run's jobs."""
    return set(re.findall(r"^ *rule (\w+):", plan, flags=re.MULTILINE))


@pytest.fixture
def with_homes(fresh, root):
    """A checkout with ten homes of thirty days, and the files of the documentation."""
    text = (root / "docs" / "plugins.md").read_text(encoding="utf-8")
    for block in re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL):
        if (name := re.match(r'"""(\w+\.py)"""', block)) and name[1] in FILES:
            (fresh.path / name[1]).write_text(block, encoding="utf-8")
    energy = np.random.default_rng(1).gamma(2, 4, 300).round(2)
    days = pd.date_range("2024-03-01", periods=30).strftime("%Y-%m-%d")
    homes = pd.DataFrame({"meter": np.repeat(np.arange(10), 30), "day": [*days] * 10})
    homes.assign(kwh=energy).to_csv(fresh.path / "homes.csv", index=False)
    return fresh


def test_own_homes_meet_the_users_adversary_and_an_edit_runs_again_what_used_it(with_homes):
    path = with_homes.path
    columns = {"home": "meter", "time": "day", "value": "kwh"}
    meters = {"path": "homes.csv", "columns": columns, "unit": "kWh"}
    tried = {"n": [2], "rounding_kwh": [1], "days_per_value": [1], "draws": 2, "splits": 1}
    config = {
        "plugins": FILES,
        "data": {"my-town": {"kind": "meters", **meters}},
        "noiseless": {"membership": {"games": 60, "n": [2], "epsilon_bits": [2]}},
        "beyond": {"recommendation": tried},
    }
    with_homes.smoke(target="own", config=config)
    tables = path / "results" / "tables" / "own" / "my-town"
    table = pd.read_parquet(tables / "membership.parquet")
    assert RANKS in set(table["adversary"])
    assert set(table.loc[table["statistic"] == "advantage", "over"]) == {"games"}
    summary = pd.read_parquet(path / "results" / "own" / "my-town" / "summary.parquet")
    assert summary["statement"].str.contains("strongest of four simple adversaries").any()
    for name in ("membership", "recommendation"):
        assert (path / f"results/figures/own/my-town/{name}.png").is_file()

    # Nothing else is new to the workflow.
    plan = with_homes.smoke("--dry-run", target="own", config=config)
    assert rules_to_run(plan) == set()
    ranks = path / "ranks.py"
    ranks.write_text(ranks.read_text(encoding="utf-8") + "\n# edited\n", encoding="utf-8")
    plan = with_homes.smoke("--dry-run", target="own", config=config)
    assert "own_dataset" in rules_to_run(plan)


def test_a_plugin_that_cannot_be_used_stops_before_anything_runs(fresh):
    (fresh.path / "mine.py").write_text("ADVERSARY = 7\n")
    output = fresh.smoke(target="own", config={"plugins": ["mine.py"]}, succeeds=False)
    assert "mine.py is 7, but it must be derived from Adversary" in output
    assert "Traceback" not in output
    assert not (fresh.path / "data/prepared").exists()
