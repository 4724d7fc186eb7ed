"""How many homes hide one: the theorems on a published mean, and the law on real homes.

Proofs: docs/proofs/noiseless.md, "How many homes hide one".
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats
from scipy.linalg import cholesky, solve, toeplitz
from scipy.special import ndtr

from noiseless.papers.noiseless import paper
from noiseless.seeds import make_generator
from noiseless.statements import (
    Finding,
    Margin,
    all_of,
    at_most,
    bounded,
    for_all,
    select,
    table_of_each,
    universe,
)
from noiseless.theory.homes_needed import bound_mean_advantage, compute_normal_advantage

Floats = NDArray[np.float64]

_FIGURE = "noiseless/hiding"
_WHERE = "Section V.A, how many homes hide one"
_BERRY_ESSEEN = 0.4748  # Shevtsova 2011
_SAMPLING = Margin(0, "z-scores of simulated games, whose root mean square is near 1")
_SUMS = Margin(1e-9, "sums of floating-point numbers")

hiding = table_of_each("noiseless/membership_hiding_{homes}")


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


@paper.adds(_WHERE, over=best_tests)
def hiding_best_test(best_tests: list[Settled]) -> Finding:
    """Of T exact means of n normal homes that are alike, the best test between two drawn homes has
    the advantage P(|t| <= sqrt(T/2a)), t of Student's law of T degrees of freedom, with a = (n - 1)
    (1 + (n - 1)/(K + 2)) for who has the readings of K further homes and knows nothing else of what
    is common to homes, and a = n - 1 for who knows it. No spectrum enters, and the two candidates
    count as two known homes. Simulated: the root mean square of z-scores, over numbers of homes,
    readings and known homes, with white and with slow readings.
    """
    z = [each.compute_z() for each in best_tests]
    finite = [each for each in best_tests if math.isfinite(each.known)]
    without = [abs(each.compute_z(candidates=0)) for each in finite]
    return bounded(
        [math.sqrt(np.mean(np.square(z)))],
        at_most=1.4,  # of 72 settings: five standard deviations above 1
        within=_SAMPLING,
        sharp=sum(each > 4 for each in without),
        sharp_wanted=len(finite) // 4,
    )


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


@paper.adds(_WHERE, over=long_series)
def hiding_spectra(long_series: list[list[Spectra]]) -> Finding:
    """With stationary own and common parts of spectra S and R, the expected squared distance of the
    best test tends, a reading, to the integral of 2 S/N, with N = (n - 1) S + (n - 1)^2/(1/R +
    (K + 2)/S). Computed by covariance matrices: with four times as many readings it is off by no
    more than a third as much, relative to the integral.
    """
    off = [[abs(each.exact / each.limit - 1) for each in curve] for curve in long_series]
    grown = [later - before / 3 for curve in off for before, later in itertools.pairwise(curve)]
    seen = sum(curve[0] > 0.01 for curve in off)
    return bounded(grown, at_most=1e-4, within=_SUMS, sharp=seen, sharp_wanted=4)


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


@paper.adds(_WHERE, over=candidates)
def hiding_bound(candidates: list[Drawn]) -> Finding:
    """Nobody who knows no reading of another member gains more than 2 Phi(sqrt(T/(2(n - 1)))) - 1
    from any function of T means of n homes, whatever law the candidates have that has the
    covariance of a home, if the sum of the others is normal, given what is common. Shown with the
    best test itself, who knows what is common: its advantage less four standard errors, less the
    bound. (It comes within 2 % of the bound at 30 readings and more of normal candidates, so that
    no smaller bound of this form holds.)
    """
    above = {
        f"{c.law}, {c.n}, {c.readings}": c.advantage - 4 * c.error - c.bound for c in candidates
    }
    near = sum(each.advantage > 0.98 * each.bound for each in candidates if each.bound < 0.95)
    return bounded(above, at_most=0, within=_SUMS, sharp=near, sharp_wanted=4)


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


@paper.adds(_WHERE, over=moved_sums)
def hiding_fisher(moved_sums: list[Moved]) -> Finding:
    """Without normality: a sum of n - 1 homes of one law, of Fisher information J, is in total
    variation at most (u/2) sqrt(J/(n - 1)) from itself moved by u, which bounds the advantage.
    Computed for one reading of four laws, by convolution.
    """
    above = {f"{c.law}, {c.others}, {c.moved}": c.distance - c.bound for c in moved_sums}
    near = sum(each.distance > 0.9 * each.bound for each in moved_sums)
    return bounded(above, at_most=0, within=_SUMS, sharp=near)


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
            total = _convolve(total, self.law)
        return 1 - _overlap(total, self.moved)

    def compute_bound(self) -> Fraction:
        """Compute the expected largest probability of as many coins as homes can be moved."""
        share, m = _overlap(self.law, self.moved), self.others
        return sum(
            (
                math.comb(m, k) * share**k * (1 - share) ** (m - k) * _compute_largest(k)
                for k in range(m + 1)
            ),
            Fraction(0),
        )


def _convolve(one: list[Fraction], other: list[Fraction]) -> list[Fraction]:
    """Compute the law of a sum of two independent whole numbers."""
    found = [Fraction(0)] * (len(one) + len(other) - 1)
    for (k, p), (j, q) in itertools.product(enumerate(one), enumerate(other)):
        found[k + j] += p * q
    return found


def _overlap(law: list[Fraction], moved: int) -> Fraction:
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


@paper.adds(_WHERE, over=overlapping)
def hiding_overlap(overlapping: list[Overlapping]) -> Finding:
    """Whatever law a home's readings have, also on whole numbers, the advantage is at most the mean
    of b(B), B binomial of n - 1 homes and the overlap o of a home's law with itself moved by the
    difference of the candidates, b(k) the largest probability of k coins. In exact fractions, for
    all laws on four numbers.
    """
    cases = [at_most(each.compute_distance(), each.compute_bound(), each) for each in overlapping]
    return for_all(cases, sharper=lambda bound: bound * Fraction(19, 20))


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


@paper.adds(_WHERE, over=sign_guesses)
def hiding_formula(sign_guesses: list[Guessed]) -> Finding:
    """A guess by the sign of a weighted sum has, whatever law homes have, the advantage Phi((a/2 +
    b)/s) + Phi((a/2 - b)/s) - 1, up to 2 x 0.4748 beta/sqrt(n - 1) (Berry and Esseen): a the
    distance of the candidates, b how far off the middle is, s the standard deviation of the others'
    sum. Computed exactly for skewed laws.
    """
    above = {
        f"{c.law}, {c.others}, {c.difference}, {c.offset}": abs(c.exact - c.formula) - c.allowed
        for c in sign_guesses
    }
    far = sum(abs(each.exact - each.formula) > 0.02 for each in sign_guesses)
    return bounded(above, at_most=0, within=_SUMS, sharp=far, sharp_wanted=4)


# Real homes --------------------------------------------------------------------------------------


@paper.adds(_WHERE, over=hiding, figure=_FIGURE)
def hiding_nobody_above(hiding: pd.DataFrame) -> Finding:
    """On these homes, nobody is shown to gain more than the bound of normal sums, 2 Phi(sqrt(T/(2(n
    - 1)))) - 1: the lower end of each advantage, over games, less the bound. (Somebody reaches
    three fifths of it where it is below 0.95.)
    """
    rows = select(hiding, statistic="advantage")
    bounds = select(hiding, statistic="bound")["value"].to_numpy()
    shares = rows["value"].to_numpy()[bounds < 0.95] / bounds[bounds < 0.95]
    return all_of(
        bounded(rows["low"].to_numpy() - bounds, at_most=0, within=_SUMS),
        bounded([shares.max()], at_least=0.6, within=_SUMS),
    )


@paper.adds(_WHERE, over=hiding, figure=_FIGURE)
def hiding_law(hiding: pd.DataFrame) -> Finding:
    """On these homes, the advantage of who has the mean of others is what the spectra of homes
    predict without a fit, up to 0.15, for exact means of 4 to 64 homes on a month or more. (Of
    fewer days it is up to 0.15 above, and of 256 homes on a year up to 0.12 below.)
    """
    rows = select(hiding, statistic="measured_less_predicted", adversary="pair_known")
    rows = select(rows, epsilon_bits=math.inf)
    rows = rows[rows["n"].between(4, 64) & (rows["days"] >= 30)]
    return bounded(rows["value"], at_most=0.15, at_least=-0.15, within=_SUMS)
