"""k-anonymity and the homogeneity attack, against pycanon and by hand."""

import warnings

import numpy as np
import pandas as pd
import pytest

from noiseless.data.samples.young_people import write_young_people
from noiseless.data.young_people import read_young_people
from noiseless.errors import ConfigError, DataError
from noiseless.papers.deterministic import k_anonymity, section_5
from noiseless.statements import widen
from wide_table import wide

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
    "most_excluded_share": 0.05,
}


@pytest.fixture(scope="module")
def survey(tmp_path_factory):
    path = tmp_path_factory.mktemp("survey") / "responses.csv"
    write_young_people(path, rows=300, seed=3)
    return read_young_people(path)


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
    tables = k_anonymity.build_release_tables(survey, k=k_grid, **CHOICE)
    release, attack = wide(tables["release"], "k"), wide(tables["attack"], ["k", "sensitive"])
    candidates = k_anonymity._enumerate_candidates(people, CHOICE["numeric"], CHOICE["categorical"])
    for k in k_grid:
        chosen = k_anonymity.generalise(candidates, k=k, most_excluded_share=0.05)
        found, diversity = oracle(people, chosen, CHOICE["sensitive"])
        assert found == release.loc[k, "smallest_class"] >= k
        for question, distinct in diversity.items():
            # A release with only one answer in some class is the one that the attack wins.
            assert (distinct == 1) == (attack.loc[(k, question), "revealed"] > 0)
    return release, attack


def test_release_and_attack_agree_with_pycanon(survey):
    release, attack = check_against_pycanon(survey, [2, 3, 5, 10])
    assert (release["excluded"] <= 0.05 * release["people"]).all()
    assert attack.loc[2, "revealed"].sum() > 0
    assert (attack["quantizer_revealed"] == 0).all()
    assert (attack["quantizer_answers_left"] >= 2).all()


def test_real_people_are_revealed_by_k_anonymous_data(young_people_csv):
    survey = read_young_people(young_people_csv)
    _, attack = check_against_pycanon(survey, [2, 5, 20])
    assert attack.loc[2, "revealed"].sum() > 0
    assert (attack["quantizer_revealed"] == 0).all()


def test_large_k_in_a_small_survey_is_a_gap(tmp_path):
    """Sixty people, two genders: classes of fifty would leave a gender out."""
    path = tmp_path / "responses.csv"
    write_young_people(path, rows=60, seed=3)
    tables = k_anonymity.build_release_tables(read_young_people(path), k=[2, 5, 50, 200], **CHOICE)
    release, attack = wide(tables["release"], "k"), wide(tables["attack"], ["k", "sensitive"])
    gap = ["excluded", "classes", "smallest_class", "levels_age_years", "levels_height_cm"]
    assert release.loc[[50, 200], gap].isna().all(axis=None)
    assert release.loc[[2, 5]].notna().all(axis=None)
    # The table says why.
    assert release.loc[50, "least_excluded_share"] > 0.05 > release.loc[5, "least_excluded_share"]
    assert release.loc[200, "least_excluded_share"] == 1
    assert (release["people"] == release.loc[2, "people"]).all()
    assert attack.loc[50, ["revealed", "released", "quantizer_revealed"]].isna().all(axis=None)
    assert attack.loc[5].notna().all(axis=None)
    assert (attack["quantizer_answers_left"] >= 2).all()


def test_statement_about_a_gap_is_not_reproduced(survey):
    found = []
    for people in (len(survey), 12):
        tables = k_anonymity.build_release_tables(survey.head(people), k=[10], **CHOICE)
        found.append(section_5.prop5_1_attack.check(widen(tables["attack"])))
    assert found[0].found[0] >= 0
    assert np.isnan(found[1].found[0])
    assert not found[1].holds


def test_a_release_that_is_not_k_anonymous_is_caught(survey, monkeypatch):
    def careless(candidates, **_):
        return candidates[-1]

    monkeypatch.setattr(k_anonymity, "generalise", careless)
    with pytest.raises(RuntimeError, match="the release for k = 50 is only 1-anonymous"):
        k_anonymity.build_release_tables(survey, k=[50], **CHOICE)


def test_a_class_with_one_answer_reveals_it():
    classes = np.array([0, 0, 1, 1, 1, 2])
    answers = [frozenset([each]) for each in (4, 4, 1, 2, 1, 3)]
    assert k_anonymity.find_revealed(classes, answers).tolist() == [True, True, *[False] * 3, True]
    vague = [each | {5} for each in answers]
    assert not k_anonymity.find_revealed(classes, vague).any()


def test_finest_release_is_chosen_and_small_classes_are_left_out():
    coarse = k_anonymity.Generalisation({"a": 1}, np.zeros(10, dtype=int))
    fine = k_anonymity.Generalisation({"a": 3}, np.array([0] * 5 + [1] * 4 + [2]))
    chosen = k_anonymity.generalise([coarse, fine], k=3, most_excluded_share=0.1)
    assert chosen.levels == {"a": 3}
    assert chosen.classes.tolist() == [0] * 5 + [1] * 4 + [-1]
    assert chosen.released.sum() == 9
    strict = k_anonymity.generalise([coarse, fine], k=3, most_excluded_share=0)
    assert strict.levels == {"a": 1}


def test_errors_a_user_can_mend(survey):
    with pytest.raises(ConfigError, match="'Weight' is not a question with a list of answers"):
        k_anonymity.build_release_tables(survey, k=[2], **{**CHOICE, "sensitive": ["Weight"]})
    nobody = survey.assign(Smoking=pd.NA)
    with pytest.raises(DataError, match="no respondent of the survey answered all"):
        k_anonymity.build_release_tables(nobody, k=[2], **CHOICE)
    narrow = {**CHOICE["numeric"], "height_cm": {"range": [100, 250], "levels": [1]}}
    with pytest.raises(DataError, match="outside the public range"):
        k_anonymity.build_release_tables(survey, k=[2], **{**CHOICE, "numeric": narrow})


def test_the_proof_of_proposition_5_1_leaves_a_row_alone():
    """Three rows that are all suppressed, of which the first two are put back."""
    assert k_anonymity.compute_anonymity(k_anonymity.build_proof_release((0, 0, 0), 2)) == 1


def test_a_release_that_is_k_anonymous_and_tells_a_table():
    assert k_anonymity.release_if_equal((7, 7, 7)) == (7, 7, 7)
    assert k_anonymity.release_if_equal((7, 7, 8)) == ("*", "*", "*")
    tables = [(a, b) for a in range(4) for b in range(4)]
    released = [k_anonymity.release_if_equal(each) for each in tables]
    assert all(k_anonymity.compute_anonymity(each) == 2 for each in released)
    assert sorted(released.count(each) for each in set(released)) == [1, 1, 1, 1, 12]
