"""k-anonymity and the homogeneity attack, against pycanon and by hand."""

import warnings

import numpy as np
import pandas as pd
import pytest

from noiseless.datasets.samples.young_people import write_young_people
from noiseless.datasets.young_people import read_young_people
from noiseless.errors import ConfigError, DataError
from noiseless.experiments import k_anonymity

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from pycanon import anonymity

CHOICE = {
    "numeric": {
        "age_years": {"range": [15, 30], "levels": [1, 3, 5]},
        "height_cm": {"range": [0, 250], "levels": [1, 10, 25]},
    },
    "categorical": ["gender"],
    "sensitive": ["Alcohol", "Smoking"],
    "most_left_out": 0.05,
}


@pytest.fixture(scope="module")
def survey(tmp_path_factory):
    path = tmp_path_factory.mktemp("survey") / "responses.csv"
    write_young_people(path, rows=300, seed=3)
    return read_young_people(path)


def wide(table, cell):
    return table.pivot(index=cell, columns="statistic", values="value")


def oracle(people, chosen, sensitive):
    """k and l of the release, by pycanon."""
    frame = people.assign(group=chosen.classes)[chosen.released][["group", *sensitive]]
    frame = frame.astype(str).reset_index(drop=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        k = anonymity.k_anonymity(frame, ["group"])
        diversity = {each: anonymity.l_diversity(frame, ["group"], [each]) for each in sensitive}
    return k, diversity


def check_against_pycanon(survey, k_grid):
    columns = [*CHOICE["numeric"], *CHOICE["categorical"], *CHOICE["sensitive"]]
    people = survey[columns].dropna().reset_index(drop=True)
    tables = k_anonymity.tables(survey, k=k_grid, **CHOICE)
    release, attack = wide(tables["release"], "k"), wide(tables["attack"], ["k", "sensitive"])
    candidates = k_anonymity._candidates(people, CHOICE["numeric"], CHOICE["categorical"])
    for k in k_grid:
        chosen = k_anonymity.generalise(candidates, k=k, most_left_out=0.05)
        found, diversity = oracle(people, chosen, CHOICE["sensitive"])
        assert found == release.loc[k, "smallest_class"] >= k
        for question, distinct in diversity.items():
            # A release with only one answer in some class is the one that the attack wins.
            assert (distinct == 1) == (attack.loc[(k, question), "revealed"] > 0)
    return release, attack


def test_release_and_attack_agree_with_pycanon(survey):
    release, attack = check_against_pycanon(survey, [2, 3, 5, 10])
    assert (release["left_out"] <= 0.05 * release["people"]).all()
    assert attack.loc[2, "revealed"].sum() > 0
    assert (attack["quantizer_revealed"] == 0).all()
    assert (attack["quantizer_answers_left"] >= 2).all()


def test_real_people_are_revealed_by_k_anonymous_data(young_people_csv):
    survey = read_young_people(young_people_csv)
    _, attack = check_against_pycanon(survey, [2, 5, 20])
    assert attack.loc[2, "revealed"].sum() > 0
    assert (attack["quantizer_revealed"] == 0).all()


def test_attack_by_hand():
    classes = np.array([0, 0, 1, 1, 1, 2])
    answers = [frozenset([each]) for each in (4, 4, 1, 2, 1, 3)]
    assert k_anonymity.revealed(classes, answers).tolist() == [True, True, *[False] * 3, True]
    vague = [each | {5} for each in answers]
    assert not k_anonymity.revealed(classes, vague).any()


def test_finest_release_is_chosen_and_small_classes_are_left_out():
    coarse = k_anonymity.Generalisation({"a": 1}, np.zeros(10, dtype=int))
    fine = k_anonymity.Generalisation({"a": 3}, np.array([0] * 5 + [1] * 4 + [2]))
    chosen = k_anonymity.generalise([coarse, fine], k=3, most_left_out=0.1)
    assert chosen.levels == {"a": 3}
    assert chosen.classes.tolist() == [0] * 5 + [1] * 4 + [-1]
    assert chosen.released.sum() == 9
    strict = k_anonymity.generalise([coarse, fine], k=3, most_left_out=0)
    assert strict.levels == {"a": 1}


def test_errors_a_user_can_mend(survey):
    with pytest.raises(ConfigError, match="k = 280 people with at most 5%"):
        k_anonymity.tables(survey, k=[280], **CHOICE)
    with pytest.raises(ConfigError, match="'Weight' is not a question with a list of answers"):
        k_anonymity.tables(survey, k=[2], **{**CHOICE, "sensitive": ["Weight"]})
    nobody = survey.assign(Smoking=pd.NA)
    with pytest.raises(DataError, match="nobody in the survey answered all"):
        k_anonymity.tables(nobody, k=[2], **CHOICE)
    narrow = {**CHOICE["numeric"], "height_cm": {"range": [100, 250], "levels": [1]}}
    with pytest.raises(DataError, match="outside the public range"):
        k_anonymity.tables(survey, k=[2], **{**CHOICE, "numeric": narrow})
