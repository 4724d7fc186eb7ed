"""Cases of the theorems on how many homes hide one (:mod:`.hiding`)."""

import itertools
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from scipy import stats
from scipy.linalg import cholesky, solve, toeplitz
from scipy.special import ndtr

from noiseless.arrays import Floats
from noiseless.seeds import make_generator
from noiseless.statements import universe
from noiseless.theory.homes_needed import bound_mean_advantage, compute_normal_advantage

_BERRY_ESSEEN = 0.4748  # Shevtsova 2011


# Theorem A, and its corollary --------------------------------------------------------------------


class Settled(NamedTuple):
    """Games of the best test in one setting: share won less share lost, and the formula's."""

    n: int
    readings: int
    known: float
    slowness: float
    games: int
    gained: float

    def compute_z(self, *, candidates: int = 2) -> float:
        """Compute how many standard deviations off the formula is; candidates count as homes."""
        known = max(self.known + candidates - 2, -1.9)
        expected = 2 * stats.t.cdf(self._compute_limit(known), self.readings) - 1
        if candidates == 2:
            expected = compute_normal_advantage(self.n, self.readings, known=self.known)
        return float((self.gained - expected) / math.sqrt((1 - expected**2) / self.games))

    def _compute_limit(self, known: float) -> float:
        """Compute the largest t at which the better candidate loses."""
        unknown = (self.n - 1) * (1 + (self.n - 1) / (known + 2))
        return math.sqrt(self.readings / (2 * unknown))


@universe(smoke={"games": 1000}, paper={"games": 4000}, least={"games": 500})
def best_tests(games: int, seed: int) -> list[Settled]:
    """Play the best test between normal homes that are alike, whose readings may be alike, too."""
    return [
        _play_best_test(make_generator(seed, "hiding", *map(str, setting)), games, *setting)
        for setting in itertools.product((2, 4, 16, 64), (3, 30, 90), (0, 5, math.inf), (0, 0.9))
    ]


def _play_best_test(
    rng: np.random.Generator, games: int, n: int, readings: int, known: float, slowness: float
) -> Settled:
    """Play games between normal homes with autoregressive readings and a large common part."""
    covariance = toeplitz(slowness ** np.arange(readings))
    root = cholesky(covariance, lower=True)
    one, other, others = (rng.standard_normal((games, readings)) @ root.T for _ in range(3))
    common = 10 * rng.standard_normal((games, readings)).cumsum(axis=1)
    left = one + common + math.sqrt(n - 1) * others + (n - 1) * common
    left -= (one + other + 2 * common) / 2
    if math.isinf(known):
        left -= (n - 1) * common
    else:
        more = math.sqrt(known) * rng.standard_normal((games, readings)) @ root.T
        left -= (n - 1) * ((one + other + more) / (known + 2) + common)
    weights = solve(covariance, (one - other).T, assume_a="pos").T
    gained = float(np.sign((weights * left).sum(axis=1)).mean())
    return Settled(n, readings, known, slowness, games, gained)


# Theorem B ---------------------------------------------------------------------------------------


class Spectra(NamedTuple):
    """Squared distance a reading of the best test, and the integral that it tends to."""

    readings: int
    exact: float
    limit: float


@universe(smoke={"readings": (16, 64)}, paper={"readings": (16, 64, 256)}, least={"readings": 64})
def long_series(readings: Sequence[int]) -> list[list[Spectra]]:
    """List settings of autoregressive own and common parts, each with longer and longer series."""
    cases = itertools.product((2, 16), (0, 8), (0.3, 0.9), (0.5, 0.8), (0.1, 2.0))
    return [[_compare_spectra(length, *case) for length in readings] for case in cases]


def _compare_spectra(
    readings: int, n: int, known: int, own: float, common: float, size: float
) -> Spectra:
    """Compare the trace of Theorem A with the integral of Theorem B."""
    m, places, frequencies = n - 1, np.arange(readings), (np.arange(4096) + 0.5) / 4096
    sigma, omega = toeplitz(own**places), size * toeplitz(common**places)
    unknown = solve(omega + sigma / (known + 2), sigma / (known + 2), assume_a="pos")
    c = m * sigma + m**2 * omega @ unknown
    s, r = (_compute_spectrum(each, frequencies) for each in (own, common))
    noise = m * s + m**2 / (1 / (size * r) + (known + 2) / s)
    exact = 2 * np.trace(solve(c, sigma)) / readings
    return Spectra(readings, float(exact), float(2 * (s / noise).mean()))


def _compute_spectrum(slowness: float, frequencies: Floats) -> Floats:
    """Compute the spectrum of an autoregressive series of variance 1, at frequencies up to 1."""
    size = np.abs(1 - slowness * np.exp(-2j * math.pi * frequencies)) ** 2
    return np.asarray((1 - slowness**2) / size)


# Theorem C ---------------------------------------------------------------------------------------


class Drawn(NamedTuple):
    """Mean advantage of the best test over drawn candidates of some law, its error, its bound."""

    law: str
    n: int
    readings: int
    advantage: float
    error: float
    bound: float


_LAWS = {
    "normal": lambda rng, shape: rng.standard_normal(shape),
    "Laplace": lambda rng, shape: rng.laplace(scale=math.sqrt(0.5), size=shape),
    "two sizes": lambda rng, shape: (
        rng.standard_normal(shape) * rng.choice([0.2, 1.4], size=(shape[0], 1))
    ),
    "a coin": lambda rng, shape: rng.choice([-1.0, 1.0], size=shape),
}


@universe(smoke={"draws": 2000}, paper={"draws": 20_000}, least={"draws": 1000})
def candidates(draws: int, seed: int) -> list[Drawn]:
    """Draw candidates of four laws with the covariance of a home; the others' sum is normal."""
    found = []
    for law, n, readings in itertools.product(_LAWS, (2, 8, 64, 512), (1, 30, 365)):
        rng = make_generator(seed, "hiding", "candidates", law, n, readings)
        one, other = (_LAWS[law](rng, (draws, readings)) for _ in range(2))
        size = 1.0 if law != "two sizes" else math.sqrt((0.2**2 + 1.4**2) / 2)
        distance = np.sqrt((((one - other) / size) ** 2).sum(axis=1) / (n - 1))
        gained = 2 * ndtr(distance / 2) - 1
        error = float(gained.std() / math.sqrt(draws))
        bound = bound_mean_advantage(n, readings)
        found.append(Drawn(law, n, readings, float(gained.mean()), error, bound))
    return found


# Theorem D ---------------------------------------------------------------------------------------


class Moved(NamedTuple):
    """Distance in total variation of a sum of others from itself moved by u, and its bound."""

    law: str
    others: int
    moved: float
    distance: float
    bound: float


@universe()
def moved_sums() -> list[Moved]:
    """List sums of four laws with a density, by convolution on a fine grid."""
    step, size = 0.01, 2**16
    x, found = (np.arange(size) - size // 2) * step, []
    laws = {
        "Laplace": (stats.laplace, 1.0),
        "logistic": (stats.logistic, 1 / 3),
        "Student's, 5": (stats.t(5), 0.75),
        "normal": (stats.norm, 1.0),
    }
    for (name, (law, information)), others in itertools.product(laws.items(), (1, 3, 15, 63)):
        spectrum = np.fft.rfft(np.fft.ifftshift(law.pdf(x))) * step
        density = np.fft.fftshift(np.fft.irfft(spectrum**others, size)) / step
        for moved in (0.2, 1.0, 3.0):
            away = np.abs(density - np.roll(density, round(moved / step))).sum() * step / 2
            bound = moved * math.sqrt(information / others) / 2
            found.append(Moved(name, others, moved, float(away), bound))
    return found


# Theorem E ---------------------------------------------------------------------------------------


class Overlapping(NamedTuple):
    """A home's law on whole numbers, in eighths, and who is moved among how many others."""

    weights: tuple[int, ...]
    others: int
    moved: int

    def list_numbers(self) -> Mapping[str, Any]:
        """List the weights of the law, the others, and the difference of the candidates."""
        return {"weights": self.weights, "others": self.others, "difference": self.moved}

    @property
    def law(self) -> list[Fraction]:
        """Probability of each whole number."""
        return [Fraction(each, sum(self.weights)) for each in self.weights]

    def compute_distance(self) -> Fraction:
        """Compute the total variation of the others' sum from itself moved, exactly."""
        total = [Fraction(1)]
        for _ in range(self.others):
            total = _add_independent(total, self.law)
        return 1 - _compute_overlap(total, self.moved)

    def compute_bound(self) -> Fraction:
        """Compute the expected largest probability of as many coins as homes can be moved."""
        share, m = _compute_overlap(self.law, self.moved), self.others
        return sum(
            (
                math.comb(m, k) * share**k * (1 - share) ** (m - k) * _compute_largest(k)
                for k in range(m + 1)
            ),
            Fraction(0),
        )


def _add_independent(one: list[Fraction], other: list[Fraction]) -> list[Fraction]:
    """Compute the law of a sum of two independent whole numbers."""
    found = [Fraction(0)] * (len(one) + len(other) - 1)
    for (k, p), (j, q) in itertools.product(enumerate(one), enumerate(other)):
        found[k + j] += p * q
    return found


def _compute_overlap(law: list[Fraction], moved: int) -> Fraction:
    """Compute how much of a law remains where it is moved."""
    return sum((min(p, q) for p, q in zip(law[moved:], law[:-moved], strict=True)), Fraction(0))


def _compute_largest(coins: int) -> Fraction:
    """Compute the largest probability of a number of heads."""
    return Fraction(math.comb(coins, coins // 2), 2**coins)


@universe(smoke={"parts": 4}, paper={"parts": 6}, least={"parts": 3})
def overlapping(parts: int) -> list[Overlapping]:
    """List all laws on four whole numbers in some parts, sums of up to five, and moves by 1, 2."""
    weights = [w for w in itertools.product(range(parts + 1), repeat=4) if sum(w) == parts]
    return [
        Overlapping(law, others, moved)
        for others, moved, law in itertools.product((1, 2, 3, 5), (1, 2), weights)
    ]


# Theorem F ---------------------------------------------------------------------------------------


class Guessed(NamedTuple):
    """Advantage of a guess by the sign of a sum, exactly, by the formula, and what it may miss."""

    law: str
    others: int
    difference: float
    offset: float
    exact: float
    formula: float
    allowed: float


@universe()
def sign_guesses() -> list[Guessed]:
    """List guesses by the sign of what is left, of homes of skewed laws on a grid."""
    grid = np.arange(400)
    laws = {
        "geometric": stats.geom(0.1).pmf(grid + 1),
        "two kinds": 0.8 * (grid == 1) + 0.2 * (grid == 11),
        "even": (grid < 20) / 20,
    }
    cases = itertools.product(laws.items(), (1, 3, 15, 63), (1, 4, 16), (0, 3))
    return [_guess(name, law, *case) for (name, law), *case in cases]


def _guess(name: str, law: Floats, others: int, difference: int, offset: int) -> Guessed:
    """Compute the advantage of the sign of +-a/2 + b + the others' sum about its mean."""
    law = law / law.sum()
    grid = np.arange(len(law))
    mean = float(law @ grid)
    deviation = math.sqrt(law @ (grid - mean) ** 2)
    skewed = float(law @ np.abs(grid - mean) ** 3) / deviation**3
    total = np.ones(1)
    for _ in range(others):
        total = np.convolve(total, law)
    away = np.arange(len(total)) - others * mean + offset
    won = [float(total @ np.sign(side * (away + side * difference / 2))) for side in (1, -1)]
    spread = deviation * math.sqrt(others)
    ends = [(difference / 2 + each) / spread for each in (offset, -offset)]
    formula = float(sum(ndtr(ends)) - 1)
    # Berry and Esseen at two points; a tie of the lattice counts half.
    allowed = 2 * _BERRY_ESSEEN * skewed / math.sqrt(others)
    return Guessed(name, others, difference, offset, sum(won) / 2, formula, allowed)
