"""Synthetic samples of the public datasets, for runs without network or login.

They are written in the original file formats and with the originals' irregularities, so that the
readers of real data read them.  No value is taken from the data.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # tables need an extra, and `noiseless samples` does not
    from noiseless.tables import Provenance

# Fidelity of each: in what it is like the original, and unlike, which its figures and the results
# page say; data/README.md has the numbers of a complete run beside those of real data.
FIDELITY: Final[Mapping[str, str]] = {
    "young_people": "heights and weights are about as of young women and men; each other answer is "
    "drawn by itself, so that no two go together",
    "ausgrid": "homes differ as much as real ones, with holidays and a controlled load; they use "
    "more than real homes of that network, and follow the seasons together more",
    "london": "mean, spread and likeness of homes are about the real ones'; a home's days are "
    "drawn each by itself around its mean in the season, and hold no habit",
    "nyc_taxi": "ends lie on streets around busy places, with as many bad rows as real files; a "
    "start and its end are drawn apart, so that no trip is a habit",
    "redd": "appliances are on about as often as REDD's; they use most of the mains, 73 % where "
    "the real ones use 26 to 49 %, so that they are easier to detect",
}


def select_fidelity(*provenances: "Provenance") -> list[tuple[str, str]]:
    """Select the fidelity, in words, of the samples behind tables, by the names of the datasets."""
    sources = {source for each in provenances for source in each.sources}
    sampled = sorted({source.dataset for source in sources if source.tier == "sample"})
    return [(name, FIDELITY[name]) for name in sampled if name in FIDELITY]
