"""Blocks of the pages for users run as printed, on the files that ``noiseless samples`` writes."""

import dataclasses
import sys

import pytest

from noiseless import papers
from noiseless.data.samples.own_files import write_samples
from printed_blocks import Block, read_blocks, require_shown, run_block

PAGES = ("choosing-epsilon", "plugins", "your-data")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The reader's folder, whose modules Python finds, and forgets afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    known = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - known:
        if str(getattr(sys.modules[name], "__file__", None)).startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_blocks_of_a_page_run_and_print_what_it_shows(root, folder, page):
    write_samples(folder)
    blocks = [each for each in read_blocks(root / f"docs/{page}.md") if each.language == "python"]
    assert len(blocks) > 2
    names: dict = {}
    for block in blocks:
        if "nl.compare(" not in block.text:  # papers/beyond/test_own_data.py runs it
            require_shown(block, run_block(block, names))


@pytest.mark.slow
def test_the_tutorial_runs_as_printed_and_its_commands_are_run(root, folder, monkeypatch):
    """In its order; those of make are run by test_docs, on the files that the tutorial writes."""
    monkeypatch.setenv("MPLBACKEND", "Agg")
    path = [*papers.__path__, str(folder / "workflow/noiseless/papers")]
    monkeypatch.setattr(papers, "__path__", path)  # of the reader's clone
    blocks = read_blocks(root / "docs/tutorial.md")
    names: dict = {}
    for block in blocks:
        if block.language != "bash":
            require_shown(block, run_block(block, names))
    assert [block.shown is not None for block in blocks if block.language == "sh"] == [True] * 5
    assert (folder / "advantage.png").stat().st_size > 10_000
    recipe = (root / "docs/running.md").read_text(encoding="utf-8")
    three = (folder / "three.yaml").read_text(encoding="utf-8").partition("\n")[2]
    assert f"```yaml\n{three}```" in recipe


def test_another_output_than_the_page_shows_is_found():
    block = Block("python", "", None, "a  1\n...\nb  2\n")
    for printed in ("a  1\nb  2\n", "a  1 \nmore\nmuch more\nb  2\n"):
        require_shown(block, printed)
    for printed in ("a  1\nb  3\n", "a  1\n", "x\na  1\nb  2\n", ""):
        with pytest.raises(AssertionError, match="prints"):
            require_shown(block, printed)
    require_shown(dataclasses.replace(block, shown=None), "anything")
