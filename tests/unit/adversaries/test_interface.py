"""Which game an adversary plays: the one whose question it answers."""

from importlib import import_module
from pathlib import Path

import pytest

from noiseless.adversaries import membership
from noiseless.adversaries.interface import QUESTIONS, Adversary, can_answer
from noiseless.adversaries.registry import Game


class Both(Adversary):
    name = "both"

    def prefer(self, view):
        return view

    def link(self, view):
        return view


class More(Both):
    name = "more"


@pytest.mark.parametrize("adversary", [Both, More])
def test_an_adversary_says_which_questions_it_answers(adversary):
    assert [each for each in QUESTIONS if can_answer(adversary, each)] == ["prefer", "link"]
    with pytest.raises(NotImplementedError):
        adversary().states(None)
    player = adversary()
    assert player.fit(None) is player


def test_a_game_names_its_adversaries_in_the_order_of_tables():
    """Every module of its folder, in the order that each class says."""
    names = Game("prefer", membership.__name__).names
    folder = Path(membership.__file__).parent
    assert set(names) == {each.stem for each in folder.glob("*.py")} - {"__init__"}
    found = [import_module(f"{membership.__name__}.{name}").ADVERSARY for name in names]
    assert [each.order for each in found] == sorted(each.order for each in found)
    ours = ["correlation", "mse", "peaks", "learned", "normal", "control"]
    assert [name for name in names if name in ours] == ours
