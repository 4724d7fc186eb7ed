"""What becomes of a sentence follows from its readings by eight rules, each by brute force."""

from itertools import combinations_with_replacement

import pytest

from noiseless.statements import Kind, words
from noiseless.statements.sentences import Row, SentenceVerdict, decide_sentence
from noiseless.statements.verdicts import Verdict

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
