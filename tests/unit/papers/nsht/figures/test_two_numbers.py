"""Figures of people with any two numbers."""

import matplotlib.image
import pytest

from noiseless.papers.nsht.figures import two_numbers


@pytest.mark.slow
def test_figures_of_people(own_people_tables, own_people_settings, tmp_path):
    """They can be drawn and saved, also where nobody is above."""
    nobody = own_people_tables["people"].assign(
        value=lambda table: table["value"].where(~table["statistic"].str.startswith("heavy"), 0)
    )
    quantities = {"quantities": own_people_settings["quantities"]}
    drawn = (
        two_numbers.fig4(own_people_tables["budget"], own_people_tables["enclosure"], **quantities),
        two_numbers.fig5(
            own_people_tables["histogram"],
            own_people_tables["people"],
            **quantities,
            **{key: own_people_settings[key] for key in ("threshold", "bin_size")},
        ),
        two_numbers.fig5_people(nobody, **quantities),
    )
    for figure in drawn:
        figure.savefig(tmp_path / "figure.png")
        assert matplotlib.image.imread(tmp_path / "figure.png").std() > 0.01
    labels = [axis.get_xlabel() for axis in drawn[1].axes]
    assert "kilos (kg)" in labels
