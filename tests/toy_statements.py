"""Statements and tables of a paper that is not there, for the tests of the ledger and its page."""

from pathlib import Path

import pandas as pd

from noiseless.errors import TooSmallError
from noiseless.figures.style import create_figure
from noiseless.ledger.rows import describe_ledger
from noiseless.statements import DataUse, Margin, Paper, bounded, corrects, equals, select, widen
from noiseless.statements import table as take_table
from noiseless.statements.registry import Category, Run, Sizes
from noiseless.statements.running import run_statement
from noiseless.statements.verdicts import judge
from noiseless.tables import Source, derive_provenance, write_table

SAMPLE = Source("ausgrid", "sample", "aa" * 32, "other")
REAL = Source("ausgrid", "download", "bb" * 32, "registered", "all.csv")


def table(*rows, columns="n eps statistic value", **more):
    """Table from its rows; ``more`` are columns appended to it."""
    return pd.DataFrame(list(rows), columns=columns.split()).assign(**more)


def passes(cells):
    """It is so."""
    return equals(select(cells, n=4, eps=2)["advantage"], 0.2)


def fails(cells):
    """It is so."""
    return equals(select(cells, n=4, eps=2)["advantage"], 0.25, within=Margin(0.01, "exact"))


def is_small(cells):
    """It is at most 1."""
    return bounded(cells["advantage"], at_most=1)


def entry(check, **words):
    """A statement of :func:`toy_paper`: its function, and what is said of it."""
    return {"check": check, **words}


def erratum(check, **words):
    """What is wrong with a statement, and the function of what holds."""
    said = {"fails": "the sign is wrong", "mend": "The opposite holds."}
    return {"check": check, **said, **words}


def toy_paper(*entries, name="toy", title=None):
    """A paper of statements, each called ``<name>-1`` and about the table ``toy/t``."""
    data = {"ausgrid": DataUse(("all.csv",), "other homes"), "redd": DataUse((), "another home")}
    paper = Paper(name, title or f'Doe, "A {name} paper"', data=data)
    for number, given in enumerate(entries):
        words = dict(given)
        check, wrong = words.pop("check"), words.pop("erratum", None)
        call = named(check, words.pop("id", "1" if not number else str(number + 1)))
        cells = take_table(words.pop("on", "toy/t"))
        made = paper.states(words.pop("where", "Fig. 1"), over=cells, **words)(call)
        if wrong:
            correct = dict(wrong)
            corrects(made, **{k: v for k, v in correct.items() if k != "check"})(correct["check"])
    return paper


def named(check, name):
    """A function of another name, so that each statement has its own."""

    def call(cells):
        return check(cells)

    call.__name__, call.__doc__ = f"_{name}" if name[0].isdigit() else name, check.__doc__
    return call


def judge_toy(paper, tables, *, left_out=(), flips=None):
    """The ledger of a paper on tables, given with their provenance by name."""
    run = Run(Sizes.SMOKE, 1, dict.fromkeys(tables, ""), left_out=dict(left_out))
    for name, (long, provenance) in tables.items():
        run.built[take_table(name)], run.built[name] = widen(long), provenance
    tested = {each.id: run_statement(each, run) for each in paper.statements}
    provenances = {name: provenance for name, (_, provenance) in tables.items()}
    return describe_ledger(judge(paper.statements, tested, flips), provenances)


def write_toy_ledger(paper, tables, path):
    """The same as a file, as the rule of a paper writes it."""
    inputs = [provenance for _, provenance in tables.values()]
    provenance = derive_provenance({}, "c0de", inputs=inputs)
    write_table(judge_toy(paper, tables), Path(path), provenance)


OURS = Category.OWN
GRID = table(
    *[
        (n, eps, "advantage", value)
        for n, values in {4: (0.1, 0.2, 0.4), 8: (0.05, 0.1, 0.3)}.items()
        for eps, value in zip((1, 2, 3), values, strict=True)
    ]
)


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
