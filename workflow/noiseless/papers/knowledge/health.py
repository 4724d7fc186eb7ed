"""Four regressions on one person's health checkup (``knowledge``, Section 6.3 and Appendix E).

1. :func:`compute_responses`: the regressions of Table I on the mock people, before any noise.
2. :func:`build_losses_table`: the realized loss of each of the 16 possible answers, certified.
3. :func:`build_spent_table`: the median share of the budget that is spent, over the answers and by
   the answer probabilities of a person.
4. :func:`build_truncated_table`: the two functions of Section 5.3.2, of which the logarithm of
   sleep's probability is the difference.
5. :func:`build_extended_table`: the two functions of Section 5.3.2 as printed, infinite where the
   argument of the logarithm is not above 0.

:func:`build_health_tables` builds the tables of losses and of what they spend.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

import numpy as np
import pandas as pd

from noiseless.accounting.queries import Box, LogisticQuery, TruncatedLinearQuery
from noiseless.accounting.realized_loss import bound_realized_loss
from noiseless.tables import Rows, returns_table

Regression = TruncatedLinearQuery | LogisticQuery

REGRESSIONS = ("heart", "stroke", "diabetes", "sleep")
CHECKUP: Final[Mapping[str, Any]] = {
    # Table I: coefficients of age (years), sex (0 female, 1 male), blood pressure (mmHg) and BMI
    # (kg/m2), then the intercept.
    "regressions": {
        "heart": [-0.059, -1.456, -0.0134, 0, 6.177],
        "stroke": [0.0761, 0.0952, 0, 0.0163, -7.989],
        "diabetes": [0.0491, 0, -0.0091, 0.1039, -5.07],
        "sleep": [0.0855, 0.4617, -0.07, 0, 12.323],
    },
    # Section 6.3: interval to which sleep is truncated, in hours, and public ranges of a person.
    "sleep_range_h": [0, 12],
    "ranges": {
        "age_years": [10, 100],
        "sex": [0, 1],
        "blood_pressure_mmhg": [50, 200],
        "bmi_kg_m2": [10, 50],
    },
    "categories": {"sex": [0, 1]},
}
# The mock people of Section 6.3: age, sex, blood pressure, BMI.
PEOPLE: Final = [[34, 0, 110, 18], [52, 1, 140, 23]]
# Chosen by this project: adults of plausible blood pressure and BMI.
ADULTS: Final = {
    "age_years": [18, 80],
    "sex": [0, 1],
    "blood_pressure_mmhg": [90, 180],
    "bmi_kg_m2": [17, 40],
}


def build_health_tables(
    *,
    epsilon_nats: float,
    tolerance: float,
    grid_points: int,
    people: Sequence[Sequence[float]] = PEOPLE,
    adults: Mapping[str, Sequence[float]] = ADULTS,
    **changed: Any,
) -> dict[str, pd.DataFrame]:
    """Build the tables of losses and of what they spend, for the paper's checkup or a changed one.

    ``changed`` are parts of :data:`CHECKUP` that are to be replaced.
    """
    checkup = {**CHECKUP, **changed}
    losses = build_losses_table(epsilon_nats=epsilon_nats, tolerance=tolerance, **checkup)
    return {
        "health_losses": losses,
        "health_spent": build_spent_table(
            losses,
            epsilon_nats=epsilon_nats,
            people=people,
            grid_points=grid_points,
            adults=adults,
            **checkup,
        ),
    }


def build_health_queries(
    regressions: dict[str, Sequence[float]], sleep_range_h: Sequence[float], epsilon_nats: float
) -> list[Regression]:
    """Build the four queries of a checkup, in the order of Table I.

    Each regression has the coefficients of age (years), sex (0 female, 1 male), blood pressure
    (mmHg) and BMI (kg/m2), then the intercept.
    """
    queries: list[Regression] = []
    for name in REGRESSIONS:
        *coefficients, intercept = map(float, regressions[name])
        if name == "sleep":
            low, high = map(float, sleep_range_h)
            queries.append(
                TruncatedLinearQuery(tuple(coefficients), intercept, epsilon_nats, low, high)
            )
        else:
            queries.append(LogisticQuery(tuple(coefficients), intercept, epsilon_nats))
    return queries


def build_health_box(
    ranges: Mapping[str, Sequence[float]], categories: dict[str, Sequence[float]]
) -> Box:
    """Build the public range (age in years, sex, blood pressure in mmHg, BMI in kg/m2) of a person.

    A categorical coordinate has its categories.
    """
    names = ("age_years", "sex", "blood_pressure_mmhg", "bmi_kg_m2")
    lower, upper = zip(*(map(float, ranges[name]) for name in names), strict=True)
    return Box(
        lower, upper, categories={names.index(name): values for name, values in categories.items()}
    )


def build_checkup(
    epsilon_nats: float,
    *,
    regressions: dict[str, Sequence[float]],
    sleep_range_h: Sequence[float],
    ranges: Mapping[str, Sequence[float]],
    categories: dict[str, Sequence[float]],
) -> tuple[list[Regression], Box]:
    """Build the queries and the public range of a checkup."""
    queries = build_health_queries(regressions, sleep_range_h, epsilon_nats)
    return queries, build_health_box(ranges, categories)


def compute_responses(regression: str) -> list[float]:
    """Compute what a regression of Table I says of the mock people, without noise.

    It is a probability, or hours of sleep.
    """
    queries = build_health_queries(CHECKUP["regressions"], CHECKUP["sleep_range_h"], 1.0)
    query = queries[REGRESSIONS.index(regression)]
    responses: list[float] = query.compute_response(np.array(PEOPLE, dtype=float)).tolist()
    return responses


def build_losses_table(*, epsilon_nats: float, tolerance: float, **checkup: Any) -> pd.DataFrame:
    """Build the table of the realized loss (nats) of each of the 16 possible answers.

    ``0-1-0-12`` is an answer: heart, stroke, diabetes, sleep in hours.  ``loss`` is the middle of
    the certified bounds, which are ``low`` and ``high``.
    """
    queries, box = build_checkup(epsilon_nats, **checkup)
    rows = []
    for outputs in _enumerate_answers():
        loss = bound_realized_loss(queries, outputs, box, tolerance=tolerance)
        answer = _format_answer(outputs, checkup["sleep_range_h"])
        middle = (loss.lower + loss.upper) / 2
        for statistic, value, low, high in (
            ("loss", middle, loss.lower, loss.upper),
            ("width", loss.upper - loss.lower, np.nan, np.nan),
            ("relaxations", loss.nodes, np.nan, np.nan),
        ):
            rows.append((answer, statistic, float(value), low, high))
    return pd.DataFrame(rows, columns=["answer", "statistic", "value", "low", "high"])


def build_spent_table(
    losses: pd.DataFrame,
    *,
    epsilon_nats: float,
    people: Sequence[Sequence[float]],
    grid_points: int,
    adults: Mapping[str, Sequence[float]],
    **checkup: Any,
) -> pd.DataFrame:
    """Build the table of the share of four epsilons that answers spend, and of what is left (nats).

    A person gives some answers more often than others, so that the median by the person's
    probabilities differs from the median over the 16 possible answers (``answers``).
    ``median_share`` of a person is the smallest share that their answers stay within with a
    probability of one half or more; the least and the largest are over a grid of people, and over
    one of adults, with as many points along each numeric axis.  ``share_of_99_percent`` is the
    median share that 99 in 100 of these people do not exceed.
    """
    queries, box = build_checkup(epsilon_nats, **checkup)
    budget_nats = epsilon_nats * len(queries)
    upper_losses = losses[losses["statistic"] == "loss"].set_index("answer")["high"]
    answers = [_format_answer(each, checkup["sleep_range_h"]) for each in _enumerate_answers()]
    shares = upper_losses[answers].to_numpy() / budget_nats
    mock_medians = _compute_median_shares(queries, np.array(people, dtype=float), shares)
    medians = {
        "answers": np.median(shares),
        **{f"person {index}": share for index, share in enumerate(mock_medians)},
    }
    quantiles = {}
    for name, grid_box in (
        ("grid", box),
        ("adults", build_health_box(adults, checkup["categories"])),
    ):
        grid_medians = _compute_median_shares(queries, _build_grid(grid_box, grid_points), shares)
        medians |= {f"{name}, least": grid_medians.min(), f"{name}, largest": grid_medians.max()}
        quantiles[name] = np.quantile(grid_medians, 0.99, method="higher")
    rows = [
        *((basis, "median_share", share) for basis, share in medians.items()),
        *((basis, "remaining_nats", budget_nats * (1 - each)) for basis, each in medians.items()),
        *((basis, "share_of_99_percent", share) for basis, share in quantiles.items()),
    ]
    table = pd.DataFrame(rows, columns=["basis", "statistic", "value"])
    return table.astype({"value": float})


def _build_grid(box: Box, points: int) -> np.ndarray:
    """Build a grid of a box, shape (m, d): ``points`` per numeric axis, all categories else."""
    finite = dict(box.categories)
    axes = [
        np.array(finite[index]) if index in finite else np.linspace(*ends, points)
        for index, ends in enumerate(zip(box.lower, box.upper, strict=True))
    ]
    return np.stack([axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")], axis=1)


@returns_table("output", "epsilon_nats")
def build_truncated_table(*, epsilons_nats: Sequence[float], **checkup: Any) -> Rows:
    """Build the table that checks f and g of Section 5.3.2, corrected, over the range of sleep.

    With p the probability of an output before it is truncated, a = 1/(e^eps + 1) and b = e^eps a,
    they are f = log a - log min(a, p) and g = -log min(b, p).  Corrected, the logarithm goes on
    below a along its tangent there, which keeps it concave and defines it everywhere.

    ``least_argument`` is the smallest p over the range, whose logarithm is taken as printed;
    ``identity_error`` how far the corrected f - g is from the logarithm of the truncated
    probability; ``least_bend`` the smallest second difference of the corrected f and g along p,
    which is 0 or more where both are convex.
    """
    for name, epsilon_nats, a, b, p in _iterate_sleep_probabilities(epsilons_nats, **checkup):
        along = np.linspace(p.min(), p.max(), 2_001)

        def compute_extended_log(t: np.ndarray, a: float = a) -> np.ndarray:
            """Compute log t, continued below a along the tangent at a."""
            return np.where(t < a, np.log(a) + (t - a) / a, np.log(np.maximum(t, a)))

        f = np.log(a) - compute_extended_log(np.minimum(a, along))
        g = -compute_extended_log(np.minimum(b, along))
        yield {
            "output": name,
            "epsilon_nats": epsilon_nats,
            "least_argument": p.min(),
            "identity_error": np.abs(f - g - np.log(np.clip(along, a, b))).max(),
            "least_bend": min(np.diff(f, 2).min(), np.diff(g, 2).min()),
        }


@returns_table("output", "epsilon_nats")
def build_extended_table(
    *, epsilons_nats: Sequence[float], points: int = 201, **checkup: Any
) -> Rows:
    """Build the table that checks f and g of Section 5.3.2 as printed, -log t = inf for t <= 0.

    ``points`` are equidistant values of the probability p before it is truncated.  Of
    ``midpoints``, pairs of points with another one in their middle, f or g of ``not_convex`` is
    larger there than the mean of its ends; ``undefined`` are points where f - g is infinity less
    infinity, and ``identity_error`` how far it is from the logarithm of the truncated probability
    at the others.
    """
    for name, epsilon_nats, a, b, p in _iterate_sleep_probabilities(epsilons_nats, **checkup):
        along = np.linspace(p.min(), p.max(), points)
        with np.errstate(divide="ignore", invalid="ignore"):
            log = np.log(np.maximum(along, 0))
            f = np.log(a) - np.minimum(np.log(a), log)
            g = -np.minimum(np.log(b), log)
            difference = f - g
        one, other = np.triu_indices(points, k=1)
        is_even = (one + other) % 2 == 0
        one, other, middle = one[is_even], other[is_even], (one + other)[is_even] // 2
        rounding = 1e-12
        is_bent = np.zeros(len(middle), dtype=bool)
        for each in (f, g):
            is_bent |= each[middle] > (each[one] + each[other]) / 2 + rounding
        is_defined = ~np.isnan(difference)
        yield {
            "output": name,
            "epsilon_nats": epsilon_nats,
            "midpoints": len(middle),
            "not_convex": int(is_bent.sum()),
            "undefined": int((~is_defined).sum()),
            "identity_error": np.abs(difference - np.log(np.clip(along, a, b)))[is_defined].max(),
        }


def _iterate_sleep_probabilities(
    epsilons_nats: Sequence[float], **checkup: Any
) -> Iterator[tuple[float, float, float, float, np.ndarray]]:
    """Yield sleep's output (hours), epsilon, a, b, and probabilities at the range's corners."""
    queries, box = build_checkup(1.0, **checkup)
    sleep = cast("TruncatedLinearQuery", queries[-1])
    low_h, high_h = sleep.low, sleep.high
    corners = np.array(list(itertools.product(*zip(box.lower, box.upper, strict=True))))
    hours = corners @ sleep.coefficients + sleep.intercept
    for epsilon_nats, (output, name) in itertools.product(
        map(float, epsilons_nats), enumerate((low_h, high_h))
    ):
        a = 1 / (np.exp(epsilon_nats) + 1)
        b = np.exp(epsilon_nats) * a
        share = (hours - low_h) / (high_h - low_h)
        yield name, epsilon_nats, a, b, a + (b - a) * (share if output else 1 - share)


def _compute_median_shares(
    queries: Sequence[Regression], points: np.ndarray, shares: np.ndarray
) -> np.ndarray:
    """Compute the weighted median of the shares (16,) for each person, shape (m, 4) to (m,)."""
    probabilities = np.exp(
        [
            sum(
                (
                    query.log_likelihood(output, points)
                    for query, output in zip(queries, outputs, strict=True)
                ),
                start=np.zeros(len(points)),
            )
            for outputs in _enumerate_answers()
        ]
    )
    order = np.argsort(shares, kind="stable")
    reached = np.cumsum(probabilities[order], axis=0) >= 0.5
    return shares[order][reached.argmax(axis=0)]


def _enumerate_answers() -> list[tuple[int, ...]]:
    """Return all 16 combinations of one-bit outputs of the regressions."""
    return list(itertools.product((0, 1), repeat=len(REGRESSIONS)))


def _format_answer(outputs: Sequence[int], sleep_range_h: Sequence[float]) -> str:
    """Format an answer as in tables: ``0-1-0-12`` is heart, stroke, diabetes, sleep in hours."""
    return "-".join([*map(str, outputs[:-1]), f"{sleep_range_h[outputs[-1]]:g}"])
