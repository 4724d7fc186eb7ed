"""``versions.py OLD NEW [TURNS]``: two versions of the project, measured in turn.

Each is a checkout with its own ``.venv``.  What is measured runs in fresh clones of them, in which
nothing has been compiled: the smoke run, and a dry run after it (what reading the rules takes).
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from record import keep

CORES = "2"


def run(checkout: Path, folder: Path, *arguments: str) -> dict[str, float]:
    """Wall and processor time of one call of Snakemake."""
    binaries = checkout / ".venv" / "bin"
    profile = ("--workflow-profile", "workflow/profiles/default", "--cores", CORES)
    environment = os.environ | {"PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}"}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [binaries / "snakemake", *profile, *arguments, "--configfile", "config/smoke.yaml"],
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
        folder = Path(name) / "clone"
        subprocess.run(["git", "clone", "-q", checkout, folder], check=True)
        smoke = run(checkout, folder, "smoke")
        jobs = len(list((folder / "logs").rglob("*.log")))
        return {"smoke": smoke, "jobs": jobs, "dry": run(checkout, folder, "smoke", "--dry-run")}


def main() -> None:
    """See the module."""
    old, new = (Path(each).resolve() for each in sys.argv[1:3])
    turns = int(sys.argv[3]) if len(sys.argv) > 3 else 2
    found: dict[str, list] = {"before": [], "after": []}
    for _ in range(turns):
        for name, checkout in (("before", old), ("after", new)):
            found[name].append(measure(checkout))
            print(name, found[name][-1], flush=True)
    commits = {
        name: subprocess.run(
            ["git", "rev-parse", "--short=7", "HEAD"],
            cwd=checkout,
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
        for name, checkout in (("before", old), ("after", new))
    }
    keep("versions", {"cores": int(CORES), "commits": commits, **found})


if __name__ == "__main__":
    main()
