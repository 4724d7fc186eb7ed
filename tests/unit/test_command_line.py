"""The command ``noiseless``: what it answers, and one line where it cannot."""

import csv
import math
import re
import shlex

import numpy as np
import pandas as pd
import pytest

import noiseless as nl
from noiseless import command_line
from noiseless.command_line import VERDICT_COLUMNS, main
from noiseless.ledger.reference import CELL_COLUMNS

LONDON = (
    "on homes in London, 2013: depends on the reading || drawn: fails, 1"
    " || chosen: holds, 0.2 (wanted: at most 1) | on homes in Switzerland: open || 1 to 2"
)
SLIP = ("slip", "what stands: Theorem 2", "odd: fails, 1 of 2 cases fail | even: holds, 7")
HOLDS = ("holds", "-", "holds, no exception in 9 cases")
ROWS = [
    # statement, paper, category, locator, quote, claim, verdict, why, what came out, data, and the
    # stand-ins'
    ("fig3", "noiseless", "paper", "Fig. 3a", "it falls", "-", "not tested", "-", "-", "-", LONDON),
    ("fig6", "noiseless", "paper", "Fig. 36", "-", "Few are unique", *HOLDS, "none", "-"),
    ("thm4", "nsht", "own", "Theorem 4", "-", "The budget holds", *HOLDS, "none", "-"),
    ("tab1", "nsht", "own", "Table 1 and Section V", "-", "It is so", *SLIP, "none", "-"),
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
        cells = [(rows[0][0], "row1-col2", "0.22", "0.2231", "reproduced")] if rows else []
        cells += [(rows[0][0], "row2-col2", "", "", "reproduced")] if rows else []
        with (tmp_path / "ledger/cells.csv").open("w", newline="") as file:
            csv.writer(file).writerows([CELL_COLUMNS, *cells])

    return write


def test_the_command_levels_says_how_many_and_how_wide(answer):
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
def test_the_command_choose_epsilon_answers_a_risk(answer, arguments, said):
    code, out, _ = answer("choose-epsilon", *arguments)
    assert code == 0
    assert said in out


def test_the_command_verdicts_prints_each_cell_of_a_printed_table_where_asked(answer, reference):
    reference()
    _, out, _ = answer("verdicts")
    assert f"{'':<22} - 2 cells are compared; --cells prints each\n" in out
    _, out, _ = answer("verdicts", "--cells")
    assert f"{'':<22} - row1-col2: printed 0.22, computed 0.2231\n" in out
    assert f"{'':<22} - row2-col2: printed blank, computed blank\n" in out
    assert "--cells" not in out


def test_the_command_verdicts_lists_and_counts_statements(answer, reference):
    reference()
    _, out, _ = answer("verdicts")
    assert out.count("\n") == 15
    assert out.count(f"{'':<22} - holds, no exception in 9 cases\n") == 2
    assert f"{'':<22} - odd: fails, 1 of 2 cases fail\n{'':<22} - even: holds, 7\n" in out
    assert "slip                   nsht, Table 1 and Section V: It is so\n" in out
    assert f"{'':<22} - what stands: Theorem 2\n" in out
    assert out.endswith("2 holds, 1 not tested, 1 slip.\n")
    _, out, _ = answer("verdicts", "noiseless", "falls")
    assert out.splitlines()[:5] == [
        "not tested             noiseless, Fig. 3a: it falls",
        "                       - on homes in London: depends on the reading",
        "                         - drawn: fails, 1",
        "                         - chosen: holds, 0.2 (wanted: at most 1)",
        "                       - on homes in Switzerland: open (1 to 2)",
    ]
    _, out, _ = answer("verdicts", "BUDGET")
    assert out.startswith("holds                  nsht, Theorem 4: The budget holds\n")


@pytest.mark.parametrize(
    ("words", "found"),
    [
        *((word, "it falls") for word in ("Figure 3", "Fig. 3", "fig 3", "FIG.3", "figure  3")),
        ("Figure 36", "Few are unique"),
        *((word, "It is so") for word in ("Table 1", "table 1", "Sec. V", "section v")),
        ("Switzerland", "it falls"),
    ],
)
def test_a_place_is_found_by_its_name_and_in_short(answer, reference, words, found):
    reference()
    _, out, _ = answer("verdicts", words)
    assert found in out
    assert sum((each[4] if each[4] != "-" else each[5]) in out for each in ROWS) == 1


def test_examples_of_verdicts_run_on_the_reference_results(answer):
    _, out, _ = answer("verdicts", "--help")
    examples = re.findall(r"^  noiseless (verdicts.*)$", out, re.M)
    assert len(examples) == 4
    for example in examples:
        code, found, _ = answer(*shlex.split(example))
        assert code == 0
        assert found


def test_help_of_verdicts_names_the_words_that_are_printed(answer):
    from noiseless.ledger.statements import STATEMENT_VERDICTS

    _, out, _ = answer("verdicts", "--help")
    shown = " ".join(out.split())
    assert all(verdict in shown for verdict in STATEMENT_VERDICTS)
    assert "differs" not in shown


def test_the_command_check_runs_the_function_of_one_statement(answer):
    """What it finds is of this run; the reference tries more cases, and finds the same verdict."""
    code, out, _ = answer("check", "noiseless-sec1-processing")
    assert code == 0
    lines = dict(re.findall(r"^(\w+)(?: \(\w+\))?: +(.*)$", out, re.M))
    assert lines["by"] == "noiseless/papers/noiseless/section_1.py, sec1_processing"
    failed, cases = map(int, re.match(r"fails, (\d+) of (\d+) cases fail", lines["found"]).groups())
    assert 0 < failed < cases
    assert lines["instead"] == f"holds, no exception in {cases:,} cases"
    assert {"printed", "computed", "example", "because", "mend"} <= set(lines)


def test_the_command_check_says_what_a_statement_lacks(answer, tmp_path):
    _, out, _ = answer("check", "noiseless-fig6-rises", "--results", str(tmp_path))
    assert "\nnot tested: There is no table noiseless/trips_unique" in out
    for name, said in (("nsht-thm9", "Did you mean `nsht-thm"), ("thm1", "begins with a paper")):
        code, _, err = answer("check", name)
        assert (code, err.count("\n")) == (2, 1)
        assert said in err


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
        (("choose-epsilon", "f-score", "0.9", "--mechanism", "x"), "got 'x'"),
        (("choose-epsilon", "f-score", "90"), "every measure is a share, got 90.0"),
        (("choose-epsilon", "harm", "0.9"), "invalid choice: 'harm'"),
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


KNOW_HOMES = ("pair_known", "learned", "normal", "combined")
STRONG = ("pair", *KNOW_HOMES)
READINGS = np.random.default_rng(1).gamma(2, 5, (20, 60)).round(3)
NAMES = [f"home {number:02}" for number in range(20)]
DAYS = pd.date_range("2024-01-01", periods=60).strftime("%Y-%m-%d")


def tidy(readings=READINGS, names=NAMES):
    """Rows of home, time and energy_kwh."""
    wide = pd.DataFrame(readings, index=pd.Index(names, name="home"), columns=DAYS)
    return wide.reset_index().melt("home", var_name="time", value_name="energy_kwh")


@pytest.fixture
def homes(tmp_path):
    """A file with readings of 20 homes."""
    path = tmp_path / "homes.csv"
    tidy().to_csv(path, index=False)
    return path


def ends(out):
    """Lower and upper ends of the advantages of those who see the release, by adversary."""
    lines = [line.split() for line in out.splitlines()]
    return {
        words[0]: (max(float(words[2]), -float(words[3])), max(float(words[3]), -float(words[2])))
        for words in lines
        if words and words[0] in ("correlation", "mse", "peaks", "cheat", *STRONG)
    }


def widest(out):
    """The adversary with the largest upper end."""
    return max(ends(out), key=lambda name: ends(out)[name][1])


def test_a_game_says_what_it_read_and_who_is_above_the_threshold(answer, homes):
    common = ("game", str(homes), "--n", "4", "--range", "50", "--games", "800")
    code, out, err = answer(*common, "--threshold", "0.3")
    assert (code, err) == (1, "")
    first, *_ = out.splitlines()
    assert first == f"Read {homes}: 20 homes, 60 days from 2024-01-01 to 2024-02-29, in kWh."
    best = max(ends(out), key=lambda name: ends(out)[name][0])
    assert ends(out)[best][0] >= 0.3
    assert f"\nAbove the threshold of 0.3: {best}.\n" in out
    assert "20 homes play, the same games for all adversaries; no other home is known." in out
    assert "Did not play: learned, normal, pair_known, combined, as it learns from other" in out


def test_a_game_ends_with_a_prediction_the_bound_and_how_far_off_it_was(answer, homes):
    common = ("game", str(homes), "--n", "4", "--range", "50", "--games", "400")
    _, out, _ = answer(*common, "--threshold", "0.3", "--epsilon-bits", "3")
    *_, title, alone, common_part, bound, limits, misses = out.splitlines()
    assert title == "Predicted for 60 exact means of homes like these, an advantage below 0.3:"
    readings_kwh = tidy().pivot(index="home", columns="time", values="energy_kwh").to_numpy()
    for line, name, known in ((alone, "pair", 0), (common_part, "pair_known", math.inf)):
        found = nl.compute_homes_needed(readings_kwh.round(3), 0.3, known=known)
        assert f"from {found.value:,.0f} [{found.low:,.0f}, {found.high:,.0f}] homes" in line
        assert f"of {name}, who knows" in line
    assert bound.startswith(f"  from {found.bound:,} on, of anybody who knows no reading")
    assert limits.startswith("Means of more than 4 homes were not played.")
    assert re.fullmatch(r"At n = 4: pair [\d.-]+ played, [\d.]+ predicted\.", misses)
    assert not re.search(r"\b(safe|suffices?|enough)\b", out)
    few = pd.read_csv(homes, dtype={"home": str})
    few[few["home"].isin(few["home"].unique()[:9])].to_csv(homes, index=False)
    _, out, _ = answer(*common)
    assert out.endswith("No prediction for more homes: it takes 10 homes and 4 times.\n")


def test_no_exit_code_and_no_word_of_a_game_means_yes(answer, homes):
    """Hidden by noise, and shown by too few games."""
    common = ("game", str(homes), "--n", "4", "--range", "50", "--games", "800")
    hidden = (*common, "--mechanism", "laplace", "--parameter", "1000")
    code, out, _ = answer(*hidden, "--threshold", "0.3")
    assert code == 0
    limit = max(high for _, high in ends(out).values())
    assert 0 < limit < 0.3
    assert f"of these adversaries is {limit:.3f}." in out
    assert (
        f"\nNot shown to be below the threshold of 0.3: the interval of {widest(out)} ends before "
        "it, but these are not all adversaries.\n"
    ) in out
    assert "At n = 4: " not in out  # the error of a mechanism is not predicted
    assert f"that see the release: {widest(out)}, " in out
    reached = limit - 0.001
    code, out, _ = answer(*hidden, "--threshold", str(reached))
    assert code == 0
    assert f"below the threshold of {reached:g}: the interval of {widest(out)} reaches it" in out
    assert "More games" in out
    code, out, _ = answer(*hidden)
    assert code == 0
    assert "threshold" not in out
    for text in (out, answer("game", "--help")[1]):
        for word in ("safe", "may be published", "publish it", "passes"):
            assert word not in text


def test_a_plugin_plays_the_game_of_the_command(answer, homes):
    plugin = homes.with_name("cheat.py")
    plugin.write_text(
        "from noiseless import Adversary\n"
        "class Cheat(Adversary):\n"
        "    name = 'cheat'\n"
        "    sees_series = True\n"
        "    def prefer(self, view):\n"
        "        means = view.series.candidates_kwh.mean(axis=2)\n"
        "        return means[:, 1] - means[:, 0]\n"
        "ADVERSARY = Cheat\n",
        encoding="utf-8",
    )
    game = ("game", str(homes), "--n", "4", "--range", "50", "--games", "100")
    code, out, _ = answer(*game, "--plugin", str(plugin))
    assert code == 0
    assert "cheat" in ends(out)


def test_half_of_forty_homes_is_held_out_for_those_who_learn(answer, homes):
    """The plugin learns, too, and all play the same games."""
    names = [f"home {number:02}" for number in range(40)]
    readings = np.random.default_rng(2).gamma(2, 5, (40, 60)).round(3)
    tidy(readings, names).to_csv(homes, index=False)
    plugin = homes.with_name("usual.py")
    plugin.write_text(
        "import numpy as np\nfrom noiseless import Adversary\n"
        "class Usual(Adversary):\n"
        "    name, is_trained, sees_series = 'cheat', True, True\n"
        "    def fit(self, training):\n"
        "        assert len(training.homes_kwh) == 20\n"
        "        return self\n"
        "    def prefer(self, view):\n"
        "        x, y = view.series.candidates_kwh, view.series.output_kwh[:, None]\n"
        "        off = ((x - y) ** 2).sum(axis=2)\n"
        "        return off[:, 1] - off[:, 0]\n"
        "ADVERSARY = Usual\n",
        encoding="utf-8",
    )
    game = ("game", str(homes), "--range", "50", "--games", "200", "--plugin", str(plugin))
    code, out, _ = answer(*game, "--n", "4", "--threshold", "0.3")
    assert code == 1
    assert "20 homes play, the same games for all adversaries; 20 others are known" in out
    assert set(ends(out)) >= {"cheat", *STRONG}
    assert "Did not play" not in out
    # In a mean of 20 nobody can be held out, so that the plugin cannot play, which is an error.
    code, out, err = answer(*game, "--n", "20", "--threshold", "0.3")
    assert (code, err.count("\n")) == (2, 1)
    assert "no adversary of a plugin can play: 'cheat', as it learns from other homes" in err


def test_a_plugin_of_another_game_is_named_and_one_that_plays_is_enough(answer, homes):
    plugin = homes.with_name("two.py")
    plugin.write_text(
        "from noiseless import Adversary\n"
        "class Total(Adversary):\n"
        "    name = 'cheat'\n"
        "    def prefer(self, view):\n"
        "        return (view.sum_readings_wh[:, 0] - view.sum_readings_wh[:, 1]).astype(float)\n"
        "class Nearest(Adversary):\n"
        "    name = 'of trips'\n"
        "    def link(self, view):\n"
        "        return -view.people_m[..., 0].sum(axis=-1)\n"
        "ADVERSARY = [Total, Nearest]\n",
        encoding="utf-8",
    )
    game = ("game", str(homes), "--n", "4", "--range", "50", "--games", "100")
    code, out, _ = answer(*game, "--plugin", str(plugin))
    assert code == 0
    assert "Did not play: of trips, as it defines no `prefer`" in out


def test_the_range_is_that_of_a_day_at_every_resolution(answer, tmp_path):
    """Half-hours, whose range is a 48th of it, as `public_range_kwh` means it."""
    times = pd.date_range("2024-01-01", periods=5 * 48, freq="30min").strftime("%Y-%m-%d %H:%M")
    readings = np.random.default_rng(3).gamma(2, 0.2, (8, len(times))).round(3)
    wide = pd.DataFrame(readings, index=pd.Index(range(8), name="home"), columns=times)
    path = tmp_path / "half.csv"
    wide.reset_index().melt("home", var_name="time", value_name="energy_kwh").to_csv(
        path, index=False
    )
    game = ("game", str(path), "--n", "3", "--range", "48", "--games", "100")
    code, out, _ = answer(*game, "--resolution", "half-hours", "--epsilon-bits", "4")
    assert code == 0
    assert "A reading is at most 1 kWh, its share of --range 48 kWh a day." in out
    found = nl.play_membership_game(
        nl.Homes(np.rint(1000 * readings).astype(int), in_wh=True), n=3, epsilon_bits=4,
        maximum_wh=1000, games=100, rng=1,
    )  # fmt: skip
    assert f"{found.loc['pair', 'advantage']:.3f}".rstrip("0") in out


def test_homes_with_identical_readings_are_named_and_may_play(answer, homes):
    readings = READINGS.copy()
    readings[[3, 11]] = readings[7]
    tidy(readings).to_csv(homes, index=False)
    game = ("game", str(homes), "--n", "4", "--range", "50", "--games", "100")
    code, _, err = answer(*game)
    assert code == 2
    assert "the homes home 03, home 07, home 11 have identical readings" in err
    assert "--allow-identical" in err
    code, out, _ = answer(*game, "--allow-identical")
    assert code == 0
    assert "3 homes have the readings of another home" in out


@pytest.mark.parametrize(
    ("case", "file", "games"),
    [
        ("24-game-times-as-homes", "days.csv", 500),
        ("25-game-index-column", "homes.csv", 800),
        ("08-game-homes-twice", "homes.csv", 800),
    ],
)
def test_files_that_people_had_are_refused_with_the_line_that_turns_them(
    answer, root, tmp_path, monkeypatch, case, file, games
):
    """Each is refused with the line that turns it; then the right answer comes out."""
    source = root / "tests/cases" / case / file
    monkeypatch.chdir(tmp_path)
    game = ("--n", "8", "--range", "90", "--epsilon-bits", "3", "--games", str(games))
    code, out, err = answer("game", str(source), *game, "--threshold", "0.6")
    assert (code, out, err.count("\n")) == (2, "", 1)
    line = err[err.index("pd.read_csv") :]
    exec(line, {"pd": pd})
    table = pd.read_csv("tidy.csv", dtype={"home": str})
    if case.startswith("08"):
        code, _, err = answer("game", "tidy.csv", *game)
        assert code == 2
        assert "a second reading of this home at this time" in err
        assert "(1199 more in this column)" in err  # 20 homes, 60 days
        table.drop_duplicates(["home", "time"]).to_csv("tidy.csv", index=False)
    assert len(table.drop_duplicates()) == 40 * 60
    code, out, _ = answer("game", "tidy.csv", *game, "--threshold", "0.6")
    assert code == 1
    wide = table.drop_duplicates().pivot(index="home", columns="time", values="energy_kwh")
    found = nl.play_membership_game(
        (1000 * wide).round().astype(int), n=8, epsilon_bits=3, maximum_wh=90_000, games=games,
        rng=1,
    )  # fmt: skip
    largest = round(nl.bound_advantage(found), 3)
    assert f"of these adversaries is {largest:.3f}." in out
    assert ends(out)[widest(out)][1] == largest
    assert f"\nAbove the threshold of 0.6: {widest(out)}.\n" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "give --n, the homes of a mean, and --range"),
        (("--n", "4", "--range", "50", "--mechanism", "magic"), "laplace (scale_kwh)"),
        (("--n", "4", "--range", "50", "--threshold", "0"), "--threshold is 0.0"),
        (("--n", "30", "--range", "50"), "`n` must be at most 19"),
        (("--n", "4", "--range", "50", "--resolution", "hours"), "none of 20 homes has all 1440"),
        (("--n", "4", "--range", "50", "--resolution", "weeks"), "invalid choice: 'weeks'"),
        (("--released", "means.csv"), "unrecognized arguments: --released"),
    ],
)
def test_a_game_that_cannot_be_played_is_one_line(answer, homes, arguments, said):
    code, _, err = answer("game", str(homes), *arguments)
    assert code == 2
    assert said in err
    assert err.count("\n") == 1
