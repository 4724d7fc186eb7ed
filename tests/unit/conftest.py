"""Fixtures that tests of several folders share."""

import pandas as pd
import pytest

from toy_trips import SETTINGS, make_trips


@pytest.fixture(scope="session")
def caption_paths(root):
    """Path of each figure's caption, by ``<paper>_<caption>`` or ``custodian_<caption>``."""
    found = (root / "workflow/noiseless").rglob("*.rst")
    return {f"{path.parents[1].name}_{path.stem}": path for path in found}


@pytest.fixture(scope="session")
def linked_trips():
    """Reports linked to trips: at hardly any error, at 1.5 km, and at 10,000 km."""
    # Imported here: it takes as long as all other imports of a small test.
    from noiseless.papers.beyond import comparison_trips

    return comparison_trips.comparison_tables(
        make_trips(), target_error_m=[1, 1500, 1e7], **SETTINGS
    )


@pytest.fixture(scope="session")
def own_people_settings(root):
    """Settings of the experiment on five people of a user's."""
    # Imported here: the library's tests run without what reads a configuration, too.
    from noiseless.papers.nsht.two_numbers import people_settings
    from noiseless.pipeline.configuration import load_config

    experiment = load_config(root / "config" / "smoke.yaml")["nsht"]["blurring"]
    x1 = {"column": "kilos", "unit": "kg", "range": [0, 200]}
    x2 = {"column": "waist", "unit": "cm", "range": [50, 150]}
    people = {"x1": x1, "x2": x2, "threshold": [0, 1], "above": "heavy", "histogram_rho": [0.2]}
    return people_settings(people, experiment)


@pytest.fixture(scope="session")
def own_people_tables(own_people_settings):
    """Tables of the experiment on five people of a user's."""
    from noiseless.papers.nsht.two_numbers import people_tables

    people = pd.DataFrame({"x1": [80.0, 101, 97, 120, 60], "x2": [90.0, 100, 100, 100, 60]})
    return people_tables(people, **own_people_settings)
