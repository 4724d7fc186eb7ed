"""Peaks in common, by a loop over readings."""

from noiseless.adversaries.membership.peaks import CommonPeaks
from noiseless.games.membership import PublishedSeries, observe_readings
from noiseless.seeds import make_generator


def test_preference_is_the_difference_of_common_peaks():
    rng = make_generator(1, "peaks")
    k, x = rng.integers(0, 9, (30, 15)), rng.integers(0, 50, (30, 2, 15))
    found = CommonPeaks().prefer(observe_readings(PublishedSeries(k, 1.0, 0.0), x))

    def peaks(row):
        return {t for t in range(1, 14) if row[t - 1] < row[t] > row[t + 1]}

    expected = [
        len(peaks(mine) & peaks(zero)) - len(peaks(mine) & peaks(one))
        for mine, (zero, one) in zip(k.tolist(), x.tolist(), strict=True)
    ]
    assert found.tolist() == expected
    assert min(expected) < 0 < max(expected)
