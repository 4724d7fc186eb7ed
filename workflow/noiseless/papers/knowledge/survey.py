"""Regressions that people of the young people survey answer under a filter (beyond ``knowledge``).

Every person is an object: age, sex, weight and height in public ranges.  An analyst sends everybody
the same stream of random linear and logistic regressions, and estimates the mean of each from the
one-bit answers of those whose filter still accepts.

1. :func:`build_survey_tables`: number of queries that people answer at an equal budget, and errors
   of the estimated means.
"""

import copy
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from tqdm import tqdm

from noiseless.accounting.filters import FILTERS, PrivacyFilter
from noiseless.accounting.queries import Box, LinearQuery, LogisticQuery, Query
from noiseless.accounting.realized_loss import BoxAccount
from noiseless.errors import DataError
from noiseless.seeds import make_generator
from noiseless.tables import tidy

_COORDINATES = ("age_years", "sex", "weight_kg", "height_cm")
# Public ranges of a person; a record outside is an error.
RANGES = {"age_years": [15, 30], "sex": [0, 1], "weight_kg": [0, 200], "height_cm": [0, 250]}


Regression = LinearQuery | LogisticQuery


def select_people(survey: pd.DataFrame) -> np.ndarray:
    """Select age (years), sex (0 female, 1 male), weight (kg) and height (cm), shape (people, 4).

    Respondents who left one of them out are not selected; :class:`DataError` if all did.
    """
    sex = survey["gender"].map({"female": 0, "male": 1})
    people = survey.assign(sex=sex)[list(_COORDINATES)].dropna().to_numpy(dtype=float)
    if not len(people):
        raise DataError(
            "no respondent of the survey gave age, gender, weight and height. "
            "Check that the file is the young people survey."
        )
    return people


def draw_queries(
    box: Box, *, queries: int, logistic_range: float, epsilon_nats: float, seed: int
) -> list[Regression]:
    """Draw linear and logistic regressions in turn, on the coordinates of a box scaled to [-1, 1].

    Linear: parameters from U[-1, 1] on the scaled coordinates, divided by their L1 norm, so that
    the response lies in [-1, 1].  Logistic: parameters from U[-r, r] on the scaled coordinates, r
    the ``logistic_range``.
    """
    lower, upper = np.array(box.lower), np.array(box.upper)
    half, middle = (upper - lower) / 2, (upper + lower) / 2
    stream: list[Regression] = []
    for number in range(queries):
        parameters = make_generator(seed, "survey query", number).uniform(-1, 1, len(lower) + 1)
        linear = number % 2 == 0
        parameters *= 1 / np.abs(parameters).sum() if linear else logistic_range
        coefficients = parameters[1:] / half
        intercept = float(parameters[0] - coefficients @ middle)
        coefficients = tuple(coefficients.tolist())
        if linear:
            stream.append(LinearQuery(coefficients, intercept, epsilon_nats, -1.0, 1.0))
        else:
            stream.append(LogisticQuery(coefficients, intercept, epsilon_nats))
    return stream


def build_survey_tables(
    survey: pd.DataFrame,
    *,
    most_people: int,
    queries: int,
    logistic_range: float,
    epsilon_nats: float,
    budget_nats: float,
    tolerance: float,
    seed: int,
    ranges: Mapping[str, Sequence[float]] = RANGES,
) -> dict[str, pd.DataFrame]:
    """Build the tables of queries that people answer under each filter, and of estimated means.

    At most ``most_people``, drawn at random, are asked.  ``truth_answering`` is the true mean over
    those who answered, and ``rms_error`` that of the estimated means over the queries.
    """
    people = select_people(survey)
    if len(people) > most_people:
        people = make_generator(seed, "survey people").permutation(people)[:most_people]
    lower, upper = zip(*(map(float, ranges[name]) for name in _COORDINATES), strict=True)
    box = Box(lower, upper)
    outside = ~box.contains(people)
    if outside.any():
        raise DataError(
            f"the person {people[outside][0].tolist()} (age, sex, weight, height) is outside the "
            "public range. Widen the range in the configuration."
        )
    stream = draw_queries(
        box, queries=queries, logistic_range=logistic_range, epsilon_nats=epsilon_nats, seed=seed
    )
    responses = np.stack([query.compute_response(people) for query in stream], axis=1)
    reports = np.stack(
        [
            query.mechanism.report(
                responses[:, number], make_generator(seed, "survey report", number)
            )
            for number, query in enumerate(stream)
        ],
        axis=1,
    )
    people_rows, means = [], []
    for name, filter_class in FILTERS.items():
        new_filter = filter_class(budget_nats, BoxAccount(box, tolerance=tolerance))
        answered, losses = _collect_answers(new_filter, stream, reports)
        per_person = answered.sum(axis=1)
        rows = _build_mean_rows(stream, responses, reports, answered)
        means.append(pd.DataFrame(rows).assign(filter=name))
        errors = means[-1]["estimate"] - means[-1]["truth"]
        people_rows.append(
            {
                "filter": name,
                "people": len(people),
                "mean_answered": per_person.mean(),
                "median_answered": np.median(per_person),
                "least_answered": per_person.min(),
                "most_answered": per_person.max(),
                "largest_loss_nats": losses.max(),
                "mean_loss_nats": losses.mean(),
                "rms_error": np.sqrt((errors**2).mean()),
            }
        )
    key_columns = ["filter", "query", "regression"]
    table = pd.concat(means, ignore_index=True)
    table = table[[*key_columns, *table.columns.drop(key_columns)]]
    return {
        "people": tidy(pd.DataFrame(people_rows), ["filter"]),
        "means": tidy(table, key_columns),
    }


def _collect_answers(
    new_filter: PrivacyFilter, stream: Sequence[Query], reports: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return whether each person answers each query (people, queries), and final losses (people,).

    A filter sees a person's earlier reports and nothing else, so that one filter stands for all
    people with equal earlier reports.
    """
    answered = np.zeros(reports.shape, dtype=bool)
    losses = np.empty(len(reports))
    pending = [(new_filter, 0, np.arange(len(reports)))]
    with tqdm(total=len(reports), desc=f"people under a {type(new_filter).__name__}") as progress:
        while pending:
            privacy_filter, number, people = pending.pop()
            if number == len(stream):
                losses[people] = privacy_filter.bound_loss().upper
                progress.update(len(people))
            elif not privacy_filter.accepts(stream[number]):
                pending.append((privacy_filter, number + 1, people))
            else:
                answered[people, number] = True
                for output in np.unique(reports[people, number]).tolist():
                    branch = copy.deepcopy(privacy_filter)
                    branch.record(stream[number], output)
                    reported = people[reports[people, number] == output]
                    pending.append((branch, number + 1, reported))
    return answered, losses


def _build_mean_rows(
    stream: Sequence[Regression], responses: np.ndarray, reports: np.ndarray, answered: np.ndarray
) -> list[dict]:
    """Build a row of the true and the estimated mean for each query that somebody answered."""
    rows = []
    for number, query in enumerate(stream):
        chosen = answered[:, number]
        if chosen.any():
            rows.append(
                {
                    "query": number,
                    "regression": "logistic" if isinstance(query, LogisticQuery) else "linear",
                    "people": chosen.sum(),
                    "truth": responses[:, number].mean(),
                    "truth_answering": responses[chosen, number].mean(),
                    "estimate": query.mechanism.estimate_mean(reports[chosen, number]),
                    "standard_error": query.mechanism.estimate_standard_error(
                        reports[chosen, number]
                    ),
                }
            )
    return rows
