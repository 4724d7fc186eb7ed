"""Figure of what k-anonymous data reveal."""

import numpy as np

from drawn import alike, points, shown, tidy
from noiseless.papers.deterministic.figures.k_anonymity import plot_k_anonymity


def test_certain_answers_are_drawn_and_gaps_are_left():
    release = tidy("people", "classes", "excluded", "least_excluded_share", k=[2, 5, 10, 20])
    release.loc[release["statistic"] == "least_excluded_share", "value"] = [0.01, 0.02, 0.25, 0.5]
    answers = ["Smoking", "Alcohol"]
    attack = tidy("revealed", "answers", "quantizer_revealed", sensitive=answers, k=[2, 5, 10])
    release, attack = alike(release, "people"), alike(attack, "answers", by=["sensitive"])
    gap = release["statistic"].isin(["classes", "excluded"]) & (release["k"] > 5)
    release.loc[gap, "value"] = np.nan
    gap = (attack["k"] == 10) & (attack["sensitive"] == "Alcohol")
    attack.loc[gap & (attack["statistic"] != "answers"), "value"] = np.nan
    figure = plot_k_anonymity(release, attack)
    left, right = figure.axes
    lines = shown(left)
    for question, count in (("Smoking", 7), ("Alcohol", 10)):
        drawn = lines[f"{question.lower()} ({count} answers)"]
        expected = points(attack, "k", statistic="revealed", sensitive=question)
        np.testing.assert_array_equal(drawn, expected)
    # The worst question, and a gap where one of them has no release.
    worst = np.array(lines["any, with the answer quantized"])
    np.testing.assert_array_equal(worst, [(2, 16), (5, 17), (10, np.nan)])
    for name, label in (("classes", "classes"), ("excluded", "people excluded")):
        expected = points(release, "k", statistic=name)
        np.testing.assert_array_equal(shown(right)[label], expected)
    assert figure.get_supxlabel() == (
        "no release for 2 of 4 k, from k = 10: it would exclude 25% or more"
    )
    assert not plot_k_anonymity(release.dropna(), attack).get_supxlabel()
