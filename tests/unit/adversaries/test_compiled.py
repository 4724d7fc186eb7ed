"""Compiled functions, and what stands in for them where numba is not installed."""

import subprocess
import sys

import numpy as np

from noiseless.adversaries.compiled import copy_into

PLAIN = """
import sys, warnings
sys.modules["numba"] = None
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    from noiseless.adversaries import compiled
@compiled.njit(cache=True)
def double(x):
    return 2 * x
target = [0, 0]
compiled.copy_into(target, [3, 4])
print(compiled.IS_COMPILED, double(4), target, *(each.message for each in said))
"""


def test_values_are_copied():
    target, source = np.zeros(5), np.arange(5.0)
    copy_into(target, source)
    np.testing.assert_array_equal(target, source)


def test_without_numba_functions_run_as_plain_python_and_say_so():
    found = subprocess.run(
        [sys.executable, "-c", PLAIN], capture_output=True, text=True, check=True, timeout=60
    )
    assert found.stdout.startswith("False 8 [3, 4] numba is not installed")
