"""Labels of risk mechanisms, filters and baselines in figures and tables."""

from typing import Final

from noiseless.mechanisms.labels import CALIBRATIONS

RISK_MECHANISMS: Final = {
    **CALIBRATIONS,
    "discrete_laplace": "discrete Laplace (geometric) noise",
    "discrete_gaussian": "discrete Gaussian noise",
    "any": "worst mechanism of this ε",
}
"""Mechanisms whose risk is computed from epsilon, delta and a number of answers."""

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
"""Accounting that does not depend on outputs."""
