"""Compiled functions, and what stands in for them where numba is not installed."""

import os
import shutil
import subprocess
import sys

import numpy as np
import pytest

from noiseless.adversaries.compiled import compile_njit, copy_into

PLAIN = """
import sys, warnings
sys.modules["numba"] = None
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    from noiseless.adversaries import compiled
@compiled.compile_njit(cache=True)
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
        [sys.executable, "-c", PLAIN], capture_output=True, text=True, check=True, timeout=300
    )
    assert found.stdout.startswith("False 8 [3, 4] numba is not installed")


README = """
import noiseless
homes_wh = [[7000, 9000, 400], [500, 4500, 700], [300, 1000, 6000], [1000, 600, 5000]]
print(noiseless.play_membership_game(homes_wh, n=2, epsilon_bits=3, maximum_wh=10_000, rng=1))
"""


@pytest.mark.slow  # everything is compiled twice
def test_where_nothing_can_be_kept_one_line_says_so_and_the_answer_is_the_same(root, tmp_path):
    """Folders are made unwritable in a way that holds for root, too."""
    package = tmp_path / "noiseless"
    shutil.copytree(
        root / "workflow/noiseless", package, ignore=shutil.ignore_patterns("__pycache__")
    )
    for folder in [package, *(path for path in package.rglob("*") if path.is_dir())]:
        (folder / "__pycache__").touch()
    nowhere = {"HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null", "PYTHONPATH": str(tmp_path)}

    def run(**environment):
        return subprocess.run(
            [sys.executable, "-c", README],
            env={**os.environ, **nowhere, **environment},
            capture_output=True,
            text=True,
            check=True,
        )

    unkept, kept = run(), run(NUMBA_CACHE_DIR=str(tmp_path / "kept"))
    assert unkept.stdout == kept.stdout != ""
    assert unkept.stderr.count("RuntimeWarning") == 1
    assert "what numba compiles is not kept" in unkept.stderr
    assert kept.stderr == ""


def test_other_problems_of_numba_are_told():
    pytest.importorskip("numba")
    with pytest.raises(TypeError, match="not a function"):
        compile_njit(cache=True)(abs)
