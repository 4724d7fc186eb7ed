from typing import Final

from noiseless.accounting.epsilon import Advantage, FScore, choose_epsilon, risk, risk_table
from noiseless.accounting.filters import BayesianFilter
from noiseless.accounting.output_dependent import OutputDependentFilter
from noiseless.accounting.queries import Box, FiniteDomain, LinearQuery, LogisticQuery, TableQuery
from noiseless.accounting.realized_loss import realized_loss
from noiseless.adversaries.interface import Adversary
from noiseless.curator.answers import answer_queries
from noiseless.curator.ledger import CuratorLedger
from noiseless.errors import UserError
from noiseless.games.own_arrays import membership_game
from noiseless.mechanisms.blurring import PublicRange, decimal_threshold
from noiseless.mechanisms.families.gaussian import GaussianMechanism
from noiseless.mechanisms.families.laplace import LaplaceMechanism
from noiseless.mechanisms.families.one_bit import OneBitMechanism
from noiseless.mechanisms.families.planar_laplace import PlanarLaplaceMechanism
from noiseless.mechanisms.families.quantizer import Quantizer, levels_from_budget, local_levels
from noiseless.mechanisms.policies.collapse import CollapseBlurring
from noiseless.mechanisms.policies.overlay import OverlayBlurring
from noiseless.mechanisms.policies.stretch import StretchBlurring
from noiseless.mechanisms.refinable import release_all
from noiseless.theory.anonymity import k_anonymous_share, unique_share
from noiseless.theory.best_quantizer import best_quantizer
from noiseless.theory.channels import leakage_bits, maximal_leakage_bits, maximin_information_bits
from noiseless.theory.levels import exact_levels

__version__: Final[str]

__all__ = [
    "Advantage",
    "Adversary",
    "BayesianFilter",
    "Box",
    "CollapseBlurring",
    "CuratorLedger",
    "FScore",
    "FiniteDomain",
    "GaussianMechanism",
    "LaplaceMechanism",
    "LinearQuery",
    "LogisticQuery",
    "OneBitMechanism",
    "OutputDependentFilter",
    "OverlayBlurring",
    "PlanarLaplaceMechanism",
    "PublicRange",
    "Quantizer",
    "StretchBlurring",
    "TableQuery",
    "UserError",
    "answer_queries",
    "best_quantizer",
    "choose_epsilon",
    "decimal_threshold",
    "exact_levels",
    "k_anonymous_share",
    "leakage_bits",
    "levels_from_budget",
    "local_levels",
    "maximal_leakage_bits",
    "maximin_information_bits",
    "membership_game",
    "realized_loss",
    "release_all",
    "risk",
    "risk_table",
    "unique_share",
]
