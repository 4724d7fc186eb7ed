"""Functions that numba compiles, in several processes at once."""

import fcntl
import subprocess
import sys
import textwrap

import pytest

pytest.importorskip("numba")

LOOPS = """
from noiseless.compiled import njit


@njit(cache=True)
def total(numbers):
    found = 0.0
    for number in numbers:
        found += number
    return found


@njit(cache=True)
def twice(numbers):
    return total(numbers) + total(numbers)


print("begins", flush=True)
print(twice((1.0, 2.0)), sum(twice.stats.cache_misses.values()), flush=True)
"""


@pytest.mark.slow
def test_one_process_compiles_and_the_others_wait(tmp_path):
    """All have begun while the test itself holds the lock: who does not wait compiles."""
    script = tmp_path / "loops.py"
    script.write_text(textwrap.dedent(LOOPS))
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import loops"
    with script.open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        processes = [
            subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
            for _ in range(3)
        ]
        assert [process.stdout.readline() for process in processes] == ["begins\n"] * 3
    said = [process.communicate(timeout=120)[0].split() for process in processes]
    assert [value for value, _ in said] == ["6.0"] * 3
    assert sorted(misses for _, misses in said) == ["0", "0", "1"]
