"""Four regressions on one person's health checkup (``knowledge``, Section 6.3 and Appendix E).

1. :func:`responses_table`: the regressions of Table I on the mock people, before any noise.
2. :func:`losses_table`: the realized loss of each of the 16 possible answers, certified.
3. :func:`spent_table`: the median share of the budget that is spent, over the answers and over the
   chances of a person.

:func:`health_tables` makes all of them.
"""

import itertools
from collections.abc import Sequence

import numpy as np
import pandas as pd

from noiseless.accounting.queries import Box, LogisticQuery, Query, TruncatedLinearQuery
from noiseless.accounting.realized_loss import realized_loss
from noiseless.tables import tidy

REGRESSIONS = ("heart", "stroke", "diabetes", "sleep")


def health_tables(
    *,
    regressions: dict[str, Sequence[float]],
    sleep_range_h: Sequence[float],
    ranges: dict[str, Sequence[float]],
    categories: dict[str, Sequence[float]],
    epsilon_nats: float,
    tolerance: float,
    people: Sequence[Sequence[float]],
    grid_points: int,
) -> dict[str, pd.DataFrame]:
    """All tables of this module.

    Returns
    -------
    dict
        ``health_responses``, ``health_losses`` and ``health_spent``.
    """
    table_1 = {"regressions": regressions, "sleep_range_h": sleep_range_h}
    people_range = {"ranges": ranges, "categories": categories}
    losses = losses_table(**table_1, **people_range, epsilon_nats=epsilon_nats, tolerance=tolerance)
    return {
        "health_responses": responses_table(**table_1, people=people),
        "health_losses": losses,
        "health_spent": spent_table(
            losses,
            **table_1,
            **people_range,
            epsilon_nats=epsilon_nats,
            people=people,
            grid_points=grid_points,
        ),
    }


def health_queries(
    regressions: dict[str, Sequence[float]], sleep_range_h: Sequence[float], epsilon_nats: float
) -> list[Query]:
    """The four queries, in the order of Table I.

    Parameters
    ----------
    regressions : dict of str to sequence of 5 float
        For each of :data:`REGRESSIONS` the coefficients of age (years), sex (0 female, 1 male),
        blood pressure (mmHg) and BMI (kg/m2), then the intercept.
    sleep_range_h : sequence of 2 float
        Interval to which sleep is truncated, in hours.
    epsilon_nats : float
        LDP guarantee of each.
    """
    queries: list[Query] = []
    for name in REGRESSIONS:
        *coefficients, intercept = map(float, regressions[name])
        if name == "sleep":
            low, high = map(float, sleep_range_h)
            query = TruncatedLinearQuery(tuple(coefficients), intercept, epsilon_nats, low, high)
        else:
            query = LogisticQuery(tuple(coefficients), intercept, epsilon_nats)
        queries.append(query)
    return queries


def health_box(ranges: dict[str, Sequence[float]], categories: dict[str, Sequence[float]]) -> Box:
    """Public range of (age in years, sex, blood pressure in mmHg, BMI in kg/m2).

    Parameters
    ----------
    ranges : dict of str to sequence of 2 float
        Least and largest value of each, in the unit of its name.
    categories : dict of str to sequence of float
        All values of those that take only finitely many.
    """
    names = ("age_years", "sex", "blood_pressure_mmhg", "bmi_kg_m2")
    lower, upper = zip(*(map(float, ranges[name]) for name in names), strict=True)
    return Box(
        lower,
        upper,
        categories={names.index(name): values for name, values in categories.items()},
    )


def responses_table(
    *,
    regressions: dict[str, Sequence[float]],
    sleep_range_h: Sequence[float],
    people: Sequence[Sequence[float]],
) -> pd.DataFrame:
    """What the regressions say about some people, before any noise.

    Returns
    -------
    DataFrame
        Cells (person,), numbered from 0.  Statistics: ``heart``, ``stroke`` and ``diabetes``, the
        modelled probabilities, and ``sleep_h``.
    """
    points = np.array(people, dtype=float)
    queries = health_queries(regressions, sleep_range_h, 1.0)
    columns = {
        name if name != "sleep" else "sleep_h": query.response(points)
        for name, query in zip(REGRESSIONS, queries, strict=True)
    }
    return tidy(pd.DataFrame({"person": range(len(points)), **columns}), ["person"])


def losses_table(
    *,
    regressions: dict[str, Sequence[float]],
    sleep_range_h: Sequence[float],
    ranges: dict[str, Sequence[float]],
    categories: dict[str, Sequence[float]],
    epsilon_nats: float,
    tolerance: float,
) -> pd.DataFrame:
    """Realized loss of each possible answer, in nats.

    Returns
    -------
    DataFrame
        Cells (answer,), such as ``0-1-0-12``: heart, stroke, diabetes, sleep in hours.
        Statistics: ``loss``, the middle of the certified bounds, with them as ``low`` and ``high``;
        ``width`` of the bounds; ``relaxations``.
    """
    queries, box = (
        health_queries(regressions, sleep_range_h, epsilon_nats),
        health_box(ranges, categories),
    )
    rows = []
    for outputs in _answers():
        loss = realized_loss(queries, outputs, box, tolerance=tolerance)
        answer = _name(outputs, sleep_range_h)
        middle = (loss.lower + loss.upper) / 2
        for statistic, value, low, high in (
            ("loss", middle, loss.lower, loss.upper),
            ("width", loss.upper - loss.lower, np.nan, np.nan),
            ("relaxations", loss.nodes, np.nan, np.nan),
        ):
            rows.append((answer, statistic, float(value), low, high))
    return pd.DataFrame(rows, columns=["answer", "statistic", "value", "low", "high"])


def spent_table(
    losses: pd.DataFrame,
    *,
    regressions: dict[str, Sequence[float]],
    sleep_range_h: Sequence[float],
    ranges: dict[str, Sequence[float]],
    categories: dict[str, Sequence[float]],
    epsilon_nats: float,
    people: Sequence[Sequence[float]],
    grid_points: int,
) -> pd.DataFrame:
    """Median share of the budget (the sum of the four epsilons) that the answers spend.

    A person gives some answers more often than others, so the median over their own answers is
    another number than the median over the 16 possible ones.

    Parameters
    ----------
    losses : DataFrame
        Table ``knowledge/health_losses``.
    people : sequence of 4 float each
        The mock people.
    grid_points : int
        Points along each axis of a grid of people, for the least and the largest median; an axis
        of categories has these.

    Returns
    -------
    DataFrame
        Cells (basis,): ``answers``, all 16 alike; ``person 0``, ``person 1``, ...: by their own
        chances; ``grid, least`` and ``grid, largest``: over the grid of people.  Statistic
        ``median_share``: of the budget; of a person's chances, the smallest share that they stay
        within with a probability of one half or more.
    """
    queries, box = (
        health_queries(regressions, sleep_range_h, epsilon_nats),
        health_box(ranges, categories),
    )
    budget_nats = epsilon_nats * len(queries)
    chosen = losses[losses["statistic"] == "loss"].set_index("answer")["high"]
    shares = chosen[[_name(each, sleep_range_h) for each in _answers()]].to_numpy() / budget_nats
    finite = dict(box.categories)
    axes = [
        np.array(finite[index]) if index in finite else np.linspace(*ends, grid_points)
        for index, ends in enumerate(zip(box.lower, box.upper, strict=True))
    ]
    grid = np.stack([axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")], axis=1)
    mock = _median_shares(queries, np.array(people, dtype=float), shares)
    all_people = _median_shares(queries, grid, shares)
    medians = {
        "answers": np.median(shares),
        **{f"person {index}": share for index, share in enumerate(mock)},
        "grid, least": all_people.min(),
        "grid, largest": all_people.max(),
    }
    table = pd.DataFrame({"basis": list(medians), "median_share": list(medians.values())})
    return tidy(table, ["basis"])


def _median_shares(queries: list[Query], points: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Weighted median of the shares for each person, shape (m, 4) to (m,)."""
    chances = np.exp(
        [
            sum(query.log_likelihood(o, points) for query, o in zip(queries, outputs, strict=True))
            for outputs in _answers()
        ]
    )
    order = np.argsort(shares, kind="stable")
    reached = np.cumsum(chances[order], axis=0) >= 0.5
    return shares[order][reached.argmax(axis=0)]


def _answers() -> list[tuple[int, ...]]:
    return list(itertools.product((0, 1), repeat=len(REGRESSIONS)))


def _name(outputs: Sequence[int], sleep_range_h: Sequence[float]) -> str:
    return "-".join([*map(str, outputs[:-1]), f"{sleep_range_h[outputs[-1]]:g}"])
