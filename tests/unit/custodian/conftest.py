"""Made files of each kind, and the command that makes a page of them."""

import pytest

from noiseless.command_line import main
from noiseless.pipeline import configuration

# Few games: nothing here is about their result.
SMALL = {
    "noiseless": {
        "membership": {"games": 20, "n": [2], "epsilon_bits": [1]},
        "trips": {"epsilon_bits": [1, 4, 8], "k": [2], "numbers": [10], "map_levels": 8},
    },
    "beyond": {"recommendation": {"n": [2], "draws": 2, "splits": 1}},
}


@pytest.fixture
def own(tmp_path, monkeypatch, capsys):
    """Run ``noiseless own`` on a file in a folder of its own, without a terminal."""
    load = configuration.load_config

    def load_small(path):
        return configuration.merged(load(path), SMALL)

    monkeypatch.setattr(configuration, "load_config", load_small)
    monkeypatch.chdir(tmp_path)

    def run(name, text, *answers, encoding="utf-8"):
        (tmp_path / name).write_bytes(text.encode(encoding))
        options = [part for answer in answers for part in ("--answer", answer)]
        code = main(["own", name, *options])
        out, err = capsys.readouterr()
        pages = list(tmp_path.glob("results/own/*/summary.html"))
        assert len(pages) == (code == 0)
        assert not list(tmp_path.rglob("*.partial*"))
        assert "Traceback" not in err
        return code, err, pages[0].read_text(encoding="utf-8") if pages else out

    return run
