"""How the time and the gap of certified losses grow with the number of answers, in two versions.

``python tests/benchmarks/growth_realized_loss.py OLD [NEW] --turns 2`` bounds the loss of streams
of logistic regressions about nine numbers with the account of the filters and the ledger, its
tolerance and its limit of work (:mod:`gaps_realized_loss`).  The commits take turns, each in a
process of its own.  What it found goes into ``measured/growth.json``, and is drawn as
``measured/growth.png``; without commits it only draws.
"""

import argparse
import csv
import io
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import pandas as pd
from record import MEASURED, keep, kept, picture

from noiseless.figures.style import DEFAULT_LOOKS

ROOT = MEASURED.parents[2]
PART = "growth"
ANSWERS = (25, 50, 100, 200, 400, 800)
REACHES = (1, 10)
DIMENSIONS, EPSILON_NATS = 9, 0.5


def measure(commit: str) -> list[dict[str, str | float]]:
    """Rows of one commit, in a process that has its package first on the path."""
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True)
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as tar:
            tar.extractall(folder, filter="data")
        names = [
            f"logistic-{n}-{DIMENSIONS}-{reach}-{EPSILON_NATS}"
            for reach in REACHES
            for n in ANSWERS
        ]
        # This version's script, so that both solve the same instances.
        script = [sys.executable, str(Path(__file__).with_name("gaps_realized_loss.py")), *names]
        environment = {**os.environ, "PYTHONPATH": f"{folder}/workflow"}
        found = subprocess.run(
            script, cwd=folder, env=environment, capture_output=True, text=True, check=True
        )
    rows = []
    for row in csv.DictReader(io.StringIO(found.stdout)):
        _, answers, _, reach, _ = row["instance"].split("-")
        numbers = {key: float(row[key]) for key in ("lower", "upper", "cpu_s")}
        rows.append({"commit": commit, "answers": int(answers), "reach": int(reach), **numbers})
    return rows


def draw() -> None:
    """Time, and the gap of both bounds as a share of the sum of epsilons."""
    table = pd.DataFrame(kept(PART)["rows"])
    table["gap"] = (table["upper"] - table["lower"]) / (EPSILON_NATS * table["answers"])
    with picture(PART, "growth", height_in=2.6) as axes:
        groups = table.groupby(["commit", "reach"], sort=False)
        for ((commit, reach), rows), (colour, marker) in zip(groups, DEFAULT_LOOKS, strict=False):
            middle = rows.groupby("answers")[["cpu_s", "gap"]].median()
            look = {"ms": 3, "color": colour, "ls": "-" if commit == table["commit"][0] else "--"}
            label = f"{commit}, parameters in ±{reach}"
            axes[0].plot(middle.index, middle["cpu_s"], marker, label=label, **look)
            axes[1].plot(middle.index, 100 * middle["gap"], marker, **look)
        axes[0].set(ylabel="processor time (s)", yscale="log")
        axes[1].set(ylabel="gap of the bounds (% of the sum of ε)", ylim=(0, None))
        for axis in axes:
            axis.set(xlabel="answers", xscale="log", xticks=ANSWERS, xticklabels=ANSWERS)
            axis.minorticks_off()


def main() -> None:
    """Measure, keep, draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commits", nargs="*")
    parser.add_argument("--turns", type=int, default=1)
    wanted = parser.parse_args()
    rows = [
        {**row, "turn": turn}
        for turn in range(wanted.turns)
        for commit in wanted.commits
        for row in measure(commit)
    ]
    if rows:
        keep(PART, {"turns": wanted.turns, "epsilon_nats": EPSILON_NATS, "rows": rows})
    draw()


if __name__ == "__main__":
    main()
