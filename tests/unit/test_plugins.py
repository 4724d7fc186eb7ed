"""The worked examples of docs/plugins.md, as files of a user's: they take part everywhere."""

import math
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from jinja2 import Environment, StrictUndefined
from scipy.stats import spearmanr

from noiseless.adversaries.linkage import LinkageEvidence
from noiseless.custodian import recommendation
from noiseless.custodian.summary import summary_table
from noiseless.data.local import locate_redd
from noiseless.data.redd import read_low_freq
from noiseless.data.samples.redd import write_redd
from noiseless.errors import ConfigError
from noiseless.figures.captions import taking_part
from noiseless.figures.chart import chart_data
from noiseless.figures.entries import load_figures, papers_with_figures
from noiseless.games.linkage import linkage_adversaries, scores_of
from noiseless.games.membership import (
    draw_games,
    membership_adversaries,
    preferences,
    release_for,
)
from noiseless.mechanisms.interface import BitsOfRange, Domain
from noiseless.mechanisms.registry import load_mechanism, mechanisms_for, plugin_mechanisms
from noiseless.page.charts import CHARTS
from noiseless.papers.beyond import (
    adversaries,
    comparison_homes,
    comparison_meter,
    comparison_trips,
    custodian,
)
from noiseless.papers.beyond.figures import comparison as comparison_figure
from noiseless.papers.noiseless import membership, nilm
from noiseless.papers.noiseless.figures import membership as membership_figure
from noiseless.papers.noiseless.figures import nilm as nilm_figure
from noiseless.pipeline.code import call
from noiseless.plugins import plugin_digests, use_plugins
from noiseless.seeds import generator
from noiseless.settings import load_yaml
from noiseless.tables import Provenance
from toy_homes import make_energy, make_table
from toy_trips import SETTINGS as TRIPS
from toy_trips import make_trips

GRID, RANKS = "rounding to a private grid", "rank correlation"
LEVEL, NEAREST = "one level for each appliance", "nearest places"
HOMES = {"common_pattern": False, "idle": False}
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
        lambda: comparison_homes.comparison_tables(
            table, target_error_kwh=[0.05, 0.2], **settings, **COMMON
        ),
    )


@pytest.fixture(scope="module")
def played(plugins):
    settings = {"games": 120, "n": [2, 4], "epsilon_bits": [1, 4], "resolution": "days"}
    table = make_table(make_energy(idle=False))
    return both(
        plugins,
        lambda: membership.advantage_table(
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
    found = parameters[parameters["target_error_kwh"] == 0.05].set_index("statistic")["value"]
    assert found["attainable"] == 1
    # A grid of width w leaves a variance of w^2 / 6, a third of it in the mean of three homes.
    assert found["expected_error_kwh"] == pytest.approx(
        found["width_kwh"] / math.sqrt(18), rel=0.05
    )
    assert found["epsilon_bits"] > 0


def test_rank_correlation_is_scipys_in_bounded_memory(plugins):
    energy = make_energy(idle=False)
    games = draw_games(generator(1, "ranks"), homes=30, n=4, games=520)
    release = release_for(math.inf, n=4, maximum_wh=int(energy.max()))
    with use_plugins(plugins):
        ranks = membership_adversaries(trained=False)[-1]
        [found] = preferences([ranks], energy, games, [release])
    for g in (0, 17, 519):
        output = energy[games.members[g]].sum(axis=0)
        zero, one = (spearmanr(energy[home], output).statistic for home in games.candidates[g])
        assert found[RANKS][g] == pytest.approx(zero - one, abs=1e-9)


def test_private_grid_is_unbiased_and_keeps_its_guarantee(plugins):
    with use_plugins(plugins):
        grid = mechanisms_for(Domain((0.0,), (3.0,), "kwh"))[-1]
    mechanism = grid(Domain((0.0,), (3.0,), "kwh"), 0.8)
    reports = mechanism.release(np.full((40_000, 2), 1.3), generator(2, "grid"))
    assert reports.mean() == pytest.approx(1.3, abs=0.01)
    # A home's reports, for every reading of the range, lie on so many points of its grid.
    readings = np.tile(np.linspace(0, 3, 400), (50, 5))
    points = [
        len(np.unique(home.round(9))) for home in mechanism.release(readings, generator(3, "all"))
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
        lambda: membership.learned_table(table, **settings, epsilon_bits=[4], resolution="days"),
    )
    others_are_the_same(*learned)
    cells = [{"n": 3, "epsilon_bits": 2}]
    choices = both(
        plugins,
        lambda: membership.choices_table(
            table,
            **{"dataset": "london", "seed": 3, "games": 40, "cells": cells, "almost_zero": 0.1},
            **{"resolutions": ["days"], "week_start": "2013-02-25"},
            **{"public_range_kwh": 5, "main_fuse_kwh": 20},
        ),
    )
    others_are_the_same(*choices)  # the strongest of the paper's three among them
    known = both(
        plugins,
        lambda: adversaries.advantage_table(
            table, **settings, epsilon_bits=[2], days=[20], known_shares=[0]
        ),
    )
    assert set(others_are_the_same(*known)["statistic"]) >= {"advantage", "behind_exact"}


@pytest.fixture(scope="module")
def bounded(plugins):
    settings = {"games": 200, "n": [4], "levels": [64], "days": [30]}
    table = make_table(make_energy(40, **HOMES))
    return both(
        plugins, lambda: custodian.limits_table(table, **settings, **COMMON, confidence=0.95)
    )


def test_custodian_bounds_one_adversary_more(bounded):
    added, alone = bounded
    rows = [each[each["statistic"] == "intervals"]["value"].iloc[0] for each in (added, alone)]
    assert rows[0] == rows[1] + 1
    # All limits hold together, so those of the exact adversary, who is the same, are wider.
    exact, before = (
        each[(each["adversary"] == "exact") & (each["statistic"] == "gain")].iloc[0]
        for each in (added, alone)
    )
    assert exact["value"] == before["value"]
    assert exact["low"] < before["low"]


@pytest.fixture(scope="module")
def meters(plugins, tmp_path_factory):
    """Both tables of appliances, with and without the plugins."""
    folder = tmp_path_factory.mktemp("redd") / "low_freq"
    write_redd(folder / "house_1" / "labels.dat", days=4, period_s=60, seed=2019)
    redd = read_low_freq(**locate_redd(folder, 1)[1])
    settings = {
        **{"seed": 3, "mains_range_w": [0, 12000], "period_s": 60, "train_before": "2011-04-30"},
        **{"learned": {"radius": 2, "trees": 3}, "draws": 20},
        **{"hmm": {"on_states": 1, "other_states": 2}, "days": ["2011-04-23", "2011-05-21"]},
    }
    paper = {"quantize": "before", "trainings": 2}

    def tables():
        attacks = nilm.attack_tables(redd, epsilon_bits=[3], **paper, **settings)
        compared = comparison_meter.comparison_tables(
            redd,
            **settings,
            **{"target_error_share": [0.3], "adversaries": ["learned"]},
            **{"delta": 1e-5, "tolerance": 0.2},
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


def test_adversary_of_appliances_is_shown_by_name(meters):
    added, _ = meters
    figure = nilm_figure.fig4(added["attacks"], added["recording"], period_s=60)
    assert LEVEL in figure.axes[0].get_legend_handles_labels()[1]
    figure = comparison_figure.meter(added["comparison"], added["calibration"])
    assert LEVEL in [axis.get_title() for axis in figure.axes]
    shown = chart_of("appliances", "noiseless/nilm_attacks", added["attacks"])
    assert LEVEL in shown["columns"]["adversary"]["of"]


def test_adversary_of_trips_takes_part_and_is_shown_by_name(plugins, linked_trips):
    with use_plugins(plugins):
        added = comparison_trips.comparison_tables(
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
    figure = comparison_figure.trips(added["comparison"], added["calibration"])
    assert sum(NEAREST in axis.get_title() for axis in figure.axes) == 2


def chart_of(key, name, table):
    """A chart's data from one table."""
    chart = next(chart for chart in CHARTS if chart.key == key)
    return chart_data(chart, {name: (table, Provenance("c" * 16))})


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("def prefer(self, evidence): return [1.0]", r"`prefer` with numbers of the shape \(4,\)"),
        ("def prefer(self, evidence): return evidence.sum_k * math.nan", "with NaN"),
    ],
)
def test_an_answer_that_is_none_is_said(body, message, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "import math\nfrom noiseless.adversaries.interface import Adversary\n"
        f"class A(Adversary):\n    name = 'a'\n    {body}\nADVERSARY = A\n",
        encoding="utf-8",
    )
    energy = make_energy(10, idle=False)
    games = draw_games(generator(1, "games"), homes=10, n=2, games=4)
    release = release_for(2, n=2, maximum_wh=int(energy.max()))
    with use_plugins([path]), pytest.raises(ConfigError, match=message):
        preferences(membership_adversaries(trained=False), energy, games, [release])


def test_a_control_is_shown_no_report(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "import numpy as np\nfrom noiseless.adversaries.interface import Adversary\n"
        "class A(Adversary):\n    name, is_control = 'control of mine', True\n"
        "    def link(self, evidence):\n"
        "        away = evidence.reported_m[:, None] - evidence.people_m\n"
        "        return -np.abs(away).sum(axis=(-1, -2))\n"
        "ADVERSARY = A\n",
        encoding="utf-8",
    )
    people = np.zeros((3, 2, 2, 2))
    with use_plugins([path]):
        mine = linkage_adversaries()[-1]()
        with pytest.raises(ConfigError, match="none of them NaN"):
            scores_of(mine, LinkageEvidence(people[:, 0], people))


def test_captions_name_them(plugins, root, caption_paths):
    """As Snakemake's report and the page fill them in; nobody is named who does not take part."""
    environment = Environment(undefined=StrictUndefined, autoescape=False)
    texts = {name: path.read_text(encoding="utf-8") for name, path in caption_paths.items()}
    captions = {
        name: environment.from_string(text) for name, text in texts.items() if "params.says" in text
    }
    config = load_yaml(root / "config/config.yaml")
    assert len(captions) == 11
    alone, added = (
        {
            name: caption.render(
                snakemake={"params": {"says": taking_part(paths)}, "config": config}
            )
            for name, caption in captions.items()
        }
        for paths in ([], plugins)
    )
    for name in captions:
        named = {"beyond_meter": LEVEL, "noiseless_fig4": LEVEL, "beyond_trips": NEAREST}
        expected = {named.get(name, RANKS)}
        if name in ("beyond_homes", "beyond_meter", "beyond_trips"):
            expected.add(GRID)
        assert {each for each in (RANKS, LEVEL, NEAREST, GRID) if each in added[name]} == expected
        assert not [each for each in (RANKS, LEVEL, NEAREST, GRID) if each in alone[name]]
    says = taking_part([])
    says["states"] |= {"adversaries": ["learned"]}
    text = captions["beyond_meter"].render(snakemake={"params": {"says": says}, "config": config})
    assert "trees that learned" in text
    assert "hidden Markov" not in text


def test_a_figure_asks_for_what_its_caption_names(root):
    config = load_yaml(root / "config/config.yaml")
    for paper in papers_with_figures():
        for figure in load_figures(paper, config, ["london"]).values():
            text = (root / "workflow/noiseless" / figure.caption).read_text(encoding="utf-8")
            assert set(re.findall(r"params\.says\.(\w+)", text)) == {figure.game} - {""}


def test_one_who_learns_is_credited_where_homes_are_set_aside_for_it(tmp_path, caption_paths):
    """Whoever a caption names has rows in its tables, and the reverse."""
    path = tmp_path / "net.py"
    path.write_text(
        "import numpy as np\nfrom noiseless.adversaries.interface import Adversary\n"
        "class A(Adversary):\n    name, is_trained = 'a net', True\n"
        "    def prefer(self, evidence): return np.ones(evidence.first.shape)\n"
        "ADVERSARY = A\n",
        encoding="utf-8",
    )
    table = make_table(make_energy(40, **HOMES))
    settings = {"games": 120, "training_games": 80, "n": [3], "delta": 1e-5, "tolerance": 0.1}
    plain = {"games": 120, "n": [2], "epsilon_bits": [1], "resolution": "days"}
    with use_plugins([path]):
        compared = comparison_homes.comparison_tables(
            table, target_error_kwh=[2], **settings, **COMMON
        )["comparison"]
        played = membership.advantage_table(
            table, **plain, **COMMON, quantizer_rule="n_2^eps", peaks="strict"
        )
    says = taking_part([str(path)])
    for name, rows in (("beyond_homes", compared), ("noiseless_fig3", played)):
        text = caption_paths[name].read_text(encoding="utf-8")
        caption = Environment(undefined=StrictUndefined, autoescape=False).from_string(text)
        shown = caption.render(snakemake={"params": {"says": says}, "config": {}})
        assert ("a net" in shown) == ("a net" in set(rows["adversary"])) == (name == "beyond_homes")


def compared_homes():
    settings = {"games": 60, "training_games": 40, "n": [2], "delta": 1e-5, "tolerance": 0.1}
    table = make_table(make_energy(20, **HOMES))
    return comparison_homes.comparison_tables(
        table, target_error_kwh=[0.05, 0.2], **settings, **COMMON
    )


MECHANISM = """
import numpy as np
from noiseless.mechanisms.interface import Mechanism
class M(Mechanism):
    name, kind = "mine", "scale"
    def release(self, values, rng):
        noise = self.parameter * rng.standard_normal(values.shape)
        return values + noise
    def variance(self, values): return self.parameter**2
MECHANISM = M
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("return values + noise", "values += noise; return values", "read-only.* copy them first"),
        (
            "return values + noise",
            "return (values + noise)[..., None]",
            r"of the shape \(\d+, \d+, 1\)",
        ),
        ("return values + noise", "return np.nan * values", "some are not finite"),
        ("return values + noise", "return values + 0j", "returns complex128"),
        ("return values + noise", "return 1.0", "returns float 1.0"),
        ("return values + noise", "return None", "returns NoneType None"),
        ("return values + noise", "raise SystemExit(3)", "fails in line 8: SystemExit: 3"),
        (
            "return values + noise",
            "return values + np.random.standard_normal(values.shape)",
            "other numbers",
        ),
        ("return self.parameter**2", "return self.parameter", "Correct `variance`"),
        ("return self.parameter**2", "return 'small'", "a number of at least 0, or None"),
        ('"scale"', '"epsilon"', "must fall with the parameter"),
        (
            "MECHANISM = M",
            "M.guarantee = lambda self, delta: 2.0\nMECHANISM = M",
            "BitsOfRange, Nats",
        ),
        (
            "MECHANISM = M",
            "M.__init__ = lambda self: None\nMECHANISM = M",
            "a domain and a parameter",
        ),
    ],
)
def test_a_mechanism_that_breaks_its_word_is_said(old, new, message, tmp_path):
    assert old in MECHANISM
    path = tmp_path / "mine.py"
    path.write_text(MECHANISM.replace(old, new), encoding="utf-8")
    with use_plugins([path]), pytest.raises(ConfigError, match=message) as raised:
        compared_homes()
    assert "mine" in str(raised.value)


def test_a_mechanism_that_keeps_its_word_takes_part(tmp_path):
    """The one that is broken above, whole."""
    path = tmp_path / "mine.py"
    path.write_text(MECHANISM, encoding="utf-8")
    with use_plugins([path]):
        tables = compared_homes()
    mine = tables["calibration"][tables["calibration"]["mechanism"] == "mine"]
    assert mine.loc[mine["statistic"] == "attainable", "value"].tolist() == [1, 1]


@pytest.mark.parametrize(
    ("name", "error"),
    [
        *(("laplace", each) for each in (0.2, 20)),
        *(("gaussian", each) for each in (0.2, 20)),
        *(("quantizer", each) for each in (0.2, 1)),
        ("one_bit", 20),
        *(("planar_laplace", each) for each in (0.2, 20)),
    ],
)
def test_our_mechanisms_keep_the_word_of_a_plugin(name, error, tmp_path):
    """Whatever their kind, however few releases an error is measured on."""
    path = tmp_path / "mine.py"
    path.write_text(
        f"from noiseless.mechanisms.compared.{name} import MECHANISM as OURS\n"
        "class M(OURS):\n    name = 'mine'\nMECHANISM = M\n",
        encoding="utf-8",
    )
    ours = load_mechanism(name)
    ranges = [Domain((0.0,), (5.0,), "kwh", people=3), Domain((0.0,), (12_000.0,), "w")]
    ranges += [Domain((0.0, 0.0), (30_000.0, 40_000.0), "m", values=2)]
    with use_plugins([path]):
        (mine,) = (each for each in plugin_mechanisms() if each.name == "mine")
    for domain in filter(ours.is_for, ranges):
        places = np.linspace(domain.low, domain.high, 7).squeeze()

        def measured(mechanism, places=places):
            is_place = mechanism.domain.coordinates == 2
            formula = mechanism.mean_distance if is_place else mechanism.variance
            if (said := formula(places)) is not None:
                return said if is_place else math.sqrt(said)
            away = mechanism.release(places, np.random.default_rng(1)) - places
            return float(np.sqrt((away**2).mean()))

        found = [
            each.for_error([error], domain=domain, error=measured, tolerance=0.5)[0]
            for each in (ours, mine)
        ]
        assert found[0].is_attainable == found[1].is_attainable


@pytest.mark.parametrize(
    "body",
    [
        "def prefer(self, e): e.sum_x[:] = 0; return e.sum_k",
        "sees_series = True\n    def prefer(self, e): e.series.output_kwh[:] = 0; return e.sum_k",
        "is_trained = True\n    def fit(self, t): t.homes_kwh[:] = 0; return self\n"
        "    def prefer(self, e): return e.sum_k",
        "is_trained = True\n    def fit(self, t):\n        for e, who in t.games(): who[:] = 0\n"
        "        return self\n    def prefer(self, e): return e.sum_k",
    ],
)
def test_an_adversary_cannot_change_what_others_see(body, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from noiseless.adversaries.interface import Adversary\n"
        f"class A(Adversary):\n    name = 'mine'\n    {body}\nADVERSARY = A\n",
        encoding="utf-8",
    )
    with use_plugins([path]), pytest.raises(ConfigError, match=r"'mine'.*copy them first"):
        compared_homes()


def test_figures_charts_and_summary_show_them_by_name(comparisons, played, bounded):
    added, _ = comparisons
    figure = comparison_figure.homes(added["comparison"], added["calibration"])
    assert any(RANKS in axis.get_title() for axis in figure.axes)
    assert GRID in figure.axes[0].get_legend_handles_labels()[1]
    figure = membership_figure.fig3(played[0], almost_zero=0.05)
    assert [axis.get_title() for axis in figure.axes].count(RANKS) == 1
    name = "beyond/comparison_homes_london"
    shown = chart_of("mechanisms-homes", name, added["comparison"])["columns"]
    assert GRID in shown["mechanism"]["of"]
    assert "none" not in shown["mechanism"]["of"]
    assert RANKS in shown["adversary"]["of"]
    shown = chart_of("membership", "noiseless/membership_london", played[0])["columns"]
    assert RANKS in shown["adversary"]["of"]
    taken = pd.DataFrame(
        {
            "statistic": ["homes", "homes_in_file", "days", "interval_s"],
            "value": [30.0, 30.0, 40.0, 86400.0],
        }
    )
    few = make_table(make_energy(homes=5))
    found = recommendation.recommendation_tables(
        few,
        **{"dataset": "toy", "seed": 1, "n": [4], "rounding_kwh": [0.1], "days_per_value": [1]},
        **{"gain": 0.2, "largest_error_share": 0.1, "draws": 2, "candidates": 4, "groups": 5},
        **{"splits": 1, "public_range_kwh": 100, "tolerance": 0.2},
        skip_impossible=True,
    )
    recommended = {f"recommendation_{name}": table for name, table in found.items()}
    summary = summary_table(
        {
            "taken": taken,
            "membership": played[0],
            **recommended,
        },
        dataset="my-town",
        kind="meters",
        almost_zero=0.05,
        aims={"gain": 0.2, "largest_error_share": 0.1},
        quantities=None,
    )
    assert summary["statement"].str.contains("strongest of four simple adversaries").any()


def test_an_edited_plugin_runs_again_what_used_it_alone(plugins, tmp_path):
    copy = tmp_path / "ranks.py"
    copy.write_text(Path(plugins[1]).read_text(encoding="utf-8"), encoding="utf-8")
    compares = "noiseless.papers.beyond.comparison_homes.comparison_tables"
    draws = "noiseless.papers.beyond.figures.comparison.homes"
    before = plugin_digests([str(copy)])
    copy.write_text(copy.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    after = plugin_digests([str(copy)])
    assert call(compares, plugins=before) != call(compares, plugins=after)
    assert call(draws, plugins=before) == call(draws, plugins=after)
    # The count of unique trips plays no game.
    counts = "noiseless.papers.noiseless.trips.place_budget_table"
    assert call(counts, plugins=before) == call(counts, plugins=after)
    assert "plugins" not in call(compares, plugins={})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1", "defines no MECHANISM and no ADVERSARY"),
        ("import nothing_of_that_name", "cannot be imported: ModuleNotFoundError"),
        ("ADVERSARY = 7", "is 7, but it must be derived from Adversary"),
        ("class A(B): pass\nADVERSARY = A", "has no `name`"),
        ("class A(B):\n    name = 'mse'\nADVERSARY = A", "is called 'mse', which is taken"),
        ("class A(B):\n    name = 'a'\nADVERSARY = A", "lacks prefer, states, link"),
        (
            "class A(B):\n    name, is_control = 'a', True\n    def prefer(self, evidence): ...\n"
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
        membership_adversaries(trained=True)
    assert all(each.name != "a" for each in membership_adversaries(trained=True))


def test_a_mechanism_without_a_kind_or_a_file_that_is_not_there_is_said(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from noiseless.mechanisms.interface import Mechanism\n"
        "class M(Mechanism):\n    name = 'm'\n    def release(self, values, rng): return values\n"
        "MECHANISM = M\n",
        encoding="utf-8",
    )
    with pytest.raises(ConfigError, match="'m' has no `kind`"), use_plugins([path]):
        mechanisms_for(Domain((0.0,), (1.0,), "kwh"))
    for name in ("absent.py", "m" * 300 + ".py"):
        with pytest.raises(ConfigError, match="is no file"):
            plugin_digests([str(tmp_path / name)])
