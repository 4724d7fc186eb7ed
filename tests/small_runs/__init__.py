"""What the small run of a paper's statements takes: a module for each paper.

``tables``: the tables of the small run that rest on no data, by name; ``LEAST``: the least sizes of
its universes; ``WITHOUT_DATA``: how many statements need no data, at least.
"""

import importlib
import json
from typing import Any


def choose_least(*papers: str) -> dict[str, Any]:
    """Configuration in which the universes of some papers are as small as they may be."""
    least = {paper: importlib.import_module(f"small_runs.{paper}").LEAST for paper in papers}
    return {"statements": json.loads(json.dumps(least))}  # lists, as a configuration has them
