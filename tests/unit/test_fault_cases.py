"""What once went wrong is tested still: the corpus and tests/promises.yaml name tests."""

import ast
import re
from collections import Counter
from functools import cache
from xml.etree import ElementTree

import yaml

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


def test_each_promise_of_the_security_page_has_tests_that_exist(root):
    rows = yaml.safe_load((root / "tests/promises.yaml").read_text(encoding="utf-8"))
    page = (root / "SECURITY.md").read_text(encoding="utf-8").split("\n## Promises\n")[1]
    items = [" ".join(item.split()) for item in re.split(r"^- |\n\n", page, flags=re.M)[1:]]
    items = [item for item in items if item and item[0] != "#"]
    promised = [item for item in items if not item.startswith("Not promised: ")]
    assert promised == [row["promise"] for row in rows]
    for row in rows:
        assert row["tests"], row["promise"]
        for test in row["tests"]:
            assert_exists(root, test)
