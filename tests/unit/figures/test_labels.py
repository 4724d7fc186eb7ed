"""What things are called, and their order."""

from noiseless.figures.labels import get_label, sort_by_label


def test_what_has_no_label_is_its_own_and_comes_last():
    names = {"b": "the second", "a": "the first"}
    assert [get_label(names, key) for key in "abc"] == ["the first", "the second", "c"]
    assert sort_by_label(names, ["c", "a", "c", "0", "b", "a"]) == ["b", "a", "c", "0"]
