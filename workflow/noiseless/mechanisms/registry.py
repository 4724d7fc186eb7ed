"""Mechanisms of the comparisons, by name.

A mechanism is the module of its name in :mod:`noiseless.mechanisms.compared`, with the class
``MECHANISM``, and its label in :data:`noiseless.labels.MECHANISMS`, whose order is that of tables.
Modules are imported when they are asked for, so that whoever only needs names imports none.
"""

from importlib import import_module

from noiseless.errors import ConfigError
from noiseless.labels import MECHANISMS
from noiseless.mechanisms import compared  # whose modules are loaded by name
from noiseless.mechanisms.calibration import KINDS
from noiseless.mechanisms.interface import Domain, Identity, Mechanism
from noiseless.plugins import plugin_classes


def load_mechanism(name: str) -> type[Mechanism]:
    """The mechanism of a name.

    Raises
    ------
    ConfigError
        If there is none.
    """
    if name not in MECHANISMS:
        raise ConfigError(f"no mechanism is called {name!r}: known are {', '.join(MECHANISMS)}.")
    return import_module(f"{compared.__name__}.{name}").MECHANISM


def mechanisms_for(domain: Domain) -> list[type[Mechanism]]:
    """All mechanisms that can release values of a domain, those of active plugins last.

    Raises
    ------
    ConfigError
        As for :func:`plugin_mechanisms`.
    """
    loaded = [*(load_mechanism(name) for name in MECHANISMS), *plugin_mechanisms()]
    return [mechanism for mechanism in loaded if mechanism.is_for(domain)]


def plugin_mechanisms() -> list[type[Mechanism]]:
    """The mechanisms of active plugins, whatever they can release.

    Raises
    ------
    ConfigError
        As for :func:`noiseless.plugins.plugin_classes`, or if one has no kind.
    """
    loaded = plugin_classes("MECHANISM", Mechanism, [Identity.name, *MECHANISMS])
    for mechanism in loaded:
        if getattr(mechanism, "kind", None) not in KINDS:
            raise ConfigError(
                f"the mechanism {mechanism.name!r} has no `kind`: it must be one of "
                f"{', '.join(KINDS)}."
            )
    return loaded
