"""How figures are saved."""

import io
import re
import zlib

import numpy as np
from fontTools import subset
from fontTools.ttLib import TTFont

from noiseless.figures.style import new_figure, save, style
from noiseless.tables import derive_provenance


def fonts_in(pdf):
    """Fonts that are embedded in a PDF."""
    for stream in re.finditer(rb"/Length1 [^>]*>>\s*stream\r?\n", pdf):
        yield TTFont(io.BytesIO(zlib.decompressobj().decompress(pdf[stream.end() :])))


def test_a_pdf_has_each_font_once_with_the_letters_that_it_shows(tmp_path):
    letters = "Office, first flow: ε ≤ 2"
    dropped = list(subset.Options._drop_tables_default)
    with style():
        figure, (axis,) = new_figure()
        axis.plot(np.arange(3))
        axis.set(xlabel=letters, ylabel="$n$ = 3")
        save(figure, [tmp_path / "one.pdf"], derive_provenance({}, "code", inputs=[]))
    fonts = list(fonts_in((tmp_path / "one.pdf").read_bytes()))
    names = [font["name"].getDebugName(6) for font in fonts]
    assert sorted(names) == ["DejaVuSans", "DejaVuSans-Oblique"]
    # What is shown is there, and as small as it can be.
    (upright,) = (font for font, name in zip(fonts, names, strict=True) if name == "DejaVuSans")
    assert len(set(letters + "0123456789")) < len(upright.getGlyphOrder()) < 100
    assert not {"GDEF", "GPOS", "GSUB", "kern"} & set().union(*(font.keys() for font in fonts))
    assert subset.Options._drop_tables_default == dropped
