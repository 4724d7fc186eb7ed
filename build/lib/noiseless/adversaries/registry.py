"""Adversaries of the membership game, by name.

An adversary is the module of its name in :mod:`noiseless.adversaries.members`, with the class
``ADVERSARY``, and its label in :data:`noiseless.labels.MEMBERSHIP_ADVERSARIES`, whose order is that
of tables.  Modules are imported when they are asked for.
"""

from importlib import import_module

from noiseless.adversaries.membership import MembershipAdversary
from noiseless.errors import ConfigError
from noiseless.labels import LIKELIHOOD_ADVERSARIES, MEMBERSHIP_ADVERSARIES, without_controls
from noiseless.plugins import with_plugins

LOADED_BY_NAME = ("noiseless.adversaries.members",)


def load_adversary(name: str) -> type[MembershipAdversary]:
    """The adversary of a name.

    Raises
    ------
    ConfigError
        If there is none.
    """
    if name not in MEMBERSHIP_ADVERSARIES:
        known = ", ".join(MEMBERSHIP_ADVERSARIES)
        raise ConfigError(f"no adversary is called {name!r}: known are {known}.")
    return import_module(f"{LOADED_BY_NAME[0]}.{name}").ADVERSARY


def membership_adversaries(*, trained: bool) -> list[type[MembershipAdversary]]:
    """All adversaries of the membership game; without ``trained``, those who need no training.

    Those of active plugins come last.

    Raises
    ------
    ConfigError
        As for :func:`noiseless.plugins.with_plugins`, or if a control is not called one.
    """
    ours = [load_adversary(name) for name in MEMBERSHIP_ADVERSARIES]
    loaded = with_plugins("ADVERSARY", MembershipAdversary, ours)
    for adversary in loaded[len(ours) :]:
        # Figures know adversaries by their names alone.
        if adversary.is_control != (not without_controls([adversary.name])):
            raise ConfigError(
                f"the adversary {adversary.name!r} has is_control = {adversary.is_control}: the "
                "name of a control, and no other, begins with `control`."
            )
        if adversary.name in LIKELIHOOD_ADVERSARIES:
            raise ConfigError(f"an adversary {adversary.name!r} is there: choose another `name`.")
    return [adversary for adversary in loaded if trained or not adversary.is_trained]
