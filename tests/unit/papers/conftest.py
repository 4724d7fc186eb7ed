"""Fixtures that tests of several experiments share."""

import pytest

from enumerations import GUARANTEES, sums_by_statement
from noiseless.papers.noiseless import guarantees


@pytest.fixture(scope="session")
def guarantee_tallies():
    """Tallies of the guarantees of the noiseless paper, one row per statement."""
    return sums_by_statement(guarantees.build_theorem_table(**GUARANTEES))
