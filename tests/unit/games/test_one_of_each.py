"""One module: all that a new mechanism or adversary of the package needs.

In a copy of the package, into which nothing else is written: both then play in the comparison on
trips, with a figure that shows them by their labels.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import noiseless

pytestmark = pytest.mark.slow

PACKAGE = Path(noiseless.__file__).parent
MECHANISM = '''"""Uniform noise on every coordinate."""

import numpy as np

from noiseless.mechanisms.interface import Mechanism, sum_coordinates


class Uniform(Mechanism):
    name, label = "uniform", "uniform noise"
    kind = "scale"

    def release(self, values, rng):
        values = self.domain.clip(values)
        return values + self.parameter * rng.uniform(-1, 1, values.shape)

    def log_likelihood(self, outputs, values):
        inside = np.abs(outputs - self.domain.clip(values)) <= self.parameter
        return sum_coordinates(np.where(inside, 0.0, -np.inf), self.domain)


MECHANISM = Uniform
'''
ADVERSARY = '''"""Names the person whose trip begins nearest."""

import numpy as np

from noiseless.adversaries.interface import Adversary


class Start(Adversary):
    name, label = "start", "looks at the start"

    def link(self, view):
        away = view.reported_m[:, None, 0] - view.people_m[:, :, 0]
        return -np.hypot(away[..., 0], away[..., 1])


ADVERSARY = Start
'''
PLAY = """
import sys
from noiseless.papers.beyond.comparison_trips import build_comparison_tables
from noiseless.papers.beyond.figures.comparison import plot_trips
from toy_trips import SETTINGS, make_trips

found = build_comparison_tables(make_trips(), target_error_m=[1500], **SETTINGS)
gain = found["comparison"].query("statistic == 'gain' and people == 5")
for row in gain[gain["target_error_m"] == 1500].itertuples():
    print(row.mechanism, row.adversary, row.value)
figure = plot_trips(found["comparison"], found["calibration"])
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
