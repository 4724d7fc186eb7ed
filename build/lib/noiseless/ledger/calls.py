"""What the rules of the workflow call.

A rule that makes tables names a function, its settings, its input files and its outputs.  The same
four, read from the rules, are a :class:`Call`, which :mod:`noiseless.ledger.replay` makes again.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Call:
    """What one rule of the workflow calls.

    Attributes
    ----------
    function : str
        Full name.
    settings : mapping
        Its keyword arguments besides the tables.
    inputs : mapping of str to str
        Its tables: argument -> path of a prepared table, or name (``<paper>/<name>``) of one that
        another call makes.
    outputs : mapping of str to str
        What it returns -> name of the table; ``table`` for a function that returns one.
    """

    function: str
    settings: Mapping[str, Any]
    inputs: Mapping[str, str]
    outputs: Mapping[str, str]


def calls_behind(calls: Iterable[Call], tables: Iterable[str]) -> list[Call]:
    """Those calls that make some tables, and those that make the inputs of these, in their order.

    Parameters
    ----------
    calls : iterable of Call
    tables : iterable of str
        Names of tables.  One that no call makes is passed over: its rule is no plain call.
    """
    calls, wanted = list(calls), set(tables)
    while True:
        found = [call for call in calls if wanted & set(call.outputs.values())]
        more = {path for call in found for path in call.inputs.values()} - wanted
        if not more:
            return found
        wanted |= more


def read_calls(path: str | Path) -> list[Call]:
    """The calls that the rule ``list_calls`` wrote."""
    return [Call(**each) for each in json.loads(Path(path).read_text(encoding="utf-8"))]
