"""``python tests/faults [SEED ...]``: everything that once went wrong, and faults at random.

1. The tests that ``cases.yaml`` names, each case by its name.
2. The library's functions, called with odd arguments (``tests/odd_arguments.py``).
3. For each seed (1, 2 and 3 if none is given): bits flipped in every table, and jobs and runs that
   are killed at random times.

Fails if a case is wrong, or if there was nothing to try it with.
"""

import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import yaml

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SEEDS = ("1", "2", "3")
RANDOM = ("unit/test_random_kills.py", "workflow/test_random_faults.py")
SIZES = {"FAULTS_COUNT": "5", "FAULTS_RUNS": "3"}


def load_cases() -> list[dict]:
    """The cases: ``name``, ``was`` and ``tests``."""
    return yaml.safe_load((HERE / "cases.yaml").read_text(encoding="utf-8"))["cases"]


def function(test: ElementTree.Element) -> str:
    """File and function of a test in pytest's report, as a case names it."""
    file = test.get("classname").removeprefix("tests.").replace(".", "/") + ".py"
    return f"{file}::{test.get('name').split('[')[0]}"


def outcome(test: ElementTree.Element) -> str:
    """``right``, ``wrong`` or ``skipped``."""
    kinds = {child.tag for child in test}
    if kinds & {"failure", "error"}:
        return "wrong"
    return "skipped" if "skipped" in kinds else "right"


def run(tests: list[str], seed: str) -> dict[str, Counter]:
    """What came of each test function: how often right, wrong and skipped."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", f"--junitxml={report}"]
        environment = {**os.environ, **SIZES, "FAULTS_SEED": seed}
        paths = [f"tests/{test}" for test in tests]
        subprocess.run([*command, *paths], cwd=ROOT, env=environment, check=False)
        found: dict[str, Counter] = {}
        for test in ElementTree.parse(report).iter("testcase"):
            found.setdefault(function(test), Counter())[outcome(test)] += 1
    return found


def verdict(found: dict[str, Counter], tests: list[str]) -> str:
    """``wrong`` if a test is, or none of them ran; else ``right``."""
    total = sum((found.get(test, Counter()) for test in tests), Counter())
    return "right" if total["right"] and not total["wrong"] else "wrong"


def main() -> None:
    """See the module."""
    seeds, cases = sys.argv[1:] or SEEDS, load_cases()
    found = run(sorted({test for case in cases for test in case["tests"]}), seeds[0])
    verdicts = {case["name"]: verdict(found, case["tests"]) for case in cases}
    lines = [f"{each:6} {name}" for name, each in verdicts.items()]
    odd = subprocess.run([sys.executable, HERE.parent / "odd_arguments.py"], cwd=ROOT, check=False)
    verdicts["odd arguments"] = "wrong" if odd.returncode else "right"
    lines.append(f"{verdicts['odd arguments']:6} the library's functions with odd arguments")
    for seed in seeds[1:]:
        drawn = run(list(RANDOM), seed)
        verdicts[f"seed {seed}"] = verdict(drawn, list(drawn))
        lines.append(f"{verdicts[f'seed {seed}']:6} faults at random, seed {seed}")
    wrong = sum(each == "wrong" for each in verdicts.values())
    print(*lines, f"{len(verdicts)} cases, {wrong} wrong.", sep="\n")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
