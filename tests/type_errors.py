"""``python tests/type_errors.py``: check the types of the package, and of a client of the library.

mypy finds no error in the package.  The client (:data:`CLIENT`) has none in mypy's strict mode.
"""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# A caller's program, whose own code must have no error by mypy's strictest options.
CLIENT = "tests/typed_client.py"
STRICT = ("--strict", "--config-file=", "--python-version=3.11", "--ignore-missing-imports")
# Where either wrote into the other's cache, both would begin from nothing, every time.
APART = "--cache-dir=.mypy_cache/strict"


def run_mypy(*arguments: str) -> list[str]:
    """Run mypy at the root, and return the lines that it printed.

    Raises
    ------
    SystemExit
        If mypy itself fails; the message has what it printed.
    """
    command = [sys.executable, "-m", "mypy", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(done.stdout + done.stderr)
    return done.stdout.splitlines()


def find_errors(lines: list[str], file: str = "") -> list[str]:
    """Select the errors among the lines that mypy printed: all, or those of one file."""
    return [line for line in lines if ": error: " in line and line.startswith(file)]


def main() -> None:
    """Print the errors, and end with 1 if there is any."""
    with ThreadPoolExecutor() as pool:
        client = pool.submit(run_mypy, *STRICT, APART, CLIENT)
        lines = run_mypy()
        errors = find_errors(lines) + find_errors(client.result(), CLIENT)
    print(*errors, lines[-1], sep="\n")
    sys.exit(bool(errors))


if __name__ == "__main__":
    main()
