"""What the workflow's rules call, called again outside of Snakemake.

``list_calls.smk`` writes the calls: a function, its settings, its inputs and its outputs.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pandas as pd

from noiseless.tables import Provenance

Tables = Mapping[str, tuple[pd.DataFrame, Provenance]]


@dataclass(frozen=True)
class Call:
    """A call of a rule.

    Attributes
    ----------
    function : str
        Full name.
    settings : mapping
        Its keyword arguments besides the tables.
    inputs : mapping of str to str
        Its tables: argument -> name of a table, or path of a prepared one.
    name : str
        What the rule calls the table of a function that returns one.
    outputs : mapping of str to str
        What it returns -> name of the table; or more, where its rule has other calls like it.
    """

    function: str
    settings: Mapping[str, Any]
    inputs: Mapping[str, str]
    name: str
    outputs: Mapping[str, str]


def read_calls(path: str | Path) -> list[Call]:
    """The calls that ``list_calls.smk`` wrote."""
    return [Call(**each) for each in json.loads(Path(path).read_text(encoding="utf-8"))]


def calls_behind(calls: Iterable[Call], tables: Iterable[str]) -> list[Call]:
    """Those calls whose rules make some tables or their inputs, the inputs' first.

    Of a rule's calls those come first whose module has the name that a table begins with.
    """
    calls, tables, found = list(calls), set(tables), []
    wanted = set(tables)

    def place(call: Call) -> tuple[bool, bool]:
        named = "/".join(call.function.split(".")[-3:-1])
        return bool(wanted & set(call.inputs.values())), not any(
            table.startswith(named) for table in tables
        )

    while True:
        more = [each for each in calls if wanted & set(each.outputs.values())]
        if len(more) == len(found):
            return sorted(more, key=place)
        found = more
        wanted |= {path for each in found for path in each.inputs.values()}


def replay(
    calls: Sequence[Call], tables: Tables, wanted: Iterable[str]
) -> dict[str, tuple[pd.DataFrame, Provenance]]:
    """Tables by name, from calls until all that are wanted are there; each with its sources."""
    made: dict[str, tuple[pd.DataFrame, Provenance]] = {}
    for call in calls:
        if set(wanted) <= set(made):
            break
        given = {
            key: made[path] if path in made else tables[path] for key, path in call.inputs.items()
        }
        result = resolve_name(call.function)(
            **{key: table for key, (table, _) in given.items()}, **call.settings
        )
        sources = {source for _, each in given.values() for source in each.sources}
        provenance = Provenance("", tuple(sorted(sources, key=repr)))
        results = result if isinstance(result, dict) else {call.name: result}
        made |= {call.outputs[name]: (table, provenance) for name, table in results.items()}
    return made
