"""One module: all that a new mechanism or adversary of the package needs.

In a copy of the package, into which nothing else is written: both then play in the comparison on
trips, with a figure that shows them by their labels.  And what the package promises of itself: no
experiment imports another, and a change of one adversary runs again its own game alone.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import noiseless
from noiseless.pipeline import code
from noiseless.pipeline.code import source_digest

pytestmark = pytest.mark.slow

PACKAGE = Path(noiseless.__file__).parent
MECHANISM = '''"""Uniform noise on every coordinate."""

import numpy as np

from noiseless.mechanisms.interface import Mechanism, summed


class Uniform(Mechanism):
    name, label = "uniform", "uniform noise"
    kind = "scale"

    def release(self, values, rng):
        values = self.domain.clip(values)
        return values + self.parameter * rng.uniform(-1, 1, values.shape)

    def log_likelihood(self, outputs, values):
        inside = np.abs(outputs - self.domain.clip(values)) <= self.parameter
        return summed(np.where(inside, 0.0, -np.inf), self.domain)


MECHANISM = Uniform
'''
ADVERSARY = '''"""Names the person whose trip begins nearest."""

import numpy as np

from noiseless.adversaries.interface import Adversary


class Start(Adversary):
    name, label = "start", "looks at the start"

    def link(self, evidence):
        away = evidence.reported_m[:, None, 0] - evidence.people_m[:, :, 0]
        return -np.hypot(away[..., 0], away[..., 1])


ADVERSARY = Start
'''
PLAY = """
import sys
from noiseless.papers.beyond.comparison_trips import comparison_tables
from noiseless.papers.beyond.figures.comparison import trips
from toy_trips import SETTINGS, make_trips

found = comparison_tables(make_trips(), target_error_m=[1500], **SETTINGS)
gain = found["comparison"].query("statistic == 'gain' and people == 5")
for row in gain[gain["target_error_m"] == 1500].itertuples():
    print(row.mechanism, row.adversary, row.value)
figure = trips(found["comparison"], found["calibration"])
print("shown", figure.axes[0].get_legend_handles_labels()[1])
print("shown", [axis.get_title() for axis in figure.axes])
"""


@pytest.fixture(scope="module")
def played(root, tmp_path_factory):
    """What the comparison on trips says in a copy with one of each more."""
    folder = tmp_path_factory.mktemp("copy")
    package = folder / "noiseless"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "mechanisms" / "families" / "uniform.py").write_text(MECHANISM)
    (package / "adversaries" / "linkage" / "start.py").write_text(ADVERSARY)
    paths = os.pathsep.join([str(folder), str(root / "tests")])
    return subprocess.run(
        [sys.executable, "-c", PLAY],
        env={**os.environ, "PYTHONPATH": paths},
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def test_a_module_adds_a_mechanism_and_an_adversary(played):
    gains = {
        tuple(line.split()[:2]): float(line.split()[2])
        for line in played.splitlines()
        if not line.startswith("shown")
    }
    mechanisms = {mechanism for mechanism, _ in gains}
    assert {"uniform", "laplace", "gaussian", "planar_laplace"} <= mechanisms
    for mechanism in mechanisms:
        # Whoever knows the mechanism and looks at both ends is better than who looks at one.
        assert gains[mechanism, "likelihood"] >= gains[mechanism, "start"] - 0.05, mechanism
    assert gains["uniform", "start"] > 0.2
    shown = [line for line in played.splitlines() if line.startswith("shown")]
    assert "'uniform noise'" in shown[0]
    assert "'looks at the start, one of 5 people'" in shown[1]


def test_a_changed_adversary_runs_again_its_own_game_alone(tmp_path, monkeypatch):
    """The digest of each game's tables, before and after a change of one of its adversaries."""
    package = tmp_path / "noiseless"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr("noiseless.pipeline.code._ROOT", tmp_path)
    tables = {
        "membership": "noiseless.papers.noiseless.membership",
        "appliances": "noiseless.papers.noiseless.nilm",
        "linkage": "noiseless.papers.beyond.comparison_trips",
    }
    changed = {"membership": "mse.py", "appliances": "hmm.py", "linkage": "likelihood.py"}
    code.forget()
    before = {game: source_digest(module) for game, module in tables.items()}
    for game, file in changed.items():
        path = package / "adversaries" / game / file
        text = path.read_text(encoding="utf-8")
        path.write_text(text + "\n# changed\n", encoding="utf-8")
        code.forget()
        after = {each: source_digest(module) for each, module in tables.items()}
        assert [each for each in tables if after[each] != before[each]] == [game]
        path.write_text(text, encoding="utf-8")
    monkeypatch.undo()
    code.forget()
