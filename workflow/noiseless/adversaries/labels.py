"""What adversaries are called, for people to read, and who of them sees no release.

The keys are those of tables; their order is that of tables and figures.
"""

from collections.abc import Iterable
from typing import Final

MEMBERSHIP_ADVERSARIES: Final = {
    "correlation": "correlation",
    "mse": "mean square error",
    "peaks": "common peaks",
    "learned": "learned",
    "normal": "normal likelihood",
    "control": "control (sees no output)",
}
"""Adversaries of the membership game who know no other home in the mean."""

# Those of Section V.A of "Noiseless Privacy": what is said of the strongest is about them,
# whichever others play.
PAPERS_ADVERSARIES: Final = ("correlation", "mse", "peaks")

LIKELIHOOD_ADVERSARIES: Final = {
    "normal": MEMBERSHIP_ADVERSARIES["normal"],
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

CONTROLS: Final = ("control", *APPLIANCE_CONTROLS)
"""Adversaries who see no release."""


def without_controls(keys: Iterable[str]) -> list[str]:
    """The keys of those who see a release: whatever is called a control sees none."""
    return [key for key in keys if key not in CONTROLS and not key.startswith("control")]
