"""The curves of privacy losses: fractions, direct enumeration, closed forms, symmetry."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from noiseless.accounting.privacy_loss import (
    ROUNDING,
    LaplaceLoss,
    NormalLoss,
    build_discrete_gaussian_loss,
    build_laplace_loss,
    build_worst_loss,
    require_answers,
)
from noiseless.errors import ConfigError

LOG_RATIOS = (-3.0, -0.7, -0.01, 0.0, 0.2, 0.9, 2.5)
ALARMS = (0.001, 0.05, 0.4, 0.5, 0.9)


def enumerated(one: dict, other: dict, answers: int) -> tuple[list, list]:
    """Probabilities of all joint outputs under D and D'."""
    outputs = list(itertools.product(one, repeat=answers))
    return (
        [math.prod(one[each] for each in output) for output in outputs],
        [math.prod(other[each] for each in output) for output in outputs],
    )


def best_test(one: list, other: list, false_alarm) -> Fraction:
    """Neyman and Pearson: accept the outputs of the largest ratios, the last one at random."""
    found = Fraction(0)
    for p, q in sorted(
        zip(one, other, strict=True), key=lambda pq: pq[1] / pq[0] if pq[0] else math.inf
    ):
        share = min(Fraction(1), Fraction(false_alarm) / q) if q else Fraction(1)
        found += share * p
        false_alarm -= share * q
        if false_alarm <= 0:
            break
    return found


@pytest.mark.parametrize("answers", [1, 2, 5])
@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 50)])
def test_the_worst_mechanism_is_that_of_exact_fractions(answers, delta):
    odds = Fraction(3, 2)
    true, lie = (1 - delta) * odds / (1 + odds), (1 - delta) / (1 + odds)
    one, other = enumerated(
        {"D": delta, "yes": true, "no": lie, "D'": Fraction(0)},
        {"D": Fraction(0), "yes": lie, "no": true, "D'": delta},
        answers,
    )
    curve = build_worst_loss(math.log(odds), float(delta), answers)
    for ratio in (Fraction(1, 9), Fraction(2, 3), Fraction(1), Fraction(5, 3), Fraction(4)):
        exact = sum(max(p - ratio * q, Fraction(0)) for p, q in zip(one, other, strict=True))
        found = curve.compute_delta(math.log(ratio))
        assert found.low - 1e-14 <= exact <= found.high + 1e-14
        assert found.high - found.low <= 3e-10
    for alarm in (Fraction(1, 1000), Fraction(1, 7), Fraction(2, 3)):
        found = curve.compute_true_positive_rate(float(alarm))
        assert found.low - 1e-13 <= best_test(one, other, alarm) <= found.high + 1e-13
        assert found.high - found.low <= 3e-10
    if delta:
        assert curve.compute_loss_quantile(0.0).high == math.inf
    else:
        assert curve.compute_loss_quantile(0.0).low == pytest.approx(answers * math.log(odds))


def test_one_laplace_answer_agrees_with_an_integral():
    epsilon_nats = 0.8
    x = np.linspace(-60, 60, 2_400_001)
    one, other = np.exp(-np.abs(x - epsilon_nats)) / 2, np.exp(-np.abs(x)) / 2
    curve = LaplaceLoss(epsilon_nats)
    for log_ratio in LOG_RATIOS:
        area = np.trapezoid(np.maximum(one - math.exp(log_ratio) * other, 0), x)
        assert curve.compute_delta(log_ratio).low == pytest.approx(area, abs=1e-8)
    above = np.cumsum((other * (x[1] - x[0]))[::-1])[::-1]
    found = np.cumsum((one * (x[1] - x[0]))[::-1])[::-1]
    for alarm in ALARMS:
        at = int(np.argmin(np.abs(above - alarm)))
        assert curve.compute_true_positive_rate(alarm).low == pytest.approx(found[at], abs=2e-4)
    for tail in (0.3, 0.6, 0.7):
        loss = curve.compute_loss_quantile(tail).low
        losses = np.abs(x) - np.abs(x - epsilon_nats)
        exceed = one[losses > loss + 1e-9].sum() * (x[1] - x[0])
        assert exceed <= tail + 1e-6
        if loss < epsilon_nats - 1e-9:
            assert exceed == pytest.approx(tail, abs=1e-4)


def test_two_laplace_answers_agree_with_an_integral():
    """The grid's bounds hold the mean of the closed form over the other answer's loss."""
    epsilon_nats = 0.7
    one = LaplaceLoss(epsilon_nats)
    curve = build_laplace_loss(epsilon_nats, 2)
    ends = np.linspace(-epsilon_nats, epsilon_nats, 4001)
    masses = np.diff(np.exp((ends - epsilon_nats) / 2) / 2)
    for log_ratio in LOG_RATIOS:
        inside = [one.compute_delta(log_ratio - loss).low for loss in (ends[1:] + ends[:-1]) / 2]
        mean = (
            masses @ np.array(inside)
            + one.compute_delta(log_ratio + epsilon_nats).low * math.exp(-epsilon_nats) / 2
            + one.compute_delta(log_ratio - epsilon_nats).low / 2
        )
        found = curve.compute_delta(log_ratio)
        assert found.low - 1e-6 <= mean <= found.high + 1e-6
        assert found.high - found.low < 1e-5


def test_discrete_gaussian_answers_agree_with_an_enumeration():
    sigma, reach = 0.8, 9
    z = range(-reach, reach + 1)
    weights = {each: math.exp(-0.5 * (each / sigma) ** 2) for each in z}
    whole = sum(weights.values())
    outputs = range(-reach, reach + 2)
    one, other = enumerated(
        {each: weights.get(each - 1, 0.0) / whole for each in outputs},
        {each: weights.get(each, 0.0) / whole for each in outputs},
        2,
    )
    curve = build_discrete_gaussian_loss(sigma, 2)
    for log_ratio in LOG_RATIOS:
        exact = sum(max(p - math.exp(log_ratio) * q, 0) for p, q in zip(one, other, strict=True))
        found = curve.compute_delta(log_ratio)
        assert found.low - 1e-12 <= exact <= found.high + 1e-12
    for alarm in ALARMS:
        found = curve.compute_true_positive_rate(alarm)
        assert found.low - 1e-9 <= float(best_test(one, other, alarm)) <= found.high + 1e-9
    assert curve.compute_loss_quantile(0.0).low == math.inf


def test_a_wide_discrete_gaussian_is_a_normal_one():
    discrete, normal = build_discrete_gaussian_loss(40.0, 100), NormalLoss(math.sqrt(100) / 40.0)
    for log_ratio in LOG_RATIOS:
        assert discrete.compute_delta(log_ratio).low == pytest.approx(
            normal.compute_delta(log_ratio).low, abs=1e-6
        )
    assert discrete.compute_loss_quantile(0.05).low == pytest.approx(
        normal.compute_loss_quantile(0.05).low, abs=2e-3
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "curve",
    [
        LaplaceLoss(0.6),
        NormalLoss(0.9),
        pytest.param(build_laplace_loss(0.3, 7), marks=pytest.mark.compiled),
        build_worst_loss(0.4, 0.0, 9),
        build_worst_loss(0.2, 0.01, 3),
        build_discrete_gaussian_loss(1.7, 4),
    ],
    ids=lambda curve: type(curve).__name__,
)
def test_a_curve_and_its_tests_are_one_function(curve):
    """True positives are the lower envelope of delta(t) + e^t false_alarm, at any t."""
    lines = [(curve.compute_delta(each).high, math.exp(each)) for each in np.linspace(-6, 6, 601)]
    for alarm in ALARMS:
        found = curve.compute_true_positive_rate(alarm)
        envelope = min(delta + ratio * alarm for delta, ratio in lines)
        assert found.high <= envelope + 1e-9
        assert found.low >= envelope - 2e-3
    # D and D' swapped: the same curve.
    assert curve.compute_true_positive_rate(
        1 - curve.compute_true_positive_rate(0.2).low
    ).high == pytest.approx(0.8, abs=1e-4)


def test_many_answers_stay_within_the_rounding_that_is_promised():
    """Losses of ten thousand answers, against logarithms of binomial coefficients."""
    answers, epsilon_nats = 10_000, 0.01
    curve = build_worst_loss(epsilon_nats, 0.0, answers)
    k = np.arange(answers + 1)
    log_true = -math.log1p(math.exp(-epsilon_nats))
    log_count = np.array(
        [math.lgamma(answers + 1) - math.lgamma(i + 1) - math.lgamma(answers - i + 1) for i in k]
    )
    chances = np.exp(log_count + k * log_true + (answers - k) * (log_true - epsilon_nats))
    for log_ratio in LOG_RATIOS:
        gains = np.maximum(
            -np.expm1(np.minimum(log_ratio - (2 * k - answers) * epsilon_nats, 700)), 0
        )
        found = curve.compute_delta(log_ratio)
        assert found.low - 1e-10 <= chances @ gains <= found.high + 1e-10


@pytest.mark.parametrize("answers", [1, 6, 40])
def test_losses_that_a_tail_cannot_tell_apart_are_both_within(answers):
    """As a double, the probability of all losses above one may be a little more or less."""
    epsilon_nats = 0.3
    curve = build_worst_loss(epsilon_nats, 0.0, answers)
    true = Fraction(1 / (1 + math.exp(-epsilon_nats)))
    chances = [
        math.comb(answers, k) * true**k * (1 - true) ** (answers - k) for k in range(answers + 1)
    ]
    for k in range(answers):
        tail, loss = float(sum(chances[k + 1 :])), (2 * k - answers) * epsilon_nats
        if tail < 1e-7 or chances[k] < 1e-7 or chances[k + 1] < 1e-7:
            continue
        found = curve.compute_loss_quantile(tail)
        assert found.low == pytest.approx(loss, abs=1e-12)
        assert found.high == pytest.approx(loss + 2 * epsilon_nats, abs=1e-12)
        for nearby, exact in ((tail + 1e-8, loss), (tail - 1e-8, loss + 2 * epsilon_nats)):
            found = curve.compute_loss_quantile(nearby)
            assert found.low == found.high == pytest.approx(exact, abs=1e-12)
    # The same of what D' never gives.
    delta = 0.01
    gone = build_worst_loss(epsilon_nats, delta, answers)
    tail = float(1 - (1 - Fraction(delta)) ** answers)
    found = gone.compute_loss_quantile(tail)
    assert found.low == pytest.approx(answers * epsilon_nats)
    assert found.high == math.inf


def test_the_upper_end_alone_is_the_upper_end():
    for curve in (build_laplace_loss(0.4, 3), build_worst_loss(0.4, 0.01, 3), LaplaceLoss(0.4)):
        found = [
            (ask(curve), ask(curve.upper))
            for ask in (
                lambda each: each.compute_delta(0.3),
                lambda each: each.compute_true_positive_rate(0.2),
                lambda each: each.compute_loss_quantile(0.1),
            )
        ]
        assert all(alone.low == alone.high == both.high for both, alone in found)


def test_a_lattice_does_not_grow_with_the_number_of_answers():
    """64 answers on the grid of one would take 64 times the memory, and 10,000 none has."""
    sizes = [len(build_laplace_loss(0.1, answers)._high()._all.losses) for answers in (2, 64)]
    assert sizes == [2**18 + 1, 2**18 + 1]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: build_worst_loss(0.0), "epsilon_nats is 0"),
        (lambda: build_worst_loss(1.0, 1.0), "`delta` must .* got 1.0"),
        (lambda: build_laplace_loss(1.0, 0), "`answers` must .* got 0"),
        (lambda: build_laplace_loss(1.0, 20_000), "`answers` must .* got 20000"),
        (lambda: build_discrete_gaussian_loss(math.nan), "sigma is nan"),
        (
            lambda: build_worst_loss(1.0).compute_loss_quantile(1e-12),
            "which rounding cannot hide, got 1e-12",
        ),
    ],
)
def test_impossible_losses_are_readable_errors(wrong, message):
    with pytest.raises(ConfigError, match=message):
        wrong()


@pytest.mark.parametrize("build", [build_laplace_loss, build_worst_loss])
def test_an_epsilon_that_sums_overflow_is_refused_and_a_huge_one_gives_all_away(build):
    for epsilon in (1e3, 1e10, 1e100):
        for answers in (1, 2, 10_000):
            delta = build(epsilon, answers=answers).compute_delta(0.0)
            assert 1 - 2 * ROUNDING <= delta.low <= delta.high == 1
    for epsilon in (1e101, 1e308, math.inf, math.nan):
        with pytest.raises(ConfigError, match="epsilon_nats is"):
            build(epsilon, answers=2)


def test_answers_of_numpy_are_python_numbers():
    for answers in (np.int64(3), np.uint8(3), 3.0, np.float32(3)):
        number = require_answers(answers)
        assert (type(number), number) == (int, 3)
    for answers in (0, 2.5, math.nan, "3", None, 10_001):
        with pytest.raises(ConfigError, match="`answers` must be a whole number"):
            require_answers(answers)


def test_noise_of_too_many_values_is_refused():
    with pytest.raises(ConfigError, match="Give a larger epsilon"):
        build_discrete_gaussian_loss(1e7)
