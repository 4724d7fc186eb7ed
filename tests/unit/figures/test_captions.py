"""Captions: numbers of the configuration come from it, names stay names."""

import copy
import functools
import re

import pandas as pd
import pytest
from docutils.core import publish_parts

from noiseless.figures.captions import (
    GAMES,
    _more,
    caption_html,
    caption_text,
    filled_in,
    literal,
    taking_part,
)
from noiseless.settings import load_yaml
from noiseless.statistics import CONFIDENCE

# Numbers of the configuration that a caption must say, and cannot say otherwise.
SAID = {
    "beyond_adversaries": ["beyond.adversaries.shown_epsilon_bits"],
    "deterministic_fig1": ["deterministic.policies.regions.accuracy"],
    "deterministic_fig2": ["deterministic.policies.regions.accuracy"],
    "deterministic_k_anonymity": ["deterministic.k_anonymity.most_excluded_share"],
    "knowledge_cost": ["knowledge.cost.node_limit"],
    "knowledge_fig1": ["knowledge.composition.epsilon_nats", "knowledge.baselines.delta"],
    "knowledge_grouping": ["knowledge.composition.epsilon_nats", "knowledge.grouping.size"],
    "knowledge_health": ["knowledge.health.epsilon_nats"],
    "knowledge_scan": ["knowledge.composition.budgets_nats"],
    "knowledge_survey": ["knowledge.survey.budget_nats"],
    "noiseless_fig3_choices": [
        "noiseless.membership.choices.cells",
        "noiseless.membership.choices.almost_zero",
    ],
    "noiseless_fig3_pairs": ["noiseless.membership.pairs.days"],
    "noiseless_fig3_ranges": ["noiseless.membership.main_fuse_kwh"],
    "noiseless_fig4": [
        "noiseless.nilm.mains_range_w",
        "noiseless.nilm.period_s",
        "noiseless.nilm.days",
    ],
    "noiseless_fig5": ["noiseless.trips.latitude_range_deg", "noiseless.trips.longitude_range_deg"],
    "noiseless_fig6": ["noiseless.trips.latitude_range_deg"],
    "noiseless_fig6_attribution": ["noiseless.trips.paper_trips"],
    "noiseless_fig6_beyond": ["noiseless.trips.k"],
    "nsht_blurring_price": ["nsht.blurring.kg_per_cm"],
    "nsht_fig5": ["nsht.blurring.bmi_kg_m2", "nsht.blurring.kg_per_cm"],
    "nsht_fig5_people": ["nsht.blurring.bmi_kg_m2"],
    "nsht_several_analysts": ["nsht.blurring.bmi_kg_m2"],
    "prrelation_choice": ["prrelation.curves.delta"],
    "prrelation_fig3": ["prrelation.monte_carlo.confidence", "prrelation.curves.epsilon_nats"],
    "prrelation_fig4": ["prrelation.curves.delta", "prrelation.curves.gaussian_epsilon_nats"],
    "prrelation_fig5_6_7": ["prrelation.knowledge.time"],
    "prrelation_meaning": ["prrelation.curves.delta"],
}
# Percents that no key sets: the level of every interval, and the false alarms of a measure.
LEVELS = {f"{100 * CONFIDENCE:g}", "1", "0.1"}
HOSTILE = (
    '<img src=x onerror=alert(1)> "*x*" {{ 7 * 7 }}\n\n.. raw:: html\n\n  <b>`a`_ |s| </script>'
)


@pytest.fixture(scope="module")
def config(root):
    """The configuration as `make paper` has it."""
    return load_yaml(root / "config/config.yaml")


@pytest.fixture(scope="module")
def captions(caption_paths):
    """Every caption of a figure, by its name, with the names that it may use."""
    return {
        name: functools.partial(caption_text, path, taking_part([]))
        for name, path in caption_paths.items()
    }


def changed(value):
    """Another value of the same kind, in every place that holds a number or a day."""
    match value:
        case dict():
            return {key: changed(each) for key, each in value.items()}
        case list():
            return [changed(each) for each in value]
        case str():
            return value.replace("2011", "2012")
        case int():
            return value * 2 + 1
        case float():
            return value / 2
    raise TypeError(value)


def with_change(config, key):
    """The configuration with another value of a key."""
    other = copy.deepcopy(config)
    *parents, last = key.split(".")
    place = functools.reduce(lambda part, name: part[name], parents, other)
    place[last] = changed(place[last])
    return other


@pytest.mark.parametrize(("name", "key"), [(name, key) for name in SAID for key in SAID[name]])
def test_caption_follows_the_configuration(captions, config, name, key):
    assert captions[name](config) != captions[name](with_change(config, key)), (name, key)


def test_every_caption_with_a_number_of_the_configuration_is_tested(caption_paths):
    using = {
        name
        for name, path in caption_paths.items()
        if "snakemake.config" in path.read_text("utf-8")
    }
    assert using == set(SAID)


def test_no_caption_writes_a_percentage_that_a_key_sets(caption_paths):
    """Templates without what they ask for: what is left of percents is fixed in the code."""
    texts = [path.read_text("utf-8") for path in caption_paths.values()]
    for text in texts:
        left = re.sub(r"{[{%].*?[%}]}", "", text, flags=re.DOTALL)
        assert set(re.findall(r"([\d.]+) ?%", left)) <= LEVELS, left


def test_caption_of_a_missing_key_is_an_error(captions):
    with pytest.raises(Exception, match="no attribute 'beyond'"):
        captions["beyond_adversaries"]({})


def test_names_in_a_caption_are_shown_as_they_are(captions, config):
    shown = " ".join(HOSTILE.split())
    assert literal(HOSTILE).count("\n") == 0
    named = filled_in("*We*: {{ snakemake.params.says.x }}.", says={"x": _more({"u": HOSTILE})})
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


def test_captions_read_as_snakemakes_report_reads_them(captions, config):
    """Docutils has nothing to say about any caption: it stops at a warning."""
    for caption in captions.values():
        settings = {"halt_level": 2, "report_level": 5}
        publish_parts(caption(config), writer="html5", settings_overrides=settings)


def test_games_have_the_same_words():
    assert {frozenset(each) for each in taking_part([]).values()} == {
        frozenset({"adversaries", "more_adversaries", "more_mechanisms"})
    }
    assert set(GAMES) == set(taking_part([]))
