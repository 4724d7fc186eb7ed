"""Green Button, the XML in which utilities in North America give customers their readings.

The feed (ESPI of NAESB REQ.21, in Atom) holds entries: usage points, meter readings that belong to
them, reading types (unit, power of ten, direction, kind), and blocks of interval readings.  Entries
name each other by links.  Times are seconds since 1970 in UTC.

A home is a usage point; it is called by the name of its file, and by its own name as well where the
file holds several.  Only energy that is delivered to the home, in intervals, is taken; meter
readings of another kind are excluded and counted.
"""

import logging
import re
import zoneinfo
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import ParseError, iterparse

from noiseless.datasets.own.layouts import MeterReadings, home_of_file
from noiseless.datasets.own.times import Times, clock_of
from noiseless.datasets.raw_files import RawFile, listed, open_unfolded
from noiseless.errors import DataError

log = logging.getLogger(__name__)

_WATT_HOURS, _WATTS = 72, 38
_DELIVERED = 1
_CUMULATIVE = {3, 1}  # accumulation behaviours: cumulative, bulk quantity


def read_green_button(
    path: Path, files: Sequence[Path], section: str, zone: zoneinfo.ZoneInfo | None
) -> MeterReadings:
    """Readings of some files.

    Parameters
    ----------
    path : Path
        What errors about all files call them.
    files : sequence of Path
    section : str
        Where the configuration speaks of them.
    zone : ZoneInfo or None
        The zone whose days are taken.

    Raises
    ------
    DataError
        If a file is damaged or not of this format, or no zone is configured.
    """
    if zone is None:
        raise DataError(
            f"{path}: times of Green Button are in UTC, so it must be said where days begin. Set "
            f"{section}.time_zone to the homes' zone, such as America/New_York."
        )
    blocks = [block for file in files for block in _blocks(RawFile(file, section))]
    units = sorted({block["unit"] for block in blocks})
    if len(units) > 1:
        raise DataError(f"{path}: readings are in several units: {', '.join(units)}.")
    names, codes = np.unique([block["home"] for block in blocks], return_inverse=True)
    lengths = [len(block["start_s"]) for block in blocks]
    utc = np.concatenate([block["start_s"] for block in blocks])
    first = np.cumsum([0, *lengths])

    def row_name(reading: int) -> str:
        block = int(np.searchsorted(first, reading, side="right")) - 1
        number, home = reading - first[block] + 1, names[codes[block]]
        return f"{blocks[block]['file']}, IntervalReading {number} of {home}"

    def error(reading: int, key: str, problem: str, *, count: int = 1) -> DataError:
        more = f" ({count - 1} more)" if count > 1 else ""
        return DataError(f"{row_name(reading)}: {problem}{more}.")

    durations = np.unique(np.concatenate([block["duration_s"] for block in blocks]))
    if len(durations) > 1:
        raise DataError(
            f"{path}: intervals of {listed([f'{each / 60:g}' for each in durations], 4)} minutes. "
            "Bring them to one sampling interval."
        )
    rows = sum(lengths)
    return MeterReadings(
        path=path,
        homes=pd.Categorical.from_codes(np.repeat(codes, lengths), names),
        times=Times(clock_of(utc, zone), utc, zone),
        amounts=np.concatenate([block["value"] for block in blocks]),
        error=error,
        row_name=row_name,
        names={"home": "UsagePoint", "time": "start", "value": "value"},
        interval_s=int(durations[0]),
        unit=units[0],
        marks_starts=True,
        counts={"rows": rows, "blank_rows": 0, "rows_not_kept": 0},
    )


def _blocks(raw: RawFile) -> list[dict[str, Any]]:
    """Readings of each meter reading in a file."""
    types, meters, blocks = {}, {}, []
    for kind, links, element in _entries(raw):
        own = links.get("self", [""])[0]
        if kind == "ReadingType":
            types[own] = {_name(child): (child.text or "").strip() for child in element}
        elif kind == "MeterReading":
            meters[own] = [link for link in links.get("related", []) if "ReadingType" in link]
        elif kind == "IntervalBlock":
            blocks.append((links, element))
    if not blocks:
        raise DataError(f"{raw.path}: XML, but without an IntervalBlock of Green Button.")
    found: dict[str, dict[str, list[int]]] = {}
    for links, element in blocks:
        own = links.get("self", [""])[0]
        up = links.get("up", [own])[0]
        meter = re.sub(r"/IntervalBlock.*$", "", up)
        cells = found.setdefault(meter, {"start_s": [], "duration_s": [], "value": []})
        for reading in element:
            if _name(reading) == "IntervalReading":
                start, duration, value = _reading(raw, reading)
                cells["start_s"].append(start)
                cells["duration_s"].append(duration)
                cells["value"].append(value)
    result, excluded = [], []
    usage_points = {_point(meter) for meter in found}
    for meter, cells in found.items():
        related = meters.get(meter) or list(types)
        chosen = {tuple(sorted(types[link].items())) for link in related if link in types}
        if len(chosen) != 1:
            raise DataError(
                f"{raw.path}: {len(chosen)} reading types for {meter or 'the readings'}. One is "
                "needed to know the unit."
            )
        form = dict(chosen.pop())
        problem, unit, factor = _form(form)
        if problem:
            excluded.append(f"{meter} ({problem})")
            continue
        home = home_of_file(raw.path)
        if len(usage_points) > 1:
            home += f" {_point(meter)}"
        result.append(
            {
                "file": raw.path,
                "home": home,
                "unit": unit,
                "start_s": np.array(cells["start_s"], dtype=np.int64),
                "duration_s": np.array(cells["duration_s"], dtype=np.int64),
                "value": np.array(cells["value"], dtype=float) * factor,
            }
        )
    if excluded:
        log.warning("%s: excluded: %s.", raw.path, listed(excluded))
    if not result or not sum(len(block["start_s"]) for block in result):
        raise DataError(
            f"{raw.path}: no interval readings of energy delivered to the home"
            f"{' (excluded: ' + listed(excluded) + ')' if excluded else ''}."
        )
    return result


def _form(form: dict[str, str]) -> tuple[str, str, float]:
    """Why a reading type is excluded (empty if it is not), its unit, and the factor of values."""
    try:
        uom = int(form.get("uom", ""))
        power = int(form.get("powerOfTenMultiplier") or 0)
        direction = int(form.get("flowDirection") or _DELIVERED)
        behaviour = int(form.get("accumulationBehaviour") or 4)
    except ValueError:
        return "a reading type that cannot be read", "", 0.0
    if uom not in (_WATT_HOURS, _WATTS) or not -9 <= power <= 9:
        return f"unit {uom}, neither Wh nor W", "", 0.0
    if direction != _DELIVERED:
        return f"flow direction {direction}, not delivered", "", 0.0
    if behaviour in _CUMULATIVE:
        return "a cumulative register", "", 0.0
    return "", "Wh" if uom == _WATT_HOURS else "W", 10.0**power


def _reading(raw: RawFile, reading: Any) -> tuple[int, int, int]:
    """Start, duration and value of an interval reading."""
    texts = {_name(each): (each.text or "").strip() for each in reading.iter()}
    try:
        start, duration, value = (int(texts[key]) for key in ("start", "duration", "value"))
        if not 0 < duration <= 86400 or not 0 < start < 2**33:
            raise ValueError
    except (KeyError, ValueError):
        shown = ", ".join(
            f"{key} {texts.get(key, 'missing')[:40]!r}" for key in ("start", "duration", "value")
        )
        raise DataError(
            f"{raw.path}: an IntervalReading that cannot be read ({shown}). {raw.again}"
        ) from None
    return start, duration, value


def _entries(raw: RawFile) -> Iterator[tuple[str, dict[str, list[str]], Any]]:
    """Kind, links and content of every entry."""
    try:
        with open_unfolded(raw) as source:
            for _, element in iterparse(source, events=("end",), forbid_dtd=True):
                if _name(element) != "entry":
                    continue
                links: dict[str, list[str]] = {}
                for child in element:
                    if _name(child) == "link":
                        links.setdefault(child.get("rel", ""), []).append(child.get("href", ""))
                for child in element:
                    if _name(child) == "content":
                        for inner in child:
                            yield _name(inner), links, inner
    except ParseError as error:
        raise DataError(f"{raw.path}: damaged or cut-off XML ({error}). {raw.again}") from None
    except DefusedXmlException:
        raise DataError(
            f"{raw.path}: XML with a document type or entities, which Green Button has not. "
            f"{raw.again}"
        ) from None


def _name(element: Any) -> str:
    """An element's name without its namespace."""
    return element.tag.rpartition("}")[2]


def _point(link: str) -> str:
    """The usage point that an address leads to."""
    match = re.search(r"UsagePoint/([^/]+)", link)
    return match[1] if match else "1"
