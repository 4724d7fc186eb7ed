"""Figures 3 to 8 of ``prrelation``."""

import numpy as np
import pandas as pd
import pytest

from drawn import ends, points, printed, shown, tidy
from noiseless.figures.style import PRINTED_LABEL
from noiseless.papers.prrelation.figures import curves as figures

KNOWLEDGE = ["none", "prior", "records", "time"]
EPSILONS, DELTAS = [0.1, 1.0, 2.0], [1e-5, 1e-3]
QUERIES = {"query": ["all", "smokers"]}


@pytest.fixture(scope="module")
def tables():
    """Curves of three thresholds each; normal noise at a second delta for one epsilon."""
    laplace = {"mechanism": ["laplace"], "knowledge": KNOWLEDGE, "epsilon_nats": EPSILONS}
    normal = {**laplace, "mechanism": ["gaussian_classical"], "delta": DELTAS}
    normals = tidy("precision", "recall", **normal, **QUERIES, t=[1, 2, 3])
    normals = normals[(normals["delta"] == 1e-5) | (normals["epsilon_nats"] == 1)]
    parts = [tidy("precision", "recall", **laplace, **QUERIES, t=[1, 2, 3]), normals]
    rates = pd.concat(parts, ignore_index=True)
    rates = rates.assign(value=np.arange(len(rates)) / len(rates))
    rates = rates.assign(low=rates["value"] - 1e-5, high=rates["value"] + 2e-5)
    methods = ["laplace", "gaussian_classical", "gaussian_printed", "gaussian_analytic"]
    scores = {"mechanism": methods, "knowledge": KNOWLEDGE, "beta": [0.5, 1.0]}
    f_scores = tidy("f_score", **scores, epsilon_nats=EPSILONS, delta=[1e-5], **QUERIES)
    return {
        "curves": rates[rates["query"] == "all"],
        "rates": rates,
        "f_scores": f_scores[f_scores["query"] == "all"],
        "counted": f_scores,
    }


def curve(table, **where):
    """Recall against precision, at one level."""
    recall, precision = (
        [y for _, y in points(table, "t", statistic=name, **where)]
        for name in ("recall", "precision")
    )
    return list(zip(recall, precision, strict=True))


def assert_curves(axis, tables, along, levels, **where):
    """One line for each level, and dots of the query about smokers with their intervals."""
    drawn = list(shown(axis).values())
    assert drawn == [curve(tables["curves"], **where, **{along: level}) for level in levels]
    for container, level in zip(axis.containers, levels, strict=True):
        where = {**where, "query": "smokers", along: level}
        dots = [tuple(each) for each in container[0].get_xydata().tolist()]
        assert dots == curve(tables["rates"], **where)
        (bars,) = container[2]
        segments = np.array(bars.get_segments())[:, :, 1]
        values = np.array([y for _, y in dots])
        np.testing.assert_allclose(segments, np.stack([values - 1e-5, values + 2e-5], axis=1))


def test_figure_3_shows_the_curves_the_counts_and_the_printed_numbers(tables):
    where = {"mechanism": ["laplace"], "knowledge": ["none"], "epsilon_nats": [0.1]}
    numbers = printed("prrelation/curves", "precision", (where, 0.5))
    figure = figures.plot_fig3(**tables, printed=numbers, answers=1000)
    left, right = figure.axes
    assert figure.get_supxlabel() == "markers: counted on 1,000 answers each"
    (mark,) = (line for line in left.lines if line.get_label() == PRINTED_LABEL)
    mark.set_label("_")
    assert list(mark.get_ydata()) == [0.5, 0.5]
    assert_curves(left, tables, "epsilon_nats", EPSILONS, mechanism="laplace", knowledge="none")
    where = {"mechanism": "laplace", "knowledge": "none"}
    assert list(shown(right).values()) == [
        points(tables["f_scores"], "epsilon_nats", beta=beta, **where) for beta in (0.5, 1.0)
    ]
    dots = [each[0].get_xydata().tolist() for each in right.containers]
    assert dots[1] == [
        list(each)
        for each in points(tables["counted"], "epsilon_nats", beta=1.0, query="smokers", **where)
    ]
    assert not ends(right)
    # Each line is named at its start, in its colour and in the lines' order of heights.
    for axis in (left, right):
        named = {text.get_text(): text for text in axis.texts}
        lines = {line.get_label(): line for line in axis.lines if line.get_label() in named}
        assert len(lines) == len(named) == (len(EPSILONS) if axis is left else 2)
        for words, text in named.items():
            line = lines[words]
            np.testing.assert_array_equal(text.get_color(), line.get_color())
            assert text.xy[0] == min(line.get_xdata())
        by_start = sorted(named, key=lambda words: lines[words].get_ydata()[0])
        assert by_start == sorted(named, key=lambda words: named[words].xy[1])


def test_figure_4_shows_the_curves_by_epsilon_and_by_delta(tables):
    figure = figures.plot_fig4(tables["curves"], tables["rates"], answers=10)
    left, right = figure.axes
    where = {"mechanism": "gaussian_classical", "knowledge": "none"}
    assert_curves(left, tables, "epsilon_nats", EPSILONS, delta=1e-5, **where)
    assert_curves(right, tables, "delta", DELTAS, epsilon_nats=1.0, **where)
    assert left.get_title() == r"(a) $\delta$ = $10^{-5}$"
    assert figure.get_supxlabel() == "markers: counted on 10 answers each"


def test_figures_5_to_8_show_a_curve_for_each_knowledge(tables):
    figure = figures.plot_fig5_6_7(tables["curves"], tables["rates"], answers=10)
    for axis, name in zip(figure.axes, KNOWLEDGE[1:], strict=True):
        assert_curves(axis, tables, "epsilon_nats", EPSILONS, mechanism="laplace", knowledge=name)
    (axis,) = figures.plot_fig8(tables["f_scores"], tables["counted"], answers=10).axes
    where = {"mechanism": "laplace", "beta": 1.0}
    assert list(shown(axis).values()) == [
        points(tables["f_scores"], "epsilon_nats", knowledge=name, **where) for name in KNOWLEDGE
    ]


def test_the_figure_shows_each_calibrations_delta(tables):
    names = ["printed", "classical", "analytic"]
    kept = tidy("delta_ratio", calibration=names, delta=DELTAS, epsilon_nats=EPSILONS)
    kept.loc[0, "value"] = 1e-9  # too small to be seen
    left, right = figures.plot_calibrations(kept, tables["f_scores"]).axes
    order = ("classical", "printed", "analytic")
    expected = [points(kept, "epsilon_nats", calibration=each, delta=1e-5) for each in order]
    assert list(shown(left).values()) == [
        [each for each in one if each[1] > 1e-8] for one in expected
    ]
    where = {"knowledge": "none", "beta": 1.0}
    assert list(shown(right).values()) == [
        points(tables["f_scores"], "epsilon_nats", mechanism=each, **where)
        for each in (*(f"gaussian_{name}" for name in order), "laplace")
    ]
