"""Each public name called with what nobody should give it: the result, a readable error, or not.

``python tests/odd_arguments.py [NAME ...]`` makes every call and prints how many came to what. It
fails if one ends in a raw exception, or does not end, and names it; those of :data:`UNMENDED` must
do so. :data:`CALLS` has a valid call of each public name; in each, one argument at a time is
replaced by each of :data:`VALUES`.
"""

import math
import signal
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

import noiseless as nl

SECONDS = 30.0  # a call that takes longer does not end

VALUES: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "True": lambda: True,
    "text": lambda: "abc",
    "empty text": lambda: "",
    "text of a number": lambda: "0.3",
    "bytes": lambda: b"1",
    "-1": lambda: -1,
    "0": lambda: 0,
    "0.5": lambda: 0.5,
    "3": lambda: 3,
    "huge": lambda: 1e308,
    "tiny": lambda: 5e-324,
    "2**63": lambda: 2**63,
    "10**400": lambda: 10**400,
    "NaN": lambda: math.nan,
    "infinity": lambda: math.inf,
    "-infinity": lambda: -math.inf,
    "float32": lambda: np.float32(0.4),
    "int64": lambda: np.int64(3),
    "fraction": lambda: Fraction(1, 3),
    "decimal": lambda: Decimal("0.3"),
    "complex": lambda: 1j,
    "array of no dimension": lambda: np.array(5),
    "array": lambda: np.array([1, 2]),
    "big-endian": lambda: np.array([1.0, 2.0], dtype=">f8"),
    "masked": lambda: np.ma.array([1.0, 2.0], mask=[0, 1]),
    "dates": lambda: pd.Series(pd.date_range("2020", periods=2)),
    "durations": lambda: np.array([1, 2], dtype="timedelta64[s]"),
    "date": lambda: datetime(2020, 1, 1),
    "missing": lambda: pd.NA,
    "empty list": lambda: [],
    "mixed list": lambda: [1, "a"],
    "ragged": lambda: [[1], [1, 2]],
    "dictionary": lambda: {"a": 1},
    "set": lambda: {1, 2},
    "texts": lambda: pd.DataFrame({"a": ["x", "y"]}),
    "object": object,
    "class": lambda: int,
    "function": lambda: len,
    "iterator": lambda: iter([0.5]),
}

PAIR = nl.TableLaw({(0.0, 0.0): 2.0, (0.0, 1.0): 1.0, (1.0, 1.0): 2.0})
DAY = nl.Domain((0,), (20,), "kwh")
PLACE = nl.Domain((0, 0), (9_000, 7_000), "m")
BOX = nl.Box([0, 0], [1, 1])
LINE = {"coefficients": [0.5, 0.5], "intercept": 0, "epsilon_nats": 0.4, "low": 0, "high": 1}
QUERY = nl.LinearQuery(**LINE)
TABLE = nl.TableQuery(((0.75, 0.25), (0.25, 0.75)))
THRESHOLD = nl.build_polynomial_threshold([0, 0, 0.003])
RANGE = nl.PublicRange([40, 150], [140, 200])
PEOPLE = [[77.7, 170], [60, 170]]
READINGS_WH = np.random.default_rng(1).integers(0, 20_000, size=(12, 6))
GAME = {"games": 20, "rng": 1, "adversaries": ["mse"]}
LEVELS = {"epsilon_bits": 2, "output_range": (0, 20), "sensitivity": 5}
POLICY = {"threshold": THRESHOLD, "box": RANGE, "rho": 0.2}
RISK = {"measure": nl.Advantage(), "epsilon_nats": 1.0, "mechanism": "laplace", "answers": 2}
RISK |= {"delta": None, "prior": 0.5}
FOUND = pd.DataFrame({"low": [-0.1, 0.5], "high": [0.2, 0.9]}, index=["mse", "control"])
REPORTS = {"secrets": [0, 1, 1], "reports": [0, 0, 1]}


def make_filter(kind: Callable[..., Any] = nl.BayesianFilter) -> Any:
    """A filter that has answered nothing."""
    return kind(1.0, nl.FiniteDomain(((0.0,), (1.0,))))


# A valid call by a name of its own: the function, or how it is made, and its arguments. What the
# library makes and hands over, such as `MembershipView`, is not called by users.
CALLS: dict[str, tuple[Callable[[], Callable[..., Any]], dict[str, Any]]] = {
    "BayesianFilter": (
        lambda: nl.BayesianFilter,
        {"budget_nats": 1.0, "account": BOX},
    ),
    "BayesianFilter.accepts": (lambda: make_filter().accepts, {"query": TABLE}),
    "BayesianFilter.record": (lambda: make_filter().record, {"query": TABLE, "output": 1}),
    "BayesianFilter.price_queries": (lambda: make_filter().price_queries, {"queries": [TABLE]}),
    "BayesianFilter.shrink_to_fit": (
        lambda: nl.BayesianFilter(0.3, BOX).shrink_to_fit,
        {"query": QUERY, "tolerance": 1e-6},
    ),
    "BitsOfRange": (lambda: nl.BitsOfRange, {"bits": 2.0}),
    "Box": (lambda: nl.Box, {"lower": [0, 0], "upper": [1, 1], "categories": {1: [0, 1]}}),
    "Box.contains": (lambda: BOX.contains, {"points": [[0.5, 0.5]]}),
    "CollapseBlurring": (lambda: nl.CollapseBlurring, POLICY),
    "CollapseBlurring.release": (
        lambda: lambda records: nl.CollapseBlurring(**POLICY).release(records),
        {"records": PEOPLE},
    ),
    "Domain": (
        lambda: nl.Domain,
        {"low": (0,), "high": (20,), "unit": "kwh", "people": 2, "values": 3},
    ),
    "FScore": (lambda: nl.FScore, {"beta": 1.0}),
    "FiniteDomain": (lambda: nl.FiniteDomain, {"points": ((0.0,), (1.0,))}),
    "GaussianMechanism": (lambda: nl.GaussianMechanism, {"domain": DAY, "sigma": 2.0}),
    "GaussianMechanism.from_budget": (
        lambda: nl.GaussianMechanism.from_budget,
        {"domain": DAY, "epsilon_nats": 0.5, "delta": 1e-6},
    ),
    "GaussianMechanism.guarantee": (
        lambda: nl.GaussianMechanism(DAY, 2.0).guarantee,
        {"delta": 1e-6},
    ),
    "GaussianMechanism.compute_guarantee": (
        lambda: nl.GaussianMechanism(DAY, 2.0).compute_guarantee,
        {"sensitivity": 1.0, "delta": 1e-6},
    ),
    "GaussianMechanism.release": (
        lambda: nl.GaussianMechanism(DAY, 2.0).release,
        {"values": [1.0, 2.0], "rng": 1},
    ),
    "Homes": (
        lambda: nl.Homes,
        {"readings_wh": READINGS_WH, "in_wh": True, "allow_identical": False},
    ),
    "LaplaceMechanism": (lambda: nl.LaplaceMechanism, {"domain": DAY, "scale": 2.0}),
    "LaplaceMechanism.from_budget": (
        lambda: nl.LaplaceMechanism.from_budget,
        {"domain": DAY, "epsilon_nats": 0.5},
    ),
    "LaplaceMechanism.compute_guarantee": (
        lambda: nl.LaplaceMechanism(DAY, 2.0).compute_guarantee,
        {"sensitivity": 1.0},
    ),
    "LaplaceMechanism.log_likelihood": (
        lambda: nl.LaplaceMechanism(DAY, 2.0).log_likelihood,
        {"outputs": [1.0, 2.0], "values": [1.0, 2.0]},
    ),
    "LaplaceMechanism.release": (
        lambda: nl.LaplaceMechanism(DAY, 2.0).release,
        {"values": [1.0, 2.0], "rng": 1},
    ),
    "LinearQuery": (lambda: nl.LinearQuery, LINE),
    "LinearQuery.compute_response": (lambda: QUERY.compute_response, {"points": [[0.2, 0.6]]}),
    "LogisticQuery": (
        lambda: nl.LogisticQuery,
        {"coefficients": [2.0, -1.0], "intercept": 0.5, "epsilon_nats": 0.1},
    ),
    "NatsOfDifferentialPrivacy": (
        lambda: nl.NatsOfDifferentialPrivacy,
        {"epsilon_nats": 0.5, "delta": 1e-6},
    ),
    "OddsBlurring": (lambda: nl.OddsBlurring, {**POLICY, "kappa": 3}),
    "OddsBlurring.release": (
        lambda: lambda records: nl.OddsBlurring(**POLICY, kappa=3).release(records),
        {"records": PEOPLE},
    ),
    "OddsBlurring.is_decided": (
        lambda: nl.OddsBlurring(**POLICY, kappa=3).is_decided,
        {"reports": PEOPLE},
    ),
    "OneBitMechanism": (lambda: nl.OneBitMechanism, {"domain": DAY, "epsilon_nats": 0.5}),
    "OneBitMechanism.release": (
        lambda: nl.OneBitMechanism(DAY, 0.5).release,
        {"values": [1.0, 2.0], "rng": 1},
    ),
    "OneBitMechanism.estimate_mean": (
        lambda: nl.OneBitMechanism(DAY, 0.5).estimate_mean,
        {"reports": [0, 1, 1]},
    ),
    "OneBitMechanism.estimate_standard_error": (
        lambda: nl.OneBitMechanism(DAY, 0.5).estimate_standard_error,
        {"reports": [0, 1, 1]},
    ),
    "OutputDependentFilter": (
        lambda: nl.OutputDependentFilter,
        {"budget_nats": 1.0, "delta": 0.2, "domain": nl.FiniteDomain(((0.0,), (1.0,)))},
    ),
    "OverlayBlurring": (lambda: nl.OverlayBlurring, POLICY),
    "OverlayBlurring.release": (
        lambda: lambda records: nl.OverlayBlurring(**POLICY).release(records),
        {"records": PEOPLE},
    ),
    "PlanarLaplaceMechanism": (
        lambda: nl.PlanarLaplaceMechanism,
        {"domain": PLACE, "epsilon_per_m": 1 / 200},
    ),
    "PlanarLaplaceMechanism.compute_guarantee_within": (
        lambda: nl.PlanarLaplaceMechanism(PLACE, 1 / 200).compute_guarantee_within,
        {"distance_m": 200},
    ),
    "PlanarLaplaceMechanism.release": (
        lambda: nl.PlanarLaplaceMechanism(PLACE, 1 / 200).release,
        {"values": [[0.0, 0.0], [1000.0, 500.0]], "rng": 1},
    ),
    "PublicRange": (lambda: nl.PublicRange, {"lower": [40, 150], "upper": [140, 200]}),
    "Quantizer": (lambda: nl.Quantizer, {"domain": DAY, "levels": 4, "clip": True}),
    "Quantizer.compute_mean_guarantee": (
        lambda: nl.Quantizer(DAY, 4).compute_mean_guarantee,
        {"people": 3},
    ),
    "Quantizer.release": (lambda: nl.Quantizer(DAY, 4).release, {"values": [1.0, 2.0]}),
    "SafeFilter": (lambda: nl.SafeFilter, {"budget_nats": 1.0, "account": BOX}),
    "RecordHypothesis": (lambda: nl.RecordHypothesis, {"law": PAIR, "record": 0, "known": ()}),
    "StretchBlurring": (lambda: nl.StretchBlurring, POLICY),
    "StretchBlurring.release": (
        lambda: lambda records: nl.StretchBlurring(**POLICY).release(records),
        {"records": PEOPLE},
    ),
    "TableLaw": (lambda: nl.TableLaw, {"weights": {(0.0, 0.0): 2.0, (0.0, 1.0): 1.0}}),
    "ExchangeableLaw": (lambda: nl.ExchangeableLaw, {"counts": [0.5, 0.0, 0.5]}),
    "ChainLaw": (
        lambda: nl.ChainLaw,
        {
            **{"values": [0.0, 1.0], "start": [0.5, 0.5], "records": 5},
            **{"transition": [[0.9, 0.1], [0.1, 0.9]]},
        },
    ),
    "BlockLaw": (lambda: nl.BlockLaw, {"blocks": [PAIR, PAIR]}),
    "TableQuery": (lambda: nl.TableQuery, {"probabilities": ((0.75, 0.25), (0.25, 0.75))}),
    "ThresholdHypothesis": (
        lambda: nl.ThresholdHypothesis,
        {"threshold": 0.5, "low": 0.0, "high": 1.0, "values": (0.0, 1.0), "weights": (3, 1)},
    ),
    "answer_queries": (
        lambda: nl.answer_queries,
        {"queries": [QUERY], "value": [0.9, 0.9], "privacy_filter": None, "rng": 1},
    ),
    "bound_advantage": (lambda: nl.bound_advantage, {"found": FOUND}),
    "bound_mean_advantage": (lambda: nl.bound_mean_advantage, {"n": 128, "readings": 365}),
    "bound_realized_loss": (
        lambda: nl.bound_realized_loss,
        {"queries": [QUERY], "outputs": [1], "domain": BOX, "tolerance": 0.1, "node_limit": 100},
    ),
    "build_polynomial_threshold": (
        lambda: nl.build_polynomial_threshold,
        {"coefficients": [0, 0, 0.003]},
    ),
    "build_risk_table": (
        lambda: nl.build_risk_table,
        {
            **{"measures": {"advantage": nl.Advantage()}, "epsilon_nats": [0.1]},
            **{"mechanism": "laplace", "answers": 1, "delta": None, "prior": 0.5},
        },
    ),
    "choose_epsilon": (
        lambda: nl.choose_epsilon,
        {
            **{"measure": nl.FScore(), "bound": 0.9, "mechanism": "laplace", "answers": 1},
            **{"delta": None, "prior": 0.5, "d_in": None},
        },
    ),
    "bound_least_constant": (
        lambda: nl.bound_least_constant,
        {"hypothesis": nl.RecordHypothesis(PAIR), "ratio": 1.5},
    ),
    "compute_joint_epsilon": (
        lambda: nl.compute_joint_epsilon,
        {"hypothesis": nl.RecordHypothesis(PAIR), "epsilon_nats": 0.5},
    ),
    "compute_exact_levels": (lambda: nl.compute_exact_levels, LEVELS),
    "compute_homes_needed": (
        lambda: nl.compute_homes_needed,
        {
            **{"readings_kwh": READINGS_WH / 1000, "advantage": 0.2, "readings": None},
            **{"known": 0.0, "cell_kwh": 0.0, "seed": 0},
        },
    ),
    "compute_local_levels": (lambda: nl.compute_local_levels, {"epsilon_bits": 2}),
    "compute_min_mean_change": (
        lambda: nl.compute_min_mean_change,
        {"kappa": 9, "protected": 20, "largest": 10},
    ),
    "compute_normal_advantage": (
        lambda: nl.compute_normal_advantage,
        {"n": 128, "readings": 365, "known": 2.0},
    ),
    "compute_printed_levels": (lambda: nl.compute_printed_levels, LEVELS),
    "find_best_threshold": (
        lambda: nl.find_best_threshold,
        {"probability": np.array([0.1, 0.8]), "is_on": np.array([False, True])},
    ),
    "k_anonymous_share": (lambda: nl.k_anonymous_share, {"records": [1, 2, 2], "k": 2}),
    "leakage_bits": (lambda: nl.leakage_bits, REPORTS),
    "maximal_leakage_bits": (
        lambda: nl.maximal_leakage_bits,
        {"channel": [[0.5, 0.5], [0.1, 0.9]]},
    ),
    "maximin_information_bits": (lambda: nl.maximin_information_bits, REPORTS),
    "play_membership_game": (
        lambda: nl.play_membership_game,
        {
            **{"readings_wh": READINGS_WH, "n": 2, "epsilon_bits": 2, "mechanism": None},
            **{"maximum_wh": 20_000, "known_wh": None, **GAME},
        },
    ),
    "play_released_membership_game": (
        lambda: nl.play_released_membership_game,
        {
            **{"readings_wh": READINGS_WH, "released_wh": READINGS_WH[:4].mean(axis=0)},
            **{"members": np.arange(12) < 4, **GAME},
        },
    ),
    "release_all": (
        lambda: nl.release_all,
        {"values": [68, 78], "threshold": 86.7, "public_range": (0, 200), "rho": [0.1, 0.2]},
    ),
    "release_for_thresholds": (
        lambda: nl.release_for_thresholds,
        {
            **{"values": [60, 70], "thresholds": (72.25, 86.7), "public_range": (0, 200)},
            **{"rho": 0.1, "thickness": 0.1},
        },
    ),
    "risk": (lambda: nl.risk, RISK),
    "unique_share": (lambda: nl.unique_share, {"records": [1, 2, 2]}),
    "use_plugins": (lambda: lambda plugins: nl.use_plugins(plugins).__enter__(), {"plugins": []}),
}


# Calls that still end in a raw exception, or do not end. The list only becomes shorter.
UNMENDED: set[tuple[str, str, str]] = set()


class EndlessError(BaseException):
    """A call that takes longer than :data:`SECONDS`."""


def stop_call(*_: Any) -> None:
    """Stop a call, by a signal."""
    raise EndlessError


def list_calls(names: list[str]) -> Iterator[tuple[str, str, str]]:
    """List the calls: a name of :data:`CALLS`, the argument that is odd, and its value's name."""
    for name in names or CALLS:
        for argument in CALLS[name][1]:
            yield from ((name, argument, value) for value in VALUES)


def make_valid_call(name: str, **odd: Any) -> Any:
    """Make a call of :data:`CALLS`, with some of its arguments replaced; return what it returns."""
    make_function, arguments = CALLS[name]
    given = {**arguments, **odd}
    if name == "answer_queries" and "privacy_filter" not in odd:
        given["privacy_filter"] = nl.BayesianFilter(1.0, BOX)
    return make_function()(**given)


def make_call(name: str, argument: str, value: str) -> str:
    """What comes of a call: ``result``, ``refused``, ``endless``, or a raw exception's text."""
    signal.signal(signal.SIGALRM, stop_call)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            make_valid_call(name, **{argument: VALUES[value]()})
    except nl.UserError as error:
        return "refused" if str(error) else "an error without a message"
    except EndlessError:
        return "endless"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return "result"


def main() -> None:
    """See the module."""
    kinds: Counter[str] = Counter()
    for name in sys.argv[1:] or CALLS:
        make_valid_call(name)  # what has to be compiled is compiled before the clock runs
    wrong = False
    for call in list_calls(sys.argv[1:]):
        name, argument, value = call
        came = make_call(*call)
        is_mended = came in ("result", "refused")
        kinds[came if is_mended or came == "endless" else "raw"] += 1
        if is_mended == (call in UNMENDED):
            wrong = True
            print(f"{name}({argument} = {value}): {came.splitlines()[0][:150]}")
    print(f"{kinds.total()} calls: " + ", ".join(f"{n} {kind}" for kind, n in kinds.items()))
    sys.exit(wrong)


if __name__ == "__main__":
    main()
