"""Captions are plain text that Snakemake's report and the page show alike."""

import re

import pandas as pd
import pytest
from docutils.core import publish_parts

from noiseless.figures.captions import caption_html, literal
from noiseless.statistics import CONFIDENCE

# Percents that no key sets: the level of every interval, and the false alarms of a measure.
LEVELS = {f"{100 * CONFIDENCE:g}", "1", "0.1"}
HOSTILE = (
    '<img src=x onerror=alert(1)> "*x*" {{ 7 * 7 }}\n\n.. raw:: html\n\n  <b>`a`_ |s| </script>'
)


@pytest.fixture(scope="module")
def captions(caption_paths):
    """Every caption of a figure, by its name."""
    return {name: path.read_text(encoding="utf-8") for name, path in caption_paths.items()}


def test_a_caption_is_plain_text_with_its_question_first(captions):
    """A template would show numbers of the configuration that the figure was not drawn with."""
    assert len(captions) >= 20
    for name, text in captions.items():
        assert not re.search(r"{{|{%", text), name
        assert re.match(r"\*\*[^*]+\*\*", text), name


def test_no_caption_writes_a_percentage_that_a_key_sets(captions):
    for name, text in captions.items():
        assert set(re.findall(r"([\d.]+) ?%", text)) <= LEVELS, name


def test_names_in_a_caption_are_shown_as_they_are():
    shown = " ".join(HOSTILE.split())
    assert literal(HOSTILE).count("\n") == 0
    named = f"*We*: {literal(HOSTILE)}."
    html = caption_html(named)
    assert html.startswith("<em>We</em>: ")
    assert re.findall("<[^>]*>", html) == ["<em>", "</em>"]
    # Snakemake's report reads the same text as reStructuredText.
    for body in (html, publish_parts(named, writer="html5")["body"]):
        text = pd.Series(body).str.replace("<[^>]*>", "", regex=True).iloc[0]
        text = re.sub(r"&#(\d+);", lambda found: chr(int(found[1])), text)
        for name, sign in (("lt", "<"), ("gt", ">"), ("quot", '"'), ("amp", "&")):
            text = text.replace(f"&{name};", sign)
        assert shown in " ".join(text.split())


def test_captions_read_as_snakemakes_report_reads_them(captions):
    """Docutils has nothing to say about any caption: it stops at a warning."""
    for text in captions.values():
        settings = {"halt_level": 2, "report_level": 5}
        publish_parts(text, writer="html5", settings_overrides=settings)
