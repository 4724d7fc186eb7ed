"""Time and memory of the membership game against the number of homes, up to ten thousand.

``scale_homes.py 1e2 1e3 1e4`` measures these numbers of homes, writes what it found into
``measured/homes.json`` in place of earlier rows of the same number, and draws that table as
``measured/homes.png``; without a number it only draws.  For each number it writes a file of made-up
homes with a year of days, and lets the workflow prepare it and play Figure 3, its ranges, its
trained adversary (``noiseless_membership``), and the adversaries who know the mechanism
(``beyond_adversaries``), with the games and budgets of the papers' scale.  Each job is a process of
its own, which writes beside its log what it took.

All numbers of homes play with the same n, those that a hundred homes are enough for, so that times
differ by the homes alone.

``--profile slurm`` submits the jobs to Slurm instead, and keeps nothing; with ``--keep FOLDER``,
the tables stay in a folder, and are compared with those of an earlier run there.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from record import MEASURED, keep, kept, picture

from noiseless.figures.style import DEFAULT_LOOKS

ROOT = Path(__file__).resolve().parents[2]
PART = "homes"
RULES = ("prepare_homes", "noiseless_membership", "beyond_adversaries")
N = {"membership": [2, 4, 8, 16, 32], "adversaries": [4, 8, 32]}
TABLES = (
    "results/tables/noiseless/membership_made-up.parquet",
    "results/tables/beyond/adversaries_made-up.parquet",
)
DAYS, PUBLIC_RANGE_KWH = 365, 90
_BATCH_HOMES = 500


# --- Measuring --------------------------------------------------------------------------------


def write_homes(path: Path, homes: int) -> None:
    """Write made-up homes in the tidy form, a year of days, a batch at a time."""
    rng = np.random.default_rng(homes)
    days = pd.date_range("2013-01-01", periods=DAYS).strftime("%Y-%m-%d").to_numpy()
    weather = np.exp(0.1 * rng.standard_normal(DAYS))
    season = np.cos(2 * np.pi * (np.arange(DAYS) - 15) / DAYS)
    with path.open("w", encoding="utf-8") as file:
        file.write("home,time,energy_kwh\n")
        for first in range(0, homes, _BATCH_HOMES):
            names = [f"h{k:06}" for k in range(first, min(first + _BATCH_HOMES, homes))]
            level = 10 * np.exp(0.6 * rng.standard_normal((len(names), 1)))
            winter = 1 + rng.uniform(0, 0.4, (len(names), 1)) * season
            noise = np.exp(0.3 * rng.standard_normal((len(names), DAYS)))
            table = {
                "home": np.repeat(names, DAYS),
                "time": np.tile(days, len(names)),
                "energy_kwh": (level * winter * weather * noise).ravel().round(3),
            }
            pd.DataFrame(table).to_csv(file, header=False, index=False)


def run_workflow(folder: Path, homes: int, profile: str) -> None:
    """Let the workflow make the tables of so many homes in a folder."""
    write_homes(folder / "made-up.csv", homes)
    (folder / "config").symlink_to(ROOT / "config")
    made_up = {
        "path": "made-up.csv",
        "resolution": "days",
        "public_range_kwh": PUBLIC_RANGE_KWH,
    }
    settings = {
        "homes": {"made-up": made_up},
        "noiseless": {"membership": {"n": N["membership"]}},
        "beyond": {"adversaries": {"n": N["adversaries"]}},
    }
    (folder / "homes.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    subprocess.run(
        [
            *("snakemake", "--snakefile", ROOT / "Snakefile", *TABLES),
            *("--workflow-profile", ROOT / "workflow/profiles" / profile),
            *(() if profile == "slurm" else ("--cores", "1")),
            *("--configfile", "homes.yaml"),
        ],
        cwd=folder,
        env={**os.environ, "PATH": path},
        check=True,
    )


def read_jobs(folder: Path, homes: int) -> list[dict[str, str | int | float]]:
    """Read what the job of each rule took; memory is in MB of 10^6 bytes."""
    rows = []
    for rule in RULES:
        (path,) = folder.glob(f"logs/**/{rule}/made-up.tsv")
        took = pd.read_csv(path, sep="\t").iloc[0]
        rows.append(
            {
                "rule": rule,
                "homes": homes,
                "wall_s": round(float(took["run_time_s"]), 1),
                "cpu_s": round(float(took["cpu_time_s"]), 1),
                "peak_memory_mb": round(float(took["peak_memory_mb"])),
            }
        )
    return rows


def keep_tables(made: Path, stay: Path) -> None:
    """Copy tables to a folder; one of the same name there must have the same bytes."""
    for path in sorted(made.rglob("results/tables/**/*.parquet")):
        target = stay / path.name
        if target.exists() and target.read_bytes() != path.read_bytes():
            sys.exit(f"{path.name}: not the bytes of {target}")
        print(f"{path.name}: {'the same bytes' if target.exists() else 'kept'}", flush=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())


# --- The table and its picture ----------------------------------------------------------------


def keep_rows(rows: Iterable[dict[str, str | int | float]]) -> None:
    """Take rows into the table, in place of earlier ones of the same rule and number of homes."""
    before = kept(PART)["rows"] if (MEASURED / f"{PART}.json").exists() else []
    table = {(each["homes"], RULES.index(each["rule"])): each for each in [*before, *rows]}
    keep(PART, {"days": DAYS, "n": N, "rows": [table[place] for place in sorted(table)]})


def draw() -> None:
    """Draw processor time and memory against the number of homes."""
    table = pd.DataFrame(kept(PART)["rows"])
    with picture(PART, "homes", height_in=2.4) as axes:
        for rule, (colour, marker) in zip(RULES, DEFAULT_LOOKS, strict=False):
            rows = table[table["rule"] == rule]
            looks = {"ls": "-", "ms": 3, "color": colour}
            axes[0].plot(rows["homes"], rows["cpu_s"], marker, label=rule, **looks)
            axes[1].plot(rows["homes"], rows["peak_memory_mb"] / 1000, marker, **looks)
        axes[0].set(ylabel="processor time (s)", yscale="log")
        axes[1].set(ylabel="peak memory (GB)", ylim=(0, None))
        for axis in axes:
            axis.set(xlabel="homes", xscale="log")


def main() -> None:
    """Measure, keep, draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("homes", nargs="*", type=float)
    parser.add_argument("--profile", choices=["default", "slurm"], default="default")
    parser.add_argument("--keep", type=Path, help="folder that the tables stay in")
    wanted = parser.parse_args()
    for homes in map(int, wanted.homes):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            run_workflow(folder, homes, wanted.profile)
            rows = read_jobs(folder, homes)
            print(*rows, sep="\n", flush=True)
            if wanted.keep:
                keep_tables(folder, wanted.keep / str(homes))
        if wanted.profile == "default":
            keep_rows(rows)
    draw()


if __name__ == "__main__":
    main()
