from typing import Final

from noiseless.accounting.answers import answer_queries
from noiseless.accounting.composite import Above
from noiseless.accounting.epsilon import (
    Advantage,
    EpsilonChoice,
    FScore,
    choose_epsilon,
    risk,
    risk_table,
)
from noiseless.accounting.filters import BayesianFilter, SafeFilter
from noiseless.accounting.output_dependent import OutputDependentFilter
from noiseless.accounting.queries import Box, FiniteDomain, LinearQuery, LogisticQuery, TableQuery
from noiseless.accounting.realized_loss import realized_loss
from noiseless.adversaries.appliances.evidence import (
    ApplianceTraining,
    Guess,
    MeterRelease,
    MeterReports,
    Recording,
)
from noiseless.adversaries.interface import Adversary
from noiseless.adversaries.likelihood_ratio import SideKnowledge
from noiseless.adversaries.linkage.evidence import LinkageEvidence, LinkageTraining
from noiseless.adversaries.membership.evidence import Evidence, RawSeries, Training
from noiseless.adversaries.on_off import best_threshold
from noiseless.errors import ConfigError, DataError, UserError
from noiseless.games.own_arrays import largest_advantage, membership_game, released_membership_game
from noiseless.mechanisms.blurring import PublicRange, decimal_threshold
from noiseless.mechanisms.families.gaussian import GaussianMechanism
from noiseless.mechanisms.families.laplace import LaplaceMechanism
from noiseless.mechanisms.families.one_bit import OneBitMechanism
from noiseless.mechanisms.families.planar_laplace import PlanarLaplaceMechanism
from noiseless.mechanisms.families.quantizer import Quantizer, levels_from_budget, local_levels
from noiseless.mechanisms.guarantees import BitsOfRange, NatsOfDifferentialPrivacy
from noiseless.mechanisms.interface import Domain, Mechanism, NoisyMechanism
from noiseless.mechanisms.policies.collapse import CollapseBlurring
from noiseless.mechanisms.policies.odds import OddsBlurring, least_mean_change
from noiseless.mechanisms.policies.overlay import OverlayBlurring
from noiseless.mechanisms.policies.stretch import StretchBlurring
from noiseless.mechanisms.refinable import release_all, release_for_thresholds
from noiseless.plugins import use_plugins
from noiseless.theory.anonymity import k_anonymous_share, unique_share
from noiseless.theory.channels import leakage_bits, maximal_leakage_bits, maximin_information_bits
from noiseless.theory.levels import exact_levels

__version__: Final[str]

__all__ = [
    "Above",
    "Advantage",
    "Adversary",
    "ApplianceTraining",
    "BayesianFilter",
    "BitsOfRange",
    "Box",
    "CollapseBlurring",
    "ConfigError",
    "DataError",
    "Domain",
    "EpsilonChoice",
    "Evidence",
    "FScore",
    "FiniteDomain",
    "GaussianMechanism",
    "Guess",
    "LaplaceMechanism",
    "LinearQuery",
    "LinkageEvidence",
    "LinkageTraining",
    "LogisticQuery",
    "Mechanism",
    "MeterRelease",
    "MeterReports",
    "NatsOfDifferentialPrivacy",
    "NoisyMechanism",
    "OddsBlurring",
    "OneBitMechanism",
    "OutputDependentFilter",
    "OverlayBlurring",
    "PlanarLaplaceMechanism",
    "PublicRange",
    "Quantizer",
    "RawSeries",
    "Recording",
    "SafeFilter",
    "SideKnowledge",
    "StretchBlurring",
    "TableQuery",
    "Training",
    "UserError",
    "answer_queries",
    "best_threshold",
    "choose_epsilon",
    "decimal_threshold",
    "exact_levels",
    "k_anonymous_share",
    "largest_advantage",
    "leakage_bits",
    "least_mean_change",
    "levels_from_budget",
    "local_levels",
    "maximal_leakage_bits",
    "maximin_information_bits",
    "membership_game",
    "realized_loss",
    "release_all",
    "release_for_thresholds",
    "released_membership_game",
    "risk",
    "risk_table",
    "unique_share",
    "use_plugins",
]
