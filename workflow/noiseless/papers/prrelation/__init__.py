"""C. Liu and others, "Statistical Privacy Frameworks" by hypothesis testing (``prrelation``)."""

from collections.abc import Mapping
from typing import Any

from noiseless.statements import DataUse, Paper

TITLE = (
    'C. Liu, X. He, T. Chanyaswad, S. Wang, P. Mittal, "Investigating Statistical Privacy '
    'Frameworks from the Perspective of Hypothesis Testing"'
)
SECTIONS = (
    "section_3",
    "section_4",
    "section_5",
    "section_6",
    "section_7",
    "appendix",
    "ours",
    "joint",
)
DATA: Mapping[str, Any] = {
    "young_people": {
        "paper": ["responses.csv"],
        "stand_in": "answers that are not those of the young people survey",
    }
}

paper = Paper(
    "prrelation",
    TITLE,
    data={name: DataUse(tuple(use["paper"]), use["stand_in"]) for name, use in DATA.items()},
    presumes={"prrelation.delta": 1e-05, "prrelation.gaussian_epsilon_nats": 1},
    sizes=(
        "prrelation.points.curves",
        "prrelation.points.f_scores",
        "prrelation.points.bounds",
        "prrelation.points.meaning",
        "prrelation.answers",
    ),
)
