"""A sample of the calls with odd arguments; `make faults` makes all of them."""

import contextlib
import random
import warnings

import numpy as np
import pandas as pd
import pytest

import noiseless as nl
from odd_arguments import CALLS, UNMENDED, VALUES, list_calls, make_call, make_valid_call

# What the library makes and hands over, an error, a class without arguments or to derive from, or
# what plays all games (papers/beyond/test_own_data.py gives it odd arguments).
NOT_CALLED = {
    *("Comparison", "compare"),
    *("Advantage", "Adversary", "ApplianceTraining", "ConfigError", "DataError", "EpsilonChoice"),
    *("MembershipView", "Guess", "LinkageView", "LinkageTraining", "Mechanism", "MeterRelease"),
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
    assert not UNMENDED
    assert len(VALUES) >= 30


# Numbers so small or large that a step on the way is 0 or infinite, as it may be.
EXTREME = [
    ("GaussianMechanism.compute_guarantee", "sensitivity", "2**63"),
    ("OneBitMechanism.release", "values", "tiny"),
    ("OddsBlurring.release", "records", "tiny"),
    ("Quantizer.release", "values", "tiny"),
    ("release_all", "threshold", "huge"),
    ("release_for_thresholds", "thickness", "tiny"),
]
OPTIONS = {
    **{"mode.copy_on_write": True, "future.infer_string": True, "mode.use_inf_as_na": True},
    **{"compute.use_numexpr": False, "compute.use_bottleneck": False, "mode.sim_interactive": True},
    **{"mode.chained_assignment": "raise", "future.no_silent_downcasting": True},
    **{"mode.string_storage": "pyarrow", "display.precision": 1, "display.max_rows": 1},
}


@contextlib.contextmanager
def surroundings(kind):
    """What a caller may have set: NumPy's errors, warnings as errors, or pandas' options."""
    with warnings.catch_warnings(), contextlib.ExitStack() as stack:
        warnings.simplefilter("ignore")
        if kind == "errors of NumPy":
            stack.enter_context(np.errstate(all="raise"))
        elif kind == "options of pandas":
            for name, value in OPTIONS.items():
                with contextlib.suppress(KeyError):  # of another version
                    stack.enter_context(pd.option_context(name, value))
        else:
            warnings.simplefilter("error")
        yield


def as_text(result):
    """A result as text, with all digits; an object of no text of its own as its attributes."""
    if isinstance(result, pd.Series | pd.DataFrame):
        return [[str(each) for each in result.index], np.asarray(result).tolist()]
    if isinstance(result, np.ndarray):
        return result.tolist()
    if type(result).__repr__ is object.__repr__:
        return {key: as_text(each) for key, each in getattr(result, "__dict__", {}).items()}
    return repr(result)


@pytest.mark.parametrize("kind", ["errors of NumPy", "warnings as errors", "options of pandas"])
def test_what_a_caller_has_set_changes_no_number_and_raises_nothing(kind):
    wrong = []
    calls = [(name, {}) for name in CALLS if "game" not in name]
    calls += [(name, {argument: VALUES[value]()}) for name, argument, value in EXTREME]
    for name, odd in calls:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                expected = as_text(make_valid_call(name, **odd))
            except nl.UserError as error:
                expected = str(error)
        with surroundings(kind):
            try:
                found = as_text(make_valid_call(name, **odd))
            except Exception as error:
                found = str(error)
        if str(found) != str(expected):
            wrong.append((name, odd, found, expected))
    assert not wrong
