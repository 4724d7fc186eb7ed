"""The command ``noiseless``: what it answers, and one line where it cannot."""

import csv

import numpy as np
import pandas as pd
import pytest

from noiseless import command_line
from noiseless.command_line import VERDICT_COLUMNS, main

ROWS = [
    # statement, paper, category, locator, quote, claim, verdict, data, and those of the stand-in
    ("fig3", "noiseless", "paper", "Fig. 3", "it falls", "-", "not tested", "-", "holds", "London"),
    ("fig6", "noiseless", "paper", "Fig. 6", "-", "Few are unique", "holds", "none", "-", "-"),
    ("thm4", "nsht", "own", "Theorem 4", "-", "The budget holds", "holds", "none", "-", "-"),
]


@pytest.fixture
def answer(capsys):
    def run(*arguments):
        try:
            code = main(arguments)
        except SystemExit as stopped:
            code = stopped.code
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture
def reference(monkeypatch, tmp_path):
    monkeypatch.setattr(command_line.resources, "files", lambda package: tmp_path)

    def write(columns=VERDICT_COLUMNS, rows=ROWS):
        (tmp_path / "ledger").mkdir()
        with (tmp_path / "ledger/verdicts.csv").open("w", newline="") as file:
            csv.writer(file).writerows([columns, *rows])

    return write


def test_levels(answer):
    code, out, _ = answer("levels", "2", "--range", "0", "20")
    assert code == 0
    assert out.startswith("4 levels of one person")
    assert "each is 5 wide" in out
    assert "2^2 reports" in out
    _, out, _ = answer("levels", "3", "--range", "0", "20", "--people", "10")
    # floor((2^3 - 1) * 10) and floor(2^3 * 10)
    assert "70 levels" in out
    assert "printed: 80" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("f-score", "0.9"), "epsilon = 3.209 nats"),
        (("advantage", "0.2", "--answers", "10"), "epsilon = 0.1657 nats"),
        (("f-score", "0.5"), "No epsilon keeps the bound. The adversary reaches 0.6667"),
        (("true-positives", "1.0"), "epsilon = inf nats"),
        (("accuracy", "0.75"), "epsilon = "),
        (("posterior", "0.02", "--prior", "0.01"), "epsilon = 0.7033 nats"),
    ],
)
def test_choose_epsilon(answer, arguments, said):
    code, out, _ = answer("choose-epsilon", *arguments)
    assert code == 0
    assert said in out


def test_verdicts(answer, reference):
    reference()
    _, out, _ = answer("verdicts")
    assert out.count("\n") == 4
    assert out.endswith("2 holds, 1 not tested.\n")
    _, out, _ = answer("verdicts", "noiseless", "falls")
    assert out.splitlines()[0] == (
        "not tested             noiseless, Fig. 3: it falls [holds on London]"
    )
    _, out, _ = answer("verdicts", "BUDGET")
    assert out.startswith("holds                  nsht, Theorem 4: The budget holds\n")


def test_verdicts_that_are_not_there(answer, reference):
    code, _, err = answer("verdicts")
    assert (code, err.count("\n")) == (2, 1)
    assert "has no reference results" in err
    reference(columns=[name for name in VERDICT_COLUMNS if name != "verdict"])
    assert "lack the column 'verdict'" in answer("verdicts")[2]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("levels", "-1"), "epsilon is -1.0, but it must be larger than 0."),
        (("levels", "two"), "invalid float value: 'two'"),
        (("levels", "2", "--range", "20", "0"), "not a public range"),
        (("levels", "2", "--people", "0"), "--people is 0"),
        (("choose-epsilon", "f-score", "0.9", "--mechanism", "x"), "there is no mechanism 'x'"),
        (("choose-epsilon", "f-score", "90"), "bound is 90.0, but every measure is a share"),
        (("choose-epsilon", "harm", "0.9"), "invalid choice: 'harm'"),
        (("own", "x.csv"), "invalid choice: 'own' (choose from "),
        ((), "the following arguments are required: COMMAND"),
        (("guess",), "invalid choice: 'guess'"),
    ],
)
def test_mistakes_are_one_line(answer, arguments, said):
    code, out, err = answer(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


@pytest.mark.parametrize("command", ["levels", "choose-epsilon", "verdicts", "game"])
def test_help_has_an_example(answer, command):
    code, out, _ = answer(command, "--help")
    assert code == 0
    assert f"examples:\n  noiseless {command}" in out


@pytest.fixture
def homes(tmp_path):
    """Readings of 20 homes in kWh, and the mean of the first four, as published."""
    readings = np.random.default_rng(1).gamma(2, 5, (20, 60)).round(3)
    names = [f"home {number}" for number in range(20)]
    table = pd.DataFrame(readings, index=names, columns=[f"day {day}" for day in range(60)])
    table.to_csv(tmp_path / "homes.csv")
    table.iloc[:4].mean().to_frame("mean").T.to_csv(tmp_path / "means.csv")
    table.iloc[:4].mean().round(-2).to_frame("mean").T.to_csv(tmp_path / "coarse.csv")
    (tmp_path / "members.txt").write_text("\n".join(names[:4]) + "\n", encoding="utf-8")
    return tmp_path


def test_a_game_has_an_exit_code_by_the_limit_of_the_best_adversary(answer, homes):
    file = str(homes / "homes.csv")
    common = ("game", file, "--n", "4", "--range", "50", "--games", "800")
    code, out, _ = answer(*common, "--threshold", "0.3")
    assert code == 1
    assert "not below the threshold of 0.3: it is not" in out
    hidden = (*common, "--epsilon-bits", "0.1", "--mechanism", "laplace", "--parameter", "1000")
    code, out, _ = answer(*hidden, "--threshold", "0.3")
    assert code == 0
    assert "below the threshold of 0.3." in out
    limit = float(out.split("at most ")[1].split()[0])
    assert 0 < limit < 0.3
    # As many games show that it is small, but not that it is so small.
    code, out, _ = answer(*hidden, "--threshold", str(limit / 2))
    assert code == 1
    assert "play more" in out
    code, out, _ = answer(*hidden)
    assert code == 0
    assert "threshold" not in out


def test_published_means_are_tested_and_plugins_play(answer, homes):
    given = ("game", str(homes / "homes.csv"), "--members", str(homes / "members.txt"))
    told = (*given, "--released", str(homes / "means.csv"), "--threshold", "0.9")
    code, out, _ = answer(*told)
    assert code == 1
    assert "it is not" in out
    coarse = (*given, "--released", str(homes / "coarse.csv"), "--threshold", "0.9")
    assert answer(*coarse)[0] == 0
    plugin = homes / "cheat.py"
    plugin.write_text(
        "import numpy as np\nfrom noiseless import Adversary\n"
        "class Cheat(Adversary):\n"
        "    name = 'cheat'\n"
        "    sees_series = True\n"
        "    def prefer(self, evidence):\n"
        f"        known = np.loadtxt({str(homes / 'homes.csv')!r}, delimiter=',', skiprows=1,\n"
        "                           usecols=range(1, 61))[:4]\n"
        "        zero = evidence.series.candidates_kwh[:, 0, None]\n"
        "        return np.isclose(zero, known).all(axis=2).any(axis=1) - 0.5\n"
        "ADVERSARY = Cheat\n",
        encoding="utf-8",
    )
    code, out, _ = answer(*coarse, "--plugin", str(plugin))
    assert code == 1
    assert "cheat" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "give --n, the homes of a mean, and --range"),
        (("--n", "4", "--range", "50", "--mechanism", "magic"), "laplace (scale_kwh)"),
        (("--n", "4", "--range", "50", "--threshold", "0"), "--threshold is 0.0"),
        (("--released", "nowhere.csv"), "nowhere.csv: no such file"),
        (("--released", "HOMES"), "a home of the mean a line"),
        (("--n", "30", "--range", "50"), "needs 31 homes"),
    ],
)
def test_a_game_that_cannot_be_played_is_one_line(answer, homes, arguments, said):
    file = str(homes / "homes.csv")
    code, _, err = answer("game", file, *(file if each == "HOMES" else each for each in arguments))
    assert code == 2
    assert said in err
    assert err.count("\n") == 1
