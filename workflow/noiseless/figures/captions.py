"""Captions of figures: one text for Snakemake's report and the results page.

A caption (``workflow/report/*.rst``) explains in words how the adversaries and mechanisms of this
package work, and names any others: :func:`taking_part` says who they are, by the labels and the
user's plugins.  :func:`caption_text` fills a caption in as Snakemake's report does it, from
``snakemake.params.says`` of the figure's rule and the configuration, ``snakemake.config``, and
:func:`caption_html` marks it up.  A number of the configuration is never written into a caption.
"""

import html
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from noiseless.adversaries import appliances, linkage, membership
from noiseless.adversaries.labels import labels_of, players, without_controls
from noiseless.mechanisms.families import mechanism_labels, mechanism_names
from noiseless.plugins import use_plugins

_MEMBERSHIP = labels_of(membership)
_UNTRAINED = {
    name: _MEMBERSHIP[name]
    for name, each in players(membership.__name__).items()
    if not each.is_trained
}
GAMES: Final = {
    "prefer": _UNTRAINED,
    "prefer_learned": {name: each for name, each in _MEMBERSHIP.items() if name != "normal"},
    "prefer_trained": _MEMBERSHIP,
    "states": labels_of(appliances),
    "link": labels_of(linkage),
}
# Those that captions explain.
_EXPLAINED: Final = {
    *("quantizer", "planar_laplace", "laplace", "gaussian", "one_bit"),
    *("correlation", "mse", "peaks", "learned", "control"),
    *("co", "co_vampire", "hmm", "always_on", "always_off", "chance"),
    "likelihood",
}


def caption_text(
    path: str | Path, says: Mapping[str, Any], config: Mapping[str, Any] | None = None
) -> str:
    """A caption, filled in.

    Parameters
    ----------
    path : path
        The caption's template.
    says : mapping
        What it may say; a name that is not in it is an error.
    config : mapping, optional
        The configuration, likewise.
    """
    return filled_in(Path(path).read_text(encoding="utf-8"), says=says, config=config)


def filled_in(
    template: str,
    *,
    says: Mapping[str, Any] | None = None,
    config: Mapping[str, Any] | None = None,
) -> str:
    """A template with what it asks for of ``snakemake.params.says`` and ``snakemake.config``."""
    # Imported here: to read the rules does not need it.
    from jinja2 import Environment, StrictUndefined

    # The text is escaped where it becomes HTML.
    environment = Environment(undefined=StrictUndefined, autoescape=False)
    values = {"params": {"says": says or {}}, "config": config or {}}
    return environment.from_string(template).render(snakemake=values)


def literal(text: str) -> str:
    """A text in one line that a caption, and reStructuredText, show as it is."""
    return re.sub(r"([\\*`_|])", r"\\\1", " ".join(text.split()))


def caption_html(text: str) -> str:
    r"""HTML of a caption: ``**bold**``, ``*italic*``, and ``\`` before what is neither."""
    escaped = html.escape(" ".join(text.split()), quote=False)
    escaped = re.sub(r"\\(.)", lambda found: f"&#{ord(found[1])};", escaped)
    escaped = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", escaped)
    return re.sub(r"\*(.+?)\*", r"<em>\1</em>", escaped)


def taking_part(plugins: Iterable[str]) -> dict[str, dict[str, object]]:
    """What the captions of each game's figures may say.

    Parameters
    ----------
    plugins : iterable of str
        Paths of the user's plugins.

    Returns
    -------
    dict
        By the game's question (``prefer``, ``states``, ``link``; ``prefer_trained`` where homes are
        set aside, so that those who learn play as well, and ``prefer_learned`` if the normal
        likelihood does not): ``adversaries``, the names of those who see a release;
        ``more_adversaries`` and ``more_mechanisms``, those that no caption explains, as a part of a
        sentence, empty for none.

    Raises
    ------
    ConfigError
        If a plugin cannot be used.
    """
    theirs = _of_plugins(list(plugins))
    # To read the rules imports no mechanism, unless no caption explains it.
    ours = mechanism_labels() if set(mechanism_names()) - _EXPLAINED else {}
    found: dict[str, dict[str, object]] = {}
    for question, names in GAMES.items():
        adversaries = {**names, **theirs[question]}
        found[question] = {
            "adversaries": without_controls(adversaries),
            "more_adversaries": _more(
                {name: adversaries[name] for name in without_controls(adversaries)}
            ),
            "more_mechanisms": _more({**ours, **theirs["mechanisms"]}),
        }
    return found


def _of_plugins(paths: list[str]) -> dict[str, dict[str, str]]:
    """Names of the plugins' adversaries by question, and of their mechanisms."""
    found: dict[str, dict[str, str]] = {each: {} for each in (*GAMES, "mechanisms")}
    if not paths:
        return found
    # Imported here: to read the rules without plugins needs neither.
    from noiseless.adversaries.interface import answers
    from noiseless.adversaries.registry import plugin_adversaries
    from noiseless.mechanisms.registry import plugin_mechanisms

    with use_plugins(paths):
        for adversary in plugin_adversaries():
            for game in GAMES:
                question = game.partition("_")[0]
                is_barred = game == "prefer" and adversary.is_trained
                if answers(adversary, question) and not is_barred:
                    found[game][adversary.name] = adversary.name
        found["mechanisms"] = {each.name: each.name for each in plugin_mechanisms()}
    return found


def _more(names: Mapping[str, str]) -> str:
    """Those that no caption explains, as a list within a sentence."""
    shown = [literal(label) for name, label in names.items() if name not in _EXPLAINED]
    return " and ".join(filter(None, [", ".join(shown[:-1]), *shown[-1:]]))
