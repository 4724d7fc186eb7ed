"""The ledger as it stood before statements became functions, for numbers to be held against it."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import pandas as pd
import yaml

FOLDER = Path(__file__).resolve().parent
_NUMBER = r"-?(?:\d+(?:\.\d+)?(?:e[-+]?\d+)?|inf)"
_DIGITS = 6e-6  # the frozen ledger has six digits


def load_frozen(run: str, paper: str) -> pd.DataFrame:
    """Rows of a paper as they were, by id; ``run`` is ``smoke`` or ``real``."""
    ledger = pd.read_csv(FOLDER / f"ledger_{run}.csv", dtype=str, keep_default_na=False)
    return ledger[ledger["id"].str.startswith(f"{paper}-")].set_index("id")


def load_left() -> dict[str, dict[str, str]]:
    """By id: why rows ``left``, are ``new`` or ``changed``; names of rows that are ``cells``."""
    return yaml.safe_load((FOLDER / "left.yaml").read_text(encoding="utf-8"))


def find_cells(rows: Iterable[str], statement: str, cells: Iterable[str]) -> dict[str, str]:
    """Which frozen rows are cells of a statement's printed table now: the cell by the row's id."""
    template = load_left()["cells"].get(statement, "")
    named = {template.format(cell=cell): cell for cell in cells}
    return {row: named[row] for row in rows if row in named}


def agree(observed: str, found: Sequence[float]) -> bool:
    """Whether the numbers of a frozen text are those that were found."""
    if not found:
        return observed == "-"
    text = re.sub(r" \((?:sum|max|min|\d+ rows?).*\)$", "", observed)
    text = re.sub(r"(?:, together with all others)? \[[^]]*\]", "", text)  # their intervals
    if ": " in text:
        numbers = [float(each.rpartition(": ")[2]) for each in text.split("; ")]
    elif " to " in text:
        numbers = [float(each) for each in text.split(" to ")]
        if len(found) == 1:  # the number that is nearest to leaving a range is one of its ends
            return any(_is_near(each, found[0]) for each in numbers)
        found = (min(found), max(found))
    else:
        numbers = [float(each) for each in re.findall(_NUMBER, text)]
    if "sum of" in observed and len(found) > 1:
        found = (sum(found),)
    if len(numbers) == 1 and len({f"{each:.6g}" for each in found}) == 1:
        found = found[:1]  # the old text names a number once that all rows have
    return len(numbers) == len(found) and all(map(_is_near, numbers, found))


def _is_near(one: float, other: float) -> bool:
    largest = max(abs(one), abs(other))
    return one == other or abs(one - other) <= _DIGITS * largest or largest < 1e-13
