"""Registry of the adversaries of every game: those of the package and of plugins, by name.

An adversary is a module of its game's package (:class:`noiseless.adversaries.interface.Game`) with
the class ``ADVERSARY``.  The games themselves are :data:`noiseless.games.membership.MEMBERSHIP`,
:data:`noiseless.games.appliances.APPLIANCES` and :data:`noiseless.games.linkage.LINKAGE`: each
names its own package, so that a change of an adversary runs again the tables of its game alone.
"""

from typing import Any

from noiseless.adversaries.interface import QUESTIONS, Adversary, Game, answers
from noiseless.adversaries.labels import players, taken_names, without_controls
from noiseless.errors import ConfigError
from noiseless.mechanisms.guarded import file_of, guarded, is_made_of
from noiseless.plugins import plugin_classes


def load_adversary(game: Game, name: str) -> type[Adversary]:
    """Load the built-in adversary of a game by its name.

    Raises
    ------
    ConfigError
        If there is none.
    """
    adversaries = players(game.package)
    if name not in adversaries:
        raise ConfigError(f"no adversary is called {name!r}: known are {', '.join(adversaries)}.")
    return adversaries[name]


def adversaries_of(game: Game) -> list[type[Adversary]]:
    """Load all adversaries who can play a game, plugins last.

    Raises
    ------
    ConfigError
        See :func:`plugin_adversaries`.
    """
    ours = players(game.package).values()
    return [*ours, *(each for each in plugin_adversaries() if answers(each, game.question))]


def plugin_adversaries() -> list[type[Adversary]]:
    """Load the adversaries of active plugins, for all games, with checked methods.

    Raises
    ------
    ConfigError
        See :func:`noiseless.plugins.plugin_classes`; or if one answers no game's question, or a
        control is not called one.
    """
    loaded = plugin_classes("ADVERSARY", Adversary, taken_names())
    return [checked_adversary(adversary, path) for adversary, path in loaded]


def checked_adversary(adversary: type[Adversary], path: str | None = None) -> type[Adversary]:
    """Derive a class with checked methods from a user's adversary.

    Parameters
    ----------
    adversary : type
        Class of the adversary.
    path : str, optional
        File to name in messages; by default the file that defines the class.

    Raises
    ------
    ConfigError
        If it answers no game's question, needs arguments to be made, or a control is not called
        one.
    """
    path = path or file_of(adversary)
    if not is_made_of(adversary):
        raise ConfigError(
            f"the adversary {adversary.name!r} ({path}) must be created without arguments. Give "
            "each argument a default value."
        )
    if not any(answers(adversary, question) for question in QUESTIONS):
        raise ConfigError(
            f"the adversary {adversary.name!r} defines none of {', '.join(QUESTIONS)}. Define the "
            "method of the game that it is to play."
        )
    # Figures recognize controls by their names alone.
    if adversary.is_control != (not without_controls([adversary.name])):
        raise ConfigError(
            f"the adversary {adversary.name!r} has is_control = {adversary.is_control}: the "
            "name of a control, and no other, begins with `control`."
        )
    return guarded(adversary, Adversary, _CHECKS, path)


def _fitted(answer: Any, arguments: tuple[Any, ...]) -> str | None:
    """Return what ``fit`` must return if it breaks the rule; None if it is valid."""
    return None if isinstance(answer, Adversary) else "the adversary, `self`"


# The games themselves check the answers to the questions.
_CHECKS = {"fit": _fitted, **dict.fromkeys(QUESTIONS)}
