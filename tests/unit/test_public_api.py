"""The public names: each has examples that run, and importing the package imports nothing else."""

import ast
import doctest
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import noiseless as nl

PUBLIC = sorted(nl.__all__)


def test_type_checkers_see_the_same_names():
    root = Path(nl.__file__).parent
    stub = ast.parse((root / "__init__.pyi").read_text())
    imported = {
        alias.name: node.module
        for node in stub.body
        if isinstance(node, ast.ImportFrom) and node.module.startswith("noiseless.")
        for alias in node.names
    }
    listed = next(
        ast.literal_eval(node.value)
        for node in stub.body
        if isinstance(node, ast.Assign) and node.targets[0].id == "__all__"
    )
    assert imported == {name: f"noiseless.{module}" for name, module in nl._MODULES.items()}
    assert listed == PUBLIC
    assert set(PUBLIC) <= set(dir(nl))
    assert (root / "py.typed").is_file()


def test_names_that_do_not_exist():
    with pytest.raises(AttributeError, match="no attribute 'Quantiser'"):
        _ = nl.Quantiser


@pytest.mark.parametrize("name", PUBLIC)
def test_examples(name):
    module = import_module(f"noiseless.{nl._MODULES[name]}")
    tests = doctest.DocTestFinder(recurse=False).find(
        getattr(nl, name), name, module, globs=dict(vars(module))
    )
    examples = [example for test in tests for example in test.examples]
    assert examples, f"{name} has no example"
    runner = doctest.DocTestRunner(
        optionflags=doctest.NORMALIZE_WHITESPACE | doctest.FAIL_FAST, verbose=False
    )
    for test in tests:
        runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


def test_importing_the_package_imports_nothing_heavy():
    heavy = ("numpy", "scipy", "pandas", "numba", "matplotlib", "sklearn", "snakemake", "yaml")
    code = (
        "import sys, noiseless; noiseless.UserError; "
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.strip() == "[]"
