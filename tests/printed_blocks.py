"""Blocks of a page, run as they are printed, in the order of the page.

A block that begins with the name of a file, ``# mine.yaml`` or that in a docstring, or stands below
"New file", is written to it; others run in one session, as a reader pastes them.  A block of text
below one shows what it prints; a line ``...`` stands for any lines.
"""

import contextlib
import io
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from noiseless.command_line import main

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NEW_FILE = re.compile(r"New file `([^`]+)`:\n\n\Z")
_NAMES = {"python": re.compile(r'"""([\w.]+)"""\n'), "yaml": re.compile(r"# ([\w.]+)\n")}


@dataclass(frozen=True)
class Block:
    """A block of a page, the name of the file that it is, and what is printed below it."""

    language: str
    text: str
    file: str | None
    shown: str | None


def read_blocks(page: Path) -> list[Block]:
    """Return the blocks of a page, each with the block of text below it."""
    text = page.read_text(encoding="utf-8")
    found = list(_BLOCK.finditer(text))
    blocks = []
    for block, below in zip(found, [*found[1:], None], strict=True):
        if block[1] == "text":
            continue
        follows = below is not None and below[1] == "text"
        named = _NAMES[block[1]].match(block[2]) if block[1] in _NAMES else None
        named = _NEW_FILE.search(text, 0, block.start()) or named
        blocks.append(Block(block[1], block[2], named and named[1], below[2] if follows else None))
    return blocks


def run_block(block: Block, names: dict) -> str:
    """Run a block of Python, or commands ``noiseless``, in the working folder; return output."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        if block.file:
            Path(block.file).parent.mkdir(parents=True, exist_ok=True)
            Path(block.file).write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            exec(compile(block.text, "block", "exec"), names)
        else:
            for line in block.text.splitlines():
                program, *words = shlex.split(line, comments=True)
                assert program in ("noiseless", ".venv/bin/noiseless"), line
                assert main(words) == 0, line
    return said.getvalue()


def require_shown(block: Block, printed: str) -> None:
    """Require that a block printed what the page shows, line by line; ``...`` are any lines."""
    if block.shown is None:
        return
    shown = [re.escape(line.rstrip()) for line in block.shown.splitlines()]
    pattern = "\n".join(shown).replace("\n\\.\\.\\.", "(?:\n.*)*?")
    got = "\n".join(line.rstrip() for line in printed.rstrip("\n").splitlines())
    assert re.fullmatch(pattern, got), f"{block.text}\nprints\n{got}\nnot\n{block.shown}"
