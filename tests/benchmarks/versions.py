"""``versions.py OLD NEW [--turns 2] [--data FOLDER]``: two versions of the project, in turn.

Each is a checkout with its own ``.venv``.  What is measured runs in fresh clones of them, in which
nothing has been compiled: the smoke run, a dry run after it (what reading the rules takes), and,
with a folder of real data, every experiment at paper scale, each version once.
"""

import argparse
import os
import resource
import shutil
import subprocess
import tempfile
import time
from functools import partial
from pathlib import Path

from record import keep

CORES = "2"
LOCAL = "data/local.yaml"


def run(
    checkout: Path, folder: Path, *arguments: str, config: tuple[str, ...] = ("config/smoke.yaml",)
) -> dict[str, float]:
    """Wall and processor time of one call of Snakemake."""
    binaries = checkout / ".venv" / "bin"
    profile = ("--workflow-profile", "workflow/profiles/default", "--cores", CORES)
    environment = os.environ | {"PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}"}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [binaries / "snakemake", *profile, *arguments, "--configfile", *config],
        cwd=folder,
        env=environment,
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    wall_s, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    processor_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"wall_s": round(wall_s, 1), "processor_s": round(processor_s, 1)}


def measure(checkout: Path) -> dict[str, object]:
    """One turn of one version."""
    with tempfile.TemporaryDirectory() as name:
        folder = cloned(checkout, name)
        smoke = run(checkout, folder, "smoke")
        return {
            "smoke": smoke,
            "jobs": jobs_in(folder),
            "dry": run(checkout, folder, "smoke", "--dry-run"),
        }


def measure_paper(checkout: Path, data: Path) -> dict[str, object]:
    """Every experiment at paper scale, on the datasets that are in a folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = cloned(checkout, name)
        subprocess.run(
            [checkout / ".venv/bin/python", "-m", "noiseless.datasets.local", data, LOCAL],
            cwd=folder,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        paper = run(checkout, folder, "all", config=("config/config.yaml", LOCAL))
        return {"paper": paper, "jobs": jobs_in(folder)}


def cloned(checkout: Path, parent: str) -> Path:
    """A fresh clone; what was compiled in the checkout itself, where older versions look, goes."""
    for compiled in list((checkout / "workflow").rglob("__pycache__")):
        shutil.rmtree(compiled)
    folder = Path(parent) / "clone"
    subprocess.run(["git", "clone", "-q", checkout, folder], check=True)
    return folder


def jobs_in(folder: Path) -> int:
    """Number of jobs that a run there had."""
    return len(list((folder / "logs").rglob("*.log")))


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--data", type=Path, help="real data, for paper scale")
    asked = parser.parse_args()
    sides = {"before": asked.old.resolve(), "after": asked.new.resolve()}
    turns = [measure] * asked.turns
    if asked.data:
        turns.append(partial(measure_paper, data=asked.data.resolve()))
    found: dict[str, list] = {name: [] for name in sides}
    for turn in turns:
        for name, checkout in sides.items():
            found[name].append(turn(checkout))
            print(name, found[name][-1], flush=True)
    commits = {
        name: subprocess.run(
            ["git", "rev-parse", "--short=7", "HEAD"],
            cwd=checkout,
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
        for name, checkout in sides.items()
    }
    keep("versions", {"cores": int(CORES), "commits": commits, **found})


if __name__ == "__main__":
    main()
