"""What things are called, and their order."""

from noiseless.figures.labels import in_order, label


def test_what_has_no_label_is_its_own_and_comes_last():
    names = {"b": "the second", "a": "the first"}
    assert [label(names, key) for key in "abc"] == ["the first", "the second", "c"]
    assert in_order(names, ["c", "a", "c", "0", "b", "a"]) == ["b", "a", "c", "0"]
