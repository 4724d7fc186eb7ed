"""Questions of a first look: answered by options, or in a terminal."""

import pytest

from odd_files import meters


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("unit", "write the key, = and the answer"),
        ("unitt=kWh", "there is no key 'unitt' to answer. Did you mean 'unit'?"),
        ("unit=stones", "it must be one of Wh, kWh"),
        ("columns.hom=a", "Did you mean 'home'?"),
    ],
)
def test_an_answer_that_cannot_be_is_one_line(own, answer, said):
    code, err, _ = own("haus.csv", meters(["Kunde", "Tag", "kWh"]), answer)
    assert (code, err.count("\n")) == (2, 1)
    assert said in err


def test_questions_are_asked_in_a_terminal_until_the_answer_can_be(own, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    replies = iter(["stones", "kWh"])
    asked = []
    monkeypatch.setattr("builtins.input", lambda text: asked.append(text) or next(replies))
    code, _, _ = own("r.csv", meters(["compteur", "jour", "valeur"], form="%Y-%m-%d"))
    assert code == 0
    assert asked == ["unit = "] * 2


def test_no_answer_in_a_terminal_leaves_nothing(own, monkeypatch, tmp_path):
    def end(text):
        raise EOFError

    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", end)
    code, err, _ = own("r.csv", meters(["compteur", "jour", "valeur"], form="%Y-%m-%d"))
    assert code == 3
    assert "nothing was written" in err
    assert not (tmp_path / "results").exists()
