"""What captions say of who takes part: read from the labels, and from the user's plugins.

A caption (``workflow/report/*.rst``) explains in words how the adversaries and mechanisms of this
package work, and names any others: :func:`taking_part` says who they are.  Snakemake's report and
the results page fill the captions in alike, from ``snakemake.params.says`` of the figure's rule.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from noiseless.labels import (
    APPLIANCE_ADVERSARIES,
    APPLIANCE_CONTROLS,
    LINKAGE_ADVERSARIES,
    MECHANISMS,
    MEMBERSHIP_ADVERSARIES,
    without_controls,
)
from noiseless.plugins import use_plugins

GAMES: Final = {
    "prefer": MEMBERSHIP_ADVERSARIES,
    "states": {**APPLIANCE_CONTROLS, **APPLIANCE_ADVERSARIES},
    "link": LINKAGE_ADVERSARIES,
}
# Those that captions explain.
_EXPLAINED: Final = {
    *("quantizer", "planar_laplace", "laplace", "gaussian", "one_bit"),
    *("correlation", "mse", "peaks", "learned", "control"),
    *("co", "co_vampire", "hmm", "always_on", "always_off", "chance"),
    "likelihood",
}


def taking_part(plugins: Iterable[str]) -> dict[str, dict[str, object]]:
    """What the captions of each game's figures may say.

    Parameters
    ----------
    plugins : iterable of str
        Paths of the user's plugins.

    Returns
    -------
    dict
        By the game's question (``prefer``, ``states``, ``link``): ``adversaries``, the names of
        those who see a release; ``more_adversaries`` and ``more_mechanisms``, those that no
        caption explains, as a part of a sentence, empty for none.

    Raises
    ------
    ConfigError
        If a plugin cannot be used.
    """
    theirs = _of_plugins(list(plugins))
    found = {}
    for question, names in GAMES.items():
        adversaries = {**names, **theirs[question]}
        mechanisms = {**MECHANISMS, **theirs["mechanisms"]}
        found[question] = {
            "adversaries": without_controls(adversaries),
            "more_adversaries": _more(
                {name: adversaries[name] for name in without_controls(adversaries)}
            ),
            "more_mechanisms": _more(mechanisms),
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
            for question in GAMES:
                if answers(adversary, question):
                    found[question][adversary.name] = adversary.name
        found["mechanisms"] = {each.name: each.name for each in plugin_mechanisms()}
    return found


def _more(names: Mapping[str, str]) -> str:
    """Those that no caption explains, as a list within a sentence."""
    shown = [label for name, label in names.items() if name not in _EXPLAINED]
    return " and ".join(filter(None, [", ".join(shown[:-1]), *shown[-1:]]))
