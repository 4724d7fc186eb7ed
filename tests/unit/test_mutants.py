"""A sample of the mutants: breaking the code changes the verdict that judges it."""

import ast
import random
import subprocess
import sys

import pytest

from noiseless.pipeline.sections import list_papers
from noiseless.statements.registry import load_statements

MUTANTS = "tests/mutants"


@pytest.fixture(scope="module")
def harness(root):
    sys.path.insert(0, str(root / MUTANTS))
    try:
        import harness

        yield harness
    finally:
        sys.path.remove(str(root / MUTANTS))


@pytest.fixture(scope="module")
def places(harness):
    import places

    return places


def code(source):
    return ast.dump(ast.parse(source))


@pytest.mark.slow
def test_rows_can_be_used(harness, root):
    """Every expression stands once in its function, and every statement is there."""

    package = root / "workflow" / "noiseless"
    known = {each.id for each in load_statements(list_papers())}
    mutants = harness.read_mutants()
    assert len({each.name for each in mutants}) == len(mutants)
    for each in mutants:
        each.applied(package)
        statements = {name.partition("/")[0] for name in each.claims}
        assert statements <= known, each.name


def test_a_row_that_finds_no_place_is_one_message(harness, root):
    package = root / "workflow" / "noiseless"
    gone = harness.Mutant("gone", "noiseless.statistics.gone", "a", "b", ("toy-1",))
    with pytest.raises(ValueError, match=r"gone \(noiseless.statistics.gone\): `gone` is defined"):
        gone.applied(package)
    for name in ("noiseless.nowhere.f", "numpy.f", "noiseless.statistics", "noiseless"):
        nowhere = harness.Mutant("nowhere", name, "a", "b", ("toy-1",))
        with pytest.raises(ValueError, match="no module of noiseless holds"):
            nowhere.applied(package)


MODULE = """
LIMIT, LEAST = 10.0, 1

class Box:
    def size(self, a, b):
        wide = {"width": f(a, b), 'height': f(b, a)}  # a comment
        return wide["width"] * (a + b) + 2 * (a - 1)
"""
REFORMATTED = """
class Box:
    # Another place, other quotes, other lines.
    def size(
        self, a, b
    ):
        wide = {
            'width': f(a,
                       b),
            "height": f(b, a),
        }
        return ((wide['width']) * (a + b)
                + 2 * (a-1))

LIMIT, LEAST = (10.0, 1)
"""


@pytest.mark.parametrize(
    ("name", "expression", "becomes", "expected"),
    [
        ("Box.size", "f(a,b)", "a", ('f(a, b), "', 'a, "')),
        ("Box.size", '"width": f(a, b)', '"width": 0', ("f(a, b)", "0")),
        ("Box.size", "wide['width']", "a - 1", ('wide["width"]', "(a - 1)")),
        ("Box.size", "a + b", "a", ("a + b", "a")),
        ("Box.size", "wide", "a", ("return wide", "return a")),  # read, and not set
        (
            "Box.size",
            "return wide['width'] * (a + b) + 2 * (a - 1)",
            "a = 1\nreturn a",
            ('return wide["width"] * (a + b) + 2 * (a - 1)', "a = 1; return a"),
        ),
        ("LIMIT", "10.0", "11.0", ("10.0", "11.0")),
    ],
)
def test_the_form_of_the_code_makes_no_difference(places, name, expression, becomes, expected):
    """What is found in the module is found when it is written another way, and moved."""
    old, new = expected
    by_hand = MODULE.replace("'height'", '"height"')
    assert by_hand.count(old) == 1
    by_hand = by_hand.replace(old, new)
    assert code(places.change(MODULE, name.split("."), expression, becomes)) == code(by_hand)
    changed = ast.parse(places.change(REFORMATTED, name.split("."), expression, becomes))
    changed.body.reverse()
    assert ast.dump(changed) == code(by_hand)


@pytest.mark.parametrize(
    ("name", "expression", "becomes", "message"),
    [
        ("Box.size", "a", "b", "`a` stands there 4 times"),
        ("Box.size", "f(a, c)", "b", r"`f\(a, c\)` stands there 0 times"),
        ("Box.size", "f(a, b)", "f( a,b )", "are the same code"),
        ("Box.area", "a", "b", "`area` is defined there 0 times"),
        ("Box.size", "a +", "b", r"`a \+` is no expression"),
        ("Box.size", "a + b", '"a": b', "is an expression, and .* is an item of a dictionary"),
        ("Box.size", "a + b", "c = a", "is an expression, and .* is a statement"),
        ("Box.size", "", "b", "0 times"),
    ],
)
def test_what_does_not_stand_there_once_is_refused(places, name, expression, becomes, message):
    with pytest.raises(ValueError, match=message):
        places.change(MODULE, name.split("."), expression, becomes)


@pytest.mark.slow
def test_quick_mutants_change_verdicts(harness, root):
    quick = [each.name for each in harness.read_mutants() if each.quick]
    assert 4 <= len(quick) <= 8
    done = subprocess.run(
        [sys.executable, MUTANTS, *quick], cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(quick)} of {len(quick)} mutants change every verdict" in done.stdout


def test_a_mutant_that_changes_nothing_fails(harness):
    mutant = harness.Mutant("nothing", "a.f", "a", "b", ("toy-1",))
    result = harness.Result(mutant, {"toy-1": "reproduced"}, {"toy-1": "reproduced"})
    assert not result.as_expected
    assert "UNCHANGED" in harness.report([result])
    known = harness.Mutant("nothing", "a.f", "a", "b", ("toy-1",), open=True)
    assert harness.Result(known, result.before, result.after).as_expected
    assert not harness.Result(known, result.before, {"toy-1": "differs"}).as_expected


@pytest.fixture(scope="module")
def sampled(harness):
    import sampled

    return sampled


def test_modules_with_tests_of_other_names_are_there(sampled, root):
    for module, tests in sampled.TESTS.items():
        assert (root / sampled.PACKAGE / module).is_file(), module
        assert all((root / "tests" / "unit" / name).is_file() for name in tests)


def test_every_module_that_can_be_changed_has_tests(sampled, root):
    package, tested = root / sampled.PACKAGE, sampled.modules_with_tests()
    for path in package.rglob("*.py"):
        file = path.relative_to(package).as_posix()
        if file not in tested and not file.startswith(sampled.LEFT_OUT):
            source = path.read_text(encoding="utf-8")
            changes = (sampled.changed(source, *each) for each in _list_changes(sampled, source))
            assert path.name.startswith("__") or not any(changes), file
    for left_out in sampled.LEFT_OUT:
        assert (package / left_out).exists()
        assert not any(file.startswith(left_out) for file in tested)


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("adversaries/factorial_hmm.py", True),
        ("games/membership.py", True),
        ("accounting/filters.py", True),  # it calls what is compiled
        ("compiled.py", False),  # its tests are about compilation
        ("games/homes.py", False),
    ],
)
def test_compiled_code_runs_as_plain_python(sampled, file, expected):
    assert sampled.is_compiled(file) is expected


def _list_changes(sampled, source):
    return [each for found in sampled.places(source).values() for each in found]


def test_a_change_is_one_line_of_code(sampled, root):
    module = "mechanisms/families/laplace.py"
    source = (root / sampled.PACKAGE / module).read_text(encoding="utf-8")
    changes = list(sampled.draw(random.Random(1), [module]))
    assert len(set(changes)) == len(changes) >= 5
    for change in changes:
        assert sampled.one_line(source, change.text) == (change.line, change.old, change.new)
        assert sampled._code(change.text) != sampled._code(source)
    assert changes == list(sampled.draw(random.Random(1), [module]))
    assert changes != list(sampled.draw(random.Random(2), [module]))
    annotated = "def f(x: int | None) -> int | None:\n    return x\n"
    assert all(
        sampled.changed(annotated, *each) is None for each in _list_changes(sampled, annotated)
    )


def test_report_counts_by_module_and_lists_survivors(sampled):
    changes = [
        sampled.Change("b.py", 3, "x < 1", "x <= 1", ""),
        sampled.Change("a.py", 1, "2", "3", ""),
        sampled.Change("b.py", 4, "y", "-y", ""),
    ]
    page = sampled.report(list(zip(changes, [True, False, False], strict=True)))
    assert page.splitlines()[2:] == [
        "| `a.py` | 1 | 1 | 0 |",
        "| `b.py` | 2 | 1 | 1 |",
        "",
        "Of 3 changes, 1 survive.",
        "",
        "- `b.py`, line 3: `x < 1` becomes `x <= 1`",
    ]
