"""Captions of figures, as HTML for the results page.

A caption (``papers/<paper>/figures/<name>.rst``) asks the figure's question in bold, then names the
axes, the lines and the data.  It states no result: the results page has these beside the figure,
from the ledger.  Snakemake's report shows the same text.
"""

import html
import re


def escape_markup(text: str) -> str:
    """Escape a text, in one line, so that captions and reStructuredText show it literally."""
    return re.sub(r"([\\*`_|])", r"\\\1", " ".join(text.split()))


def render_caption_html(text: str) -> str:
    r"""Render a caption as HTML: ``**bold**``, ``*italic*``, ``\`` before literal characters."""
    escaped = html.escape(" ".join(text.split()), quote=False)
    escaped = re.sub(r"\\(.)", lambda found: f"&#{ord(found[1])};", escaped)
    escaped = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", escaped)
    return re.sub(r"\*(.+?)\*", r"<em>\1</em>", escaped)
