"""Mechanisms of the comparisons, by name.

A mechanism is the module of its name in :mod:`noiseless.mechanisms.compared`, with the class
``MECHANISM``, and its label in :data:`noiseless.labels.MECHANISMS`, whose order is that of tables.
Modules are imported when they are asked for, so that whoever only needs names imports none.
"""

from importlib import import_module

from noiseless.errors import ConfigError
from noiseless.labels import MECHANISMS
from noiseless.mechanisms.interface import Domain, Mechanism

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
    """All mechanisms that can release values of a domain."""
    loaded = [load_mechanism(name) for name in MECHANISMS]
    return [mechanism for mechanism in loaded if mechanism.is_for(domain)]
