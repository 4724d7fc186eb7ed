"""``python tests/type_errors.py``: check the types, and hold the errors against a list.

The packages of :data:`CLEAN` have no error.  ``type_errors.yaml`` says how many each other file
has, and may only shrink: more errors fail, and so do fewer, until ``--write`` has taken them from
the list.  A client of the library (:data:`CLIENT`) has none at all, in mypy's strict mode.
"""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
LIST = ROOT / "tests" / "type_errors.yaml"
PACKAGE = "workflow/noiseless/"
CLEAN = ("accounting", "adversaries", "games", "mechanisms", "statistics.py", "theory")
# A caller's program, whose own code must have no error by mypy's strictest options.
CLIENT = "tests/typed_client.py"
STRICT = ("--strict", "--config-file=", "--python-version=3.11", "--ignore-missing-imports")
_HEAD = "# Errors of mypy in each file, which may only become fewer; see type_errors.py.\n"


def is_clean(file: str) -> bool:
    """Whether a file of the package, named from its folder, belongs to what has no error."""
    return file.split("/")[0] in CLEAN


def listed() -> dict[str, int]:
    """How many errors each file may have."""
    return yaml.safe_load(LIST.read_text(encoding="utf-8")) or {}


def counted(output: str) -> Counter:
    """How many errors mypy has found in each file.

    Raises
    ------
    ValueError
        If an error is outside the package.
    """
    errors = Counter()
    for line in output.splitlines():
        if found := re.match(r"([^:]+):\d+: error: ", line):
            if not found[1].startswith(PACKAGE):
                raise ValueError(line)
            errors[found[1].removeprefix(PACKAGE)] += 1
    return errors


def differences(found: dict[str, int], allowed: dict[str, int]) -> list[str]:
    """What is not as the list says, a sentence for each file."""
    told = []
    for file in sorted({*found, *allowed}):
        now, before = found.get(file, 0), allowed.get(file, 0)
        if now > before:
            told.append(f"{file}: {now} errors, where {before} are allowed.")
        elif now < before:
            told.append(f"{file}: {now} errors, fewer than {before}: `--write` shortens the list.")
    return told


def shortened(found: dict[str, int], allowed: dict[str, int]) -> dict[str, int]:
    """The list without the errors that are no more."""
    kept = {file: min(before, found.get(file, 0)) for file, before in sorted(allowed.items())}
    return {file: errors for file, errors in kept.items() if errors}


def main() -> None:
    """Print the errors of files that have too many, and what differs from the list."""
    done = subprocess.run(
        [sys.executable, "-m", "mypy"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode not in (0, 1):
        sys.exit(done.stdout + done.stderr)
    strictly = [sys.executable, "-m", "mypy", *STRICT, CLIENT]
    client = subprocess.run(strictly, cwd=ROOT, capture_output=True, text=True, check=False)
    if told := [line for line in client.stdout.splitlines() if line.startswith(CLIENT)]:
        sys.exit("\n".join(told))
    found, allowed = counted(done.stdout), listed()
    if "--write" in sys.argv[1:]:
        allowed = shortened(found, allowed)
        LIST.write_text(_HEAD + yaml.safe_dump(allowed), encoding="utf-8")
    for line in done.stdout.splitlines():
        file = line.split(":")[0].removeprefix(PACKAGE)
        if found[file] > allowed.get(file, 0):
            print(line)
    told = differences(found, allowed)
    print(*told, f"{sum(found.values())} errors in {len(found)} files.", sep="\n")
    sys.exit(bool(told))


if __name__ == "__main__":
    main()
