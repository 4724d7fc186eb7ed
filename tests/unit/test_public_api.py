"""The public names: each has examples that run, and importing the package imports nothing else."""

import ast
import dataclasses
import doctest
import functools
import itertools
import math
import re
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import noiseless as nl
from noiseless.mechanisms.families.quantizer import count_touched_bins
from noiseless.seeds import make_generator

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


def test_old_names_say_their_new_ones():
    for old, (new, version) in nl._RENAMED.items():
        assert new in nl.__all__
        assert old not in nl.__all__
        with pytest.raises(AttributeError, match=rf"noiseless\.{new} since version {version}\."):
            getattr(nl, old)


def test_names_that_have_left_say_what_to_write():
    for name, advice in nl._LEFT.items():
        assert name not in nl.__all__
        written = set(re.findall(r"(?<==)[A-Z]\w+|[A-Z]\w+(?=\.)", advice))
        assert written
        assert written <= set(nl.__all__)
        with pytest.raises(AttributeError, match=re.escape(advice)):
            getattr(nl, name)


def test_names_that_do_not_exist():
    with pytest.raises(AttributeError, match="no attribute 'Quantiser'"):
        _ = nl.Quantiser


# What the library makes and hands over.
HANDED_OVER = {
    *("ApplianceTraining", "EpsilonChoice", "MembershipView", "Guess"),
    *("LinkageView", "LinkageTraining", "MeterRelease", "MeterReports", "RawSeries"),
    *("Recording", "Training"),
}


@pytest.mark.parametrize("name", sorted(HANDED_OVER))
def test_every_field_of_what_is_handed_over_is_told(name):
    told = getattr(nl, name).__doc__
    for field in dataclasses.fields(getattr(nl, name)):
        assert re.search(rf"\b{field.name}\b", told), field.name


@pytest.mark.parametrize("name", sorted({*PUBLIC} - HANDED_OVER - {"ConfigError", "DataError"}))
def test_every_public_name_has_an_example_that_runs(name):
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
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=300
    )
    assert done.stdout.strip() == "[]"


# Second routes ------------------------------------------------------------------------------------


def test_the_examples_of_the_library_page_run(root):
    pytest.importorskip("sklearn")  # tests/installs.py runs the other examples without it
    page = root / "docs/library.md"
    found = doctest.testfile(
        str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE
    )
    assert found.failed == 0
    assert found.attempted == page.read_text(encoding="utf-8").count(">>> ") > 0


def test_a_guarantee_counts_the_bins_that_one_person_reaches():
    """As the formula says that theory/test_levels.py holds against every place of the interval."""
    for levels, people in itertools.product(range(1, 30), range(1, 12)):
        bits = nl.Quantizer(nl.Domain((0,), (1,)), levels).compute_mean_guarantee(people).bits
        reached = count_touched_bins(levels, output_range=1, sensitivity=Fraction(1, people))
        assert 2**bits == pytest.approx(reached)


def test_anonymous_and_unique_shares_are_those_of_a_count():
    rng = make_generator(1, "shares")
    table = pd.DataFrame({"a": rng.integers(0, 9, 60), "b": rng.choice(["x", None], 60)})
    counts = Counter(map(tuple, table.astype(object).where(table.notna(), "missing").to_numpy()))
    for k in (1, 2, 3, 5):
        expected = sum(count for count in counts.values() if count >= k) / 60
        assert nl.k_anonymous_share(table, k) == pytest.approx(expected)
    assert nl.unique_share(table) == sum(count == 1 for count in counts.values()) / 60
    assert nl.unique_share(table["a"].to_numpy()) == nl.unique_share(table[["a"]])


# Containers ---------------------------------------------------------------------------------------


def test_noise_has_the_guarantee_that_its_scale_promises():
    assert nl.LaplaceMechanism(KWH, 20.0).guarantee().epsilon_nats == 0.5
    gaussian = nl.GaussianMechanism.from_budget(KWH, epsilon_nats=0.7, delta=1e-5)
    promised = gaussian.compute_guarantee(10.0, delta=1e-5)
    assert promised == gaussian.guarantee(delta=1e-5)
    assert promised.epsilon_nats == pytest.approx(0.7)
    assert nl.PlanarLaplaceMechanism(PLACES, 0.01).compute_guarantee_within(50).epsilon_nats == 0.5


# What a caller gets wrong -------------------------------------------------------------------------

BOX = nl.Box([0, 0], [1, 1])
LINEAR = nl.LinearQuery([0.5, 0.5], 0, 0.1, low=0, high=1)
HOMES = np.arange(40).reshape(8, 5)


def game(readings_wh, **given):
    """A small game on readings that are in Wh."""
    given = {"n": 2, "epsilon_bits": 1, "maximum_wh": 10, "games": 5, **given}
    return nl.play_membership_game(nl.Homes(readings_wh, in_wh=True), **given)


released = functools.partial(nl.play_released_membership_game, nl.Homes(HOMES, in_wh=True))
KWH = nl.Domain((0.0,), (10.0,), "kwh")
PLAYED = nl.Domain((0.0,), (0.01,), "kwh", people=2)
TWENTY = nl.Domain((0,), (20,), "kwh")
PLACES = nl.Domain((0, 0), (9_000, 7_000), "m", values=2)


class Broken(nl.Mechanism):
    name = "broken"
    kind = "scale"

    def release(self, values, rng):
        return np.full(values.shape, np.nan)


class Trained(nl.Adversary):
    name = "trained"
    is_trained = True

    def fit(self, training):
        return self

    def prefer(self, view):
        return view.first_bin


class Silent(nl.Adversary):
    name = "silent"


@pytest.mark.parametrize(
    ("mistake", "said"),
    [
        (lambda: nl.Quantizer(TWENTY, "4"), "`levels` of a quantizer must be a number, got '4'"),
        (
            lambda: nl.Quantizer(TWENTY, 4, clip=False).release([1, 21]),
            "the first is 21.0 at position 1",
        ),
        (
            lambda: nl.Quantizer(TWENTY, 4, clip=False).compute_mean_guarantee(0),
            "must be a whole number from 1 on, got 0",
        ),
        (lambda: nl.Quantizer(TWENTY, 4, clip=False).release(21), "1 of 1 values are outside"),
        (
            lambda: nl.Quantizer(TWENTY, 4, clip=False).release(["a"]),
            "the values must be numbers",
        ),
        (
            lambda: nl.LaplaceMechanism(KWH, 1).release([[1], [1, 2]], 1),
            "the values must be numbers",
        ),
        (lambda: nl.compute_local_levels(np.float64(0)), "epsilon is 0.0"),
        (lambda: nl.compute_local_levels("2"), "epsilon is 2, but"),
        (
            lambda: nl.compute_exact_levels(2, output_range=20, sensitivity=1),
            "must be a list of numbers",
        ),
        (lambda: nl.compute_exact_levels(2, output_range=[1], sensitivity=1), "must be 2 numbers"),
        (
            lambda: nl.compute_printed_levels(2, output_range=[0, math.inf], sensitivity=1),
            "must be finite",
        ),
        (lambda: nl.choose_epsilon(nl.FScore, 0.9), r"Give `FScore\(\)`"),
        (lambda: nl.risk(0.9, epsilon_nats=1), "`measure` must be a measure of risk, got 0.9"),
        (lambda: nl.unique_share([[[1]], [[2]]]), "hold a list|must be a table"),
        (lambda: nl.Domain(0, 20), r"Give Domain\(\(0,\), \(20,\), "),
        (lambda: nl.Domain((0,), 20), "`high` of a domain must be a tuple"),
        (lambda: nl.Domain((), ()), "one length of 1 or more"),
        (lambda: nl.Domain((0, 0), (1,)), "must have one length of 1 or more"),
        (lambda: nl.Domain((0,), (math.nan,)), "give its lower end in `low`"),
        (lambda: nl.Domain((20,), (0,)), "is not a public range"),
        (lambda: nl.Domain((0,), (20,), 4), "`unit` of a domain must be a text"),
        (lambda: nl.Domain((0,), (20,), people=0), "`people` of a domain is 0, but it must be"),
        (lambda: nl.Domain((0,), (20,), people=2.5), "`people` of a domain is 2.5"),
        (lambda: nl.Domain((0,), (20,), values=math.inf), "`values` of a domain is inf"),
        (lambda: nl.LaplaceMechanism(KWH, "1"), "noise is '1', but it must be a finite number"),
        (lambda: nl.PlanarLaplaceMechanism(PLACES, 1).release([1, 2, 3], 1), "must be pairs"),
        (lambda: nl.PublicRange(40, 140), "must be a list of numbers"),
        (lambda: nl.maximal_leakage_bits([[9, 1], [2, 8]]), "row 0 of the channel sums to 10"),
        (lambda: nl.maximal_leakage_bits([[1.5, -0.5]]), "row 0 of the channel holds -0.5"),
        (
            lambda: nl.maximal_leakage_bits([[0.5, 0.5], [1]]),
            "the rows of the channel must be numbers",
        ),
        (lambda: nl.maximal_leakage_bits([0.5, 0.5]), "rows and columns"),
        (lambda: nl.maximal_leakage_bits([[np.nan, 1.0]]), "row 0 of the channel sums to nan"),
        (lambda: nl.leakage_bits([1, 2], [1]), "one length, got 2 and 1"),
        (lambda: nl.leakage_bits([1.0, np.nan], [1, 2]), "value 1 of the secrets is missing"),
        (lambda: nl.leakage_bits([1, 2], [None, "a"]), "value 0 of the reports is missing"),
        (lambda: nl.leakage_bits([], []), "at least one"),
        (lambda: nl.unique_share([]), "there are no records"),
        (lambda: nl.k_anonymous_share([1, 2], 0), "`k` must be a whole number from 1 on, got 0"),
        (lambda: game(HOMES, in_wh=True), r"`in_wh` is said of .* give `Homes\(.*, in_wh=True\)`"),
        (
            lambda: released(HOMES[0], [True] * 4 + [False] * 4, allow_identical=True),
            r"give `Homes\(readings_wh, allow_identical=True\)`",
        ),
        (lambda: game(HOMES + 0.5), "not a whole number of Wh. If the readings are in kWh"),
        (lambda: game(-HOMES), "is negative"),
        (lambda: game(np.where(HOMES == 7, np.nan, HOMES)), "row 1, column 2 is missing"),
        (lambda: game([["a"]]), "the readings must be numbers"),
        (lambda: game(HOMES[0]), r"the shape \(5,\)"),
        (lambda: game(HOMES, n=8), "`n` must be at most 7"),
        (lambda: game(HOMES, n=1), "`n` must be a whole number from 2 on, got 1"),
        (lambda: game(HOMES, n=2.5), "`n` must be a whole number from 2 on, got 2.5"),
        (lambda: game(HOMES, epsilon_bits=0), "`epsilon_bits` must be a number above 0, got 0"),
        (lambda: game(HOMES, epsilon_bits=None), "exactly one of `epsilon_bits` and `mechanism`"),
        (
            lambda: game(HOMES, mechanism=nl.LaplaceMechanism(KWH, 1)),
            "exactly one of `epsilon_bits`",
        ),
        (lambda: game(HOMES, maximum_wh=None), "`maximum_wh` must be given"),
        (lambda: game(HOMES, epsilon_bits=None, mechanism=nl.LaplaceMechanism), "an instance"),
        (
            lambda: game(HOMES, epsilon_bits=None, mechanism=nl.PlanarLaplaceMechanism(PLACES, 1)),
            "coordinates = 2, unit = 'm', but the game plays coordinates = 1, unit = 'kwh'",
        ),
        (
            lambda: game(HOMES, epsilon_bits=None, mechanism=Broken(PLAYED, 1)),
            "finite real numbers",
        ),
        (lambda: released([1, 2], [True] * 8), r"5 finite numbers .* the shape \(1, 2\)"),
        (lambda: released(HOMES[0], [True] * 7), r"must be bool of shape \(1, 8\)"),
        (lambda: released(HOMES[0], [1] * 8), "Give True"),
        (lambda: released(HOMES[0], [True] * 8), "fewer than all 8"),
        (lambda: released(HOMES[:2], np.eye(8, dtype=bool)[:2] | (HOMES[:2, :1] > 0)), "equally"),
        (lambda: game(HOMES, adversaries=["corelation"]), "known are correlation"),
        (lambda: game(HOMES, adversaries=[7]), "noiseless.Adversary, got 7"),
        (
            lambda: game(HOMES, adversaries=[Trained]),
            "'trained' cannot play, and no other was named",
        ),
        (lambda: game(HOMES, adversaries=[nl.Adversary]), "Adversary must have a text as `name`"),
        (lambda: game(HOMES, adversaries=[Silent]), "'silent' must define `prefer`"),
        (lambda: nl.Box("01", "12"), "must be a list of numbers"),
        (
            lambda: nl.LinearQuery(0.5, 0, 0.1, 0, 1),
            "the coefficients of a regression must be a list",
        ),
        (lambda: nl.bound_realized_loss([LINEAR], [], BOX), "1 queries and 0 outputs"),
        (
            lambda: nl.answer_queries([LINEAR], ["x"], nl.BayesianFilter(1, BOX), 1),
            "the coordinates of the value must be numbers",
        ),
        (
            lambda: nl.answer_queries(["x"], [0, 0], nl.BayesianFilter(1, BOX), 1),
            "must be linear or logistic, got str",
        ),
    ],
)
def test_mistakes_are_named(mistake, said):
    with pytest.raises(nl.UserError, match=said):
        mistake()


# Steps of other libraries -------------------------------------------------------------------------


def test_an_error_of_the_user_is_caught_as_other_libraries_errors_are():
    with pytest.raises(ValueError, match="outside the public range"):
        nl.Quantizer(TWENTY, 4, clip=False).release([24.0])


# Classes that are not listed, and that users call or subclass all the same.
_THROUGH_SUBCLASSES = {"PrivacyFilter", "LossFilter", "Blurring", "BudgetQuantizer"}
_SECTION = re.compile(r"^\s*(Parameters|Returns|Raises|Yields|Attributes)\s*\n\s*-{3,}", re.M)


def test_sections_of_parameters_are_for_public_names():
    package, found = Path(nl.__file__).parent, []
    public = {(module, name) for name, module in nl._MODULES.items()}

    def look(node, is_public, module):
        for each in ast.iter_child_nodes(node):
            if isinstance(each, ast.FunctionDef | ast.ClassDef):
                known = (module, each.name) in public or each.name in _THROUGH_SUBCLASSES
                known = known or is_public
                if not known and _SECTION.search(ast.get_docstring(each, clean=False) or ""):
                    found.append(f"{module}.{each.name}")
                look(each, known, module)
            else:
                look(each, is_public, module)

    for path in sorted(package.rglob("*.py")):
        module = ".".join(path.relative_to(package).with_suffix("").parts)
        look(ast.parse(path.read_text()), False, module)
    assert not found
