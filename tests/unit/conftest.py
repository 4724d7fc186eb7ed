"""Fixtures that tests of several folders share."""

import pytest

from toy_trips import SETTINGS, make_trips


@pytest.fixture(scope="session")
def caption_paths(root):
    """Path of each figure's caption, by ``<paper>_<caption>``."""
    found = (root / "workflow/noiseless").rglob("*.rst")
    return {f"{path.parents[1].name}_{path.stem}": path for path in found}


@pytest.fixture(scope="session")
def linked_trips():
    """Reports linked to trips: at hardly any error, at 1.5 km, and at 10,000 km."""
    # Imported here: it takes as long as all other imports of a small test.
    from noiseless.papers.beyond import comparison_trips

    return comparison_trips.build_comparison_tables(
        make_trips(), target_error_m=[1, 1500, 1e7], **SETTINGS
    )
