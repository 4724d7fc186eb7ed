"""The page of measured times."""

import sys

import pytest
from PIL import Image

from noiseless.files import sha256_of_file


@pytest.fixture
def benchmarks(root, monkeypatch):
    monkeypatch.syspath_prepend(str(root / "tests" / "benchmarks"))


def test_the_page_is_what_was_measured(root, benchmarks):
    import page

    assert (root / "docs" / "performance.md").read_text(encoding="utf-8") == page.page()


def test_the_picture_is_of_what_was_measured(root):
    measured = root / "tests/benchmarks/measured/groups.json"
    with Image.open(root / "docs/measurements/trips.png") as picture:
        assert picture.text["Table"] == sha256_of_file(measured)


def test_jobs_are_summed_by_rule(tmp_path, monkeypatch, benchmarks):
    import page
    import record

    import rules

    for name, seconds, memory in (("draw/a", 1.0, 90), ("draw/b", 2.5, 80), ("count", 3.0, 70)):
        path = tmp_path / "logs" / f"{name}.tsv"
        path.parent.mkdir(parents=True, exist_ok=True)
        numbers = f"{seconds}\t{seconds / 2}\t{memory}"
        path.write_text(f"run_time_s\tcpu_time_s\tpeak_memory_mb\n{numbers}\n")
    monkeypatch.chdir(tmp_path)
    for module in (record, page):
        monkeypatch.setattr(module, "MEASURED", tmp_path)
    monkeypatch.setattr(sys, "argv", ["rules.py", "smoke"])
    rules.main()
    text = page.page()
    assert "| `draw` | 2 | 3.5 | 2.5 | 90 |" in text
    assert "| `count` | 1 | 3.0 | 3.0 | 70 |" in text
    assert text.index("`draw`") < text.index("`count`")
    assert "of 2 rules with 3 jobs in all" in text
    assert "Most memory: `draw`, 90 MB." in text
