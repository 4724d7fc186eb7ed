"""Noiseless: deterministic privacy mechanisms, their adversaries, and privacy accounting.

data -> mechanism -> adversary -> game -> table -> figure -> verdict -> page:

- ``datasets``     download, parse and validate the data; write look-alike samples
- ``mechanisms``   what a curator releases, and the budget it costs
- ``adversaries``  what somebody guesses from a release
- ``games``        how candidates are drawn, what an adversary observes, and who wins
- ``theory``       what can be known without probabilities, computed exactly
- ``accounting``   what answers have told about an object: realized privacy loss, filters, a ledger
- ``experiments``  ``<paper>/<topic>.py``: parameters in, tidy table out
- ``figures``      ``<paper>/<topic>.py``: tables in, figure out
- ``ledger``       the papers' claims, and the judge that compares them with the tables
- ``page``         the results as one HTML page
- ``labels``       what mechanisms, adversaries, policies and filters are called
- ``statistics``   estimates with intervals, and rows of tables
- ``plane``        the public box of trips, in metres
- ``plugins``      mechanisms and adversaries of the user's own
- ``integrations`` steps of scikit-learn and NILMTK; each needs its extra

The public names, listed in ``__all__``, are imported when they are asked for:

>>> import noiseless
>>> noiseless.Quantizer(0, 20, noiseless.local_levels(2)).release([1.2, 7.9])
array([2.5, 7.5])

A table ``<paper>/<topic>...`` is made by the rule ``<paper>_<topic>...`` in ``rules/<paper>.smk``.
Nothing here knows of Snakemake but :mod:`noiseless.jobs`, which the scripts share.
"""

from importlib import import_module as _import_module
from typing import Any as _Any

__version__ = "0.1.0"

# Which module has each public name.  Type checkers read the same from `__init__.pyi`: an import
# here, even one that never runs, would make every table depend on these modules.
_MODULES = {
    "Advantage": "accounting.epsilon",
    "Adversary": "adversaries.interface",
    "BayesianFilter": "accounting.filters",
    "Box": "accounting.queries",
    "CollapseBlurring": "mechanisms.blurring",
    "CuratorLedger": "accounting.curator",
    "FScore": "accounting.epsilon",
    "GaussianMechanism": "mechanisms.gaussian",
    "LaplaceMechanism": "mechanisms.laplace",
    "LinearQuery": "accounting.queries",
    "LogisticQuery": "accounting.queries",
    "OneBitMechanism": "mechanisms.one_bit",
    "OverlayBlurring": "mechanisms.blurring",
    "PlanarLaplaceMechanism": "mechanisms.planar_laplace",
    "PublicRange": "mechanisms.blurring",
    "Quantizer": "mechanisms.quantizer",
    "StretchBlurring": "mechanisms.blurring",
    "UserError": "errors",
    "answer_queries": "accounting.answers",
    "best_quantizer": "theory.best_quantizer",
    "choose_epsilon": "accounting.epsilon",
    "decimal_threshold": "mechanisms.blurring",
    "exact_levels": "theory.levels",
    "k_anonymous_share": "anonymity",
    "leakage_bits": "theory.channels",
    "levels_from_budget": "mechanisms.quantizer",
    "local_levels": "mechanisms.quantizer",
    "maximal_leakage_bits": "theory.channels",
    "maximin_information_bits": "theory.channels",
    "membership_game": "games.own_arrays",
    "realized_loss": "accounting.realized_loss",
    "risk": "accounting.epsilon",
    "unique_share": "anonymity",
}

__all__ = sorted(_MODULES)


def __getattr__(name: str) -> _Any:
    """A public name, from its module."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(_import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """All names, those that have not been asked for included."""
    return sorted({*globals(), *__all__})
