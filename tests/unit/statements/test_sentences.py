"""What becomes of a sentence follows from its readings by eight rules, each by brute force."""

from itertools import combinations_with_replacement
from pathlib import Path

import pandas as pd
import pytest

from noiseless.errors import ConfigError
from noiseless.pipeline.sections import list_papers
from noiseless.settings import load_yaml
from noiseless.statements import Kind, Limit, Paper, bounded, corrects, universe, words
from noiseless.statements.registry import build_id, load_statements
from noiseless.statements.sentences import (
    Row,
    SentenceVerdict,
    decide_sentence,
    find_contradictions,
    find_unrelated,
)
from noiseless.statements.verdicts import Verdict
from toy_statements import named

HOLDS, FAILS = Row(Verdict.REPRODUCED), Row(Verdict.CORRECTED, Kind.FAILS)
DIFFERS = Row(Verdict.DIFFERS)
OPEN, NOT_TESTED, ERROR = map(Row, (Verdict.INCONCLUSIVE, Verdict.NOT_TESTED, Verdict.ERROR))
READING, PREMISE, MISPRINT, SLIP, ELSEWHERE, ASIDE = (
    Row(Verdict.CORRECTED, kind)
    for kind in (
        *(Kind.READING, Kind.PREMISE, Kind.MISPRINT, Kind.SLIP),
        *(Kind.ELSEWHERE, Kind.ASIDE),
    )
)
ROWS = (
    *(HOLDS, FAILS, DIFFERS, OPEN, NOT_TESTED),
    *(READING, PREMISE, MISPRINT, SLIP, ELSEWHERE, ASIDE),
)


@pytest.mark.parametrize(
    ("readings", "verdict"),
    [
        ([[HOLDS]], SentenceVerdict.HOLDS),
        ([[HOLDS, HOLDS], [HOLDS]], SentenceVerdict.HOLDS),
        ([[HOLDS], [ELSEWHERE]], SentenceVerdict.HOLDS),
        ([[HOLDS], [ASIDE]], SentenceVerdict.HOLDS),
        ([[HOLDS], [READING]], SentenceVerdict.READING),
        ([[HOLDS], [FAILS], [NOT_TESTED]], SentenceVerdict.READING),
        ([[HOLDS], [PREMISE], [READING]], SentenceVerdict.READING),
        ([[HOLDS], [MISPRINT]], SentenceVerdict.READING),
        ([[HOLDS], [PREMISE]], SentenceVerdict.PREMISE),
        ([[HOLDS, PREMISE]], SentenceVerdict.PREMISE),
        ([[PREMISE], [PREMISE]], SentenceVerdict.PREMISE),
        ([[MISPRINT, HOLDS]], SentenceVerdict.MISPRINT),
        ([[SLIP], [SLIP, HOLDS]], SentenceVerdict.SLIP),
        ([[SLIP], [MISPRINT]], SentenceVerdict.SLIP),
        ([[PREMISE], [MISPRINT]], SentenceVerdict.PREMISE),
        ([[HOLDS, DIFFERS]], SentenceVerdict.FAILS),
        ([[SLIP, FAILS]], SentenceVerdict.FAILS),
        ([[READING]], SentenceVerdict.FAILS),  # of which no other reading holds
        ([[PREMISE], [DIFFERS]], SentenceVerdict.FAILS),
        ([[ELSEWHERE]], SentenceVerdict.FAILS),  # of which nothing else is left
        ([[HOLDS], [OPEN]], SentenceVerdict.OPEN),
        ([[FAILS], [OPEN]], SentenceVerdict.OPEN),
        ([[HOLDS, OPEN, NOT_TESTED]], SentenceVerdict.OPEN),
        ([[HOLDS], [NOT_TESTED]], SentenceVerdict.NOT_TESTED),
        ([[PREMISE], [NOT_TESTED]], SentenceVerdict.NOT_TESTED),
        ([[HOLDS], [ERROR]], SentenceVerdict.ERROR),
    ],
)
def test_the_verdict_on_a_sentence_follows_from_its_readings(readings, verdict):
    assert decide_sentence(readings) == verdict


def test_every_word_means_what_it_says():
    """By the rules in words, for two readings of up to two rows, and three readings of one."""
    one, two = ([list(each) for each in combinations_with_replacement(ROWS, n)] for n in (1, 2))
    seen = set()
    for given in (
        *([each] for each in (*one, *two)),
        *combinations_with_replacement([*one, *two], 2),
        *combinations_with_replacement(one, 3),
    ):
        verdict = decide_sentence(given)
        seen.add(verdict)
        counted = [[row for row in rows if row not in (ELSEWHERE, ASIDE)] for rows in given]
        if not any(counted):
            assert verdict is SentenceVerdict.FAILS
            continue
        counted = [rows for rows in counted if rows]
        holds = [all(row == HOLDS for row in rows) for rows in counted]
        wrong = [[row for row in rows if row not in (HOLDS, OPEN, NOT_TESTED)] for rows in counted]
        kinds = {row.kind or Kind.FAILS for rows in wrong for row in rows}
        decided = [bool(bad) or good for bad, good in zip(wrong, holds, strict=True)]
        assert (verdict is SentenceVerdict.HOLDS) == all(holds)
        assert (verdict is SentenceVerdict.READING) == (
            any(holds) and any(wrong) and not (all(decided) and kinds == {Kind.PREMISE})
        )
        if verdict is SentenceVerdict.PREMISE:
            assert all(decided)
            assert Kind.PREMISE in kinds <= {Kind.PREMISE, Kind.SLIP, Kind.MISPRINT}
        if verdict is SentenceVerdict.SLIP:
            assert all(wrong)
            assert Kind.SLIP in kinds <= {Kind.SLIP, Kind.MISPRINT}
        if verdict is SentenceVerdict.MISPRINT:
            assert all(wrong)
            assert kinds == {Kind.MISPRINT}
        if verdict is SentenceVerdict.FAILS:
            assert all(wrong)
            assert kinds & {Kind.FAILS, Kind.READING}
        if verdict in (SentenceVerdict.OPEN, SentenceVerdict.NOT_TESTED):
            assert not all(decided)
    assert seen == set(SentenceVerdict) - {SentenceVerdict.ERROR}


def test_nothing_that_is_empty_counts():
    for empty in ([], [[]]):
        with pytest.raises(ValueError, match="at least one reading"):
            decide_sentence(empty)


def test_each_verdict_has_one_word_which_is_its_own():
    assert set(words.SENTENCES) == set(SentenceVerdict)
    assert all(str(verdict) == each.word for verdict, each in words.SENTENCES.items())
    assert [v for v, each in words.SENTENCES.items() if not each.counted] == [SentenceVerdict.ERROR]


@pytest.fixture(scope="module")
def reference(root):
    """Rows of the published ledger by the statements' ids."""
    ledger = pd.read_csv(root / "docs/reference/ledger.csv", dtype=str, keep_default_na=False)
    return {
        row["id"]: Row(Verdict(row["verdict"]), Kind(row["kind"]) if row["kind"] != "-" else None)
        for row in ledger.to_dict("records")
    }


@pytest.fixture(scope="module")
def statements():
    return load_statements(list_papers())


def test_no_sentence_holds_where_our_own_row_shows_that_it_fails(statements, reference):
    assert find_contradictions(statements, reference) == []


def test_each_statement_beside_a_sentence_that_holds_says_what_it_shows(statements, reference):
    """Somebody has looked at each: it limits the words, or is listed with a reason."""
    listed = load_yaml(Path(__file__).with_name("beside.yaml"))
    names = {each.id: build_id(each.paper.name, each.check.__name__) for each in statements}
    found = {names[own] for own, _ in find_unrelated(statements, reference)}
    assert found == set(listed)
    assert all(listed.values())


def looks(cells):
    """It is so."""
    return bounded(cells, at_most=1)


def build_toy(*, limits=(), quote="", over=None):
    """A paper's statement, and one of ours beside it."""
    paper, cells = Paper("toy", "A toy"), over or universe()(lambda: [1])
    paper.states("Theorem 1", "It holds.", over=cells)(named(looks, "thm1"))
    paper.adds("Theorem 1", quote, over=cells, limits=limits)(named(looks, "ours"))
    return paper.statements


@pytest.mark.parametrize(
    ("words", "ours", "papers", "found"),
    [
        ({"limits": (Limit("thm1"),)}, HOLDS, HOLDS, 1),  # the planted contradiction
        ({"limits": (Limit("thm1"),)}, DIFFERS, HOLDS, 0),  # our cases do not show it
        ({"limits": (Limit("thm1"),)}, OPEN, HOLDS, 0),
        ({"limits": (Limit("thm1"),)}, HOLDS, FAILS, 0),  # the sentence does not say that it holds
        ({"limits": (Limit("thm1", "not its cases"),)}, HOLDS, HOLDS, 0),
        ({"quote": "It holds."}, FAILS, HOLDS, 1),  # its words in a reading that fails
        ({"quote": "It holds."}, DIFFERS, HOLDS, 1),
        ({"quote": "It holds."}, HOLDS, HOLDS, 0),
        ({"quote": "Another."}, DIFFERS, HOLDS, 0),
        ({"quote": "It holds.", "limits": (Limit("thm1", "x"),)}, DIFFERS, HOLDS, 0),
    ],
)
def test_a_planted_contradiction_is_found(words, ours, papers, found):
    rows = {"toy-thm1": papers, "toy-ours": ours}
    assert find_contradictions(build_toy(**words), rows) == [("toy-ours", "toy-thm1")] * found


def test_a_fault_that_is_counted_nowhere_is_found():
    paper = Paper("toy", "A toy")
    first = paper.states("Theorem 1")(named(looks, "thm1"))
    second = paper.states("Theorem 2")(named(looks, "thm2"))
    corrects(second, Kind.ELSEWHERE, "It fails.", same_as=first)(named(looks, "mended"))
    counted, lost = (
        find_contradictions(paper.statements, {"toy-thm1": row, "toy-thm2": ELSEWHERE})
        for row in (FAILS, HOLDS)
    )
    assert counted == []
    assert lost == [("toy-thm2", "toy-thm1")]


@pytest.mark.parametrize(
    ("limits", "papers", "found"),
    [
        ((), HOLDS, 1),
        ((), FAILS, 0),
        ((Limit("thm1", "not its cases"),), HOLDS, 0),
    ],
)
def test_a_statement_on_the_same_cases_is_found_until_it_is_related(limits, papers, found):
    rows = {"toy-thm1": papers, "toy-ours": HOLDS}
    assert find_unrelated(build_toy(limits=limits), rows) == [("toy-ours", "toy-thm1")] * found


def test_words_are_limited_by_statements_of_ours_alone_and_are_the_papers():
    paper = Paper("toy", "A toy")
    with pytest.raises(ConfigError, match="limited by statements of ours"):
        paper.states("Theorem 1", limits=(Limit("thm2"),))(looks)
    with pytest.raises(ConfigError, match="no statement is called thm2"):
        _ = paper.adds("Theorem 1", limits=(Limit("thm2"),))(looks).limited
