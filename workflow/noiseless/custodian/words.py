"""What a custodian is told is made of: an answer, numbers as people write them, tables as rows."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pandas as pd

Tables = Mapping[str, pd.DataFrame]


@dataclass(frozen=True)
class Answer:
    """What the page says first.

    Attributes
    ----------
    headline : str
        The recommendation, or that there is none.
    sentences : list of str
        What it costs and what it risks, where that is more than the points say.
    points : list of (str, str)
        The same in few words: the error, the risk, from whom, and how sure it is.
    options : list of (str, list of str)
        Other choices, each with what it costs and risks.
    helps : list of str
        What would help, where nothing is good enough.
    publish, keep, not_promised : list of str
    glossary : sequence of (str, str)
    """

    headline: str
    sentences: list[str] = field(default_factory=list)
    points: list[tuple[str, str]] = field(default_factory=list)
    options: list[tuple[str, list[str]]] = field(default_factory=list)
    helps: list[str] = field(default_factory=list)
    publish: list[str] = field(default_factory=list)
    keep: list[str] = field(default_factory=list)
    not_promised: list[str] = field(default_factory=list)
    glossary: Sequence[tuple[str, str]] = ()

    @property
    def is_to_publish(self) -> bool:
        """Whether the page says to publish; only then there is a protected file."""
        return self.headline.startswith("Publish")


def plain(number: float, digits: int = 3) -> str:
    """A number as people write it: no exponent, ``digits`` significant digits, thousands marked."""
    if not math.isfinite(number):
        return "no number"
    if number == 0:
        return "0"
    places = max(0, digits - 1 - math.floor(math.log10(abs(number))))
    text = f"{round(number, places):,.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def percent(share: float) -> str:
    """A share in percent."""
    return f"{plain(100 * share, 2)} %"


def listing(names: Sequence[str], last: str = "and") -> str:
    """Names with commas, and a word before the last one."""
    *others, end = names
    return f"{', '.join(others)} {last} {end}" if others else end


def sentence(text: str) -> str:
    """With a capital letter."""
    return text[:1].upper() + text[1:]


def cells_of(table: pd.DataFrame, index: list[str]) -> pd.DataFrame:
    """A row for each cell of a tidy table; of estimates also ``_low`` and ``_high``."""
    parts = [table.pivot(index=index, columns="statistic", values="value")]
    for end in {"low", "high"} & {*table.columns}:
        parts.append(
            table.pivot(index=index, columns="statistic", values=end).add_suffix(f"_{end}")
        )
    return pd.concat(parts, axis=1).reset_index()
