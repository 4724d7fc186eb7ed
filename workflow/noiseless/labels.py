"""What mechanisms, adversaries, policies, filters and datasets are called, for people to read.

Figures, charts, the custodian's answer and the summary of own data take their words from here, so
that one thing has one name.  The keys are those of the tables; a key without a label is its own,
and comes after those that have one.
"""

from collections.abc import Iterable, Mapping
from typing import Final

MECHANISMS: Final = {
    "quantizer": "quantizer",
    "planar_laplace": "planar Laplace noise",
    "laplace": "Laplace noise",
    "gaussian": "Gaussian noise",
    "one_bit": "one random bit of each person",
}
"""Mechanisms of the comparisons at the same error."""

CALIBRATIONS: Final = {
    "laplace": "Laplace noise",
    "gaussian_classical": "Gaussian noise, classical",
    "gaussian_analytic": "Gaussian noise, analytic",
    "gaussian_printed": "Gaussian noise, as printed",
}
"""Noise and how its scale follows from epsilon and delta (``prrelation``)."""

RISK_MECHANISMS: Final = {
    **CALIBRATIONS,
    "discrete_laplace": "discrete Laplace (geometric) noise",
    "discrete_gaussian": "discrete Gaussian noise",
    "any": "worst mechanism of this ε",
}
"""Mechanisms whose risk is computed from epsilon, delta and a number of answers."""

REFERENCES: Final = {
    "unprotected": "no mechanism",
    "blind": "sees no report",
    "constant": "a constant does as well",
    "smallest": "smallest error of one bit",
}
"""What the mechanisms are compared with."""

MEMBERSHIP_ADVERSARIES: Final = {
    "correlation": "correlation",
    "mse": "mean square error",
    "peaks": "common peaks",
    "learned": "learned",
    "control": "control (sees no output)",
}
"""Adversaries of the membership game who do not know the mechanism."""

# Those of Section V.A of "Noiseless Privacy": what is said of the strongest is about them, whoever
# else plays.
PAPERS_ADVERSARIES: Final = ("correlation", "mse", "peaks")

LIKELIHOOD_ADVERSARIES: Final = {
    "independent": "knows the mechanism, takes days as independent",
    "factors": "knows the mechanism and how days go together",
    "normal": "knows the rounding and how days go together",
    "exact": "knows all other homes (exact)",
}
"""Adversaries of the membership game who know the mechanism and other homes."""

APPLIANCE_ADVERSARIES: Final = {
    "co": "combinatorial optimisation (NILMTK)",
    "co_vampire": "combinatorial optimisation with vampire power (older NILMTK)",
    "hmm": "hidden Markov model that knows the quantizer",
    "learned": "trees on windows, trained on released data",
}
"""Adversaries who tell when an appliance is on."""

APPLIANCE_CONTROLS: Final = {
    "always_on": "control: always on",
    "always_off": "control: always off",
    "chance": "control: on at random, as often as in training",
}
"""Guesses at appliances that see no report."""

LINKAGE_ADVERSARIES: Final = {
    "likelihood": "knows the mechanism",
    "control": "control (sees no report)",
}
"""Adversaries who link a report to one of many people."""

TAKEN_BY_ADVERSARIES: Final = {
    *MEMBERSHIP_ADVERSARIES,
    *LIKELIHOOD_ADVERSARIES,
    *APPLIANCE_ADVERSARIES,
    *APPLIANCE_CONTROLS,
    *LINKAGE_ADVERSARIES,
    *("any", "strongest"),  # rows of tables that are of no single adversary
}
"""Names that no other adversary may have."""

COMPARED_ADVERSARIES: Final = {
    "correlation": "correlation",
    "mse": "mean square error",
    "peaks": "common peaks",
    "co": "combinatorial optimisation",
    "hmm": "hidden Markov model",
    "learned": "learned",
}
"""Adversaries of the comparisons at the same error, in the width of a panel's title."""

POLICIES: Final = {
    "collapse": "collapse (as printed)",
    "stretch": "stretch",
    "overlay": "overlay (most undecided by x₁ alone)",
    "slices": "thin slices (least change for that)",
    "normal": "along normals (both numbers change)",
    "round": "stretch and round (fools Equation 9)",
}
"""Blurring policies."""

FILTERS: Final = {
    "bayesian": "Bayesian composition (Algorithm 2)",
    "simplified": "the loss so far, plus ε (Algorithm 3)",
    "basic": "basic composition",
}
"""Privacy filters."""

BASELINES: Final = {
    "optimal": "optimal (ε, δ) composition",
    "zcdp": "zero-concentrated filter (OpenDP)",
}
"""Accounting that does not look at outputs."""

KNOWLEDGE: Final = {
    "none": "nothing",
    "prior": "a prior (ρp)",
    "records": "a prior and correlated records (ρp, ρc)",
    "time": "these and earlier values (ρp, ρc, ρt)",
}
"""What the adversary of ``prrelation`` knows beforehand."""

KNOWLEDGE_SYMBOLS: Final = {
    "none": "nothing",
    "prior": r"$\rho_p$",
    "records": r"$\rho_p$, $\rho_c$",
    "time": r"$\rho_p$, $\rho_c$, $\rho_t$",
}
"""The same in the paper's symbols, for a narrow figure."""

HOMES: Final = {"ausgrid": "Ausgrid (Australia)", "london": "London"}
"""Datasets of homes."""

EXACT_MEAN: Final = "exact mean"
"""A mean that is published without a mechanism, in place of a budget."""

CONTROLS: Final = ("control", *APPLIANCE_CONTROLS)
"""Adversaries who see no release."""


def label(names: Mapping[str, str], key: str) -> str:
    """What a key is called: its label, or the key itself where it has none."""
    return names.get(key, key)


def in_order(names: Mapping[str, str], keys: Iterable[str]) -> list[str]:
    """Different keys, those with a label first and in the order of the labels."""
    present = dict.fromkeys(keys)
    return [
        *(key for key in names if key in present),
        *(key for key in present if key not in names),
    ]


def without_controls(keys: Iterable[str]) -> list[str]:
    """The keys of those who see a release: whatever is called a control sees none."""
    return [key for key in keys if key not in CONTROLS and not key.startswith("control")]
