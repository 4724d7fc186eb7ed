"""Which figures there are: the entries of each paper's ``figures/figures.yaml``.

An entry says which function draws a figure from which tables, the figure's number in its paper,
what it shows, and on which data it rests: figures of a paper on the same data are drawn by one job,
so that data that are not there hold up no other figure.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path
from typing import Any

import yaml

_PAPERS = Path(__file__).resolve().parents[1] / "papers"


@dataclass(frozen=True)
class Figure:
    """An entry.

    Attributes
    ----------
    name : str
        ``<paper>/<name>``.
    function : str
        Full name of the function that draws it.
    number : str
        Its number in the paper, or in words what it is beside.
    shows : str
        In words, for lists.
    tables : mapping of str to str
        Names of tables by the function's arguments.
    data : str
        What it rests on; empty for no data.
    settings : mapping
        The function's other arguments.
    game : str
        The game whose adversaries and mechanisms its caption names, a key of
        :data:`noiseless.figures.captions.GAMES`; empty for none.
    caption : str
        Where its caption is, in this package.
    """

    name: str
    function: str
    number: str
    shows: str
    tables: Mapping[str, str]
    data: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    game: str = ""
    caption: str = ""

    @property
    def paper(self) -> str:
        """Whose figure it is."""
        return self.name.partition("/")[0]

    @property
    def labels(self) -> dict[str, str]:
        """What Snakemake's report says of it."""
        return {"figure": self.number, "shows": self.shows}


def load_figures(
    paper: str, config: Mapping[str, Any], homes: Iterable[str] = ()
) -> dict[str, Figure]:
    """The figures of a paper by ``<paper>/<name>``.

    Parameters
    ----------
    paper : str
        Its key.
    config : mapping
        The configuration, whose values the entries' ``settings`` name by their keys.
    homes : iterable of str
        The datasets that ``{homes}`` in an entry stands for.
    """
    entries = yaml.safe_load((_PAPERS / paper / "figures/figures.yaml").read_text(encoding="utf-8"))
    figures = {}
    for name, entry in entries.items():
        for each in homes if "{homes}" in name else ("",):
            figure = _figure(paper, name, entry, config, each)
            figures[figure.name] = figure
    return figures


def _figure(
    paper: str, name: str, entry: Mapping[str, Any], config: Mapping[str, Any], homes: str
) -> Figure:
    """One entry, for one set of homes."""

    def named(text: str) -> str:
        return text.replace("{homes}", homes)

    package, _, function = f"noiseless.papers.{paper}.figures.{entry['function']}".rpartition(".")
    return Figure(
        name=named(f"{paper}/{name}"),
        function=f"{package}.{function}",
        number=entry["figure"],
        shows=named(entry["shows"]),
        tables={argument: named(table) for argument, table in entry["tables"].items()},
        data=named(entry.get("data", "")),
        settings={
            argument: reduce(lambda at, key: at[key], named(path).split("."), config)
            for argument, path in entry.get("settings", {}).items()
        },
        game=entry.get("game", ""),
        caption=f"papers/{paper}/figures/{function}.rst",
    )


def papers_with_figures() -> list[str]:
    """Keys of the papers that have any."""
    return sorted(path.parents[1].name for path in _PAPERS.glob("*/figures/figures.yaml"))


def by_job(figures: Mapping[str, Figure]) -> dict[str, list[Figure]]:
    """Figures by the rule that draws them: those of a paper on the same data."""
    jobs: dict[str, list[Figure]] = {}
    for figure in figures.values():
        rule = f"{figure.paper}_figures{figure.data and f'_{figure.data}'}"
        jobs.setdefault(rule, []).append(figure)
    return jobs
