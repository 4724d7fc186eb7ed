"""Registry of the adversaries of every game: those of the package and of plugins, by name.

An adversary is a module of its game's package (:class:`Game`) with the class ``ADVERSARY``.  The
games themselves are :data:`noiseless.games.membership.MEMBERSHIP`,
:data:`noiseless.games.appliances.APPLIANCES` and :data:`noiseless.games.linkage.LINKAGE`: each
names its own package, so that a change of an adversary runs again the tables of its game alone.
"""

from dataclasses import dataclass
from typing import Any

from noiseless.adversaries.interface import QUESTIONS, Adversary, can_answer
from noiseless.adversaries.labels import drop_controls, list_reserved_names, load_game_adversaries
from noiseless.errors import ConfigError
from noiseless.mechanisms.guarded import can_be_called, find_file, wrap_class
from noiseless.plugins import get_plugin_classes


@dataclass(frozen=True)
class Game:
    """Game: the method that it calls, one of :data:`QUESTIONS`, and its adversaries' package."""

    question: str
    package: str

    @property
    def names(self) -> list[str]:
        """Names of the built-in adversaries, in the order of tables."""
        return list(load_game_adversaries(self.package))


def load_adversary(game: Game, name: str) -> type[Adversary]:
    """Load the adversary of a game by its name, built-in or of an active plugin."""
    adversaries = {each.name: each for each in load_adversaries(game)}
    if name not in adversaries:
        raise ConfigError(f"no adversary is called {name!r}: known are {', '.join(adversaries)}.")
    return adversaries[name]


def load_adversaries(game: Game) -> list[type[Adversary]]:
    """Load the classes of all adversaries who can play a game into a list, plugins last."""
    ours = load_game_adversaries(game.package).values()
    return [*ours, *(each for each in load_plugin_adversaries() if can_answer(each, game.question))]


def load_plugin_adversaries() -> list[type[Adversary]]:
    """Load the adversaries of active plugins, for all games, with checked methods."""
    loaded = get_plugin_classes("ADVERSARY", Adversary, list_reserved_names())
    return [wrap_adversary(adversary, path) for adversary, path in loaded]


def wrap_adversary(adversary: type[Adversary], path: str | None = None) -> type[Adversary]:
    """Derive a class with checked methods from a user's adversary, or raise ConfigError.

    ``path`` is the file to name in messages; by default the file that defines the class.
    """
    path = path or find_file(adversary)
    if not can_be_called(adversary):
        raise ConfigError(
            f"the adversary {adversary.name!r} ({path}) must be created without arguments. Give "
            "each argument a default value."
        )
    if adversary.is_trained and adversary.fit is Adversary.fit:
        raise ConfigError(
            f"the adversary {adversary.name!r} has is_trained = True, but defines no `fit`: define "
            "`fit(self, training)`, or leave is_trained out."
        )
    if not any(can_answer(adversary, question) for question in QUESTIONS):
        raise ConfigError(
            f"the adversary {adversary.name!r} defines none of {', '.join(QUESTIONS)}. Define the "
            "method of the game that it is to play."
        )
    # Figures recognize controls by their names alone.
    if adversary.is_control != (not drop_controls([adversary.name])):
        raise ConfigError(
            f"the adversary {adversary.name!r} has is_control = {adversary.is_control}: the "
            "name of a control, and no other, begins with `control`."
        )
    return wrap_class(adversary, Adversary, _CHECKS, path)


def _check_fit(answer: Any, arguments: tuple[Any, ...]) -> str | None:
    """Return what ``fit`` must return if it breaks the rule; None if it is valid."""
    return None if isinstance(answer, Adversary) else "the adversary, `self`"


# The games themselves check the answers to the questions.
_CHECKS = {"fit": _check_fit, **dict.fromkeys(QUESTIONS)}
