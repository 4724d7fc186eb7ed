"""Files of a figure that shows nothing, as a job leaves them."""

from pathlib import Path

from PIL import Image


def write_pictures(path: Path, *, width: int = 4, height: int = 4) -> None:
    """Write a black PNG, and the WebP of half its size beside it."""
    black = Image.new("RGB", (width, height))
    black.save(path)
    black.reduce(2).save(path.with_suffix(".webp"))
