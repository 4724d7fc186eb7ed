"""Counts of cases, and of those that a sharper statement would fail: they may rise, never fall."""

import copy
import json

import pytest

from counts import __main__ as kept
from noiseless.statements import counts
from noiseless.statements.counts import build_counts, find_falling_counts, write_counts
from noiseless.statements.findings import at_most, bounded, for_all
from noiseless.statements.registry import Paper, Run, Sizes, corrects, universe
from noiseless.statements.running import run_statement


@pytest.fixture
def then(monkeypatch, tmp_path):
    """Counts of a toy: three cases, two of them sharp; and of a correction on a number."""

    @universe(smoke={"pairs": ((1, 1), (1, 5), (2, 2))})
    def pairs(pairs):
        return pairs

    paper = Paper("toy", "A toy")

    @paper.states("Theorem 1", over=pairs)
    def thm1(pairs):
        """Each pair."""
        return for_all(at_most(a, b) for a, b in pairs)

    @corrects(thm1)
    def thm1_other(pairs):
        """The number of pairs."""
        return bounded([len(pairs)], at_most=3)

    monkeypatch.setattr(counts, "load_sections", lambda name: paper)
    run = Run(Sizes.SMOKE, 1)
    tested = [run_statement(thm1, run)]
    write_counts("toy", run, tested, tmp_path / "toy.json")
    written = json.loads((tmp_path / "toy.json").read_text(encoding="utf-8"))
    assert written == json.loads(json.dumps(build_counts("toy", run, tested)))
    return written


def test_counts_are_of_each_check_with_the_sizes(then):
    assert then == {
        "sizes": {"pairs": {"pairs": [[1, 1], [1, 5], [2, 2]]}},
        "statements": {"toy-thm1": [{"cases": 3, "sharp": 2}, {"cases": 1, "sharp": None}]},
    }


@pytest.mark.parametrize(
    ("key", "number", "found"),
    [
        ("cases", 4, []),
        ("cases", 2, ["toy-thm1: cases 2, and it was 3"]),
        ("sharp", 3, []),
        ("sharp", 1, ["toy-thm1: sharp 1, and it was 2"]),
        ("sharp", None, ["toy-thm1: sharp None, and it was 2"]),
    ],
)
def test_a_count_that_falls_is_found(then, key, number, found):
    now = copy.deepcopy(then)
    now["statements"]["toy-thm1"][0][key] = number
    assert find_falling_counts(now, then) == found


def test_a_count_that_falls_is_kept_with_its_reason_alone(then, tmp_path, monkeypatch):
    monkeypatch.setattr(kept, "FOLDER", tmp_path)
    path = tmp_path / "findings/toy_counts.json"
    path.parent.mkdir()
    path.write_text(counts.format_counts(then), encoding="utf-8")
    assert kept.take("toy", tmp_path) == ""
    now = copy.deepcopy(then)
    now["statements"]["toy-thm1"][0]["sharp"] = 1
    path.write_text(counts.format_counts(now), encoding="utf-8")
    before = (tmp_path / "toy.json").read_bytes()
    assert "sharp 1, and it was 2" in kept.take("toy", tmp_path)
    assert (tmp_path / "toy.json").read_bytes() == before
    assert kept.take("toy", tmp_path, "a pair was listed twice") == ""
    taken = json.loads((tmp_path / "toy.json").read_text(encoding="utf-8"))
    assert taken["statements"] == now["statements"]
    assert taken["lowered"] == {"a pair was listed twice": ["toy-thm1: sharp 1, and it was 2"]}


def test_statements_checks_and_sizes_that_are_gone_are_found(then):
    now = copy.deepcopy(then)
    del now["statements"]["toy-thm1"][1]
    assert find_falling_counts(now, then) == ["toy-thm1: 1 checks, and there were 2"]
    now["statements"] = {}
    assert find_falling_counts(now, then) == ["toy-thm1: 0 checks, and there were 2"]
    now["sizes"]["pairs"]["pairs"] = [[1, 1]]
    [said] = find_falling_counts(now, then)
    assert said.startswith("sizes are")
