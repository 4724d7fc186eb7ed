"""Names and labels of adversaries by game, and which of them are controls.

Each class in a game's folder defines its ``name`` in tables, its ``label`` for people to read, and
its ``order`` in tables and figures.
"""

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Final

from noiseless.adversaries.interface import Adversary
from noiseless.mechanisms.discovery import load_classes

_GAME_FOLDERS: Final = ("membership", "appliances", "linkage")

# Adversaries of Section V.A of "Noiseless Privacy": claims about the strongest adversary mean the
# strongest of these, whichever others play.
PAPERS_ADVERSARIES: Final = ("correlation", "mse", "peaks")

EXACT, NORMAL, LEARNED = "exact", "normal", "learned"
PAIR, PAIR_KNOWN, COMBINED = "pair", "pair_known", "combined"

EXACT_LABEL: Final = {EXACT: "knows all other homes (exact)"}
"""Label of the adversary who knows all other homes, which is a closed form and has no module."""

NO_SINGLE_ADVERSARY: Final = ("any", "strongest")
"""Entries of the column ``adversary`` in rows that belong to no single adversary."""


@cache
def load_game_adversaries(package: str) -> dict[str, type[Adversary]]:
    """Load the adversaries of a game's package, given by its full name, in the order of tables."""
    return load_classes(import_module(package), "ADVERSARY")


def load_adversary_labels(package: ModuleType) -> dict[str, str]:
    """Return the labels of a package's adversaries by name, in the order of tables."""
    return {name: each.label for name, each in load_game_adversaries(package.__name__).items()}


def list_reserved_names() -> set[str]:
    """Return the names that no plugin's adversary may have."""
    return {name for each in _load_all_games() for name in each} | {
        *EXACT_LABEL,
        *NO_SINGLE_ADVERSARY,
    }


def drop_controls(keys: Iterable[str]) -> list[str]:
    """Drop the names of controls, who see no release."""
    controls = {
        name for game in _load_all_games() for name, each in game.items() if each.is_control
    }
    return [key for key in keys if key not in controls and not key.startswith("control")]


def insert_controls(keys: Iterable[str]) -> list[str]:
    """Insert the controls of plugins beside what they control; drop the built-in ones.

    A control named ``control: <adversary>`` follows that adversary; others come last.

    >>> insert_controls(["control", "control: mse", "mse", "ranks", "control of mine"])
    ['mse', 'control: mse', 'ranks', 'control of mine']
    """
    keys = list(keys)
    ours = {name for game in _load_all_games() for name in game}
    shown = drop_controls(keys)
    for key in keys:
        if key in shown or key in ours:
            continue
        controlled = key.removeprefix("control").removeprefix(":").strip()
        shown.insert(shown.index(controlled) + 1 if controlled in shown else len(shown), key)
    return shown


def _load_all_games() -> list[dict[str, type[Adversary]]]:
    """Load the adversaries of each game, by name."""
    return [load_game_adversaries(f"{__package__}.{folder}") for folder in _GAME_FOLDERS]
