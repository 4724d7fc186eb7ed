"""A blurring policy is one file: tables and figures then know it."""

import pandas as pd
import pytest

from noiseless.mechanisms import policies
from noiseless.mechanisms.policies import load_blurring_policies
from noiseless.papers.nsht import blurring, blurring_limits
from noiseless.papers.nsht.figures import blurring as figures

MIDDLE = '''"""Both sides of a band of one and a half times the width."""

from noiseless.mechanisms.policies.overlay import OverlayBlurring


class MiddleBlurring(OverlayBlurring):
    name, label = "middle", "between stretch and overlay"
    colour, dashes, order = "purple", "-.", 7
    reach = 1.5


POLICY = MiddleBlurring
'''
PUBLIC = {"weight_range_kg": [0, 200], "height_range_cm": [0, 250], "bmi_kg_m2": 30}
NORM = {**PUBLIC, "kg_per_cm": 1}
BIN = {"weight_kg": 2.5, "height_cm": 2.5}
SURVEY = pd.DataFrame({"weight_kg": [120.0, 119.0, 126.0, 80.0], "height_cm": [200.0] * 4})
PAIR = {"rho_per_kg": [0.1, 0.2], "bmi_kg_m2": 30}


def tables():
    rho = {"rho_per_kg": [0.1, 1], "histogram_rho_per_kg": [0.1]}
    return {
        "budget": blurring.build_guarantees_table(**NORM, rho_per_kg=[0.1, 1]),
        **blurring.build_survey_tables(SURVEY, **NORM, **rho, histogram_bin=BIN),
        "composition": blurring_limits.build_composition_table(SURVEY, **PUBLIC, pairs=[PAIR]),
    }


@pytest.fixture
def one_more(tmp_path, monkeypatch):
    """A file in the folder of policies, and nothing else."""
    (tmp_path / "middle.py").write_text(MIDDLE, encoding="utf-8")
    monkeypatch.setattr(policies, "__path__", [*policies.__path__, str(tmp_path)])
    load_blurring_policies.cache_clear()
    yield
    monkeypatch.undo()
    load_blurring_policies.cache_clear()


def test_names_are_those_of_the_files_and_in_order():
    assert list(load_blurring_policies()) == [
        *("collapse", "stretch", "overlay", "slices", "normal", "round", "odds")
    ]
    assert all(each.label for each in load_blurring_policies().values())


def test_one_file_adds_a_policy_to_tables_and_figures(one_more):
    added = tables()
    assert all("middle" in set(table["policy"]) for table in added.values())
    budget = added["budget"].query("statistic == 'undecided_share' and rho_per_kg == 0.1")
    shares = budget.set_index("policy")["value"]
    assert shares["stretch"] < shares["middle"] < shares["overlay"]
    figure = figures.plot_fig5_people(added["people"])
    assert "middle" in figure.axes[0].get_legend_handles_labels()[1]
    figure = figures.plot_blurring_price(added["people"])
    assert "between stretch and overlay" in figure.axes[0].get_legend_handles_labels()[1]
    histograms = figures.plot_fig5(
        added["histogram"], added["people"], bmi_kg_m2=30, histogram_bin=BIN
    )
    assert any(
        axis.get_ylabel().startswith("between stretch and\noverlay\n") for axis in histograms.axes
    )
    load_blurring_policies.cache_clear()
    policies.__path__.pop()
    for name, table in tables().items():
        others = added[name][added[name]["policy"] != "middle"].reset_index(drop=True)
        pd.testing.assert_frame_equal(others, table)
