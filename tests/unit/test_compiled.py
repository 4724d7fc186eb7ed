"""Compiled functions, and what stands in for them where numba is not installed."""

import ast
import os
import shutil
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from compiled_copies import copy_compiled
from noiseless import compiled
from noiseless.accounting import second_order
from noiseless.accounting.branch_and_bound import LOGIT
from noiseless.compiled import IS_COMPILED, compile_njit, copy_into

PLAIN = """
import sys, warnings
sys.modules["numba"] = None
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    from noiseless import compiled
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
    """Folders are made unwritable in a way that holds for root, too.

    Met by others: numba/numba#4032, #5566, #4908; LMCache/LMCache#4597; polakowo/vectorbt#476.
    """
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
    [line] = unkept.stderr.splitlines()
    assert line.startswith("noiseless:0: RuntimeWarning: neither the package's folder nor")
    assert "what numba compiles is not kept" in unkept.stderr
    assert kept.stderr == ""


def test_other_problems_of_numba_are_told():
    pytest.importorskip("numba")
    with pytest.raises(TypeError, match="not a function"):
        compile_njit(cache=True)(abs)


needs_numba = pytest.mark.skipif(not IS_COMPILED, reason="numba is not installed")
SIDES = {
    "inner": "def triple(x): return 3 * x",
    "outer": "def add_one(x): return triple(x) + 1",
}


def run_python(code, folder, **environment):
    """The words that a Python of its own prints, which finds modules in a folder."""
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env={**os.environ, "PYTHONPATH": str(folder), **environment},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    ).stdout.split()


@pytest.fixture
def small_package(root, tmp_path):
    """A package with this one's way to compile, and a function that calls one of another module."""
    package = tmp_path / "noiseless"
    package.mkdir()
    (package / "__init__.py").touch()
    shutil.copy(root / "workflow/noiseless/compiled.py", package)
    for name, function in SIDES.items():
        other = "from noiseless.inner import triple\n" if name == "outer" else ""
        (package / f"{name}.py").write_text(
            f"from noiseless.compiled import compile_njit\n{other}"
            f"@compile_njit(cache=True)\n{function}\n"
        )
    return package


ASK = """
from noiseless import outer
print(outer.add_one(5), sum(outer.add_one.stats.cache_hits.values()))
print(outer.add_one.stats.cache_path)
"""


@needs_numba
def test_a_change_of_what_a_compiled_function_calls_is_compiled_into_it(small_package):
    """numba itself looks at the file of the outer function alone, which stays."""
    cache = small_package / "__pycache__"
    assert run_python(ASK, small_package.parent)[:2] == ["16", "0"]
    *found, folder = run_python(ASK, small_package.parent)
    assert found == ["16", "1"]
    assert folder.startswith(f"{cache}/compiled_")
    [old] = cache.glob("compiled_*")
    inner = small_package / "inner.py"
    inner.write_text(inner.read_text().replace("3 * x", "4 * x"))
    assert run_python(ASK, small_package.parent)[:2] == ["21", "0"]
    # What was compiled of the old code is gone.
    [new] = cache.glob("compiled_*")
    assert new != old


@needs_numba
@pytest.mark.parametrize("name", ["numba", "llvmlite", "np"])
def test_another_compiler_or_numpy_has_a_folder_of_its_own(name, tmp_path, monkeypatch):
    before = compiled._make_folder("compiled_", "c0de", beside=tmp_path)
    monkeypatch.setattr(getattr(compiled, name), "__version__", "0.0.7")
    after = compiled._make_folder("compiled_", "c0de", beside=tmp_path)
    assert before != after
    assert before.parent == after.parent == tmp_path / "__pycache__/compiled_c0de"


@needs_numba
def test_where_the_packages_folder_cannot_be_written_the_home_keeps_it(small_package, tmp_path):
    """Under the same digest: there, too, no old code is found."""
    (small_package / "__pycache__").touch()
    home = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    assert run_python(ASK, small_package.parent, **home)[:2] == ["16", "0"]
    *found, folder = run_python(ASK, small_package.parent, **home)
    assert found == ["16", "1"]
    assert folder.startswith(f"{tmp_path}/cache/noiseless_")
    inner = small_package / "inner.py"
    inner.write_text(inner.read_text().replace("3 * x", "4 * x"))
    assert run_python(ASK, small_package.parent, **home)[:2] == ["21", "0"]
    assert len(list((tmp_path / "cache").glob("*/compiled_*"))) == 1


@needs_numba
def test_a_users_own_functions_are_kept_where_they_were(small_package, tmp_path):
    (tmp_path / "theirs.py").write_text(
        "import numba\n@numba.njit(cache=True)\ndef f(x): return x\n"
    )
    print_place = "from noiseless import outer\nimport theirs\nprint(theirs.f.stats.cache_path)"
    assert run_python(print_place, tmp_path) == [str(tmp_path / "__pycache__")]


MAXIMISE = """
import numpy as np
from noiseless.accounting import second_order
from noiseless.accounting.branch_and_bound import LOGIT
rows = np.array([[0.9, -0.4], [0.3, 0.8], [-0.7, 0.5]])
print(*second_order.maximise(
    np.full(3, LOGIT), np.full(3, 0.5), rows, np.zeros(3), np.zeros(2, np.int64),
    np.zeros((2, 0)), np.full((1, 2), 0.5), 1e-3, 1000,
)[:2])
"""


@needs_numba
@pytest.mark.slow  # the bound is compiled
def test_a_bound_is_that_of_the_terms_as_they_are(root, tmp_path):
    """Terms that are twice as large have bounds that are, where the old code was compiled."""
    rows = np.array([[0.9, -0.4], [0.3, 0.8], [-0.7, 0.5]])
    found = second_order.maximise(
        *(np.full(3, LOGIT), np.full(3, 0.5), rows, np.zeros(3), np.zeros(2, np.int64)),
        *(np.zeros((2, 0)), np.full((1, 2), 0.5), 1e-3, 1000),
    )
    package = tmp_path / "noiseless"
    shutil.copytree(root / "workflow/noiseless", package)
    copy_compiled(root / "workflow/noiseless", package)
    module = package / "accounting/branch_and_bound.py"
    source = module.read_text(encoding="utf-8")
    head, separator, tail = source.partition("def evaluate_term(")
    body, end, rest = tail.partition("\n\n\n")
    doubled = body.replace("return -", "return -2 * ").replace("return math", "return 2 * math")
    assert doubled.count("2 *") == 3
    module.write_text(head + separator + doubled + end + rest, encoding="utf-8")
    lower, upper = map(float, run_python(MAXIMISE, tmp_path))
    assert (lower, upper) == pytest.approx((2 * found[0], 2 * found[1]), rel=1e-9)


@needs_numba
def test_compiled_functions_use_only_modules_of_the_digest(root):
    """Names from other modules of the package would be compiled in without being in the digest."""
    package, used = root / "workflow/noiseless", []
    for path in package.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        tree = ast.parse(source)
        decorators = {"compile_njit"} | {
            target.id
            for node in tree.body
            if isinstance(node, ast.Assign) and "compile_njit" in ast.unparse(node.value)
            for target in node.targets
        }
        imported = {
            alias.asname or alias.name: node.module
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("noiseless")
            for alias in node.names
        }
        for node in ast.walk(tree):
            if not isinstance(node, ast.FunctionDef):
                continue
            names = {ast.unparse(each).partition("(")[0] for each in node.decorator_list}
            if names & decorators:
                used += [
                    (path.name, node.name, imported[each.id], each.id)
                    for each in ast.walk(node)
                    if isinstance(each, ast.Name) and each.id in imported
                ]
    assert len(used) > 20
    defined = {
        ".".join(path.relative_to(package.parent).with_suffix("").parts): {
            each.id
            for node in ast.parse(path.read_text(encoding="utf-8")).body
            for each in ast.walk(node)
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
        }
        | {
            node.name
            for node in ast.parse(path.read_text(encoding="utf-8")).body
            if isinstance(node, ast.FunctionDef | ast.ClassDef)
        }
        for path in compiled._list_compiled_modules()
    }
    assert [each for each in used if each[3] not in defined.get(each[2], ())] == []
