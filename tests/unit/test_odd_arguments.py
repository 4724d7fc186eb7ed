"""A sample of the calls with odd arguments; `make faults` makes all of them."""

import random

import noiseless as nl
from odd_arguments import CALLS, UNMENDED, VALUES, list_calls, make_call, make_valid_call

# What the library makes and hands over, an error, a class without arguments or to derive from, or
# what plays all games (papers/beyond/test_own_data.py gives it odd arguments).
NOT_CALLED = {
    *("Comparison", "compare"),
    *("Advantage", "Adversary", "ApplianceTraining", "ConfigError", "DataError", "EpsilonChoice"),
    *("Evidence", "Guess", "LinkageEvidence", "LinkageTraining", "Mechanism", "MeterRelease"),
    *("MeterReports", "NoisyMechanism", "RawSeries", "Recording", "Training", "UserError"),
}
COUNT = 250


def test_every_public_name_is_called():
    assert {name.partition(".")[0] for name in CALLS} == {*nl.__all__} - NOT_CALLED


def test_what_nobody_should_give_is_refused_in_words_or_has_a_result():
    drawn = random.Random(1).sample(sorted({*list_calls([])} - UNMENDED), COUNT)
    calls = [each for each in drawn if "game" not in each[0] and "homes" not in each[0]]
    assert len(calls) > COUNT / 2
    for name in sorted({name for name, _, _ in calls}):
        make_valid_call(name)
    came = {call: make_call(*call) for call in calls}
    raw = {call: each for call, each in came.items() if each not in ("result", "refused")}
    assert raw == {}
    assert {"result", "refused"} == set(came.values())


def test_what_is_not_mended_is_a_call_and_only_becomes_less():
    assert {*list_calls([])} >= UNMENDED
    assert len(UNMENDED) <= 21
    assert len(VALUES) >= 30
