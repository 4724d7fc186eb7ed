"""Figures of the results page: their names for a reader, their order, and their pictures.

Each paper has a list, ``papers/<paper>/figures/figures.yaml``, of a figure's number in the paper
and of what it shows.  The paper's own figures come first, in its order, and then those that answer
more than the paper asks.
"""

import base64
import io
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

from noiseless.ledger.files import check_exists
from noiseless.settings import load_yaml

_THUMBNAIL: dict[str, Any] = {"format": "WEBP", "quality": 40, "method": 4}
_THUMBNAIL_SIZE = (330, 200)  # at most, in pixels
_NUMBER = r"\d+[a-z]?"
_PAPERS_OWN = re.compile(rf"{_NUMBER}(?:, {_NUMBER})*")


@dataclass(frozen=True)
class FigureEntry:
    """Line of a paper's list of figures: its number there, what it shows, and its line from 0.

    ``3, ranges`` adds to Figure 3; ``varied`` is the set or recording of a figure that there is for
    each.
    """

    number: str = ""
    shows: str = ""
    line: int = 10_000
    varied: str = ""

    @property
    def is_papers(self) -> bool:
        """Whether the paper prints this figure."""
        return _PAPERS_OWN.fullmatch(self.number) is not None

    @property
    def label(self) -> str:
        """Its name for a reader: ``Figure 3``, or else a word for what it adds to."""
        if re.match(r"\d", self.number):
            is_several = self.is_papers and "," in self.number
            return f"Figure{'s' if is_several else ''} {self.number}"
        if self.number in ("", "-") or self.number.startswith("beyond"):
            return "Beyond the paper"
        return self.number[0].upper() + self.number[1:]


def load_entries(lists: Iterable[str | Path]) -> dict[str, dict[str, FigureEntry]]:
    """Load the lists of figures: for each paper, its entries by the figure's pattern."""
    return {
        path.parents[1].name: {
            pattern: FigureEntry(str(entry["figure"]), entry["shows"], line)
            for line, (pattern, entry) in enumerate(load_yaml(path).items())
        }
        for path in map(Path, lists)
    }


def find_entry(name: str, entries: Mapping[str, Mapping[str, FigureEntry]]) -> FigureEntry:
    """Find the entry of a figure by its name, ``<paper>/<name>``; one without is the last.

    A pattern such as ``fig3_{homes}`` stands for a figure of each set; of the patterns that fit,
    the one with most fixed letters counts.
    """
    paper, _, short = name.partition("/")
    best, fixed = FigureEntry(), -1
    for pattern, entry in entries.get(paper, {}).items():
        before, brace, rest = pattern.partition("{")
        after = rest.partition("}")[2]
        if brace:
            fits = short.startswith(before) and short.endswith(after)
            varied = short[len(before) : len(short) - len(after)]
            shows = varied.join(re.split(r"\{.*?\}", entry.shows))
            found = FigureEntry(entry.number, shows, entry.line, varied)
        else:
            fits, found = short == pattern, entry
        if fits and len(before + after) > fixed:
            best, fixed = found, len(before + after)
    return best


def order_figures(
    names: Sequence[str],
    entries: Mapping[str, FigureEntry],
    made_up: Collection[str],
    sets: Sequence[str] = (),
) -> list[str]:
    """Order figures: first those that the paper prints, then the others, each as its list does.

    Of those that one line of the list stands for, the ones on made-up data are the last, and the
    others in the order of ``sets``: the paper's own data first, then those that say most.
    """

    def order(name: str) -> tuple[bool, int, bool, int]:
        """Order one figure."""
        entry = entries[name]
        place = sets.index(entry.varied) if entry.varied in sets else len(sets)
        is_made_up = bool(entry.varied) and name in made_up
        return not entry.is_papers, entry.line, is_made_up, place

    return sorted(names, key=order)


def encode_picture(path: Path) -> dict[str, Any]:
    """Encode the WebP beside a figure, with its width and height in pixels, and a thumbnail."""
    content = check_exists(path.with_suffix(".webp")).read_bytes()
    with Image.open(io.BytesIO(content)) as picture:
        thumbnail = picture.copy()
    thumbnail.thumbnail(_THUMBNAIL_SIZE)
    buffer = io.BytesIO()
    thumbnail.save(buffer, **_THUMBNAIL)
    return {
        "uri": _format_data_uri(content),
        "width": picture.width,
        "height": picture.height,
        "thumbnail": _format_data_uri(buffer.getvalue()),
        "thumbnail_width": thumbnail.width,
        "thumbnail_height": thumbnail.height,
    }


def _format_data_uri(webp: bytes) -> str:
    """Format the content of a WebP as a data URI."""
    return f"data:image/webp;base64,{base64.b64encode(webp).decode()}"
