"""Several figures drawn in one process, each from its tables alone."""

from collections.abc import Mapping
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from noiseless.figures.style import save, style
from noiseless.tables import derive_provenance, read_table


def draw_figures(figures: Mapping[str, Mapping[str, Any]], folder: str | Path) -> None:
    """Draw figures as PNG and PDF.

    Parameters
    ----------
    figures : mapping of str to mapping
        By ``<paper>/<name>``: a :func:`noiseless.pipeline.code.call`, whose ``tables`` are paths
        by the names of the function's arguments.
    folder : path
        Where they go.
    """
    for name, each in figures.items():
        read = {argument: read_table(path) for argument, path in each["tables"].items()}
        with style():
            figure = resolve_name(each["function"])(
                **{argument: table for argument, (table, _) in read.items()}, **each["settings"]
            )
            behind = [provenance for _, provenance in read.values()]
            provenance = derive_provenance(each["settings"], each["code"], inputs=behind)
            save(figure, [Path(folder, f"{name}.{end}") for end in ("png", "pdf")], provenance)
