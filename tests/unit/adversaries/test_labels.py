"""Every adversary says what it is called, and its place in tables."""

import pytest

from noiseless.adversaries import appliances, labels, linkage, membership


@pytest.mark.parametrize("package", [appliances, linkage, membership])
def test_every_adversary_has_a_label_and_a_place_of_its_own(package):
    players = labels.players(package.__name__)
    assert players
    assert all(labels.labels_of(package).values())
    assert len({each.order for each in players.values()}) == len(players)


def test_who_sees_no_release_is_a_control():
    controls = ["always_on", "always_off", "chance", "control", "control of a plugin"]
    assert labels.without_controls([*controls, "mse", "anything"]) == ["mse", "anything"]
    assert {"exact", "any", "mse", "hmm", "likelihood"} <= labels.taken_names()
