"""Tables and figures as the rules' calls make them.

:func:`make_tables` makes each call of a rule on the inputs of the rule, and writes what it returns.
"""

from collections.abc import Mapping
from pkgutil import resolve_name
from typing import Any

import pandas as pd

from noiseless.errors import UserError
from noiseless.pipeline.variants import Variant
from noiseless.plugins import use_plugins
from noiseless.tables import REFUSED, Provenance, derive_provenance, read_table, write_table

Call = Mapping[str, Any]


def make_tables(
    calls: Mapping[str, Call],
    *,
    inputs: Mapping[str, str],
    outputs: Mapping[str, str],
    variant: str,
    seed: int,
) -> None:
    """Write the tables that some calls return.

    Parameters
    ----------
    calls : mapping of str to mapping
        :func:`noiseless.pipeline.code.call` by name.  A function that returns one table makes
        that of the call's name; one that returns several returns them by name.
    inputs : mapping of str to path
        The tables that the calls take, and others.
    outputs : mapping of str to path
        Where each table goes; the calls return these tables and no others.
    variant : str
        The wildcard (:mod:`noiseless.pipeline.variants`).
    seed : int
        The seed of the run.

    Raises
    ------
    ValueError
        If the calls return other tables than the outputs name.
    UserError
        If an experiment raises one; given half of the homes, its tables say so instead.
    """
    varied = Variant.of(variant)
    needed = {name for each in calls.values() for name in each["inputs"]}
    read = {name: read_table(inputs[name]) for name in sorted(needed)}
    halved = {name for name, (table, _) in read.items() if varied.takes_half_of(table)}
    read |= {name: (varied.half_of(read[name][0], seed), read[name][1]) for name in halved}
    made: dict[str, tuple[pd.DataFrame, Provenance]] = {}
    refused = None
    for name, each in calls.items():
        taken = {key: read[key] for key in each["inputs"]}
        settings, plugins = varied.settings(each["settings"]), dict(each.get("plugins", {}))
        made_with = settings | ({"plugins": sorted(plugins.values())} if plugins else {})
        if halved & set(taken):
            made_with |= {"variant": variant}
        behind = [provenance for _, provenance in taken.values()]
        provenance = derive_provenance(made_with, each["code"], inputs=behind)
        try:
            with use_plugins(plugins):
                result = resolve_name(each["function"])(
                    **{key: table for key, (table, _) in taken.items()}, **settings
                )
        except UserError as error:
            # Half of the homes may be too few for an experiment; that is no verdict on a claim.
            if not halved & set(taken):
                raise
            refused = (pd.DataFrame({REFUSED: [str(error)]}), provenance)
            continue
        tables = result if isinstance(result, dict) else {name: result}
        made |= {key: (table, provenance) for key, table in tables.items()}
    if refused is not None:
        made = dict.fromkeys(outputs, refused) | made
    if set(made) != set(outputs):
        raise ValueError(f"the calls return {sorted(made)}, the rule makes {sorted(outputs)}")
    for name, (table, provenance) in made.items():
        write_table(table, outputs[name], provenance)
