"""compare(): each form of data, equal errors and equal budgets, controls, and what is refused."""

import math
import re
import sys
from functools import partial

import numpy as np
import pandas as pd
import pytest

import noiseless
from noiseless import (
    Adversary,
    Homes,
    LaplaceMechanism,
    Mechanism,
    UserError,
    compare,
    use_plugins,
)
from noiseless.command_line import main
from noiseless.data.samples.own_files import draw_people, draw_trips
from noiseless.papers.beyond.own_files import FORMS
from toy_homes import make_energy, make_table
from toy_meter import make_recording

ENERGY = make_energy(homes=30, readings=20, idle=False)
BOX_M = ((0, 10_000), (0, 10_000))
PEOPLE = {"age": (0, 120), "weight_kg": (20, 200), "height_cm": (100, 220)}


class Rounding(Mechanism):
    name = "rounding of mine"
    kind = "scale"
    is_deterministic = True

    def release(self, values, rng):
        return self.parameter * np.round(self.domain.clip(values) / self.parameter)


class Totals(Adversary):
    name = "totals"

    def prefer(self, view):
        mean = view.offset_wh + view.step_wh * (view.first_bin + view.sum_bins / view.n_readings)
        distance = np.abs(view.sum_readings_wh / view.n_readings - mean[:, None])
        return distance[:, 1] - distance[:, 0]


class Blind(Adversary):
    name = "control of mine"
    is_control = True

    def prefer(self, view):
        return (view.sum_readings_wh[:, 0] - view.sum_readings_wh[:, 1]).astype(float)


def compare_homes(data=None, **changed):
    settings = {
        "public_range": 5,
        "n": 3,
        "errors": [0.3],
        "games": 40,
        "mechanisms": ["laplace"],
        "adversaries": ["mse"],
    }
    return compare(Homes(ENERGY) if data is None else data, **{**settings, **changed})


@pytest.fixture(scope="module")
def homes():
    """Own classes beside this package's, against a control of one's own."""
    return compare_homes(
        mechanisms=["quantizer", "laplace", Rounding],
        adversaries=["mse", "pair_known", Totals],
        control=Blind,
        errors=[0.3, 0.1],
    )


def test_a_table_says_what_is_equal_and_what_each_adversary_knows(homes):
    table = homes.table
    assert homes.form == "homes"
    assert set(table["equal"]) == {"target_error_kwh"}
    assert set(table["mechanism"]) == {"none", "quantizer", "laplace", Rounding.name}
    knows = dict(zip(table["adversary"], table["knows"], strict=True))
    assert knows == {
        "mse": "the two homes and the release",
        "totals": "the two homes and the release",
        "pair_known": "the two homes and the release; other homes and the mechanism",
        "control of mine": "the two homes, and no release",
    }
    assert set(table.loc[table["is_control"], "adversary"]) == {Blind.name}
    assert set(table["over"]) == {"games"}
    assert table["low_over_homes"].notna().all()
    assert ((table["low"] <= table["gain"]) & (table["gain"] <= table["high"])).all()
    played = table[table["mechanism"] == "laplace"]
    assert played["error_kwh"].to_numpy() == pytest.approx(
        played["target_error_kwh"].to_numpy(), rel=0.2
    )


def test_parameters_name_what_is_attained(homes):
    found = homes.parameters.set_index(["mechanism", "target_error_kwh"])
    assert found["is_attained"].sum() >= 4
    assert (found["parameter"].notna() == found["is_attained"]).all()
    assert ((found["why_not"] == "") == found["is_attained"]).all()
    assert found.loc[("laplace", 0.3), "parameter_name"] == "scale_kwh"
    far = compare_homes(errors=[50.0]).parameters.iloc[0]
    assert not far["is_attained"]
    assert far["why_not"] == f"its largest error is {far['largest_error_kwh']:.3g}"


def test_the_best_adversary_and_what_the_control_says(homes):
    best = homes.find_best()
    seeing = homes.table[~homes.table["is_control"]]
    assert len(best) == len(seeing[["mechanism", "target_error_kwh"]].drop_duplicates())
    for row in best.itertuples():
        same = seeing[
            (seeing["mechanism"] == row.mechanism)
            & (seeing["target_error_kwh"] == row.target_error_kwh)
        ]
        assert row.gain == same["gain"].max()
    said = homes.describe_control()
    assert said.startswith("The control 'control of mine', who sees no release, gains ")
    assert "at n = 3" in said


def test_a_tidy_table_a_file_and_an_array_are_one(tmp_path):
    tidy = make_table(ENERGY)
    tidy.to_csv(tmp_path / "homes.csv", index=False)
    array = compare_homes().table
    for data in (tidy, tmp_path / "homes.csv", str(tmp_path / "homes.csv")):
        pd.testing.assert_frame_equal(compare_homes(data).table, array)


def test_it_is_the_comparison_of_this_project():
    """The numbers of the rule's own function on the same homes, but for the streams' name."""
    from noiseless.papers.beyond import comparison_homes

    tables = comparison_homes.build_comparison_tables(
        make_table(ENERGY),
        dataset="own",
        seed=1,
        games=40,
        training_games=40,
        n=[3],
        target_error_kwh=[0.3],
        public_range_kwh=5,
        delta=1e-5,
    )
    rows = tables["comparison"]
    of_it = rows[
        (rows["statistic"] == "gain")
        & (rows["mechanism"] == "laplace")
        & (rows["adversary"] == "mse")
    ]
    found = compare_homes().table
    mine = found[(found["mechanism"] == "laplace") & (found["adversary"] == "mse")]
    assert mine["gain"].item() == of_it["value"].item()


@pytest.mark.parametrize("budget", [1.0, 2.0])
def test_equal_budgets_are_spent_and_no_more(budget):
    """The number of levels by a plain loop, the scale of Laplace noise by its formula."""
    bits = compare_homes(errors=None, budgets_bits=[budget], mechanisms=["quantizer", "laplace"])
    quantizer, laplace = bits.parameters.to_dict(orient="records")
    levels = max(each for each in range(1, 50) if math.log2(min(each, -(-each // 3) + 1)) <= budget)
    assert (quantizer["parameter"], quantizer["epsilon_bits"]) == (levels, budget)
    assert laplace["why_not"] == "its guarantee is in nats"
    nats = compare_homes(errors=None, budgets_nats=[budget])
    [row] = nats.parameters.to_dict(orient="records")
    assert row["parameter"] == pytest.approx(5 / 3 / budget)
    assert row["epsilon_nats"] == pytest.approx(budget)
    unprotected = nats.table[nats.table["mechanism"] == "none"]
    assert (unprotected["budget_nats"] == math.inf).all()
    assert set(nats.table["equal"]) == {"budget_nats"}


def test_a_mechanism_without_a_guarantee_is_named_at_a_budget():
    found = compare_homes(errors=None, budgets_bits=[2], mechanisms=[Rounding]).parameters
    assert found["why_not"].tolist() == ["it has no guarantee"]


def make_meter(bins=400):
    """A recording as a tidy table, with 40 minutes of each hour in which nothing is on."""
    recording = make_recording(bins)
    times = pd.date_range("2024-01-01", periods=bins, freq="15min")
    meters = {"mains": recording.mains_w, "fridge": recording.power_w[:, 0]}
    meters["kettle"] = recording.power_w[:, 1]
    return pd.concat(
        pd.DataFrame({"time": times, "meter": name, "power_w": power_w})
        for name, power_w in meters.items()
    )


OTHER_FORMS = {
    "meter": (
        make_meter,
        {"public_range": (0, 2000), "period_s": 900, "errors": [0.3], "adversaries": ["hmm"]},
    ),
    "trips": (
        lambda: draw_trips().drop_duplicates(),
        {"public_range": BOX_M, "n": 20, "errors": [500]},
    ),
    "people": (
        lambda: draw_people().drop_duplicates(),
        {"public_range": PEOPLE, "n": 20, "errors": [0.1]},
    ),
}


@pytest.mark.parametrize("form", ["trips", "people"])
def test_each_form_of_data_is_played(form):
    make, settings = OTHER_FORMS[form]
    found = compare(make(), mechanisms=["quantizer", "laplace"], games=200, **settings)
    assert found.form == form
    assert found.parameters["is_attained"].any()
    gain = found.table.set_index(["mechanism", "adversary"])["gain"]
    best = gain.drop(labels=found._drawn["control"], level="adversary")
    assert gain["none"].max() == best.max() > 0.3
    control = found.table[found.table["adversary"] == found._drawn["control"]]
    assert (control["low"] < 0.01).all()
    assert (best["laplace"] < best["none"]).all()


def test_errors_of_people_are_root_mean_squares_of_shares():
    found = compare(
        draw_people().drop_duplicates(),
        public_range=PEOPLE,
        n=5,
        errors=[0.1],
        games=2000,
        mechanisms=["laplace"],
    )
    scale = found.parameters["parameter"].item()
    assert scale == pytest.approx(0.1 / math.sqrt(2))
    error = found.table.loc[found.table["mechanism"] == "laplace", "error_share"].iloc[0]
    assert error == pytest.approx(0.1, rel=0.05)


def test_plugins_that_are_active_play(tmp_path):
    with use_plugins([Rounding, Totals]):
        found = compare_homes(mechanisms=None, adversaries=["totals"], games=20)
        again = compare_homes(mechanisms=[Rounding], adversaries=[Totals], games=20)
    assert Rounding.name in set(found.parameters["mechanism"])
    assert set(again.table["mechanism"]) == {"none", Rounding.name}


def test_the_files_are_written_and_the_figure_is_one_picture(homes, tmp_path):
    paths = homes.save(tmp_path / "new" / "folder")
    assert [path.name for path in paths] == [
        "comparison.csv",
        "comparison.png",
        "comparison.pdf",
        "parameters.csv",
    ]
    assert len(pd.read_csv(paths[0])) == len(homes.table)
    assert all(path.stat().st_size > 1000 for path in paths[:3])
    titles = [axis.get_title() for axis in homes.figure.axes if axis.get_visible()]
    assert titles == [
        "mean square error, n = 3",
        "pair, others' mean known, n = 3",
        "totals, n = 3",
    ]
    (tmp_path / "taken").touch()
    with pytest.raises(UserError, match="taken: cannot be made"):
        homes.save(tmp_path / "taken")


class NoCoin(Adversary):
    name = "control: none"

    def prefer(self, view):
        return view.sum_readings_wh[:, 0]


class Linker(Adversary):
    name = "a linker"

    def link(self, view):
        return np.zeros(view.people_m.shape[:2])


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"data": 3}, "`data` must be a DataFrame or a path"),
        ({"data": "no_such.csv"}, "no_such.csv: no such file"),
        ({"data": pd.DataFrame({"a": [1]})}, "the table .* its columns are a, .* no form"),
        ({"data": pd.DataFrame({"home": ["a"], "2024-01-01": [1]})}, "must have home, time"),
        ({"public_range": -1}, "`public_range` must be a number of kWh a day"),
        ({"public_range": "wide"}, "`public_range` must be a number of kWh a day"),
        ({"n": None}, "`n` must be given: how many homes"),
        ({"n": 1}, "`n` must be a whole number from 2"),
        ({"n": []}, "`n` must be one whole number"),
        ({"n": 20}, "`n` must be below 15, as half of the 30 homes play"),
        ({"errors": None}, "exactly one of `errors`, .* got none"),
        ({"budgets_bits": [1]}, "exactly one of .* got errors and budgets_bits"),
        ({"errors": []}, "`errors` must be numbers larger than 0"),
        ({"errors": [0.1, -1]}, "`errors` must be numbers larger than 0"),
        ({"errors": 0.1}, "`errors` must be a list of numbers"),
        ({"mechanisms": "laplace"}, "`mechanisms` must be a list of names and classes"),
        ({"mechanisms": []}, "`mechanisms` must be a list of names and classes"),
        ({"mechanisms": ["laplase"]}, "no mechanism that is called 'laplase'"),
        ({"mechanisms": ["laplace", LaplaceMechanism]}, "'laplace' is given twice"),
        ({"mechanisms": [Totals]}, "must be names or subclasses of noiseless.Mechanism"),
        ({"mechanisms": ["planar_laplace"]}, "'planar_laplace' can release these values"),
        ({"adversaries": ["ms"]}, "no adversary that is called 'ms'"),
        ({"adversaries": [Linker]}, "'a linker' can play the game of homes"),
        ({"adversaries": [Totals()]}, "Give the class, not an object"),
        ({"control": "mse"}, "'mse' has is_control = False"),
        ({"control": NoCoin}, "has is_control = False"),
        ({"adversaries": [Blind]}, "`adversaries` must have one who sees the release"),
        ({"games": 0}, "`games` must be a whole number from 1"),
        ({"seed": -1}, "`seed` must be a whole number from 0"),
        ({"delta": 0}, "`delta` must be a number between 0 and 1"),
        ({"resolution": "weeks"}, "`resolution` must be one of days, hours, half-hours"),
        ({"period_s": 60}, "`period_s` is of data of the form meter, but these are homes"),
    ],
    ids=lambda each: str(each)[:40] if isinstance(each, str) else "",
)
def test_what_is_wrong_is_one_line(changed, said):
    changed = dict(changed)
    with pytest.raises(UserError, match=said) as raised:
        compare_homes(changed.pop("data", None), **changed)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("form", "changed", "said"),
    [
        ("meter", {"n": 3}, "`n` is not of a meter"),
        ("meter", {"public_range": 5}, "`public_range` must be both ends in W"),
        ("meter", {"train_before": "someday"}, "`train_before` must be a day"),
        ("trips", {"public_range": (0, 10)}, "`public_range` must be the ends of x and those of y"),
        ("trips", {"public_range": ((0, 10), (0, 10))}, "from_x_m.* is outside the public range"),
        ("trips", {"n": 5000}, "`n` must be at most the 2000 records, got 5000"),
        ("people", {"public_range": {"age": (0, 120)}}, "a mapping from two or more columns"),
        ("people", {"public_range": {"age": (0, 120), "wealth": (0, 1)}}, "'wealth' is missing"),
        ("people", {"public_range": {"age": (0, 120), "height_cm": (9, 1)}}, "no.* public range"),
    ],
)
def test_what_is_wrong_of_other_data_is_one_line(form, changed, said):
    make, settings = OTHER_FORMS[form]
    with pytest.raises(UserError, match=said) as raised:
        compare(make(), **{"mechanisms": ["laplace"], "games": 10, **settings, **changed})
    assert "\n" not in str(raised.value)


@pytest.fixture(scope="module")
def user(root, tmp_path_factory):
    """A folder with data of a user's and the files of docs/plugins.md; and its page."""
    folder = tmp_path_factory.mktemp("user")
    page = (root / "docs/plugins.md").read_text(encoding="utf-8")
    for block in re.findall(r"```python\n(.*?)```", page, re.S):
        if name := re.match(r'"""(\w+\.py)"""', block):
            (folder / name[1]).write_text(block, encoding="utf-8")
    homes = make_energy(homes=20, readings=30, idle=False)
    for name, table in (
        ("homes", make_table(homes)),
        ("meter", make_meter()),
        ("trips", draw_trips().drop_duplicates()),
        ("people", draw_people().drop_duplicates()),
    ):
        table.to_csv(folder / f"{name}.csv", index=False)
    return folder, page


def test_the_documented_comparisons_of_each_form_run(user, monkeypatch, capsys):
    folder, page = user
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setattr(noiseless, "compare", partial(compare, games=200))
    (block,) = [each for each in re.findall(r"```python\n(.*?)```", page, re.S) if "box_m" in each]
    names = {}
    exec(block, names)
    assert [names[form].form for form in FORMS] == list(FORMS)
    assert "The control 'control', who sees no release" in capsys.readouterr().out
    assert (folder / "results/compare/comparison.png").is_file()
    meter = names["meter"].table.set_index("mechanism")
    seen = meter[meter["adversary"] == "hmm"]["gain"]
    assert seen["none"].item() == seen.max() > 0.1
    for name in ("ranks", "rounding"):
        sys.modules.pop(name)


def test_the_documented_file_is_played_by_the_command(user, monkeypatch, capsys):
    folder, page = user
    monkeypatch.chdir(folder)
    (block,) = re.findall(r"```\n(data: .*?)```", page, re.S)
    (folder / "mine.yaml").write_text(block, encoding="utf-8")
    assert main(["compare", "mine.yaml"]) == 0
    said = capsys.readouterr().out
    assert "The best adversary against each release" in said
    assert "Written: results/mine/comparison.csv" in said
    found = pd.read_csv(folder / "results/mine/comparison.csv")
    assert {"rounding to a private grid", "laplace"} <= set(found["mechanism"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("error: [1]", "unknown key `error`. Did you mean `errors`?"),
        ("data: homes.csv", "key `public_range` is missing"),
        ("[1]", "it must have keys"),
        ("data: 3\npublic_range: 1", "`data` must be the path of a file"),
        ("data: homes.csv\npublic_range: 5\nplugins: mine.py", "`plugins` must be a list"),
    ],
)
def test_what_is_wrong_in_a_file_is_one_line(user, monkeypatch, capsys, text, said):
    monkeypatch.chdir(user[0])
    (user[0] / "wrong.yaml").write_text(text, encoding="utf-8")
    assert main(["compare", "wrong.yaml"]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
