"""Filters for the people of a survey: by hand, by plain loops and on real people."""

import numpy as np
import pandas as pd
import pytest

from noiseless.accounting.queries import Box, LinearQuery, LogisticQuery
from noiseless.accounting.realized_loss import BoxAccount
from noiseless.data.young_people import read_young_people
from noiseless.errors import DataError
from noiseless.papers.knowledge import survey
from noiseless.seeds import make_generator

RANGES = {
    "age_years": [15, 30],
    "sex": [0, 1],
    "weight_kg": [0, 200],
    "height_cm": [0, 250],
}
SURVEY = {
    "ranges": RANGES,
    "most_people": 4,
    "queries": 5,
    "logistic_range": 3.0,
    "epsilon_nats": 1.0,
    "budget_nats": 2.0,
    "tolerance": 0.02,
    "seed": 1,
}


def toy_survey(weight=70) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "age_years": pd.array([20, 21, 22, None], dtype="Int64"),
            "gender": ["female", "male", None, "male"],
            "weight_kg": pd.array([60, weight, 75, 80], dtype="Int64"),
            "height_cm": pd.array([170, 180, 175, 185], dtype="Int64"),
        }
    )


def test_people_need_all_four_answers_and_must_be_in_range():
    people = survey.select_people(toy_survey())
    assert people.tolist() == [[20, 0, 60, 170], [21, 1, 70, 180]]
    with pytest.raises(DataError, match="no respondent"):
        survey.select_people(toy_survey().iloc[2:])
    with pytest.raises(DataError, match="outside the public range"):
        survey.build_survey_tables(toy_survey(weight=250), **SURVEY)


def test_stream_fits_the_box_whatever_the_person():
    box = Box((15.0, 0.0, 0.0, 0.0), (30.0, 1.0, 200.0, 250.0))
    stream = survey.draw_queries(box, queries=12, logistic_range=3, epsilon_nats=0.5, seed=2)
    assert [type(query) for query in stream[:2]] == [LinearQuery, LogisticQuery]
    for query in stream:
        query.require(box)


def test_people_handled_as_one_answer_what_each_would_alone():
    box = Box((15.0, 0.0, 0.0, 0.0), (30.0, 1.0, 200.0, 250.0))
    stream = survey.draw_queries(box, queries=6, logistic_range=3, epsilon_nats=1.0, seed=2)
    reports = make_generator(3, "reports").integers(0, 2, (12, 6))
    reports[6:, :4] = reports[0, :4]  # some are alike for long
    for kind in survey.FILTERS.values():
        empty = kind(2.5, BoxAccount(box, tolerance=0.02))
        answered, losses = survey._collect_answers(empty, stream, reports)
        assert empty.bound_loss().upper == 0
        for person, bits in enumerate(reports.tolist()):
            alone, accepted = kind(2.5, BoxAccount(box, tolerance=0.02)), []
            for query, output in zip(stream, bits, strict=True):
                accepted.append(alone.accepts(query))
                if accepted[-1]:
                    alone.record(query, output)
            assert answered[person].tolist() == accepted
            assert losses[person] == alone.bound_loss().upper
    assert len({tuple(row) for row in answered.tolist()}) > 1


def test_real_survey_answers_more_under_the_bayesian_filter(young_people_csv):
    tables = survey.build_survey_tables(read_young_people(young_people_csv), **SURVEY)
    people = tables["people"].pivot(index="filter", columns="statistic", values="value")
    assert (people["people"] == 4).all()
    assert people.loc["basic", ["least_answered", "most_answered"]].tolist() == [2, 2]
    assert people.loc["bayesian", "mean_answered"] > people.loc["basic", "mean_answered"]
    assert (people["largest_loss_nats"] <= 2 * (1 + 1e-9)).all()
    means = tables["means"].pivot(index=["filter", "query"], columns="statistic", values="value")
    full = means[means["people"] == 4]
    np.testing.assert_allclose(full["truth"], full["truth_answering"])
