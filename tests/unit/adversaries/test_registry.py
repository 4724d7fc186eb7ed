"""Adversaries by name: those of a game's folder, then those of plugins that answer its question."""

import pytest

from noiseless.adversaries import linkage, membership
from noiseless.adversaries.membership.mse import MeanSquareError
from noiseless.adversaries.registry import Game, load_adversaries, load_adversary
from noiseless.errors import ConfigError
from noiseless.plugins import use_plugins

MEMBERSHIP, LINKAGE = Game("prefer", membership.__name__), Game("link", linkage.__name__)
PLUGIN = """from noiseless.adversaries.interface import Adversary
class Mine(Adversary):
    name = {name!r}
    is_control = {is_control}
    def __init__(self{more}): pass
    def link(self, view): return view
ADVERSARY = Mine
"""


def names(game):
    return [each.name for each in load_adversaries(game)]


def plugin(folder, name="mine", is_control=False, more=""):
    path = folder / "mine.py"
    path.write_text(PLUGIN.format(name=name, is_control=is_control, more=more), encoding="utf-8")
    return path


def test_an_adversary_is_loaded_by_its_name():
    assert load_adversary(MEMBERSHIP, "mse") is MeanSquareError
    with pytest.raises(ConfigError, match=r"no adversary is called 'likelihood': known are corr"):
        load_adversary(MEMBERSHIP, "likelihood")


def test_a_plugin_plays_the_game_whose_question_it_answers(tmp_path):
    alone = names(LINKAGE), names(MEMBERSHIP)
    with use_plugins([plugin(tmp_path)]):
        assert (names(LINKAGE), names(MEMBERSHIP)) == ([*alone[0], "mine"], alone[1])
    assert (names(LINKAGE), names(MEMBERSHIP)) == alone


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ({"more": ", size"}, "must be created without arguments"),
        ({"is_control": True}, "the name of a control, and no other, begins with `control`"),
        ({"name": "control_2"}, "has is_control = False"),
    ],
)
def test_what_a_plugin_must_be(broken, message, tmp_path):
    with pytest.raises(ConfigError, match=message), use_plugins([plugin(tmp_path, **broken)]):
        names(MEMBERSHIP)
