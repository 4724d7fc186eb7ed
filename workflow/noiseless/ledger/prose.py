"""Prose of a page with placeholders: its numbers come from the ledger, tables and settings.

1. ``{row.found}``, and ``low``, ``high``, ``cases`` and ``failed`` of a row of the ledger; ``size``
   is the larger of ``low`` and ``high``, without its sign.
2. ``{@paper/table column=value ... statistic}``: a cell of a published table.
3. ``{$config.key}``, ``{$homes.set.key}`` and ``{$const.module.NAME}``: a setting or a constant.
4. ``{#verdict}``: how many statements of the paper have a verdict; ``{#statements}``: of all.

Behind a colon stands a format, as Python's.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from noiseless.errors import ConfigError
from noiseless.ledger.views import Outcome, View

_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")
_NUMBERS = ("low", "high", "cases", "failed")


class Prose:
    """Fill the placeholders of one paper's prose.

    They name its statements, the configuration of the reference run, the published tables, and
    constants of the paper's modules.
    """

    def __init__(
        self,
        paper: str,
        views: Iterable[View],
        *,
        config: Mapping[str, Any],
        tables: Path,
        constants: Callable[[str], Any],
    ) -> None:
        views = list(views)
        self.paper, self.config, self.tables, self.constants = paper, config, tables, constants
        self.verdicts = [each.verdict for each in views if not each.is_own]
        self.outcomes = {each.id: each for view in views for each in view.outcomes}

    def fill(self, text: str) -> str:
        """Fill the placeholders of a text.

        One without a row, cell or setting, or whose row was not tested, is refused.
        """
        one_line = " ".join(str(text).split())
        return _PLACEHOLDER.sub(lambda found: self._fill(found[1]), one_line)

    def _fill(self, expression: str) -> str:
        body, _, style = expression.partition(":")
        try:
            value = self._find(body)
        except (KeyError, AttributeError, IndexError) as error:
            raise ConfigError(
                f"summary.yaml of {self.paper}: {{{expression}}} names nothing ({error})."
            ) from error
        if isinstance(value, list | tuple):
            return _join(value)
        text = format(value, style) if style else str(value)
        return re.sub(r"^-(0(?:\.0+)?)$", r"\1", text)

    def _find(self, body: str) -> Any:
        """Find what a placeholder names."""
        match body[0]:
            case "#":
                word = body[1:]
                return len(self.verdicts) if word == "statements" else self.verdicts.count(word)
            case "@":
                name, *keys, statistic = body[1:].split()
                return self._find_cell(name, dict(key.split("=") for key in keys), statistic)
            case "$":
                return self._find_setting(*body[1:].split("."))
        name, _, field = body.rpartition(".")
        outcome: Outcome = self.outcomes[f"{self.paper}-{name}"]
        if not outcome.found:
            raise KeyError(f"{outcome.id} was not tested")
        if field == "size":
            return max(abs(float(outcome.low)), abs(float(outcome.high)))
        value = getattr(outcome, field)
        return float(value) if field in _NUMBERS else value

    def _find_cell(self, name: str, where: Mapping[str, str], statistic: str) -> float:
        """Find a cell of a published table."""
        rows = pd.read_csv(self.tables / f"{name}.csv")
        rows = rows[rows["statistic"] == statistic]
        for column, wanted in where.items():
            as_text = rows[column].map(
                lambda each: format(each, "g") if isinstance(each, int | float) else each
            )
            rows = rows[as_text.astype(str).str.replace(" ", "_") == wanted]
        if len(rows) != 1:
            raise KeyError(f"{len(rows)} cells")
        return float(rows["value"].iloc[0])

    def _find_setting(self, kind: str, *keys: str) -> Any:
        """Find a setting of the paper or of all, or a constant of the paper."""
        value: Any = self.config
        if kind == "const":
            value, keys = getattr(self.constants(keys[0]), keys[1]), keys[2:]
        elif kind == "config":
            value = self.config[self.paper]
        elif kind != "all":
            value = self.config[kind]
        for key in keys:
            value = value[key]
        return value


def _join(values: list[Any] | tuple[Any, ...]) -> str:
    """Join the values of a setting; a run of whole numbers as its ends."""
    whole = [each for each in values if isinstance(each, int)]
    if len(whole) == len(values) > 4 and whole == list(range(whole[0], whole[-1] + 1)):
        return f"{whole[0]} to {whole[-1]}"
    return " to ".join(map(str, values)) if len(values) == 2 else ", ".join(map(str, values))
