"""How many homes hide one: the theorems on a published mean, and the law on real homes.

Proofs: docs/proofs/noiseless.md, "How many homes hide one".
"""

import itertools
import math
from fractions import Fraction

import numpy as np
import pandas as pd

from noiseless.papers.noiseless import paper
from noiseless.papers.noiseless.hiding_cases import (
    Drawn,
    Guessed,
    Moved,
    Overlapping,
    Settled,
    Spectra,
    best_tests,
    candidates,
    long_series,
    moved_sums,
    overlapping,
    sign_guesses,
)
from noiseless.papers.noiseless.limits import ANYBODY
from noiseless.statements import (
    Finding,
    Margin,
    all_of,
    at_most,
    bounded,
    for_all,
    select,
    table_of_each,
)

_FIGURE = "noiseless/hiding"
_WHERE = "Section V.A, how many homes hide one"
_SAMPLING = Margin(0, "z-scores of simulated games, whose root mean square is near 1")
_SUMS = Margin(1e-9, "sums of floating-point numbers")
_WIDEST_BIN = 2  # standard deviations of the others' sum

hiding = table_of_each("noiseless/membership_hiding_{homes}")


# Theorem A, and its corollary --------------------------------------------------------------------


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


@paper.adds(_WHERE, over=hiding, figure=_FIGURE)
def hiding_law_quantized(hiding: pd.DataFrame) -> Finding:
    """On these homes, so is the advantage from quantized means of 4 to 64 homes, of all budgets
    whose bins are no wider than two standard deviations of the others' sum: there a bin's width
    counts as uniform noise. (Wider bins may hold all means, and the prediction is then too high.)
    """
    rows = select(hiding, adversary="pair_known")
    rows = rows[np.isfinite(rows["epsilon_bits"]) & rows["n"].between(4, 64)]
    wide = select(rows, statistic="bin_in_sd")["value"].to_numpy() > _WIDEST_BIN
    missed = select(rows, statistic="measured_less_predicted")["value"].to_numpy()
    return bounded(missed[~wide], at_most=0.15, at_least=-0.15, within=_SUMS)


@paper.adds(_WHERE, over=hiding, figure=_FIGURE)
def hiding_laws(hiding: pd.DataFrame) -> Finding:
    """Without normality, of the law that these homes' readings of a day have: the sum of n - 1 of
    them, computed by convolution, is in total variation no further from itself moved by the median
    difference of two homes than Fisher information and the overlap of a home with itself allow.
    Shown as the distance less the smaller of both bounds. (It comes to two fifths of each of them
    or more somewhere.)
    """
    rows = select(hiding, adversary=ANYBODY)
    distance, fisher, overlap = (
        select(rows, statistic=name)["value"].to_numpy()
        for name in ("distance", "fisher_bound", "overlap_bound")
    )
    return all_of(
        bounded(distance - np.minimum(fisher, overlap), at_most=0, within=_SUMS),
        bounded([(distance / fisher).max()], at_least=2 / 5, within=_SUMS),
        bounded([(distance / overlap).max()], at_least=2 / 5, within=_SUMS),
    )
