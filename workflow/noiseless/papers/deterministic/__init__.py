"""F. Farokhi, "Development and Analysis of Deterministic Privacy-Preserving Policies ..."."""

from collections.abc import Mapping
from typing import Any

from noiseless.statements import DataUse, Paper

TITLE = (
    'F. Farokhi, "Development and Analysis of Deterministic Privacy-Preserving Policies Using '
    'Non-Stochastic Information Theory"'
)
SECTIONS = ("section_2", "section_3", "section_4", "section_5", "ours")
DATA: Mapping[str, Any] = {
    "young_people": {
        "paper": ["responses.csv"],
        "stand_in": "answers that are not those of the young people survey",
    }
}

paper = Paper(
    "deterministic",
    TITLE,
    data={name: DataUse(tuple(use["paper"]), use["stand_in"]) for name, use in DATA.items()},
    # The paper's choice; a table that was made with another says nothing of the paper.
    presumes={"deterministic.k_anonymity.most_excluded_share": 0.05},
    sizes=(
        "deterministic.policies.accuracies_per_unit",
        "deterministic.policies.lattice",
        "deterministic.policies.raster_lattice",
        "deterministic.policies.two_outputs.sides",
        "deterministic.policies.two_outputs.accuracy",
        "deterministic.k_anonymity.k",
    ),
)
