"""The colours of a figure that a legend names, as its PDF draws them and its PNG shows them."""

import re
import zlib
from pathlib import Path

import numpy as np
from PIL import Image

Colour = tuple[int, int, int]

GREY = 24  # colours whose parts differ by no more are text, axes and grids
SEEN = 40  # pixels of one colour that an eye finds
NEAR = 12  # distance in RGB: two shades that an eye tells apart on a thin line are about 20 apart


def list_legend_colours(pdf: Path, png: Path) -> list[Colour]:
    """List the colours of a PDF's strokes and fills that its PNG shows, without greys."""
    drawn = set()
    for stream in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf.read_bytes(), re.DOTALL):
        try:
            text = zlib.decompress(stream).decode("latin-1")
        except zlib.error:
            continue
        for parts in re.findall(r"([\d.]+) ([\d.]+) ([\d.]+) (?:rg|RG)\b", text):
            drawn.add(tuple(round(float(part) * 255) for part in parts))
    colours, counts = _count_colours(png)
    return sorted(
        colour
        for colour in drawn
        if max(colour) - min(colour) > GREY
        and counts[(np.abs(colours - colour) <= 1).all(axis=1)].sum() >= SEEN
    )


def list_lost_colours(colours: list[Colour], png: Path) -> list[Colour]:
    """List those colours of which a picture has no shade that an eye takes for them."""
    pixels, _ = _count_colours(png)
    return [colour for colour in colours if ((pixels - colour) ** 2).sum(axis=1).min() > NEAR**2]


def _count_colours(png: Path) -> tuple[np.ndarray, np.ndarray]:
    """Count the pixels of each colour of a picture: colours (k, 3), and their counts."""
    with Image.open(png) as picture:
        found = picture.convert("RGB").getcolors(maxcolors=picture.width * picture.height)
    return np.array([colour for _, colour in found]), np.array([count for count, _ in found])
