"""The appendix, Sections 10.3 to 10.6: derivatives, the ratio of normal noise, neighbours."""

import pandas as pd

from noiseless.papers.prrelation import paper
from noiseless.papers.prrelation.cases import list_numbers
from noiseless.papers.prrelation.derivatives import (
    build_derivative_table,
    build_end_table,
    build_extreme_table,
    build_function_table,
    build_ratio_table,
)
from noiseless.papers.prrelation.orders import build_neighbours_table
from noiseless.papers.prrelation.section_4 import eq12, sigma
from noiseless.papers.prrelation.section_5 import eq21
from noiseless.statements import (
    Finding,
    Kind,
    Margin,
    bounded,
    corrects,
    equals,
    select,
    universe,
    widen,
)

_EXTREME_KEYS = ["epsilon_nats", "beta"]
_FUNCTION_KEYS = ["sensitivity", *_EXTREME_KEYS]
_RATIO_KEYS = ["epsilon_nats", "delta", "sensitivity"]
_EQUATION_29 = (
    "For an adversary with access to the noisy scalar output o = A(D) = Q(D) + N(2 "
    "log(1.25/delta) Delta Q/epsilon), we can compute the likelihood ratio corresponding to the "
    "two hypotheses defined in Eq. 4 as Lambda(o) = [...] = exp(Delta Q (2o - Q(D) - Q(D'))/(4 "
    "log(1.25/delta) Delta Q/epsilon)) (29)"
)
_CUT_29 = (
    "L(o|h_1)/L(o|h_0) = P(A(D) = o)/P(A(D') = o) = (1/sqrt(2 log(1.25/delta) Delta Q/epsilon) "
    "exp(-(o - Q(D))^2/(4 log(1.25/delta) Delta Q/epsilon)))/(1/sqrt(2 log(1.25/delta) Delta "
    "Q/epsilon) exp(-(o - Q(D'))^2/(4 log(1.25/delta) Delta Q/epsilon)))"
)


@universe()
def derivatives() -> pd.DataFrame:
    """Compute the errors of the printed derivatives against differences of f."""
    return widen(build_derivative_table())


@universe()
def functions() -> pd.DataFrame:
    """Compute the errors of the function f as it is printed above each derivative."""
    return widen(build_function_table())


@universe()
def end_slopes() -> pd.DataFrame:
    """Compute the errors of the slopes that are printed for the ends of the second interval."""
    return widen(build_end_table())


@universe()
def extremes() -> pd.DataFrame:
    """Compare the F-score of Section 10.3, step 2, with those of all thresholds."""
    return widen(build_extreme_table())


@universe()
def ratios() -> pd.DataFrame:
    """Compute the errors of Equation 29 against the densities' ratio."""
    return widen(build_ratio_table())


@universe()
def neighbours() -> pd.DataFrame:
    """Count Blowfish's neighbours by the cited source, over all sets of possible databases."""
    return widen(build_neighbours_table())


def _bound_slopes(derivatives: pd.DataFrame, equation: int, statistic: str) -> Finding:
    """State that both lines of an equation are the derivative of f, up to 1e-6 of it."""
    chosen = select(derivatives, equation=equation)
    return bounded(list_numbers(chosen, [statistic], ["line", *_FUNCTION_KEYS]), at_most=1e-6)


def _bound_values(functions: pd.DataFrame, equation: int, statistic: str) -> Finding:
    """State that the quotient above an equation is f, up to 1e-9 of it."""
    chosen = select(functions, equation=equation)
    return bounded(list_numbers(chosen, [statistic], _FUNCTION_KEYS), at_most=1e-9)


def _bound_ends(end_slopes: pd.DataFrame, equation: int, statistic: str) -> Finding:
    """State that the slopes at both ends below an equation are those of f, up to 1e-6/Delta Q."""
    chosen = select(end_slopes, equation=equation)
    return bounded(list_numbers(chosen, [statistic], ["end", *_FUNCTION_KEYS]), at_most=1e-6)


def _bound_ratios(ratios: pd.DataFrame, deviation: str, statistic: str) -> Finding:
    """State that an equation is the logarithm of the ratio of densities, up to 1e-9 nats."""
    chosen = select(ratios, deviation=deviation)
    return bounded(list_numbers(chosen, [statistic], _RATIO_KEYS), at_most=1e-9)


# 10.3: Equation 12 -------------------------------------------------------------------------------


@paper.states(
    "Appendix, Equation 26",
    "Then, we take the derivative of f with respect to theta as d f/d theta = [...] = (0.5 "
    "epsilon/Delta Q) e^(-(theta - Q(D')) epsilon/Delta Q) ((1 + beta^2) e^(-epsilon) - "
    "1)/(1 - 0.5e^(-(theta - Q(D)) epsilon/Delta Q))^2 (26)",
    cut=(
        "(-(0.5 epsilon/Delta Q) e^(-(theta - Q(D')) epsilon/Delta Q) (1 - 0.5e^(-(theta - "
        "Q(D)) epsilon/Delta Q)))/(1 - 0.5e^(-(theta - Q(D)) epsilon/Delta Q))^2 + ((0.5 "
        "epsilon/Delta Q) e^(-(theta - Q(D)) epsilon/Delta Q) (1 + beta^2 - 0.5e^(-(theta -"
        " Q(D')) epsilon/Delta Q)))/(1 - 0.5e^(-(theta - Q(D)) epsilon/Delta Q))^2",
    ),
    transcribed=True,
    over=derivatives,
)
def eq26(derivatives: pd.DataFrame) -> Finding:
    """Equation 26, in both of its lines, is the derivative of f below Q(D').

    Held against differences of f, at two sensitivities, as a share of the derivative.
    """
    return _bound_slopes(derivatives, 26, "printed_error")


@corrects(
    eq26,
    Kind.SLIP,
    fails="Every exponent has the wrong sign, as in Equations 9 and 10; Equation 30, the same"
    " with a prior, has the right ones.",
    stands="Eq. 12",
    shown_by=eq12,
    proof="equations-26-to-32",
)
def eq26_mended(derivatives: pd.DataFrame) -> Finding:
    """With exponents +(theta - Q(D')) epsilon/Delta Q and +(theta - Q(D)) epsilon/Delta Q both
    lines are the derivative.
    """
    return _bound_slopes(derivatives, 26, "corrected_error")


@paper.states(
    "Section 10.3, step 1, above Equation 26",
    "1) For the first interval of (-infinity, Q(D')], we have f = (GSR + beta^2)/RSR = (1 +"
    " beta^2 - 0.5e^(-(theta - Q(D')) epsilon/Delta Q))/(1 - 0.5e^(-(theta - Q(D)) "
    "epsilon/Delta Q)).",
    transcribed=True,
    over=functions,
)
def eq26_function(functions: pd.DataFrame) -> Finding:
    """The quotient of exponentials is (GSR + beta^2)/RSR on the first interval.

    Held against it, as a share.
    """
    return _bound_values(functions, 26, "printed_error")


@corrects(
    eq26_function,
    Kind.SLIP,
    fails="Both exponents have the wrong sign, as those of Equation 26. (The quotient of "
    "Equation 26 is not the derivative of this function either: it is that with the "
    "sign turned round.)",
    same_as=eq26,
    proof="equations-26-to-32",
)
def eq26_function_mended(functions: pd.DataFrame) -> Finding:
    """With exponents +(theta - Q(D')) epsilon/Delta Q and +(theta - Q(D)) epsilon/Delta Q it is
    f.
    """
    return _bound_values(functions, 26, "corrected_error")


@paper.states(
    "Appendix, Equation 27",
    "We then compute the derivative of f with respect to theta as d f/d theta = [...] = "
    "(0.5 epsilon/Delta Q) (e^(-epsilon) - e^(-(theta - Q(D')) epsilon/Delta Q) + beta^2 "
    "e^(-(theta - Q(D)) epsilon/Delta Q))/(1 - 0.5e^(-(theta - Q(D)) epsilon/Delta Q))^2 "
    "(27)",
    cut=(
        "(-(0.5 epsilon/Delta Q) e^(-(theta - Q(D')) epsilon/Delta Q) (1 - 0.5e^(-(theta - "
        "Q(D)) epsilon/Delta Q)))/(1 - 0.5e^(-(theta - Q(D)) epsilon/Delta Q))^2 + ((0.5 "
        "epsilon/Delta Q) e^(-(theta - Q(D)) epsilon/Delta Q) (0.5e^(-(theta - Q(D')) "
        "epsilon/Delta Q) + beta^2))/(1 - 0.5e^(-(theta - Q(D)) epsilon/Delta Q))^2",
    ),
    transcribed=True,
    over=derivatives,
)
def eq27(derivatives: pd.DataFrame) -> Finding:
    """Equation 27, in both of its lines, is the derivative of f between Q(D') and Q(D).

    Held against differences of f, at two sensitivities, as a share of the derivative.
    """
    return _bound_slopes(derivatives, 27, "printed_error")


@corrects(
    eq27,
    Kind.SLIP,
    fails="The exponents with Q(D) have the wrong sign; Equation 31 has the right ones. The "
    "threshold that the paper derives from it is right.",
    stands="Eq. 12",
    shown_by=eq12,
    proof="equations-26-to-32",
)
def eq27_mended(derivatives: pd.DataFrame) -> Finding:
    """With exponents +(theta - Q(D)) epsilon/Delta Q both lines are the derivative."""
    return _bound_slopes(derivatives, 27, "corrected_error")


@paper.states(
    "Section 10.3, step 2, above Equation 27",
    "2) For the second interval of (Q(D'), Q(D)), we have f = (GSR + beta^2)/RSR = "
    "(0.5e^(-(theta - Q(D')) epsilon/Delta Q) + beta^2)/(1 - 0.5e^(-(theta - Q(D)) "
    "epsilon/Delta Q)).",
    transcribed=True,
    over=functions,
)
def eq27_function(functions: pd.DataFrame) -> Finding:
    """The quotient of exponentials is (GSR + beta^2)/RSR on the second interval.

    Held against it, as a share.
    """
    return _bound_values(functions, 27, "printed_error")


@corrects(
    eq27_function,
    Kind.SLIP,
    fails="The exponent below has the wrong sign, as those with Q(D) in Equation 27.",
    same_as=eq27,
    proof="equations-26-to-32",
)
def eq27_function_mended(functions: pd.DataFrame) -> Finding:
    """With the exponent +(theta - Q(D)) epsilon/Delta Q below it is f."""
    return _bound_values(functions, 27, "corrected_error")


@paper.states(
    "Section 10.3, step 2, the slopes at both ends",
    "When theta = Q(D), we have d f/d theta at theta = Q(D) = (0.5 epsilon/Delta Q) (e^(-epsilon) "
    "- e^(-epsilon) + beta^2) > 0. When theta = Q(D'), we have d f/d theta at theta = Q(D') = (0.5 "
    "epsilon/Delta Q) ((1 + beta^2) e^(-epsilon) - 1).",
    over=end_slopes,
)
def sec10_3_slopes(end_slopes: pd.DataFrame) -> Finding:
    """The slopes of f at Q(D) and Q(D') are (0.5 epsilon/Delta Q) beta^2 and (0.5
    epsilon/Delta Q) ((1 + beta^2) e^(-epsilon) - 1).

    Held against differences of f, at two sensitivities, in multiples of 1/Delta Q.
    """
    return _bound_ends(end_slopes, 27, "printed_error")


@corrects(
    sec10_3_slopes,
    Kind.SLIP,
    fails="They are the numerators of Equation 27; its denominator, RSR^2, is left out. The "
    "signs, which is all that is used, are right.",
    stands="the signs, and Eq. 12",
    shown_by=eq12,
    proof="equations-26-to-32",
)
def sec10_3_slopes_divided(end_slopes: pd.DataFrame) -> Finding:
    """Divided by RSR^2, which is 1/4 at Q(D) and (1 - e^(-epsilon)/2)^2 at Q(D'), they are."""
    return _bound_ends(end_slopes, 27, "corrected_error")


@paper.states(
    "Section 10.3, step 2",
    "The corresponding minimum value for F_beta score can be computed as ((1 + beta^2)(1 + "
    "4 beta^2 e^epsilon - sqrt(1 + 4 beta^2 e^epsilon)))/((1 + beta^2)(1 + 4 beta^2 "
    "e^epsilon) - (1 - beta^2) sqrt(1 + 4 beta^2 e^epsilon)).",
    over=extremes,
)
def sec10_3_minimum(extremes: pd.DataFrame) -> Finding:
    """The F-score at the threshold of step 2 is the smallest one of the thresholds from Q(D')
    to Q(D). Held against 20,001 thresholds.
    """
    return bounded(list_numbers(extremes, ["above_least"], _EXTREME_KEYS), at_most=1e-9)


@corrects(
    sec10_3_minimum,
    Kind.SLIP,
    fails="A slip of a word: f has its minimum there, and the F-score, (1 + beta^2)/(1 + f), "
    "its maximum. At epsilon = 2 and beta = 1 it is 0.8191, and 0.6379 at the upper end"
    " of the interval.",
    stands="Eq. 12",
    shown_by=eq12,
    proof="equations-26-to-32",
)
def sec10_3_maximum(extremes: pd.DataFrame) -> Finding:
    """It is the maximum, and equals Equation 12."""
    below = list_numbers(extremes, ["below_largest"], _EXTREME_KEYS)
    return equals(below, 0, within=Margin(1e-8, "a grid of 20,001 thresholds"))


@paper.states(
    "Appendix, Equation 28",
    "We then take the derivative of f with respect to theta as d f/d theta = -(0.25 "
    "epsilon^2/Delta Q) e^(-(theta - Q(D')) epsilon/Delta Q) e^(-(theta - Q(D)) "
    "epsilon/Delta Q)/(0.5e^(-(theta - Q(D)) epsilon/Delta Q))^2 + (0.5 epsilon/Delta Q) "
    "e^(-(theta - Q(D)) epsilon/Delta Q) (0.5e^(-(theta - Q(D')) epsilon/Delta Q) + "
    "beta^2)/(0.5e^(-(theta - Q(D)) epsilon/Delta Q))^2 = 0.5 beta^2 epsilon e^(-(theta - "
    "Q(D)) epsilon/Delta Q)/(0.5e^(-(theta - Q(D)) epsilon/Delta Q))^2 (28)",
    transcribed=True,
    over=derivatives,
)
def eq28(derivatives: pd.DataFrame) -> Finding:
    """Equation 28, in both of its lines, is the derivative of f above Q(D).

    Held against differences of f, at two sensitivities, as a share of the derivative.
    """
    return _bound_slopes(derivatives, 28, "printed_error")


@corrects(
    eq28,
    Kind.SLIP,
    fails="The quotient has epsilon^2/Delta Q in its first term, where differentiation gives "
    "one factor epsilon/Delta Q, and the closed form has no Delta Q at all. At Delta Q "
    "= 1 the closed form is right.",
    stands="Eq. 12",
    shown_by=eq12,
    proof="equations-26-to-32",
)
def eq28_mended(derivatives: pd.DataFrame) -> Finding:
    """With epsilon/Delta Q in both places both lines are the derivative."""
    return _bound_slopes(derivatives, 28, "corrected_error")


# 10.4: Theorem 6 ---------------------------------------------------------------------------------


@paper.states(
    "Appendix, Equation 29",
    _EQUATION_29,
    says="The likelihood ratio of the Gaussian mechanism.",
    reading="of noise that is private, whose standard deviation is sqrt(2 log(1.25/delta)) "
    "Delta Q/epsilon",
    label="noise that is private",
    cut=(_CUT_29,),
    over=ratios,
)
def eq29(ratios: pd.DataFrame) -> Finding:
    """Equation 29 is the likelihood ratio of the Gaussian mechanism.

    Held against the logarithm of the densities' ratio, at two sensitivities.
    """
    return _bound_ratios(ratios, "classical", "printed_error")


@corrects(
    eq29,
    Kind.FAILS,
    fails="It is that of noise with Delta Q/epsilon under the root, which is not private as "
    "promised (Section 4.3).",
    mend="ε² (2o - Q(D) - Q(D'))/(4 log(1.25/δ) ΔQ)",
    same_as=sigma,
    proof="equations-26-to-32",
)
def eq29_classical(ratios: pd.DataFrame) -> Finding:
    """The logarithm is epsilon^2 (2 o - Q(D) - Q(D'))/(4 log(1.25/delta) Delta Q)."""
    return _bound_ratios(ratios, "classical", "corrected_error")


@paper.states(
    "Appendix, Equation 29",
    _EQUATION_29,
    reading="of the noise that the paper prints, with Delta Q/epsilon under the root (Section "
    "4.3, where this slip is counted)",
    label="the noise as printed",
    cut=(_CUT_29,),
    of=eq29,
    over=ratios,
)
def eq29_printed(ratios: pd.DataFrame) -> Finding:
    """Equation 29 is the likelihood ratio of the Gaussian mechanism.

    Held against the logarithm of the densities' ratio, at two sensitivities.
    """
    return _bound_ratios(ratios, "printed", "printed_error")


# 10.5: with a prior ------------------------------------------------------------------------------

_EQUATION_30 = (
    "Next, we take the derivative of f as d f/d theta = [...] = (0.5 epsilon/Delta Q) "
    "e^((theta - Q(D')) epsilon/Delta Q) ((1 - rho_p + beta^2) e^(-epsilon) - (1 - "
    "rho_p))/(1 - 0.5e^((theta - Q(D)) epsilon/Delta Q))^2 (30)"
)
_CUT_30 = (
    "(-(0.5 (1 - rho_p) epsilon/Delta Q) e^((theta - Q(D')) epsilon/Delta Q) (1 - "
    "0.5e^((theta - Q(D)) epsilon/Delta Q)))/(1 - 0.5e^((theta - Q(D)) epsilon/Delta "
    "Q))^2 + ((0.5 epsilon/Delta Q) e^((theta - Q(D)) epsilon/Delta Q) (1 - rho_p + "
    "beta^2 - 0.5 (1 - rho_p) e^((theta - Q(D')) epsilon/Delta Q)))/(1 - 0.5e^((theta -"
    " Q(D)) epsilon/Delta Q))^2"
)


@paper.states(
    "Appendix, Equation 30",
    _EQUATION_30,
    cut=(_CUT_30,),
    says="The derivative of f with a prior, below Q(D').",
    reading="f is ((1 - rho_p) GSR + beta^2)/RSR, as it is defined",
    over=derivatives,
)
def eq30(derivatives: pd.DataFrame) -> Finding:
    """Equation 30, in both of its lines, is the derivative of f with a prior, below Q(D').

    Held against differences of f, at two sensitivities, as a share of the derivative.
    """
    return _bound_slopes(derivatives, 30, "printed_error")


@paper.states(
    "Section 10.5.1, step 1, above Equation 30",
    "1) For the first interval of (-infinity, Q(D')], we have f = ((1 - rho_p) GSR + "
    "beta^2)/RSR = (1 - rho_p + beta^2 - 0.5 (1 - rho_p) e^(-(theta - Q(D')) epsilon/Delta "
    "Q))/(1 - 0.5e^(-(theta - Q(D')) epsilon/Delta Q)).",
    transcribed=True,
    over=functions,
)
def eq30_function(functions: pd.DataFrame) -> Finding:
    """The quotient of exponentials is ((1 - rho_p) GSR + beta^2)/RSR on the first interval.

    Held against it, as a share.
    """
    return _bound_values(functions, 30, "printed_error")


@corrects(
    eq30_function,
    Kind.SLIP,
    fails="Both exponents have the wrong sign, and the one below has Q(D') for Q(D). At theta"
    " = Q(D') - Delta Q, epsilon = beta = 1 and rho_p = 0.2 the quotient is -1.98, and "
    "f is 1.77. (A slip: Equation 30 below it is right.)",
    stands="Eq. 30",
    shown_by=eq30,
    proof="equations-26-to-32",
)
def eq30_function_mended(functions: pd.DataFrame) -> Finding:
    """With exponents +(theta - Q(D')) epsilon/Delta Q above and +(theta - Q(D)) epsilon/Delta Q
    below it is f.
    """
    return _bound_values(functions, 30, "corrected_error")


@paper.states(
    "Appendix, Equation 30",
    _EQUATION_30,
    reading="f is the quotient of exponentials that is printed just above",
    cut=(_CUT_30,),
    of=eq30,
    over=functions,
)
def eq30_printed(functions: pd.DataFrame) -> Finding:
    """Equation 30 is the derivative of the f that is printed just above it.

    Held against differences of that function, at two sensitivities, as a share of its
    derivative.
    """
    slopes = list_numbers(select(functions, equation=30), ["slope_error"], _FUNCTION_KEYS)
    return bounded(slopes, at_most=1e-6)


@corrects(
    eq30_printed,
    Kind.ELSEWHERE,
    fails="Equation 30 has the right signs and databases, and the function above it has not.",
    same_as=eq30_function,
    proof="equations-26-to-32",
    over=derivatives,
)
def eq30_of_f(derivatives: pd.DataFrame) -> Finding:
    """It is the derivative of ((1 - rho_p) GSR + beta^2)/RSR."""
    return eq30.check(derivatives)


@paper.states(
    "Appendix, Equation 31",
    "Next, we take the derivative of f as d f/d theta = [...] = ((0.5 (1 - rho_p) "
    "epsilon/Delta Q) (e^(-epsilon) - e^(-(theta - Q(D')) epsilon/Delta Q)) + (beta^2/(1 - "
    "rho_p)) e^((theta - Q(D)) epsilon/Delta Q))/(1 - 0.5e^((theta - Q(D)) epsilon/Delta "
    "Q))^2",
    cut=(
        "(-(0.5 (1 - rho_p) epsilon/Delta Q) e^(-(theta - Q(D')) epsilon/Delta Q) (1 - "
        "0.5e^((theta - Q(D)) epsilon/Delta Q)))/(1 - 0.5e^((theta - Q(D)) epsilon/Delta "
        "Q))^2 + ((0.5 epsilon/Delta Q) e^((theta - Q(D)) epsilon/Delta Q) (0.5 (1 - rho_p)"
        " e^(-(theta - Q(D')) epsilon/Delta Q) + beta^2))/(1 - 0.5e^((theta - Q(D)) "
        "epsilon/Delta Q))^2 (31)",
    ),
    transcribed=True,
    over=derivatives,
)
def eq31(derivatives: pd.DataFrame) -> Finding:
    """Equation 31, in both of its lines, is the derivative of f with a prior, between Q(D') and
    Q(D). Held against differences of f, at two sensitivities, as a share of the derivative.
    """
    return _bound_slopes(derivatives, 31, "printed_error")


@corrects(
    eq31,
    Kind.SLIP,
    fails="The closed form closes its parenthesis before the last term, which so lacks the "
    "factor 0.5 (1 - rho_p) epsilon/Delta Q. What the paper derives from it is right.",
    stands="the threshold, and Eq. 21",
    shown_by=eq21,
    proof="equations-26-to-32",
)
def eq31_mended(derivatives: pd.DataFrame) -> Finding:
    """With the parenthesis after the last term both lines are the derivative."""
    return _bound_slopes(derivatives, 31, "corrected_error")


@paper.states(
    "Section 10.5.1, step 2, the slopes at both ends",
    "For theta = Q(D), we have d f/d theta at theta = Q(D) = (0.5 (1 - rho_p) epsilon/Delta Q) "
    "(e^(-epsilon) - e^(-epsilon) + beta^2/(1 - rho_p)) > 0. For theta = Q(D'), we have d f/d "
    "theta at theta = Q(D') = (0.5 (1 - rho_p) epsilon/Delta Q) ((1 + beta^2/(1 - rho_p)) "
    "e^(-epsilon) - 1).",
    over=end_slopes,
)
def sec10_5_1_slopes(end_slopes: pd.DataFrame) -> Finding:
    """The slopes of f at Q(D) and Q(D') are 0.5 beta^2 epsilon/Delta Q and (0.5 (1 -
    rho_p) epsilon/Delta Q) ((1 + beta^2/(1 - rho_p)) e^(-epsilon) - 1).

    Held against differences of f, at two sensitivities, in multiples of 1/Delta Q.
    """
    return _bound_ends(end_slopes, 31, "printed_error")


@corrects(
    sec10_5_1_slopes,
    Kind.SLIP,
    fails="RSR^2 is left out here, too.",
    same_as=sec10_3_slopes,
    proof="equations-26-to-32",
)
def sec10_5_1_slopes_divided(end_slopes: pd.DataFrame) -> Finding:
    """Divided by RSR^2, which is 1/4 at Q(D) and (1 - e^(-epsilon)/2)^2 at Q(D'), they are."""
    return _bound_ends(end_slopes, 31, "corrected_error")


@paper.states(
    "Appendix, Equation 32",
    "Then, we take the derivative of f as d f/d theta = -(0.25 (1 - rho_p) epsilon^2/Delta "
    "Q) e^(-(theta - Q(D')) epsilon/Delta Q) e^(-(theta - Q(D)) epsilon/Delta "
    "Q)/(0.5e^((theta - Q(D)) epsilon/Delta Q))^2 + (0.5 epsilon/Delta Q) e^(-(theta - "
    "Q(D)) epsilon/Delta Q) (0.5 (1 - rho_p) e^(-(theta - Q(D')) epsilon/Delta Q) + "
    "beta^2)/(0.5e^((theta - Q(D)) epsilon/Delta Q))^2 (32) = (0.5 beta^2 epsilon/Delta Q) "
    "e^(-(theta - Q(D)) epsilon/Delta Q)/(0.5e^((theta - Q(D)) epsilon/Delta Q))^2",
    transcribed=True,
    over=derivatives,
)
def eq32(derivatives: pd.DataFrame) -> Finding:
    """Equation 32, in both of its lines, is the derivative of f with a prior, above Q(D).

    Held against differences of f, at two sensitivities, as a share of the derivative.
    """
    return _bound_slopes(derivatives, 32, "printed_error")


@corrects(
    eq32,
    Kind.SLIP,
    fails="The denominators have the wrong sign in their exponent, and the quotient has "
    "epsilon^2/Delta Q for epsilon/Delta Q in its first term. (The interval of this "
    "step and of its conclusion must be [Q(D), infinity), not [Q(D'), infinity) and "
    "(-infinity, Q(D')], and the equation that follows from all steps is 18, not 12.)",
    stands="f rises above Q(D), and Eq. 21",
    shown_by=eq21,
    proof="equations-26-to-32",
)
def eq32_mended(derivatives: pd.DataFrame) -> Finding:
    """With exponents -(theta - Q(D)) epsilon/Delta Q below, and epsilon/Delta Q, both lines are
    the derivative.
    """
    return _bound_slopes(derivatives, 32, "corrected_error")


@paper.states(
    "Section 10.5.1, step 3, above Equation 32",
    "3) For the third interval of [Q(D'), +infinity), we have f = ((1 - rho_p) GSR + "
    "beta^2)/RSR = (0.5 (1 - rho_p) e^(-(theta - Q(D')) epsilon/Delta Q) + "
    "beta^2)/(0.5e^((theta - Q(D)) epsilon/Delta Q)).",
    transcribed=True,
    over=functions,
)
def eq32_function(functions: pd.DataFrame) -> Finding:
    """The quotient of exponentials is ((1 - rho_p) GSR + beta^2)/RSR on the third interval.

    Held against it, as a share.
    """
    return _bound_values(functions, 32, "printed_error")


@corrects(
    eq32_function,
    Kind.SLIP,
    fails="The exponent below has the wrong sign, as in the denominators of Equation 32.",
    same_as=eq32,
    proof="equations-26-to-32",
)
def eq32_function_mended(functions: pd.DataFrame) -> Finding:
    """With the exponent -(theta - Q(D)) epsilon/Delta Q below it is f."""
    return _bound_values(functions, 32, "corrected_error")


# 10.6: notions of privacy ------------------------------------------------------------------------


@paper.states(
    "Section 10.6",
    "In the presence of general deterministic constraints, pairs of neighboring databases "
    "can differ in any number of tuples.",
    says="Under constraints neighbours can differ in any number of records.",
    over=neighbours,
)
def sec10_6_any_number(neighbours: pd.DataFrame) -> Finding:
    """For each number of records some constraint has neighbours that differ in so many.

    Checked for every set of possible databases of up to three bits, as the numbers that do not
    occur. (That any two possible databases are neighbours, which the next lines need, does not
    follow.)
    """
    return bounded([neighbours["never"].sum()], at_most=0, sharp=int(neighbours["apart"].sum()))
