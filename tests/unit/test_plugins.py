"""The worked examples of docs/plugins.md, as files of a user's: they take part everywhere."""

import doctest
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

import noiseless as nl
from noiseless.adversaries.inputs.linkage import LinkageView
from noiseless.adversaries.registry import load_adversaries, load_plugin_adversaries
from noiseless.errors import ConfigError
from noiseless.games.appliances import MeterGame
from noiseless.games.linkage import LINKAGE, ask_scores
from noiseless.games.membership import draw_games, load_membership_adversaries, play
from noiseless.games.releases import build_release
from noiseless.mechanisms.guarded import find_file
from noiseless.mechanisms.interface import BitsOfRange, Domain
from noiseless.mechanisms.registry import load_mechanisms_for, load_plugin_mechanisms
from noiseless.papers.beyond import (
    adversaries,
    comparison_homes,
    comparison_meter,
    comparison_trips,
)
from noiseless.papers.beyond.figures import comparison as comparison_figure
from noiseless.papers.noiseless import membership, nilm
from noiseless.papers.noiseless.figures import membership as membership_figure
from noiseless.papers.noiseless.figures import nilm as nilm_figure
from noiseless.plugins import compute_plugin_digests, use_plugins
from noiseless.seeds import make_generator
from toy_homes import make_energy, make_table
from toy_meter import sampled_redd
from toy_trips import SETTINGS as TRIPS
from toy_trips import make_trips

GRID, RANKS = "rounding to a private grid", "rank correlation"
LEVEL, NEAREST = "one level for each appliance", "nearest places"
HOMES = {"common_pattern": False, "idle": False}
METER = MeterGame(
    **{"mains_range_w": [0, 12000], "period_s": 60, "train_before": "2011-04-30"},
    **{"learned": {"radius": 2, "trees": 3}, "draws": 20},
    **{"hmm": {"on_states": 1, "other_states": 2}, "days": ["2011-04-23", "2011-05-21"]},
)
COMMON = {"dataset": "london", "seed": 3, "public_range_kwh": 5}


@pytest.fixture(scope="module")
def plugins(root, tmp_path_factory):
    """The files of the documentation, in a folder of the user's."""
    folder = tmp_path_factory.mktemp("user")
    text = (root / "docs" / "plugins.md").read_text(encoding="utf-8")
    for block in re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL):
        if name := re.match(r'"""(\w+\.py)"""', block):
            (folder / name[1]).write_text(block, encoding="utf-8")
    return [str(folder / f"{name}.py") for name in ("rounding", "ranks", "levels", "nearest")]


def both(plugins, make):
    """A result with and without the plugins."""
    with use_plugins(plugins):
        added = make()
    return added, make()


def others_are_the_same(added, alone):
    """All rows of what is here are the same, in the same order; returns those of the plugins."""
    mine = np.zeros(len(added), dtype=bool)
    for column in ("mechanism", "adversary"):
        if column in added:
            mine |= added[column].isin([GRID, RANKS, LEVEL, NEAREST]).to_numpy()
    assert mine.any()
    pd.testing.assert_frame_equal(added[~mine].reset_index(drop=True), alone)
    return added[mine]


@pytest.fixture(scope="module")
def comparisons(plugins):
    settings = {"games": 120, "training_games": 80, "n": [3], "delta": 1e-5, "tolerance": 0.1}
    table = make_table(make_energy(40, **HOMES))
    return both(
        plugins,
        lambda: comparison_homes.build_comparison_tables(
            table, target_error_kwh=[0.1, 0.2], **settings, **COMMON
        ),
    )


@pytest.fixture(scope="module")
def played(plugins):
    settings = {"games": 120, "n": [2, 4], "epsilon_bits": [1, 4], "resolution": "days"}
    table = make_table(make_energy(idle=False))
    return both(
        plugins,
        lambda: membership.build_advantage_table(
            table, **settings, **COMMON, quantizer_rule="n_2^eps", peaks="strict"
        ),
    )


def test_both_take_part_in_the_comparison_and_change_no_other_row(comparisons):
    added, alone = comparisons
    mine = others_are_the_same(added["comparison"], alone["comparison"])
    # The mechanism against everybody, and the adversary against every mechanism.
    grid = mine[mine["mechanism"] == GRID]
    assert set(grid["adversary"]) == {*alone["comparison"]["adversary"], RANKS}
    ranks = mine[mine["adversary"] == RANKS]
    assert set(ranks["mechanism"]) == {*alone["comparison"]["mechanism"], GRID}
    error = grid[grid["statistic"] == "error_kwh"]
    np.testing.assert_allclose(error["value"], error["target_error_kwh"], rtol=0.1)
    parameters = others_are_the_same(added["calibration"], alone["calibration"])
    found = parameters[parameters["target_error_kwh"] == 0.1].set_index("statistic")["value"]
    assert found["attainable"] == 1
    # A grid of width w leaves a variance of w^2 / 6, a third of it in the mean of three homes.
    assert found["expected_error_kwh"] == pytest.approx(
        found["width_kwh"] / math.sqrt(18), rel=0.05
    )
    assert found["epsilon_bits"] > 0


def test_rank_correlation_is_scipys_in_bounded_memory(plugins):
    energy = make_energy(idle=False)
    games = draw_games(make_generator(1, "ranks"), homes=30, n=4, games=520)
    release = build_release(math.inf, n=4, maximum_wh=int(energy.max()))
    with use_plugins(plugins):
        ranks = load_membership_adversaries(trained=False)[-1]
        [found] = play([ranks], energy, games, [release])
    for g in (0, 17, 519):
        output = energy[games.members[g]].sum(axis=0)
        zero, one = (spearmanr(energy[home], output).statistic for home in games.candidates[g])
        assert found[RANKS][g] == pytest.approx(zero - one, abs=1e-9)


def test_private_grid_is_unbiased_and_keeps_its_guarantee(plugins):
    with use_plugins(plugins):
        grid = load_mechanisms_for(Domain((0.0,), (3.0,), "kwh"))[-1]
    mechanism = grid(Domain((0.0,), (3.0,), "kwh"), 0.8)
    reports = mechanism.release(np.full((40_000, 2), 1.3), make_generator(2, "grid"))
    assert reports.mean() == pytest.approx(1.3, abs=0.01)
    # A home's reports, for every reading of the range, lie on so many points of its grid.
    readings = np.tile(np.linspace(0, 3, 400), (50, 5))
    points = [
        len(np.unique(home.round(9)))
        for home in mechanism.release(readings, make_generator(3, "all"))
    ]
    assert mechanism.guarantee(delta=0) == BitsOfRange(math.log2(6))
    assert max(points) <= 6


def test_adversary_plays_the_games_of_every_table(plugins, played):
    added, alone = played
    others_are_the_same(added, alone)
    table = make_table(make_energy(40, 40, idle=False))
    settings = {"games": 60, "n": [3], **COMMON, "quantizer_rule": "n_2^eps"}
    learned = both(
        plugins,
        lambda: membership.build_learned_table(
            table, **settings, epsilon_bits=[4], resolution="days"
        ),
    )
    others_are_the_same(*learned)
    cells = [{"n": 3, "epsilon_bits": 2}]
    choices = both(
        plugins,
        lambda: membership.build_choices_table(
            table,
            **{"dataset": "london", "seed": 3, "games": 40, "cells": cells, "almost_zero": 0.1},
            **{"resolutions": ["days"], "week_start": "2013-02-25"},
            **{"public_range_kwh": 5, "main_fuse_kwh": 20},
        ),
    )
    others_are_the_same(*choices)  # the strongest of the paper's three among them
    known = both(
        plugins,
        lambda: adversaries.build_advantage_table(
            table, **settings, epsilon_bits=[2], days=[20], known_shares=[0]
        ),
    )
    assert set(others_are_the_same(*known)["statistic"]) >= {"advantage", "behind_exact"}


@pytest.fixture(scope="module")
def meters(plugins, tmp_path_factory):
    """Both tables of appliances, with and without the plugins."""
    redd = sampled_redd(tmp_path_factory.mktemp("redd"), days=4, period_s=60, seed=2019)
    paper = {"quantize": "before", "trainings": 2}

    def tables():
        attacks = nilm.build_attack_tables(redd, METER, epsilon_bits=[3], **paper, seed=3)
        compared = comparison_meter.build_comparison_tables(
            redd,
            METER,
            **{"target_error_share": [0.3], "adversaries": ["learned"]},
            **{"delta": 1e-5, "tolerance": 0.2, "seed": 3},
        )
        return attacks | compared

    return both(plugins, tables)


@pytest.mark.slow
def test_adversary_of_appliances_takes_part_and_changes_no_other_row(meters):
    added, alone = meters
    mine = others_are_the_same(added["attacks"], alone["attacks"])
    assert set(mine["adversary"]) == {LEVEL}
    assert set(mine["epsilon_bits"]) == {3, math.inf}
    assert set(mine[mine["low"].notna()]["over"]) == {"days"}
    # Without a quantizer a threshold tells the largest appliance from none at all.
    found = mine[(mine["statistic"] == "f_score_losses") & (mine["epsilon_bits"] == math.inf)]
    assert found["value"].max() > 0.3
    mine = others_are_the_same(added["comparison"], alone["comparison"])
    levels = mine[mine["adversary"] == LEVEL]
    assert set(levels["mechanism"]) == {*alone["comparison"]["mechanism"], GRID}


def _list_labels(axis):
    """Labels of a legend; long names of plugins are broken into lines."""
    return [each.replace("\n", " ") for each in axis.get_legend_handles_labels()[1]]


def test_adversary_of_appliances_is_shown_by_name(meters):
    added, _ = meters
    figure = nilm_figure.plot_fig4(added["attacks"], added["meters"], period_s=60)
    assert LEVEL in _list_labels(figure.axes[0])
    figure = comparison_figure.plot_meter(added["comparison"], added["calibration"])
    assert LEVEL in [axis.get_title().replace("\n", " ") for axis in figure.axes]


def test_adversary_of_trips_takes_part_and_is_shown_by_name(plugins, linked_trips):
    with use_plugins(plugins):
        added = comparison_trips.build_comparison_tables(
            make_trips(), target_error_m=[1, 1500, 1e7], **TRIPS
        )
    mine = others_are_the_same(added["comparison"], linked_trips["comparison"])
    assert set(mine["adversary"]) == {NEAREST}  # the private grid is for readings alone
    gain = added["comparison"].query("statistic == 'gain' and people == 40")
    gain = gain.set_index(["mechanism", "target_error_m", "adversary"])["value"].unstack()
    # Under planar Laplace noise the likeliest person is the nearest one; of other noise not always.
    planar = gain.loc["planar_laplace"]
    np.testing.assert_array_equal(planar[NEAREST], planar["likelihood"])
    assert (gain[NEAREST] != gain["likelihood"]).any()
    figure = comparison_figure.plot_trips(added["comparison"], added["calibration"])
    assert sum(NEAREST in axis.get_title() for axis in figure.axes) == 2


@pytest.fixture
def adversary(tmp_path):
    """Writes a plugin of one adversary from the body of its class; the path."""

    def write(body):
        path = tmp_path / "mine.py"
        path.write_text(
            "import math\nimport numpy as np\n"
            "from noiseless.adversaries.interface import Adversary\n"
            f"class A(Adversary):\n    {body}\nADVERSARY = A\n",
            encoding="utf-8",
        )
        return path

    return write


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("def prefer(self, view): return [1.0]", r"`prefer` with numbers of the shape \(4,\)"),
        ("def prefer(self, view): return view.sum_bins * math.nan", "with numbers, got NaN"),
    ],
)
def test_an_answer_that_is_none_is_said(body, message, adversary):
    path = adversary(f"name = 'a'\n    {body}")
    energy = make_energy(10, idle=False)
    games = draw_games(make_generator(1, "games"), homes=10, n=2, games=4)
    release = build_release(2, n=2, maximum_wh=int(energy.max()))
    with use_plugins([path]), pytest.raises(ConfigError, match=message):
        play(load_membership_adversaries(trained=False), energy, games, [release])


def test_a_control_is_shown_no_report(adversary):
    path = adversary(
        "name, is_control = 'control of mine', True\n"
        "    def link(self, view):\n"
        "        away = view.reported_m[:, None] - view.people_m\n"
        "        return -np.abs(away).sum(axis=(-1, -2))"
    )
    people = np.zeros((3, 2, 2, 2))
    with use_plugins([path]):
        mine = load_adversaries(LINKAGE)[-1]()
        with pytest.raises(ConfigError, match="none of them NaN"):
            ask_scores(mine, LinkageView(people[:, 0], people))


def test_one_who_learns_plays_where_homes_are_set_aside_for_it(adversary):
    path = adversary(
        "name, is_trained = 'a net', True\n"
        "    def fit(self, training): return self\n"
        "    def prefer(self, view): return view.sum_readings_wh[:, 0] - view.sum_readings_wh[:, 1]"
    )
    table = make_table(make_energy(40, **HOMES))
    settings = {"games": 120, "training_games": 80, "n": [3], "delta": 1e-5, "tolerance": 0.1}
    plain = {"games": 120, "n": [2], "epsilon_bits": [1], "resolution": "days"}
    with use_plugins([path]):
        compared = comparison_homes.build_comparison_tables(
            table, target_error_kwh=[2], **settings, **COMMON
        )["comparison"]
        played = membership.build_advantage_table(
            table, **plain, **COMMON, quantizer_rule="n_2^eps", peaks="strict"
        )
    assert "a net" in set(compared["adversary"])
    assert "a net" not in set(played["adversary"])


def compared_homes():
    settings = {"games": 60, "training_games": 40, "n": [2], "delta": 1e-5, "tolerance": 0.1}
    table = make_table(make_energy(20, **HOMES))
    return comparison_homes.build_comparison_tables(
        table, target_error_kwh=[0.1, 0.2], **settings, **COMMON
    )


@pytest.mark.parametrize(
    "body",
    [
        "def prefer(self, e): e.sum_readings_wh[:] = 0; return e.sum_bins",
        "sees_series = True\n"
        "    def prefer(self, e): e.series.output_kwh[:] = 0; return e.sum_bins",
        "is_trained = True\n    def fit(self, t): t.homes_kwh[:] = 0; return self\n"
        "    def prefer(self, e): return e.sum_bins",
        "is_trained = True\n    def fit(self, t):\n        for e, who in t.games(): who[:] = 0\n"
        "        return self\n    def prefer(self, e): return e.sum_bins",
    ],
)
def test_an_adversary_cannot_change_what_others_see(body, adversary):
    path = adversary(f"name = 'mine'\n    {body}")
    with use_plugins([path]), pytest.raises(ConfigError, match=r"'mine'.*copy them first"):
        compared_homes()


def test_figures_show_them_by_name(comparisons, played):
    added, _ = comparisons
    figure = comparison_figure.plot_homes(added["comparison"], added["calibration"])
    assert any(RANKS in axis.get_title() for axis in figure.axes)
    assert GRID in _list_labels(figure.axes[0])
    figure = membership_figure.plot_fig3(
        played[0], almost_zero=0.05, public_range_kwh=COMMON["public_range_kwh"]
    )
    assert [axis.get_title() for axis in figure.axes].count(RANKS) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1", "defines no MECHANISM and no ADVERSARY"),
        ("import nothing_of_that_name", "cannot be imported: ModuleNotFoundError"),
        ("class A(B):\n    name = 'two\\nlines'\nADVERSARY = A", "has no `name`"),
        ("ADVERSARY = [B, 7]", "has no `name`"),
        ("ADVERSARY = 7", "is 7, but it must be derived from Adversary"),
        ("class A(B): pass\nADVERSARY = A", "has no `name`"),
        ("class A(B):\n    name = 'mse'\nADVERSARY = A", "is called 'mse', which is taken"),
        ("class A(B):\n    name = 'a'\nADVERSARY = A", "defines none of prefer, states, link"),
        (
            "class A(B):\n    name, is_control = 'a', True\n    def prefer(self, view): ...\n"
            "ADVERSARY = A",
            "the name of a control, and no other, begins with `control`",
        ),
    ],
)
def test_what_a_plugin_lacks_is_said(text, message, tmp_path):
    path = tmp_path / "mine.py"
    head = "from noiseless.adversaries.interface import Adversary as B\n"
    path.write_text(head + text + "\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=message), use_plugins([path]):
        load_membership_adversaries(trained=True)
    assert all(each.name != "a" for each in load_membership_adversaries(trained=True))


OLD_MECHANISM = """
from noiseless.mechanisms.interface import Mechanism
class Old(Mechanism):
    name, kind = "old", "scale"
    def release(self, values, rng): return values
    @classmethod
    def {old}(cls, *arguments): return None
MECHANISM = Old
"""


def test_a_name_of_version_0_3_says_its_new_name(tmp_path):
    path = tmp_path / "old.py"
    path.write_text("from noiseless import Adversary, Evidence\n", encoding="utf-8")
    said = (
        r"old\.py cannot be imported: noiseless\.Evidence has been noiseless\.MembershipView since"
    )
    with pytest.raises(ConfigError, match=said), use_plugins([path]):
        pass


@pytest.mark.parametrize(
    ("old", "new"),
    [("for_error", "calibrate_to_errors"), ("on", "the constructor, of a domain and a parameter")],
)
def test_a_method_of_version_0_2_says_its_new_name(old, new, tmp_path):
    path = tmp_path / "old.py"
    path.write_text(OLD_MECHANISM.format(old=old), encoding="utf-8")
    said = f"defines `{old}`, which has been .*{new}.* since version 0.3"
    with pytest.raises(ConfigError, match=said), use_plugins([path]):
        load_plugin_mechanisms()


SHIFT = """
from noiseless.mechanisms.interface import Mechanism
from {helper} import shifted
class Shift(Mechanism):
    name, kind = "shift", "scale"
    def release(self, values, rng): return shifted(values, self.parameter)
class Back(Shift):
    name = "shift back"
    def release(self, values, rng): return shifted(values, -self.parameter)
"""
HELPER = "from far_away import SIGN\ndef shifted(values, size): return values + SIGN * size\n"


def released(paths):
    """What the mechanisms of some plugins make of 0 with the parameter 1, by name."""
    with use_plugins(paths):
        domain = Domain((-9.0,), (9.0,), "kwh")
        return {
            each.name: each(domain, 1.0).release(np.zeros(2), make_generator(1)).tolist()
            for each in load_plugin_mechanisms()
        }


@pytest.mark.parametrize("name", ["absent.py", "m" * 300 + ".py"])
def test_a_file_that_is_not_there_is_said(name, tmp_path):
    with pytest.raises(ConfigError, match="is not a file"):
        compute_plugin_digests([str(tmp_path / name)])


def test_a_plugin_may_import_its_neighbours_and_hold_several_classes(tmp_path):
    """A helper, and what the helper imports, is found, and its edit is another plugin's digest."""
    path = tmp_path / "mine.py"
    text = SHIFT.format(helper="beside_mine") + "MECHANISM = [Shift, Back]\n"
    path.write_text(text, encoding="utf-8")
    (tmp_path / "beside_mine.py").write_text(HELPER, encoding="utf-8")
    far = tmp_path / "far_away" / "__init__.py"
    far.parent.mkdir()
    found = []
    for sign in ("1", "-2"):
        far.write_text(f"SIGN = {sign}\n", encoding="utf-8")
        found.append((released([path]), compute_plugin_digests([str(path)])))
    assert found[0][0] == {"shift": [1, 1], "shift back": [-1, -1]}
    assert found[1][0] == {"shift": [-2, -2], "shift back": [2, 2]}
    assert found[0][1] != found[1][1]
    # A file that nobody imports is none of theirs.
    (tmp_path / "other.py").write_text("", encoding="utf-8")
    assert compute_plugin_digests([str(path)]) == found[1][1]
    assert not {"beside_mine", "far_away"} & set(sys.modules)
    assert str(tmp_path) not in sys.path


def test_what_lies_deeper_in_the_folder_of_a_file_is_not_forgotten(tmp_path, monkeypatch):
    """Such as this package, where a file lies in the folder of a checkout."""
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper/installed_below.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path / "deeper")
    path = tmp_path / "mine.py"
    text = SHIFT.format(helper="beside_mine") + "MECHANISM = Shift\nimport installed_below\n"
    path.write_text(text, encoding="utf-8")
    (tmp_path / "beside_mine.py").write_text(HELPER, encoding="utf-8")
    (tmp_path / "far_away.py").write_text("SIGN = 1\n", encoding="utf-8")
    released([path])
    assert "installed_below" in sys.modules
    assert "beside_mine" not in sys.modules
    monkeypatch.delitem(sys.modules, "installed_below")


def test_a_class_of_an_installed_package(tmp_path, monkeypatch):
    package = tmp_path / "their_attacks"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    text = SHIFT.format(helper="their_attacks.inner")
    (package / "shifts.py").write_text(text, encoding="utf-8")
    inner = package / "inner.py"
    inner.write_text("def shifted(values, size): return values + size\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    plugin = "their_attacks.shifts:Back"
    assert released([plugin]) == {"shift back": [-1, -1]}
    before = compute_plugin_digests([plugin])
    inner.write_text(inner.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert compute_plugin_digests([plugin]) != before
    for name, message in (
        ("their_attacks.shifts:Forth", "has no attribute 'Forth'"),
        ("their_attacks.shifts:shifted", "must be derived from Mechanism or Adversary"),
        ("not_installed_here:A", "is not installed"),
    ):
        with pytest.raises(ConfigError, match=message), use_plugins([name]):
            pass


MODULE = """
from __future__ import annotations
import inspect, pickle
from dataclasses import dataclass
import numpy as np
from noiseless import Adversary
{head}
@dataclass
class Options:
    lag: int = 1
    other: Options | None = None
def read(options): return options.lag
class Lagged(Adversary):
    name = "lagged"
    def prefer(self, view): return view.sum_bins * self.ask()
    def ask(self):
        {body}
ADVERSARY = Lagged
"""
PICKLED = "return pickle.loads(pickle.dumps(Options(3))).lag"
INSPECTED = "return 3 if 'lag: int = 1' in inspect.getsource(Options) else 0"
PARALLEL = (
    "from joblib import Parallel, delayed\n"
    "        return Parallel(2)(delayed(read)(Options(k)) for k in (3, 4))[0]"
)


@pytest.mark.parametrize(
    ("stem", "body"),
    [
        *((stem, body) for stem in ("lagged", "random") for body in (PICKLED, INSPECTED)),
        ("my-plugin", PICKLED),
        pytest.param("lagged", PARALLEL, marks=pytest.mark.slow),
        pytest.param("my-plugin", PARALLEL, marks=pytest.mark.slow),
        pytest.param("random", f"import joblib; {PARALLEL}", marks=pytest.mark.slow),
    ],
)
def test_a_plugin_is_a_module_whatever_its_name(stem, body, tmp_path):
    """It has dataclasses, is pickled and inspected, and its functions run in other processes."""
    path = tmp_path / f"{stem}.py"
    head, _, body = body.rpartition("; ")
    path.write_text(MODULE.format(head=head, body=body), encoding="utf-8")
    before = dict(sys.modules)
    with use_plugins([path]):
        [adversary] = load_plugin_adversaries()
        assert adversary().ask() == 3
        assert find_file(adversary) == str(path)
    for name, module in before.items():
        assert sys.modules[name] is module
    assert not [name for name in sys.modules if name == "lagged" or "noiseless_plugin" in name]


def test_a_plugin_that_another_one_imports_is_the_same_module(tmp_path):
    (tmp_path / "first.py").write_text(SHIFT.format(helper="beside_mine") + "MECHANISM = Shift\n")
    (tmp_path / "beside_mine.py").write_text("def shifted(values, size): return values + size\n")
    (tmp_path / "second.py").write_text(
        "from first import Shift\nclass More(Shift):\n    name = 'more'\nMECHANISM = More\n"
    )
    for order in (["first", "second"], ["second", "first"]):
        with use_plugins([tmp_path / f"{name}.py" for name in order]):
            loaded = {each.name: each for each in load_plugin_mechanisms()}
        assert issubclass(loaded["more"].__mro__[1], loaded["shift"].__mro__[1])


HIDDEN = {
    "from": "from statistics import shifted\n",
    "attribute": "import statistics as s\ndef shifted(*both): return s.shifted(*both)\n",
}


@pytest.mark.parametrize("way", HIDDEN)
def test_a_helper_may_be_called_like_a_module_of_pythons(way, tmp_path):
    import statistics

    path = tmp_path / "mine.py"
    (tmp_path / "statistics.py").write_text("def shifted(values, size): return values + size\n")
    text = SHIFT.format(helper="tools") + "MECHANISM = Shift\n"
    path.write_text(text, encoding="utf-8")
    (tmp_path / "tools.py").write_text(HIDDEN[way], encoding="utf-8")
    assert released([path]) == {"shift": [1, 1]}
    assert sys.modules["statistics"] is statistics


def test_pythons_own_modules_are_meant_where_they_have_all_that_is_asked_for(tmp_path):
    """A file of that name that happens to lie there is not even run."""
    path = tmp_path / "mine.py"
    text = SHIFT.format(helper="tools") + "MECHANISM = Shift\n"
    path.write_text(text, encoding="utf-8")
    (tmp_path / "statistics.py").write_text("def mean(values): return 7\nraise SystemExit\n")
    (tmp_path / "tools.py").write_text(
        "from statistics import mean\n"
        "def shifted(values, size): return values + size * mean([1.0, 3.0])\n"
    )
    assert released([path]) == {"shift": [2, 2]}


COMPILED = """
import numba
from noiseless import Mechanism
from tools import SIGN, scaled
@numba.njit(cache=True)
def shifted(size): return scaled(size) * SIGN
class Shift(Mechanism):
    name, kind = "shift", "scale"
    def release(self, values, rng): return values + shifted(self.parameter)
MECHANISM = Shift
"""


@pytest.mark.slow  # four processes compile
@pytest.mark.parametrize("stem", ["compiled_shift", "random"])
def test_compiled_functions_of_a_plugin_load_every_time_and_are_never_old(stem, tmp_path, root):
    pytest.importorskip("numba")
    path, tools = tmp_path / f"{stem}.py", tmp_path / "tools.py"
    path.write_text(COMPILED, encoding="utf-8")
    program = (
        "from noiseless import use_plugins, Domain\n"
        "from noiseless.mechanisms.registry import load_plugin_mechanisms\n"
        "import inspect, numpy, sys\n"
        f"with use_plugins([{str(path)!r}]):\n"
        "    [mechanism] = load_plugin_mechanisms()\n"
        "    found = mechanism(Domain((-9.,), (9.,), 'kwh'), 1.0).release(numpy.zeros(1), None)\n"
        "    plugin = sys.modules[mechanism.__module__]\n"
        "    print(float(found[0]), sum(plugin.shifted.stats.cache_hits.values()))\n"
    )
    found = []
    for times in ("2", "2", "3"):
        tools.write_text(
            "import numba\nSIGN = -1\n@numba.njit(cache=True)\n"
            f"def scaled(x): return {times} * x\n",
            encoding="utf-8",
        )
        shown = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONPATH": str(root / "workflow")},
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert shown.stderr == ""
        found.append(shown.stdout.split())
    assert found == [["-2.0", "0"], ["-2.0", "1"], ["-3.0", "0"]]
    assert len(list((tmp_path / "__pycache__").glob(f"{stem}_compiled_*"))) == 1


@pytest.fixture(scope="module")
def regression(root):
    """The class of the documented example that learns."""
    text = (root / "docs" / "plugins.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(\"\"\"regression.py.*?)```", text, flags=re.DOTALL)
    names = {"__name__": "regression"}
    exec(block, names)
    return names["ADVERSARY"]


@pytest.mark.parametrize("epsilon_bits", [2, math.inf])
def test_the_documented_adversary_learns_what_ours_does(regression, epsilon_bits):
    """Member 0 is the first candidate: who takes it for the second is as often wrong."""
    homes = make_energy(80, seed=5, **HOMES)

    class Reversed(regression):
        name = "reversed"

        def prefer(self, view):
            return -super().prefer(view)

    found = nl.play_membership_game(
        homes[:40],
        n=4,
        **{"epsilon_bits": epsilon_bits, "maximum_wh": int(homes.max()), "games": 1_000, "rng": 1},
        adversaries=["learned", regression, Reversed],
        known_wh=homes[40:],
    )
    assert found.loc[regression.name, "advantage"] > 0.8 * found.loc["learned", "advantage"]
    assert found.loc[regression.name, "low"] > 0.3
    assert found.loc["reversed", "high"] < -0.3


@pytest.fixture(scope="module")
def rounding(tmp_path_factory):
    """The class of the docstring of `Mechanism`, as a file of a user's, and its name."""
    [example] = [
        each.source
        for each in doctest.DocTestParser().get_examples(nl.Mechanism.__doc__)
        if each.source.startswith("class ")
    ]
    path = tmp_path_factory.mktemp("docstring") / "rounding.py"
    name = re.match(r"class (\w+)", example)[1]
    path.write_text(
        f"import numpy as np\nfrom noiseless import Mechanism\n{example}\nMECHANISM = {name}\n",
        encoding="utf-8",
    )
    return str(path)


def test_the_example_of_the_docstring_takes_part_in_the_comparison_of_homes(rounding):
    with use_plugins([rounding]):
        tables = compared_homes()
    calibration = (
        tables["calibration"].query("mechanism == 'rounding'").set_index("statistic")["value"]
    )
    assert calibration["attainable"].eq(1).all()
    gain = tables["comparison"].query("mechanism == 'rounding' and statistic == 'gain'")
    assert set(gain["adversary"]) == {
        each.name for each in load_membership_adversaries(trained=True)
    }
    error = tables["comparison"].query("mechanism == 'rounding' and statistic == 'error_kwh'")
    np.testing.assert_allclose(error["value"], error["target_error_kwh"], rtol=0.3)


def test_the_example_of_the_docstring_takes_part_in_the_comparison_of_the_meter(rounding, tmp_path):
    with use_plugins([rounding]):
        tables = comparison_meter.build_comparison_tables(
            sampled_redd(tmp_path, days=4, period_s=60, seed=2019),
            METER,
            **{"target_error_share": [0.3], "adversaries": ["co", "hmm"]},
            **{"delta": 1e-5, "tolerance": 0.2, "seed": 3},
        )
    played = tables["comparison"].query("mechanism == 'rounding' and statistic == 'error_share'")
    assert set(played["adversary"]) == {"co", "hmm"}
    np.testing.assert_allclose(played["value"], 0.3, rtol=0.1)


def test_the_example_of_the_docstring_leaves_the_comparison_of_trips_as_it_is(rounding):
    """It is for readings: it has no likelihood, by which reports are linked to people."""

    def make():
        return comparison_trips.build_comparison_tables(make_trips(), target_error_m=[300], **TRIPS)

    added, alone = both([rounding], make)
    for name, table in alone.items():
        pd.testing.assert_frame_equal(added[name], table)


DUCHI = """
import numpy as np
from noiseless import Mechanism, NatsOfDifferentialPrivacy
class Duchi(Mechanism):
    name, kind, is_local, finest = "duchi", "epsilon", True, 16.0
    def release(self, values, rng):
        values, width = self.domain.clip(values), self.domain.width[0]
        tangent = np.tanh(self.parameter / 2)
        share = (values - self.domain.low[0]) / width
        side = np.where(rng.random(values.shape) < 0.5 + tangent * (share - 0.5), 1, -1)
        return self.domain.low[0] + width * (0.5 + side / (2 * tangent))
    def guarantee(self, *, delta=0.0): return NatsOfDifferentialPrivacy(self.parameter)
MECHANISM = Duchi
"""


@pytest.mark.parametrize("seed", range(3))
def test_a_correct_rounding_is_not_refused_where_a_reader_hardly_gains(seed, tmp_path):
    """The reader's error is nearly that of a constant at every epsilon, up to chance."""
    path = tmp_path / "duchi.py"
    path.write_text(DUCHI, encoding="utf-8")
    table = make_table(make_energy(40, **HOMES))
    settings = {"games": 60, "training_games": 40, "n": [3], "delta": 1e-5, "tolerance": 0.1}
    with use_plugins([path]):
        found = comparison_homes.build_comparison_tables(
            table,
            target_error_kwh=[0.1],
            **settings,
            **COMMON | {"public_range_kwh": 100, "seed": seed},
        )
    rows = found["calibration"].query("mechanism == 'duchi' and statistic == 'attainable'")
    assert rows["value"].tolist() == [0]


def test_the_documented_controls_gain_nothing_where_the_attack_does(plugins):
    """Homes of one size: the mean tells who is in it, and another game's mean does not."""
    readings_wh = np.random.default_rng(1).integers(0, 20_000, size=(30, 40))
    controls = Path(plugins[0]).with_name("controls.py")
    with use_plugins([plugins[1], controls]):
        found = nl.play_membership_game(
            readings_wh, n=3, epsilon_bits=6, maximum_wh=20_000, games=400, rng=1
        )
    assert found.loc[RANKS, "low"] > 0.5
    for name in (f"control: {RANKS}", "control of the largest reading"):
        assert abs(found.loc[name, "advantage"]) < 0.2  # four standard deviations of 400 coins
