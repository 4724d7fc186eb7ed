"""Data that stand in for a paper's own."""

from collections.abc import Iterable, Mapping
from typing import Any

from noiseless.statements.registry import describe_stand_in
from noiseless.tables import Source


def list_stand_ins(sources: Iterable[Source], data: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """List what stands in for the paper's own data, each once, by the paper's ``DATA``."""
    texts = [
        describe_stand_in(data[source.dataset])
        for source in sources
        if source.dataset in data
        and source.is_public
        and source.file not in data[source.dataset]["paper"]
    ]
    return list(dict.fromkeys(texts))
