"""What once went wrong is tested still: names in the corpus and in SECURITY.md lead to tests."""

import ast
import re
from collections import Counter
from functools import cache
from xml.etree import ElementTree

from faults import __main__ as faults


@cache
def functions(path):
    """Test functions of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {each.name for each in tree.body if isinstance(each, ast.FunctionDef)}


def assert_exists(root, test):
    file, function = test.split("::")
    assert function in functions(root / "tests" / file), test


def test_cases_have_names_of_their_own_and_tests_that_exist(root):
    cases = faults.load_cases()
    assert len({case["name"] for case in cases}) == len(cases) >= 40
    for case in cases:
        assert set(case) == {"name", "was", "tests"}
        assert case["tests"], case["name"]
        for test in case["tests"]:
            assert_exists(root, test)
    assert all((root / "tests" / file).is_file() for file in faults.RANDOM)


def test_a_case_is_right_only_if_something_ran_and_nothing_failed():
    found = {"a": Counter(right=2), "b": Counter(right=1, wrong=1), "c": Counter(skipped=1)}
    assert faults.verdict(found, ["a"]) == "right"
    assert faults.verdict(found, ["a", "c"]) == "right"
    for tests in (["b"], ["a", "b"], ["c"], ["gone"], []):
        assert faults.verdict(found, tests) == "wrong"


def test_report_of_pytest_is_understood():
    report = """<testsuite>
      <testcase classname="tests.unit.test_a" name="test_x[1-2]"/>
      <testcase classname="tests.unit.test_a" name="test_x[3]"><failure/></testcase>
      <testcase classname="tests.unit.test_a" name="test_y"><skipped/></testcase>
      <testcase classname="tests.unit.test_a" name="test_z"><error/></testcase>
    </testsuite>"""
    tests = list(ElementTree.fromstring(report).iter("testcase"))
    names = ["unit/test_a.py::test_x"] * 2 + ["unit/test_a.py::test_y", "unit/test_a.py::test_z"]
    assert [faults.function(test) for test in tests] == names
    assert [faults.outcome(test) for test in tests] == ["right", "wrong", "skipped", "wrong"]


def test_promises_of_the_security_page_name_tests_that_exist(root):
    page = (root / "SECURITY.md").read_text(encoding="utf-8")
    named = re.findall(r"`tests/([\w/]+\.py::\w+)`", page)
    assert len(named) >= 15
    for test in named:
        assert_exists(root, test)
    for line in page.splitlines():
        if line.startswith("- "):  # each promise, and what is not promised
            assert "`tests/" in line or "not promised" in line.lower(), line
