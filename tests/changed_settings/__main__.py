"""Change every setting of a smoke run, and look for verdicts that turn.

    python tests/changed_settings [WORD ...]

A word chooses the keys that hold it.  It begins from the smoke run of this clone (``make``), works
in a copy, and takes one to two hours for all keys on two cores.  A line names each round, its keys
and seconds; a verdict that was turned, or a run that did not end, makes the exit code 1.
"""

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "workflow")]

from changed_settings.rounds import (  # noqa: E402
    find_turned,
    list_recorded_keys,
    plan_rounds,
    read_verdicts,
)
from changed_settings.variants import Variant, list_variants  # noqa: E402
from installs import copy_tracked  # noqa: E402
from noiseless.pipeline.configuration import SCHEMA, load_config, merge_changes  # noqa: E402
from noiseless.settings import load_schema  # noqa: E402

SMOKE = ROOT / "config/smoke.yaml"
TIMEOUT_S = 900  # a round that takes longer holds a setting that makes a run endless


def main() -> None:
    """Run all rounds, or those of some keys; print a line for each, and each turned verdict."""
    words = sys.argv[1:]
    if not (ROOT / "results/ledger.parquet").is_file():
        sys.exit("There is no smoke run here to begin from. Run make first.")
    config = load_config(SMOKE)
    variants = [
        each
        for each in list_variants(config, load_schema(SCHEMA))
        if not words or any(word in each.key for word in words)
    ]
    rounds = plan_rounds(variants, list_recorded_keys(ROOT / "results"))
    print(
        f"{len({each.key for each in variants})} keys, {len(variants)} values, {len(rounds)} rounds"
    )
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        clone = copy_run(Path(folder) / "clone")
        ledgers = [
            f"results/ledger/{path.name}" for path in (clone / "results/ledger").glob("*.parquet")
        ]
        run_ledgers(clone, ledgers, {})  # what a copy has to make again
        before = read_verdicts(clone / "results")
        for number, changed in enumerate(rounds, start=1):
            started = time.monotonic()
            lines = play_round(clone, ledgers, changed, before)
            faults += len(lines)
            said = ", ".join(f"{key} = {each.value!r}" for key, each in changed.items())
            print(
                f"{number}. {time.monotonic() - started:.0f} s: {said[:2000]}",
                *lines,
                sep="\n    ",
                flush=True,
            )
    print(f"{faults} verdicts turned or runs not ended")
    sys.exit(faults > 0)


def copy_run(clone: Path) -> Path:
    """Copy what git would commit of this clone, and its smoke run."""
    copy_tracked(clone)
    for folder in (".snakemake", "data", "logs", "results"):
        shutil.copytree(ROOT / folder, clone / folder, dirs_exist_ok=True)
    return clone


def play_round(clone: Path, ledgers: list[str], changed: dict[str, Variant], before) -> list[str]:
    """Judge all claims with some keys changed; return a line for each fault."""
    overlay: dict = {}
    for variant in changed.values():
        overlay = merge_changes(overlay, variant.overlay)
    try:
        output = run_ledgers(clone, ledgers, overlay)
    except subprocess.TimeoutExpired:
        return [f"the run did not end within {TIMEOUT_S} s"]
    lines = find_turned(before, read_verdicts(clone / "results"), changed)
    return lines if output is None else [*lines, f"the run failed: {output[-600:]}"]


def run_ledgers(clone: Path, ledgers: list[str], overlay: dict) -> str | None:
    """Make all ledgers with an overlay of the smoke run; return what a failed run printed."""
    (clone / "changed.yaml").write_text(yaml.safe_dump(overlay), encoding="utf-8")
    command = [
        *(sys.executable, "-m", "snakemake", "--workflow-profile", "workflow/profiles/default"),
        *("--cores", "2", "--keep-going", *ledgers),
        *("--configfile", "config/smoke.yaml", "changed.yaml"),
    ]
    done = subprocess.run(
        command,
        cwd=clone,
        timeout=TIMEOUT_S,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return None if done.returncode == 0 else done.stdout


if __name__ == "__main__":
    main()
