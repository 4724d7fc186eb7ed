"""Noiseless: deterministic privacy mechanisms, their adversaries, and privacy accounting.

Floors, from the bottom; nothing imports from a floor above its own:

- the modules of this folder: ``errors``, ``files``, ``tables``, ``seeds``, ``statistics``
  (estimates with intervals), ``settings`` (keys in YAML and their check), ``plugins`` (mechanisms
  and adversaries of the user's own)
- ``mechanisms``   what is released, and the budget it costs
- ``adversaries``  what an adversary guesses from a release
- ``games``, ``theory``, ``accounting``, ``integrations``: games of adversaries against releases;
  uncertain variables; privacy loss of answers; a transformer for scikit-learn
- ``data``         download, parse and validate the data; write look-alike samples
- ``figures``      how figures are drawn and captioned
- ``papers``       ``<paper>/``: statements, experiments, figures and captions of a paper
- ``ledger``       verdicts in words, errata, and how a run compares with the reference
- ``page``         the results as one HTML page
- ``pipeline``     what joins Snakemake and the package

The public names, listed in ``__all__``, are imported when they are asked for:

>>> import noiseless
>>> day = noiseless.Domain((0,), (20,), "kwh")
>>> noiseless.Quantizer(day, noiseless.compute_local_levels(2)).release([1.2, 7.9])
array([2.5, 7.5])

A table ``<paper>/<topic>...`` is made by the rule ``<paper>_<topic>...`` in ``rules/<paper>.smk``.
"""

import os as _os
from importlib import import_module as _import_module
from typing import Any as _Any

__version__ = "0.4.0"

# numexpr, which pandas imports where it is installed, fails at what OpenMP takes, such as "4,2".
if not _os.environ.get("OMP_NUM_THREADS", "1").isdecimal():
    _first = _os.environ["OMP_NUM_THREADS"].partition(",")[0].strip()
    _os.environ.setdefault("NUMEXPR_NUM_THREADS", _first if _first.isdecimal() else "1")

# Which module has each public name.  Type checkers read the same from `__init__.pyi`: an import
# here, even one that never runs, would make every table depend on these modules.
_MODULES = {
    "Advantage": "accounting.epsilon",
    "Adversary": "adversaries.interface",
    "ApplianceTraining": "adversaries.inputs.appliances",
    "BayesianFilter": "accounting.filters",
    "BitsOfRange": "mechanisms.guarantees",
    "BlockLaw": "theory.laws",
    "Box": "accounting.queries",
    "ChainLaw": "theory.laws",
    "CollapseBlurring": "mechanisms.policies.collapse",
    "Comparison": "papers.beyond.own_data",
    "ConfigError": "errors",
    "DataError": "errors",
    "Domain": "mechanisms.interface",
    "EpsilonChoice": "accounting.epsilon",
    "MembershipView": "adversaries.inputs.membership",
    "ExchangeableLaw": "theory.laws",
    "FScore": "accounting.epsilon",
    "FiniteDomain": "accounting.queries",
    "GaussianMechanism": "mechanisms.families.gaussian",
    "Guess": "adversaries.inputs.appliances",
    "Homes": "games.own_arrays",
    "LaplaceMechanism": "mechanisms.families.laplace",
    "LinearQuery": "accounting.queries",
    "LinkageView": "adversaries.inputs.linkage",
    "LinkageTraining": "adversaries.inputs.linkage",
    "LogisticQuery": "accounting.queries",
    "Mechanism": "mechanisms.interface",
    "MeterRelease": "adversaries.inputs.appliances",
    "MeterReports": "adversaries.inputs.appliances",
    "NatsOfDifferentialPrivacy": "mechanisms.guarantees",
    "NoisyMechanism": "mechanisms.interface",
    "OddsBlurring": "mechanisms.policies.odds",
    "OneBitMechanism": "mechanisms.families.one_bit",
    "OutputDependentFilter": "accounting.output_dependent",
    "OverlayBlurring": "mechanisms.policies.overlay",
    "PlanarLaplaceMechanism": "mechanisms.families.planar_laplace",
    "PublicRange": "mechanisms.blurring",
    "Quantizer": "mechanisms.families.quantizer",
    "RawSeries": "adversaries.inputs.membership",
    "Recording": "adversaries.inputs.appliances",
    "RecordHypothesis": "accounting.joint",
    "SafeFilter": "accounting.filters",
    "StretchBlurring": "mechanisms.policies.stretch",
    "TableLaw": "theory.laws",
    "TableQuery": "accounting.queries",
    "ThresholdHypothesis": "accounting.composite",
    "Training": "adversaries.inputs.membership",
    "UserError": "errors",
    "answer_queries": "accounting.answers",
    "bound_advantage": "games.own_arrays",
    "bound_least_constant": "accounting.joint",
    "bound_mean_advantage": "theory.homes_needed",
    "bound_realized_loss": "accounting.realized_loss",
    "build_polynomial_threshold": "mechanisms.blurring",
    "build_risk_table": "accounting.epsilon",
    "choose_epsilon": "accounting.epsilon",
    "compare": "papers.beyond.own_data",
    "compute_exact_levels": "theory.levels",
    "compute_homes_needed": "theory.homes_needed",
    "compute_joint_epsilon": "accounting.joint",
    "compute_local_levels": "mechanisms.families.quantizer",
    "compute_min_mean_change": "mechanisms.policies.odds",
    "compute_normal_advantage": "theory.homes_needed",
    "compute_printed_levels": "mechanisms.families.quantizer",
    "find_best_threshold": "adversaries.on_off",
    "k_anonymous_share": "theory.anonymity",
    "leakage_bits": "theory.channels",
    "maximal_leakage_bits": "theory.channels",
    "maximin_information_bits": "theory.channels",
    "play_membership_game": "games.own_arrays",
    "play_released_membership_game": "games.own_arrays",
    "release_all": "mechanisms.successive_refinement",
    "release_for_thresholds": "mechanisms.successive_refinement",
    "risk": "accounting.epsilon",
    "unique_share": "theory.anonymity",
    "use_plugins": "plugins",
}

__all__ = sorted(_MODULES)

# Old names: what each is called now and since which version, so that an old program says what to
# change.
_RENAMED = {
    "Evidence": ("MembershipView", "0.4"),
    "LinkageEvidence": ("LinkageView", "0.4"),
    "best_threshold": ("find_best_threshold", "0.3"),
    "decimal_threshold": ("build_polynomial_threshold", "0.3"),
    "exact_levels": ("compute_exact_levels", "0.3"),
    "largest_advantage": ("bound_advantage", "0.3"),
    "levels_from_budget": ("compute_printed_levels", "0.3"),
    "local_levels": ("compute_local_levels", "0.3"),
    "membership_game": ("play_membership_game", "0.3"),
    "realized_loss": ("bound_realized_loss", "0.3"),
    "released_membership_game": ("play_released_membership_game", "0.3"),
    "risk_table": ("build_risk_table", "0.3"),
}

# Names that have left without another one for the same, and what to write instead.
_LEFT = {
    "SideKnowledge": "Give risk and choose_epsilon hypothesis=RecordHypothesis(law) (from "
    "correlations alone: TableLaw.build_from_correlations), or prior=1 / (1 + odds against it).",
}


def __getattr__(name: str) -> _Any:
    """Import a public name from its module."""
    if name in _LEFT:
        raise AttributeError(f"{__name__}.{name} left with version 0.4. {_LEFT[name]}")
    if name in _RENAMED:
        new, version = _RENAMED[name]
        raise AttributeError(
            f"{__name__}.{name} has been {__name__}.{new} since version {version}. Rename it."
        )
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = _import_module(f"{__name__}.{_MODULES[name]}")
    except ModuleNotFoundError as error:
        raise ImportError(
            f"{__name__}.{name} needs {error.name}: install noiseless[workflow]."
        ) from None
    value = getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List all names, including those that have not been imported yet."""
    return sorted({*globals(), *__all__})
