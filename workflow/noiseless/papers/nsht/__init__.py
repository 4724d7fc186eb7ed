"""F. Farokhi, "Non-Stochastic Hypothesis Testing for Privacy" (``nsht``)."""

from collections.abc import Mapping
from typing import Any

from noiseless.statements import DataUse, Paper

TITLE = 'F. Farokhi, "Non-Stochastic Hypothesis Testing for Privacy"'
SECTIONS = ("section_2", "section_3", "section_4", "section_5", "section_6", "appendix", "ours")
DATA: Mapping[str, Any] = {
    "young_people": {
        "paper": ["responses.csv"],
        "stand_in": "answers that are not those of the young people survey",
    }
}

paper = Paper(
    "nsht",
    TITLE,
    data={name: DataUse(tuple(use["paper"]), use["stand_in"]) for name, use in DATA.items()},
    sizes=("nsht.rho_points", "nsht.epsilon_points"),
)
