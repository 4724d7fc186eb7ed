"""What the learned adversary looks at, against a plain loop over games, candidates and readings."""

import math

import numpy as np
import pytest

from noiseless.adversaries.inputs.membership import MembershipView, RawSeries, Training
from noiseless.adversaries.membership.learned import LogisticRegressionAdversary
from noiseless.seeds import make_generator

N = 3


@pytest.fixture(scope="module")
def homes():
    return make_generator(1, "homes").gamma(2, 1, (12, 9))


@pytest.fixture(scope="module")
def series(homes):
    rng = make_generator(1, "games")
    return RawSeries(rng.gamma(6, 0.3, (10, 9)), homes[rng.integers(0, 12, (10, 2))], N)


def view(series):
    nothing = np.zeros(0, dtype=np.int64)
    return MembershipView(9, 1.0, 0.0, *(nothing for _ in range(7)), series=series)


@pytest.fixture(scope="module")
def learned(homes, series):
    members = make_generator(1, "members").integers(0, 2, 10)
    return LogisticRegressionAdversary().fit(
        Training(homes, lambda: iter([(view(series), members)]))
    )


def plain_features(homes, y, x):
    """The six features of one candidate, one number at a time."""
    mean = [sum(column) / len(homes) for column in homes.T]
    variance = [
        sum((value - middle) ** 2 for value in column) / (len(homes) - 1)
        for column, middle in zip(homes.T, mean, strict=True)
    ]
    times = range(len(y))

    def correlation(a, b):
        a, b = ([value - sum(s) / len(s) for value in s] for s in (a, b))
        return math.fsum(p * q for p, q in zip(a, b, strict=True)) / math.sqrt(
            math.fsum(p * p for p in a) * math.fsum(q * q for q in b)
        )

    def is_peak(s, t):
        return 0 < t < len(s) - 1 and s[t - 1] < s[t] > s[t + 1]

    expected = [mean[t] + (x[t] - mean[t]) / N for t in times]
    spread = [variance[t] * (N - 1) / N**2 for t in times]
    return [
        correlation(x, y),
        -math.sqrt(sum((x[t] - y[t]) ** 2 for t in times) / len(y)),
        sum(is_peak(x, t) and is_peak(y, t) for t in times) / len(y),
        correlation([x[t] - mean[t] for t in times], [y[t] - mean[t] for t in times]),
        correlation(np.diff(x), np.diff(y)),
        -sum((y[t] - expected[t]) ** 2 / spread[t] for t in times) / len(y),
    ]


def test_features_are_the_differences_of_those_of_a_plain_loop(learned, homes, series):
    found = learned.compute_features(series)
    assert found.shape == (10, 6)
    for game in range(10):
        one, other = (
            plain_features(homes, series.output_kwh[game], candidate)
            for candidate in series.candidates_kwh[game]
        )
        np.testing.assert_allclose(found[game], np.subtract(one, other), rtol=1e-9, atol=1e-12)
    assert (np.abs(found).max(axis=0) > 0.05).all()  # no feature is silent


def test_positive_is_for_candidate_0(homes):
    """Members whose readings are the output itself: the regression finds them."""
    rng = make_generator(2, "games")
    candidates = homes[np.argsort(rng.random((40, 12)), axis=1)[:, :2]]
    members = rng.integers(0, 2, 40)
    output = candidates[np.arange(40), members]
    told = view(RawSeries(output, candidates, N))
    learned = LogisticRegressionAdversary().fit(Training(homes, lambda: iter([(told, members)])))
    np.testing.assert_array_equal(learned.prefer(told) < 0, members == 1)


def test_constant_series_correlate_with_nothing(learned):
    flat = np.ones((1, 9))
    x = np.stack([np.ones(9), np.arange(9.0)])[None]
    features = learned.compute_features(RawSeries(flat, x, N))
    assert features[0, 0] == 0
    assert features[0, 4] == 0


def test_a_constant_reading_of_all_homes_has_a_spread(series):
    homes = np.ones((5, 9))
    told = view(series)
    learned = LogisticRegressionAdversary().fit(
        Training(homes, lambda: iter([(told, np.arange(10) % 2)]))
    )
    assert np.isfinite(learned.compute_features(series)).all()


def test_a_game_without_readings_is_refused(learned):
    with pytest.raises(ValueError, match="sees_series"):
        learned.prefer(view(None))
