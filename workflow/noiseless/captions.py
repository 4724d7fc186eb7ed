"""Captions of figures: one text for Snakemake's report, the results page and the summaries."""

import html
import re


def caption_html(text: str) -> str:
    """HTML of a caption, whose only marks are ``**bold**`` and ``*italic*``."""
    escaped = html.escape(" ".join(text.split()), quote=False)
    escaped = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", escaped)
    return re.sub(r"\*(.+?)\*", r"<em>\1</em>", escaped)
