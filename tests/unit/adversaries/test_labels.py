"""Every adversary says what it is called, and its place in tables."""

import pytest

from noiseless.adversaries import appliances, labels, linkage, membership


@pytest.mark.parametrize("package", [appliances, linkage, membership])
def test_every_adversary_has_a_label_and_a_place_of_its_own(package):
    players = labels.load_game_adversaries(package.__name__)
    assert players
    assert all(labels.load_adversary_labels(package).values())
    assert len({each.order for each in players.values()}) == len(players)


def test_who_sees_no_release_is_a_control():
    controls = ["always_on", "always_off", "chance", "control", "control of a plugin"]
    assert labels.drop_controls([*controls, "mse", "anything"]) == ["mse", "anything"]
    assert {"exact", "any", "mse", "hmm", "likelihood"} <= labels.list_reserved_names()
