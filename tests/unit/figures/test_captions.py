"""Captions are plain text that Snakemake's report and the page show alike."""

import math
import re

import pandas as pd
import pytest
from docutils.core import publish_parts

from noiseless.figures.captions import escape_markup, render_caption_html
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


def test_no_caption_writes_a_percentage_that_a_key_sets(captions, root):
    for name, text in captions.items():
        written = set(re.findall(r"([\d.]+) ?%", text))
        assert written <= LEVELS | {f"{read_coverage(root):d}"}, name


def read_coverage(root):
    """How often intervals over homes held the truth at the least, in whole percent."""
    page = (root / "docs/membership-game.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?:common|rare) \| .*", page, re.MULTILINE)
    assert len(rows) == 18
    return math.floor(min(float(row.split("|")[6].rstrip(" %")) for row in rows))


def test_captions_of_intervals_over_homes_say_how_often_they_held_the_truth(captions, root):
    """Their measured coverage is below their promise, and that is said."""
    least = read_coverage(root)
    assert least < 100 * CONFIDENCE
    said = f"wide bars held it in {least} % of the trials and more"
    saying = {name for name, text in captions.items() if said in " ".join(text.split())}
    assert saying == {
        *("noiseless_fig3", "noiseless_fig3_learned", "noiseless_sets_of_homes"),
        *("noiseless_sets_by_budget", "beyond_adversaries"),
    }


def test_names_in_a_caption_are_shown_as_they_are():
    shown = " ".join(HOSTILE.split())
    assert escape_markup(HOSTILE).count("\n") == 0
    named = f"*We*: {escape_markup(HOSTILE)}."
    html = render_caption_html(named)
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


# A caption asks; what came out stands in the ledger.  These phrases define a line, a mark or an
# axis, and none says how a run ended.
COMPARES = re.compile(
    r"\bthan\b|\b(better|worse|stronger|weaker|steeper|flatter|beats?|exceeds?|outperforms?|wins?|"
    r"loses?|falls|fell|rises?|rose|drops?|shrinks?|grows?|decreas\w+|increas\w+)\b",
    re.IGNORECASE,
)
DEFINES = {
    "beyond_adversaries": ["no adversary can do better", "the same knowledge may do better"],
    "beyond_comparison_homes": [
        "never more exact than the thick mark",
        "a better adversary may gain more",
    ],
    "beyond_comparison_meter": [
        "never more exact than the thick mark",
        "make a report likelier than another by the factor",
    ],
    "beyond_comparison_trips": [
        "never nearer than the thick mark",
        "make a report likelier than another by the factor",
        "its ε grows with their distance, by epsilon_per_m",
    ],
    "deterministic_k_anonymity": ["excludes more people than allowed"],
    "knowledge_fig1": ["no belief grows or shrinks by more than a factor"],
    "knowledge_grouping": ['"Slope grows" is the slope between'],
    "knowledge_survey": ["changes by more than a factor of e"],
    "noiseless_fig3": ["more closely than their bars suggest"],
    "noiseless_fig4": ["less or more than half of the range"],
    "noiseless_fig6_attribution": ["fewer trips than the paper's million"],
    "prrelation_curves_calibrations": ["more noise is added than it needs"],
}


def test_no_caption_says_what_came_out(captions):
    """Words of comparison stand in phrases that define what is drawn, each of them known."""
    assert set(DEFINES) <= set(captions)
    for name, text in captions.items():
        words = " ".join(text.split())
        for phrase in DEFINES.get(name, []):
            assert phrase in words, f"{name} no longer says: {phrase}"
            words = words.replace(phrase, "")
        found = COMPARES.search(words)
        assert found is None, f"{name}: ...{words[max(found.start() - 60, 0) : found.end() + 60]}"


@pytest.mark.parametrize(
    "result",
    ["Noise beats the quantizer.", "London falls from 0.7 to 0.4.", "The second is worse."],
)
def test_a_result_in_a_caption_is_found(result):
    assert COMPARES.search(result)
