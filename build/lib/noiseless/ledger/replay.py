"""The workflow's calls once more, in this process, with something changed.

:func:`replay` makes a call of :mod:`noiseless.ledger.calls` again with other settings or other
inputs.  Verdicts can so be held against a change of the seed, of the data, or of the code.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from noiseless.code import find_function
from noiseless.errors import ConfigError
from noiseless.ledger.calls import Call
from noiseless.tables import Provenance

Tables = Mapping[str, tuple[pd.DataFrame, Provenance]]


def replay(
    calls: Sequence[Call],
    tables: Tables,
    *,
    settings: Mapping[str, Any] | None = None,
) -> dict[str, tuple[pd.DataFrame, Provenance]]:
    """Tables that some calls make.

    Parameters
    ----------
    calls : sequence of Call
        In an order in which each finds its inputs.
    tables : mapping of str to (DataFrame, Provenance)
        The inputs that no call makes, by the calls' names for them.
    settings : mapping, optional
        Changed settings, for those calls that have them.

    Returns
    -------
    dict of str to (DataFrame, Provenance)
        By name; each table has the sources of its inputs.

    Raises
    ------
    ConfigError
        If a call's function or one of its inputs is not there.
    """
    made: dict[str, tuple[pd.DataFrame, Provenance]] = {}
    for call in calls:
        try:
            function = find_function(call.function)
        except (ModuleNotFoundError, AttributeError):
            raise ConfigError(f"there is no function {call.function}.") from None
        given = {}
        for argument, path in call.inputs.items():
            if path not in made and path not in tables:
                raise ConfigError(f"{call.function}: its input {path} was not given.")
            given[argument] = made[path] if path in made else tables[path]
        changed = {key: each for key, each in (settings or {}).items() if key in call.settings}
        result = function(
            **{argument: table for argument, (table, _) in given.items()},
            **{**call.settings, **changed},
        )
        sources = {source for _, each in given.values() for source in each.sources}
        provenance = Provenance("", tuple(sorted(sources, key=repr)))
        results = result if isinstance(result, dict) else {"table": result}
        made |= {
            call.outputs[name]: (table, provenance)
            for name, table in results.items()
            if name in call.outputs
        }
    return made
