"""A statement is short, and a paper's sections do not grow by the way."""

import ast

import pytest
import yaml

from noiseless.pipeline.sections import list_papers
from noiseless.statements.registry import build_id, load_sections

MARKS = ("paper.states", "paper.adds", "corrects")


@pytest.fixture(scope="module")
def budget(root):
    return yaml.safe_load((root / "tests/budget.yaml").read_text(encoding="utf-8"))


def sections(root, paper):
    """Each module that a statement stands in, and what it shares, by its path from the root."""
    folder = root / "workflow/noiseless/papers" / paper
    names = {each.check.__module__.rpartition(".")[2] for each in load_sections(paper).statements}
    if (folder / "cases.py").exists():
        names.add("cases")
    return [folder / f"{name}.py" for name in sorted(names)]


def lines_of(source):
    """Lines of each statement's function from ``def``, without its docstring, by its name."""
    found = {}
    for node in ast.parse(source).body:
        marks = [
            ast.unparse(each).partition("(")[0] for each in getattr(node, "decorator_list", [])
        ]
        if isinstance(node, ast.FunctionDef) and set(marks) & set(MARKS):
            first = node.body[0]
            words = first.end_lineno - first.lineno + 1 if ast.get_docstring(node) else 0
            found[node.name] = node.end_lineno - node.lineno + 1 - words
    return found


def mean_lines(root, paper):
    """Lines of a paper's sections, words and helpers included, for each statement."""
    sources = [path.read_text(encoding="utf-8") for path in sections(root, paper)]
    lines = sum(bool(line.strip()) for source in sources for line in source.splitlines())
    return lines / len({each.check for each in load_sections(paper).statements})


def test_lines_are_counted_from_def_without_words():
    source = '''
@paper.states(
    "Theorem 1",
)
def thm1(x):
    """Words.

    More.
    """
    a = x
    return a


def helper():
    return 1
'''
    assert lines_of(source) == {"thm1": 3}


@pytest.mark.parametrize("paper", list_papers())
def test_statements_keep_their_budget(root, budget, paper):
    found = {
        build_id(paper, name): lines
        for path in sections(root, paper)
        for name, lines in lines_of(path.read_text(encoding="utf-8")).items()
    }
    names = {each.check.__name__ for each in load_sections(paper).statements}
    assert {build_id(paper, name) for name in names} <= set(found)
    listed = budget["exceptions"]
    over = {name: lines for name, lines in found.items() if lines > budget["most_lines"]}
    mine = {name: each for name, each in listed.items() if name.startswith(f"{paper}-")}
    assert over == {name: each["lines"] for name, each in mine.items()}
    assert all(each["why"] for each in mine.values())
    assert len(listed) <= budget["most_exceptions"]


@pytest.mark.parametrize("paper", list_papers())
def test_the_mean_of_a_paper_does_not_grow(root, budget, paper):
    mean = mean_lines(root, paper)
    print(f"{paper}: {mean:.1f} lines a statement, words and helpers included")
    assert budget["mean_lines"][paper] - 1 < mean <= budget["mean_lines"][paper]
