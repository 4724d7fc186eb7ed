"""The adversaries by the difference of the candidates: what they see, and what they gain."""

import numpy as np
import pytest

from noiseless.adversaries.inputs.membership import Training
from noiseless.adversaries.membership.combined import ADVERSARY as COMBINED
from noiseless.adversaries.membership.combined import choose_terms
from noiseless.adversaries.membership.normal import ADVERSARY as NORMAL
from noiseless.adversaries.membership.pair import ADVERSARY as PAIR
from noiseless.adversaries.membership.pair_known import ADVERSARY as PAIR_KNOWN
from noiseless.games.membership import PublishedSeries, observe_readings
from noiseless.games.own_arrays import play_membership_game


def build_views(rng, *, readings, games=40, n=8, step_wh=None, is_constant=False):
    """Build views of games in which candidate 0 is in the mean, swapped, and of equal ones."""
    homes = rng.integers(0, 20_000, (games, n + 1, readings))
    if is_constant:  # homes that use the same all the time; those in the mean do not
        homes[:, :2] = rng.integers(0, 20_000, (games, 2, 1))
    total = homes[:, 0] + homes[:, 2:].sum(axis=1)
    step = step_wh or 1 / n
    k = total if step_wh is None else np.rint(total / n / step).astype(np.int64)
    series = PublishedSeries(k, step, 0.0)
    return [observe_readings(series, homes[:, order], n=n) for order in ([0, 1], [1, 0], [0, 0])]


def fit(adversary, readings, *, homes, cell_kwh=0.0):
    rng = np.random.default_rng(9)
    known_kwh = rng.uniform(0, 20, (homes, readings))
    return adversary().fit(Training(known_kwh, lambda: [], cell_kwh=cell_kwh))


def compute_by_loop(view, g, mean_kwh=None):
    """Compute the ratio of one game by sums over frequencies and times, without any array trick."""
    x0, x1 = view.series.candidates_kwh[g]
    n, y = view.series.n, view.series.output_kwh[g]
    left = [n * y[t] - (x0[t] + x1[t]) / 2 for t in range(len(y))]
    du = [x0[t + 1] - x1[t + 1] - x0[t] + x1[t] for t in range(len(y) - 1)]
    dv = [left[t + 1] - left[t] for t in range(len(y) - 1)]
    size = len(du)

    def mirror(i, length):
        while not 0 <= i < length:
            i = -i if i < 0 else 2 * (length - 1) - i
        return i

    def mean_around(values, i, aside):
        aside = min(aside, len(values) - 1)
        around = [values[mirror(i + a, len(values))] for a in range(-aside, aside + 1)]
        return sum(around) / len(around)

    def transform(z):
        return [
            sum(z[t] * np.exp(-2j * np.pi * f * t / size) for t in range(size))
            for f in range(size // 2 + 1)
        ]

    def estimate_noise(frequencies):
        periodogram = [abs(z) ** 2 for z in frequencies]
        return [max(mean_around(periodogram, f, 5), p / 2) for f, p in enumerate(periodogram)]

    def regress(frequencies, weights):
        root = np.sqrt(weights)
        of_both = [np.hstack([root * z.real, root * z.imag]) for z in (common, frequencies)]
        return np.linalg.lstsq(of_both[0][:, None], of_both[1])[0][0]

    spectra = [np.array(transform(du)), np.array(transform(dv))]
    if mean_kwh is not None:
        common = np.array(transform(np.diff(mean_kwh)))
        if size < 28:
            spectra[1] = spectra[1] - (n - 1) * common
        else:
            cleared = spectra
            for _ in range(3):
                weights = 1 / np.array(estimate_noise(cleared[1]))
                cleared = [z - regress(z, weights) * common for z in spectra]
            spectra = cleared
    noise = estimate_noise(spectra[1])
    white = [
        np.fft.irfft([z / w**0.5 for z, w in zip(each, noise, strict=True)], size)
        for each in spectra
    ]
    square = [v**2 for v in white[1]]
    share = (n * view.step_wh / 1000) ** 2 / 12 / np.var(left)
    steady = min(0.5 + share, 1)
    middle = sum(square) / size
    return sum(
        u * v / (steady * middle + (1 - steady) * mean_around(square, t, 30))
        for t, (u, v) in enumerate(zip(*white, strict=True))
    )


@pytest.mark.parametrize("step_wh", [None, 2000.0])
@pytest.mark.parametrize("readings", [12, 80])
def test_the_ratio_is_that_of_a_loop(readings, step_wh):
    rng = np.random.default_rng(3)
    view, _, _ = build_views(rng, readings=readings, games=3, step_wh=step_wh)
    expected = [compute_by_loop(view, g) for g in range(3)]
    assert PAIR().prefer(view) == pytest.approx(expected, rel=1e-9)
    known_kwh = rng.uniform(0, 20, (5, readings))
    player = PAIR_KNOWN().fit(Training(known_kwh, lambda: []))
    expected = [compute_by_loop(view, g, known_kwh.mean(axis=0)) for g in range(3)]
    assert player.prefer(view) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("readings", [1, 2, 3, 4, 12, 365, 1200])
@pytest.mark.parametrize("step_wh", [None, 500.0, 1e6])
@pytest.mark.parametrize("is_constant", [False, True])
@pytest.mark.filterwarnings("error")
def test_candidates_are_treated_alike(readings, step_wh, is_constant):
    given, swapped, equal = build_views(
        np.random.default_rng(1), readings=readings, step_wh=step_wh, is_constant=is_constant
    )
    cell_kwh = (step_wh or 0) / 1000
    players = [PAIR(), fit(PAIR_KNOWN, readings, homes=20)]
    if readings < 1000:
        players += [fit(COMBINED, readings, homes=homes, cell_kwh=cell_kwh) for homes in (20, 80)]
    for player in players:
        score = player.prefer(given)
        assert np.isfinite(score).all()
        assert np.allclose(score, -player.prefer(swapped), atol=1e-6)
        assert np.allclose(player.prefer(equal), 0, atol=1e-6)
        if player.name in ("pair", "pair_known") and (readings == 1 or step_wh == 1e6):
            assert not score.any()  # nothing is seen, or all means fall into one bin
    if is_constant:  # such homes have no changes to be found by
        assert np.allclose(PAIR().prefer(given), 0)


@pytest.mark.filterwarnings("error")
def test_units_scale_out_and_a_level_and_a_common_mean_of_zeros_change_nothing():
    view, _, _ = build_views(np.random.default_rng(4), readings=60)
    score = PAIR().prefer(view)
    zeros = PAIR_KNOWN().fit(Training(np.zeros((2, 60)), lambda: []))
    assert zeros.prefer(view) == pytest.approx(score)
    raised = np.random.default_rng(4).integers(0, 20_000, (40, 9, 60)) + 7_000
    total = raised[:, 0] + raised[:, 2:].sum(axis=1)
    moved = observe_readings(PublishedSeries(total, 1 / 8, 0.0), raised[:, :2], n=8)
    assert PAIR().prefer(moved) == pytest.approx(score)
    tenfold = PublishedSeries(10 * total, 1 / 8, 0.0)
    assert PAIR().prefer(observe_readings(tenfold, 10 * raised[:, :2], n=8)) == pytest.approx(
        score, rel=1e-3
    )


@pytest.mark.parametrize(
    ("readings", "homes", "cell_kwh", "chosen"),
    [
        (30, 200, 0.0, ["normal"]),
        (40, 200, 12.0, ["normal"]),  # 96 kWh of the sum, whose spread is 15
        (40, 60, 0.0, ["pair_known"]),
        (40, 61, 1.0, ["normal", "pair_known"]),
    ],
)
def test_the_combination_adds_ratios_or_takes_the_better_adversary(
    readings, homes, cell_kwh, chosen
):
    step = 1000 * cell_kwh or None
    view, _, _ = build_views(np.random.default_rng(5), readings=readings, step_wh=step)
    parts = [
        fit(each, readings, homes=homes, cell_kwh=cell_kwh).prefer(view)
        for each in (NORMAL, PAIR_KNOWN)
        if each.name in chosen
    ]
    combined = fit(COMBINED, readings, homes=homes, cell_kwh=cell_kwh).prefer(view)
    assert combined == pytest.approx(np.sum(parts, axis=0))
    is_wide = cell_kwh == 12
    assert list(choose_terms(readings, known=homes, is_wide=is_wide)) == chosen


def test_it_gains_far_more_than_the_papers_adversaries_where_homes_have_a_common_part():
    """Days are correlated, and half of what varies is common to homes."""
    rng = np.random.default_rng(2)
    common = 3000 * np.sin(np.arange(120) / 9)
    slow = rng.normal(0, 1000, (300, 120)).cumsum(axis=1) / 4
    readings_wh = np.rint(np.clip(12_000 + common + slow, 0, None)).astype(int)
    found = play_membership_game(
        readings_wh[:150],
        n=16,
        epsilon_bits=6,
        maximum_wh=30_000,
        games=600,
        rng=3,
        adversaries=["correlation", "mse", "peaks", "control", "pair", "pair_known", "combined"],
        known_wh=readings_wh[150:],
    )
    most = found.loc[["correlation", "mse", "peaks"], "advantage"].max()
    assert (found.loc[["pair", "pair_known", "combined"], "low"] > most + 0.1).all()


@pytest.mark.parametrize("adversary", [PAIR, PAIR_KNOWN, COMBINED])
def test_evidence_without_readings_is_a_clear_error(adversary):
    view, _, _ = build_views(np.random.default_rng(6), readings=40)
    player = adversary() if adversary is PAIR else fit(adversary, 40, homes=20)
    bare = observe_readings(
        PublishedSeries(np.zeros((1, 4), np.int64), 1.0, 0.0), np.ones((1, 2, 4), np.int64)
    )
    assert bare.series is None
    with pytest.raises(ValueError, match="sees_series"):
        player.prefer(bare)
    assert player.prefer(view).any()
