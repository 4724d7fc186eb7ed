"""Synthetic sample of the young people survey's ``responses.csv``."""

from pathlib import Path

import numpy as np

from noiseless.data.young_people import ANSWERS, CATEGORIES, COLUMNS
from noiseless.files import write_atomically
from noiseless.seeds import make_generator

# Mean and standard deviation of height (cm); mean and spread (log scale) of the body mass index.
_BODY = {"female": (168.0, 6.5, 21.0, 0.11), "male": (182.0, 7.0, 23.5, 0.13)}
_MISSING = {"Height": 0.02, "Weight": 0.02}
_MISSING_ELSEWHERE = 0.004


def write_young_people(path: str | Path, *, rows: int, seed: int) -> None:
    """Write a synthetic ``responses.csv`` of the survey in the original format.

    Answers are independent and uniform; sex, height and weight are dependent, with a heavy upper
    tail of weight; cells are missing at about the survey's rates; and one height is mistyped (62
    cm), as in the original.
    """
    rng = make_generator(seed, "sample", "young_people")
    low, high = ANSWERS
    usual = tuple(range(low, high + 1))
    columns = {name: rng.choice(CATEGORIES.get(name, usual), rows) for name in COLUMNS}
    gender = rng.choice(CATEGORIES["Gender"], rows, p=[0.59, 0.41])
    body = np.array([_BODY[sex] for sex in gender])
    height = np.rint(rng.normal(body[:, 0], body[:, 1])).astype(int)
    bmi = body[:, 2] * np.exp(body[:, 3] * rng.standard_t(5, rows))
    columns["Weight"] = np.clip(np.rint(bmi * (height / 100) ** 2), 41, 165).astype(int)
    columns["Height"] = height
    columns["Height"][rng.integers(rows)] = 62
    columns["Gender"] = gender
    columns["Age"] = np.clip(np.rint(15 + rng.gamma(4, 1.4, rows)), 15, 30).astype(int)
    columns["Number of siblings"] = rng.poisson(1.3, rows)

    cells = [
        _format_cells(columns[name], rng.random(rows) < _MISSING.get(name, _MISSING_ELSEWHERE))
        for name in COLUMNS
    ]
    header = ",".join(f'"{name}"' for name in COLUMNS)
    lines = [header, *(",".join(row) for row in zip(*cells, strict=True))]
    with write_atomically(path) as partial:
        partial.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _format_cells(values: np.ndarray, missing: np.ndarray) -> list[str]:
    """Format cells as the original does: quotation marks around text only, "" if missing."""
    quote = '"' if values.dtype.kind == "U" else ""
    return [
        "" if gone else f"{quote}{value}{quote}"
        for value, gone in zip(values, missing, strict=True)
    ]
