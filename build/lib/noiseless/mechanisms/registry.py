"""Mechanisms of the comparisons, by name.

A mechanism is the module of its name in :mod:`noiseless.mechanisms.compared`, with the class
``MECHANISM``, and its label in :data:`noiseless.labels.MECHANISMS`, whose order is that of tables.
Modules are imported when they are asked for, so that whoever only needs names imports none.
"""

from importlib import import_module

from noiseless.errors import ConfigError
from noiseless.labels import MECHANISMS
from noiseless.mechanisms.calibration import KINDS
from noiseless.mechanisms.interface import Domain, Identity, Mechanism
from noiseless.plugins import with_plugins

LOADED_BY_NAME = ("noiseless.mechanisms.compared",)


def load_mechanism(name: str) -> type[Mechanism]:
    """The mechanism of a name.

    Raises
    ------
    ConfigError
        If there is none.
    """
    if name not in MECHANISMS:
        raise ConfigError(f"no mechanism is called {name!r}: known are {', '.join(MECHANISMS)}.")
    return import_module(f"{LOADED_BY_NAME[0]}.{name}").MECHANISM


def mechanisms_for(domain: Domain) -> list[type[Mechanism]]:
    """All mechanisms that can release values of a domain, those of active plugins last.

    Raises
    ------
    ConfigError
        As for :func:`noiseless.plugins.with_plugins`, or if a plugin's mechanism has no kind.
    """
    ours = [Identity, *(load_mechanism(name) for name in MECHANISMS)]
    loaded = with_plugins("MECHANISM", Mechanism, ours)[1:]
    for mechanism in loaded:
        if getattr(mechanism, "kind", None) not in KINDS:
            raise ConfigError(
                f"the mechanism {mechanism.name!r} has no `kind`: it must be one of "
                f"{', '.join(KINDS)}."
            )
    return [mechanism for mechanism in loaded if mechanism.is_for(domain)]
