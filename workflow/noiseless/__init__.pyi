from typing import Final

from noiseless.accounting.answers import answer_queries
from noiseless.accounting.composite import ThresholdHypothesis
from noiseless.accounting.epsilon import (
    Advantage,
    EpsilonChoice,
    FScore,
    build_risk_table,
    choose_epsilon,
    risk,
)
from noiseless.accounting.filters import BayesianFilter, SafeFilter
from noiseless.accounting.joint import (
    RecordHypothesis,
    bound_least_constant,
    compute_joint_epsilon,
)
from noiseless.accounting.output_dependent import OutputDependentFilter
from noiseless.accounting.queries import Box, FiniteDomain, LinearQuery, LogisticQuery, TableQuery
from noiseless.accounting.realized_loss import bound_realized_loss
from noiseless.adversaries.inputs.appliances import (
    ApplianceTraining,
    Guess,
    MeterRelease,
    MeterReports,
    Recording,
)
from noiseless.adversaries.inputs.linkage import LinkageTraining, LinkageView
from noiseless.adversaries.inputs.membership import MembershipView, RawSeries, Training
from noiseless.adversaries.interface import Adversary
from noiseless.adversaries.on_off import find_best_threshold
from noiseless.errors import ConfigError, DataError, UserError
from noiseless.games.own_arrays import (
    Homes,
    bound_advantage,
    play_membership_game,
    play_released_membership_game,
)
from noiseless.mechanisms.blurring import PublicRange, build_polynomial_threshold
from noiseless.mechanisms.families.gaussian import GaussianMechanism
from noiseless.mechanisms.families.laplace import LaplaceMechanism
from noiseless.mechanisms.families.one_bit import OneBitMechanism
from noiseless.mechanisms.families.planar_laplace import PlanarLaplaceMechanism
from noiseless.mechanisms.families.quantizer import (
    Quantizer,
    compute_local_levels,
    compute_printed_levels,
)
from noiseless.mechanisms.guarantees import BitsOfRange, NatsOfDifferentialPrivacy
from noiseless.mechanisms.interface import Domain, Mechanism, NoisyMechanism
from noiseless.mechanisms.policies.collapse import CollapseBlurring
from noiseless.mechanisms.policies.odds import OddsBlurring, compute_min_mean_change
from noiseless.mechanisms.policies.overlay import OverlayBlurring
from noiseless.mechanisms.policies.stretch import StretchBlurring
from noiseless.mechanisms.successive_refinement import release_all, release_for_thresholds
from noiseless.papers.beyond.own_data import Comparison, compare
from noiseless.plugins import use_plugins
from noiseless.theory.anonymity import k_anonymous_share, unique_share
from noiseless.theory.channels import leakage_bits, maximal_leakage_bits, maximin_information_bits
from noiseless.theory.homes_needed import (
    bound_mean_advantage,
    compute_homes_needed,
    compute_normal_advantage,
)
from noiseless.theory.laws import BlockLaw, ChainLaw, ExchangeableLaw, TableLaw
from noiseless.theory.levels import compute_exact_levels

__version__: Final[str]

__all__ = [
    "Advantage",
    "Adversary",
    "ApplianceTraining",
    "BayesianFilter",
    "BitsOfRange",
    "BlockLaw",
    "Box",
    "ChainLaw",
    "CollapseBlurring",
    "Comparison",
    "ConfigError",
    "DataError",
    "Domain",
    "EpsilonChoice",
    "ExchangeableLaw",
    "FScore",
    "FiniteDomain",
    "GaussianMechanism",
    "Guess",
    "Homes",
    "LaplaceMechanism",
    "LinearQuery",
    "LinkageTraining",
    "LinkageView",
    "LogisticQuery",
    "Mechanism",
    "MembershipView",
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
    "RecordHypothesis",
    "Recording",
    "SafeFilter",
    "StretchBlurring",
    "TableLaw",
    "TableQuery",
    "ThresholdHypothesis",
    "Training",
    "UserError",
    "answer_queries",
    "bound_advantage",
    "bound_least_constant",
    "bound_mean_advantage",
    "bound_realized_loss",
    "build_polynomial_threshold",
    "build_risk_table",
    "choose_epsilon",
    "compare",
    "compute_exact_levels",
    "compute_homes_needed",
    "compute_joint_epsilon",
    "compute_local_levels",
    "compute_min_mean_change",
    "compute_normal_advantage",
    "compute_printed_levels",
    "find_best_threshold",
    "k_anonymous_share",
    "leakage_bits",
    "maximal_leakage_bits",
    "maximin_information_bits",
    "play_membership_game",
    "play_released_membership_game",
    "release_all",
    "release_for_thresholds",
    "risk",
    "unique_share",
    "use_plugins",
]
