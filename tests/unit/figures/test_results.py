"""Figures drawn from tables alone."""

import matplotlib.image
import pytest

from noiseless.figures import results
from noiseless.tables import Provenance, derive_provenance, write_table
from toy_claims import GRID, REAL, SAMPLE


def test_each_figure_is_drawn_from_its_tables_and_settings(tmp_path, monkeypatch):
    saved, save = [], results.save
    monkeypatch.setattr(results, "save", lambda *args: (saved.append(args), save(*args)))
    asked = {}
    for name, width_in, source in (("toy/wide", 4, REAL), ("toy/narrow", 2, SAMPLE)):
        path = tmp_path / f"{width_in}.parquet"
        write_table(GRID.assign(value=GRID["value"] * width_in), path, Provenance("c", (source,)))
        settings = {"width_in": width_in}
        tables = {"table": str(path)}
        asked[name] = {"function": "toy_claims.toy_figure", "tables": tables, "code": "c0de"}
        asked[name]["settings"] = settings
    (tmp_path / "toy").mkdir()
    results.draw_figures(asked, tmp_path)
    wide, narrow = (matplotlib.image.imread(tmp_path / f"{name}.png") for name in asked)
    assert wide.shape[1] == pytest.approx(2 * narrow.shape[1], abs=1)
    for name, width_in, source, (figure, paths, provenance) in zip(
        asked, (4, 2), (REAL, SAMPLE), saved, strict=True
    ):
        (line,) = figure.axes[0].lines
        assert line.get_ydata().tolist() == (GRID["value"] * width_in).tolist()
        assert paths == [tmp_path / f"{name}.png", tmp_path / f"{name}.pdf"]
        assert paths[1].read_bytes().startswith(b"%PDF")
        behind = [Provenance("c", (source,))]
        settings = {"width_in": width_in}
        assert provenance.config == derive_provenance(settings, "c0de", inputs=behind).config
        assert provenance.sources == (source,)
