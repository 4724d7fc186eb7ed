"""A job that draws imports no compiler, and nothing that only computes."""

import json
import subprocess
import sys

import pytest

LOAD = """
import json, sys
from importlib import import_module
from noiseless.adversaries import appliances, labels, linkage, membership
for name in sys.argv[1:]:
    import_module(name)
for game in (appliances, linkage, membership):
    labels.load_adversary_labels(game)
json.dump(sorted(sys.modules), sys.stdout)
"""


@pytest.mark.slow
def test_figures_and_labels_import_no_game_and_no_compiler(root):
    papers = root / "workflow/noiseless/papers"
    paths = [path.relative_to(root / "workflow") for path in papers.glob("*/figures/*.py")]
    names = [".".join(path.with_suffix("").parts) for path in paths if path.stem != "__init__"]
    assert len(names) > 15
    done = subprocess.run(
        [sys.executable, "-c", LOAD, *names],
        cwd=root / "workflow",
        check=True,
        capture_output=True,
        text=True,
    )
    loaded = set(json.loads(done.stdout))
    assert "noiseless.papers.noiseless.figures.membership" in loaded
    heavy = {"numba", "sklearn", "duckdb", "pyarrow.dataset", "scipy.integrate", "scipy.stats"}
    assert heavy & loaded == set()
    assert not [name for name in loaded if name.startswith("noiseless.games.")]
