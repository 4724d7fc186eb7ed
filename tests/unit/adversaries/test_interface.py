"""Which game an adversary plays: the one whose question it answers."""

import pytest

from noiseless.adversaries import membership
from noiseless.adversaries.interface import QUESTIONS, Adversary, Game, answers


class Both(Adversary):
    name = "both"

    def prefer(self, evidence):
        return evidence

    def link(self, evidence):
        return evidence


class More(Both):
    name = "more"


@pytest.mark.parametrize("adversary", [Both, More])
def test_questions_that_are_answered(adversary):
    assert [each for each in QUESTIONS if answers(adversary, each)] == ["prefer", "link"]
    with pytest.raises(NotImplementedError):
        adversary().states(None)
    player = adversary()
    assert player.fit(None) is player


def test_a_game_names_its_adversaries_in_the_order_of_tables():
    names = Game("prefer", membership.__name__).names
    assert names == ["correlation", "mse", "peaks", "learned", "normal", "control"]
