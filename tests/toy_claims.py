"""Claims and tables of a paper that is not there, for the tests of the ledger and of its page."""

import pandas as pd
import yaml

from noiseless.errors import TooSmallError
from noiseless.figures.style import create_figure
from noiseless.tables import Source

SAMPLE = Source("ausgrid", "sample", "aa" * 32, "other")
REAL = Source("ausgrid", "download", "bb" * 32, "registered", "all.csv")


def table(*rows, columns="n eps statistic value", **more):
    """Table from its rows; ``more`` are columns appended to it."""
    return pd.DataFrame(list(rows), columns=columns.split()).assign(**more)


def claims_file(tmp_path, *claims, paper="toy", **document):
    document = {
        "paper": paper,
        "title": f"Doe, A {paper} paper",
        "data": {
            "ausgrid": {"paper": ["all.csv"], "stand_in": "other homes"},
            "redd": {"paper": [], "stand_in": "another home"},
        },
        "claims": list(claims),
        **document,
    }
    folder = tmp_path / "papers"
    (folder / paper).mkdir(parents=True, exist_ok=True)
    (folder / paper / "claims.yaml").write_text(yaml.safe_dump(document, sort_keys=False), "utf-8")
    return folder


def entry(check, **more):
    """A claim of a claims file; ``check`` is YAML."""
    check = {"table": "toy/t", **yaml.safe_load(check)}
    base = {"id": "toy-1", "locator": "Fig. 1", "claim": "It is so.", "needs": [], "check": check}
    return {**base, **more}


def erratum(check):
    check = {"table": "toy/t", **yaml.safe_load(check)}
    return {"wrong": "The sign is wrong.", "holds": "The opposite holds.", "check": check}


GRID = table(
    *[
        (n, eps, "advantage", value)
        for n, values in {4: (0.1, 0.2, 0.4), 8: (0.05, 0.1, 0.3)}.items()
        for eps, value in zip((1, 2, 3), values, strict=True)
    ]
)
PASSES = "{where: {n: 4, eps: 2}, equals: 0.2, tolerance: {absolute: 0, why: exact}}"
FAILS = "{where: {n: 4, eps: 2}, equals: 0.25, tolerance: {absolute: 0.01, why: exact}}"


# Functions that the scripts of the toy's rules call --------------------------------------------


def toy_draw(*, seed, cells=3):
    """A table of the seed alone."""
    return table(*[(4, eps, "advantage", seed % 2 + eps / 10) for eps in range(1, cells + 1)])


def toy_count(readings):
    """Tables of homes: how many, and their mean."""
    homes = readings["home"].nunique()
    if homes < 3:
        raise TooSmallError(f"{homes} homes are too few.")
    return {
        "number": table((4, 1, "homes", homes)),
        "mean": table((4, 1, "energy", readings["energy_kwh"].mean())),
    }


def toy_figure(table, *, width_in):
    """A figure as wide as the setting says, with a line of the table's values."""
    figure, (axis,) = create_figure(width_in=width_in)
    axis.plot(table["value"])
    return figure
