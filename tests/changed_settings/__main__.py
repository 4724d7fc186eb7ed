"""Change every setting of a smoke run, and look for verdicts that turn.

    python tests/changed_settings [WORD ...]

A word chooses the keys that hold it.  It begins from the smoke run of this clone (``make``), and
makes the tables that rest on changed keys in copies of it; figures and pages are not made.  A line
names each round, its keys and seconds.  A verdict that was turned, and a run that failed with a
traceback or did not end, make the exit code 1; what a job refused in one message is printed.
Verdicts are looked at as if samples were the real data.  What reads no table is checked again where
a key says on how many cases.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "workflow")]

from changed_settings.rounds import (  # noqa: E402
    find_turned,
    list_recorded_keys,
    list_tables,
    plan_rounds,
    read_verdicts,
)
from changed_settings.variants import Variant, list_variants  # noqa: E402
from compiled_copies import copy_compiled  # noqa: E402
from earlier_run import copy_smoke_run  # noqa: E402
from noiseless.pipeline.configuration import SCHEMA, load_config, merge_changes  # noqa: E402
from noiseless.pipeline.sections import list_papers  # noqa: E402
from noiseless.settings import load_schema  # noqa: E402
from tracked_files import copy_tracked  # noqa: E402

SMOKE = ROOT / "config/smoke.yaml"
PACKAGE = Path("workflow/noiseless")
TARGETS = sorted(path.parent.name for path in (ROOT / PACKAGE).glob("papers/*/__init__.py"))
ON_CASES = ("sizes", "statements.")  # keys that what reads no table rests on
TIMEOUT_S = 1200  # a round that takes longer holds a setting that makes a run endless


def main() -> None:
    """Run all rounds, or those of some keys; print a line for each, and each fault below it."""
    words = sys.argv[1:]
    if not (ROOT / "results/ledger.parquet").is_file():
        sys.exit("There is no smoke run here to begin from. Run make first.")
    config = load_config(SMOKE)
    variants = [
        each
        for each in list_variants(config, load_schema(SCHEMA))
        if not words or any(word in each.key for word in words)
    ]
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        unchanged, changed = Path(folder) / "unchanged", Path(folder) / "changed"
        copy_clone(ROOT, unchanged)
        if problem := run_targets(unchanged, {}, TARGETS):  # what a copy lacks, and `beyond`
            sys.exit(f"The run without a changed setting failed: {problem}")
        before = read_verdicts(unchanged / "results")
        rounds = plan_rounds(variants, list_recorded_keys(unchanged / "results"))
        print(
            f"{len({key for each in rounds for key in each})} keys, "
            f"{sum(map(len, rounds))} values, {len(rounds)} rounds",
            flush=True,
        )
        for number, variants_by_key in enumerate(rounds, start=1):
            started = time.monotonic()
            copy_clone(unchanged, changed)
            lines = play_round(changed, variants_by_key, before)
            shutil.rmtree(changed)
            faults += len(lines)
            said = ", ".join(f"{key} = {each.value!r}" for key, each in variants_by_key.items())
            head = f"{number}. {time.monotonic() - started:.0f} s: {said[:2000]}"
            print(head, *lines, sep="\n    ", flush=True)
    print(f"{faults} verdicts turned, or runs failed or not ended")
    sys.exit(faults > 0)


def copy_clone(clone: Path, folder: Path) -> None:
    """Copy a clone with its smoke run, and what was slowly compiled, to a new folder."""
    if clone == ROOT:
        copy_tracked(clone, folder)
        copy_smoke_run(clone, folder)
    else:
        shutil.copytree(clone, folder, symlinks=True)
    copy_compiled(clone / PACKAGE, folder / PACKAGE)


def play_round(clone: Path, changed: Mapping[str, Variant], before) -> list[str]:
    """Make everything with some keys changed; return a line for each fault."""
    overlay: dict = {}
    for variant in changed.values():
        overlay = merge_changes(overlay, variant.overlay)
    targets = [str(path.relative_to(clone)) for path in list_tables(clone / "results")]
    if any(key.startswith(ON_CASES) for key in changed):
        targets += [f"results/findings/{paper}.json" for paper in list_papers()]
    problem = run_targets(clone, overlay, targets)
    lines = find_turned(before, read_verdicts(clone / "results", overlay), changed)
    said = (clone / "output.txt").read_text(encoding="utf-8", errors="replace")
    refused = re.findall(r"^error: .*", said, re.M)
    if problem and refused and "Traceback" not in said:
        print(*refused, sep="\n", flush=True)
        problem = None
        lines = [each for each in lines if "There is no table" not in each]  # for it was refused
    return lines if problem is None else [*lines, problem]


def run_targets(clone: Path, overlay: Mapping, targets: Sequence[str]) -> str | None:
    """Make targets with an overlay of the smoke run; return why it failed, if it did."""
    (clone / "changed.yaml").write_text(yaml.safe_dump(dict(overlay)), encoding="utf-8")
    command = [
        *(sys.executable, "-m", "snakemake", "--workflow-profile", "workflow/profiles/default"),
        # What one job refuses leaves the others of the round to be looked at.
        *("--keep-going", "--cores", "2", *targets),
        *("--configfile", "config/smoke.yaml", "changed.yaml"),
    ]
    with (clone / "output.txt").open("w") as output:
        run = subprocess.Popen(
            command,
            cwd=clone,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            code = run.wait(TIMEOUT_S)
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)  # with its jobs
            run.wait()
            return f"the run did not end within {TIMEOUT_S} s"
    said = (clone / "output.txt").read_text(encoding="utf-8", errors="replace")
    return None if code == 0 else f"the run failed: {said[-2000:]}"


if __name__ == "__main__":
    main()
