"""``versions.py OLD NEW [--turns 2] [--data FOLDER [--paper-turns 1]]``: two versions, in turn.

Each is a checkout with its own ``.venv``.  What is measured runs in fresh clones of them, in which
nothing has been compiled: the smoke run, a dry run after it (what reading the rules takes), and,
with a folder of real data, every experiment at paper scale.

Of the later version's jobs, those are counted apart that make no table and no figure that the
earlier one makes: experiments that it adds.
"""

import argparse
import csv
import os
import resource
import shutil
import subprocess
import tempfile
import time
from functools import partial
from pathlib import Path

import yaml
from record import keep

from rules import jobs_of

CORES = "2"
DEAREST = 8  # rules whose processor time is kept
LOCAL = "data/local.yaml"
SMOKE = ("config/smoke.yaml",)
PAPER = ("config/config.yaml", LOCAL)
KINDS = ("tables", "figures")
# Earlier versions played one recording, which no name said: the sample, and at paper scale these.
ONE_RECORDING = {"smoke": "redd", "all": "minutes-3"}
NAMES = Path(__file__).resolve().parents[1] / "fingerprints" / "names.yaml"


def snakemake(checkout: Path, folder: Path, *arguments: str, config: tuple[str, ...]) -> str:
    """What one call of Snakemake prints."""
    binaries = checkout / ".venv" / "bin"
    profile = ("--workflow-profile", "workflow/profiles/default", "--cores", CORES)
    environment = os.environ | {"PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # some images set it, and few users do
    return subprocess.run(
        [binaries / "snakemake", *profile, *arguments, "--configfile", *config],
        cwd=folder,
        env=environment,
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ).stdout


def run(
    checkout: Path, folder: Path, *arguments: str, config: tuple[str, ...] = SMOKE
) -> dict[str, float]:
    """Wall and processor time of one call of Snakemake."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    snakemake(checkout, folder, *arguments, config=config)
    wall_s, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    processor_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"wall_s": round(wall_s, 1), "processor_s": round(processor_s, 1)}


def measure(
    checkout: Path, earlier: set[str], data: Path | None = None
) -> tuple[dict[str, object], set[str]]:
    """One turn of one version, and what it made; ``earlier`` is what the earlier one made.

    The smoke run and a dry run; or, with a folder of datasets, every experiment at paper scale.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = cloned(checkout, name)
        if data is None:
            target, config = "smoke", SMOKE
            turn = {"smoke": run(checkout, folder, target), "jobs": jobs_in(folder)}
            turn["dry"] = run(checkout, folder, target, "--dry-run")
        else:
            target, config = "all", PAPER
            locate(checkout, folder, data)
            turn = {"paper": run(checkout, folder, target, config=config)}
            turn["jobs"] = jobs_in(folder)
        took = jobs_of(folder / "logs").groupby("rule")["processor_s"].sum()
        turn["rules"] = took.nlargest(DEAREST).round(1).to_dict()
        turn["added"] = added(checkout, folder, target, earlier, config)
        made = made_in(folder)
        return turn, made | {f"{name}_{ONE_RECORDING[target]}" for name in made}


def locate(checkout: Path, folder: Path, data: Path) -> None:
    """Write the keys of the datasets that are in a folder."""
    # Earlier versions call the package of the data so.
    package = "datasets" if (folder / "workflow/noiseless/datasets").is_dir() else "data"
    subprocess.run(
        [checkout / ".venv/bin/python", "-m", f"noiseless.{package}.local", data, LOCAL],
        cwd=folder,
        check=True,
        stdout=subprocess.DEVNULL,
    )


def made_in(folder: Path) -> set[str]:
    """Tables and figures of a run, as the later version calls them."""
    results, names = folder / "results", yaml.safe_load(NAMES.read_text(encoding="utf-8"))
    return {
        f"{kind}/{names.get(kind, {}).get(name, name)}"
        for kind in KINDS
        for path in (results / kind).rglob("*.*")
        for name in [str(path.relative_to(results / kind).with_suffix(""))]
    }


def added(
    checkout: Path, folder: Path, target: str, earlier: set[str], config: tuple[str, ...]
) -> dict[str, float]:
    """Jobs that make tables or figures, none of which was made earlier, and what they took."""
    if not earlier:
        return {"jobs": 0, "processor_s": 0.0}
    made: dict[str, set[str]] = {}
    listed = snakemake(checkout, folder, target, "--summary", config=config).splitlines()
    for row in csv.DictReader(listed, delimiter="\t"):
        parts = Path(row["output_file"]).with_suffix("").parts
        if parts[0] == "results" and parts[1] in KINDS:
            made.setdefault(row["log-file(s)"], set()).add("/".join(parts[1:]))
    took = [
        float(next(csv.DictReader(lines, delimiter="\t"))["cpu_time_s"])
        for log, names in made.items()
        if not names & earlier
        for lines in [(folder / log).with_suffix(".tsv").read_text().splitlines()]
    ]
    return {"jobs": len(took), "processor_s": round(sum(took), 1)}


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
    parser.add_argument("--paper-turns", type=int, default=1, help="turns at paper scale")
    asked = parser.parse_args()
    sides = {"before": asked.old.resolve(), "after": asked.new.resolve()}
    turns = [measure] * asked.turns
    if asked.data:
        turns += [partial(measure, data=asked.data.resolve())] * asked.paper_turns
    found: dict[str, list] = {name: [] for name in sides}
    for turn in turns:
        made: set[str] = set()
        for name, checkout in sides.items():
            measured, made = turn(checkout, made)
            found[name].append(measured)
            print(name, measured, flush=True)
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
    keep(f"versions_{commits['before']}", {"cores": int(CORES), "commits": commits, **found})


if __name__ == "__main__":
    main()
