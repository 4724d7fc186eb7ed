"""What the rules need to know of a paper's statements, read from its source without importing it.

A job reads the rules anew, and the sections import numerical libraries.
"""

import ast
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from noiseless.errors import ConfigError
from noiseless.settings import suggest_name

_PAPERS = Path(__file__).resolve().parents[1] / "papers"


def list_papers() -> list[str]:
    """List the papers: the folders with sections."""
    return sorted(path.parent.name for path in _PAPERS.glob("*/__init__.py") if _read_names(path))


def refuse_unknown_papers(names: Iterable[str]) -> None:
    """Refuse names of papers that are not there."""
    known = list_papers()
    for name in names:
        if name not in known:
            raise ConfigError(
                f"unknown key `statements.{name}`.{suggest_name(name, known)} It names a paper: "
                f"{', '.join(known)}."
            )


def load_data(paper: str) -> dict[str, Any]:
    """Load what data a paper used, by dataset, and what other data stand in for."""
    found: dict[str, Any] = _read_names(_PAPERS / paper / "__init__.py").get("DATA", {})
    return found


def list_experiments(paper: str) -> list[str]:
    """List the modules of a paper that no statement stands in, from the package's folder."""
    names = _read_names(_PAPERS / paper / "__init__.py")
    left_out = ["__init__", *names["SECTIONS"]] if names else []
    return [
        path.relative_to(_PAPERS.parent).as_posix()
        for path in sorted((_PAPERS / paper).glob("*.py"))
        if path.stem not in left_out and not path.stem.endswith("cases")
    ]


def _read_names(path: Path) -> dict[str, Any]:
    """Read the plain values that a paper's ``__init__.py`` gives names; {} without sections."""
    found = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(str(name))], value=value)
                | ast.AnnAssign(target=ast.Name(str(name)), value=ast.expr() as value)
            ) if name.isupper():
                found[name] = ast.literal_eval(value)
    return found if "SECTIONS" in found else {}


@cache  # rules ask for each job, and parsing a paper takes longer than the rest of it
def list_paper_tables(paper: str) -> Mapping[str, str]:
    """List the tables that a paper's sections take, each with its set of data or an empty text.

    They are taken by ``name = table("<paper>/<table>")``, or by ``name = table_of_each("<paper>/
    <table>_{homes}", asks=Part.<PART>)`` of each set in ``DATA`` that does not lack what is asked.
    """
    found: dict[str, str] = {}
    data = load_data(paper)
    for path in sorted((_PAPERS / paper).glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            match node:
                case ast.Assign(
                    value=ast.Call(func=ast.Name("table"), args=[ast.Constant(str(name))])
                ):
                    found.setdefault(name, "")
                case ast.Assign(
                    value=ast.Call(
                        func=ast.Name("table_of_each"),
                        args=[ast.Constant(str(name))],
                        keywords=keywords,
                    )
                ):
                    asks = [ast.unparse(each.value).rpartition(".")[2] for each in keywords]
                    found |= _list_set_tables(name, [each.lower() for each in asks], data)
    return found


def _list_set_tables(name: str, asks: list[str], data: dict[str, Any]) -> dict[str, str]:
    """List the tables of each set of data that does not lack what is asked."""
    found = {}
    for data_set, use in data.items():
        place = f"{{{use.get('sets')}}}"
        if place in name and not {*asks} & {*use.get("lacks", ())}:
            found[name.replace(place, data_set)] = data_set
    return found
