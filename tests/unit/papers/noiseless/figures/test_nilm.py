"""Figure 4 of ``noiseless``."""

import math

import pandas as pd

from drawn import points, shown, tidy
from noiseless.papers.noiseless.figures import nilm

BITS = [1.0, 3.0, math.inf]
WHO = ["always_on", "chance", "co", "learned"]


def beyond(rows):
    """What has no quantizer stands beyond the last budget."""
    return [(x if math.isfinite(x) else 3 + 1.5, y) for x, y in sorted(rows)]


def test_the_figure_shows_each_appliances_scores_over_the_controls():
    where = {"appliance": ["fridge", "mean"], "adversary": WHO}
    attacks = tidy("f_score_losses", "f_score_metrics", unit=1 / 64, **where, epsilon_bits=BITS)
    controls = attacks["adversary"].isin(["always_on", "chance"])
    attacks = attacks[~controls].copy()
    blind = tidy("f_score_losses", unit=0.01, **where, epsilon_bits=[0.0])
    blind = blind[blind["adversary"].isin(["always_on", "chance"])]
    attacks.loc[attacks["adversary"] == "learned", "over"] = "nights"
    recording = pd.DataFrame(
        [("bins", "mains", 40.0), ("days", "mains", 2.0), ("on_share", "fridge", 0.25)],
        columns=["statistic", "meter", "value"],
    ).assign(part="test")
    mean, fridge = nilm.plot_fig4(pd.concat([attacks, blind]), recording, period_s=60).axes[:2]
    assert mean.get_title() == "mean of 1 appliances"
    assert fridge.get_title() == "fridge (on 25.0 % of the time)"
    for axis, name in ((mean, "mean"), (fridge, "fridge")):
        of = {"statistic": "f_score_losses", "appliance": name}
        lines = list(shown(axis).values())
        assert lines[:2] == [
            beyond(points(attacks, "epsilon_bits", adversary=who, **of)) for who in WHO[2:]
        ]
        assert [line[0][1] for line in lines[2:]] == [
            points(blind, "epsilon_bits", adversary=who, **of)[0][1] for who in WHO[:2]
        ]
        assert axis.get_xticks().tolist() == [1, 3, 4.5]
    # Whose bands are over something else is starred, and the note says over what.
    starred = [label for label in shown(mean) if label.endswith(" *")]
    assert len(starred) == 1
    note = mean.figure.get_supxlabel()
    assert note.startswith("40 bins of 60 s on 2 days;")
    assert "(*: nights)" in note


def test_what_teaches_nothing_is_named_and_left_out_of_means():
    """Sockets are always on, a stove never; a second mean is over those that can be missed."""
    kinds = ["fridge", "sockets", "stove", "mean", "mean of switched"]
    played = tidy("f_score_losses", appliance=kinds, adversary=["co"], epsilon_bits=BITS)
    blind = tidy("f_score_losses", appliance=kinds, adversary=WHO[:2], epsilon_bits=[0.0])
    attacks = pd.concat([played, blind])
    attacks.loc[attacks["appliance"] == "stove", ["value", "low", "high"]] = math.nan
    shares = {"fridge": 0.25, "sockets": 1.0, "stove": 0.0}
    rows = [("bins", "mains", 40.0), ("days", "mains", 2.0)]
    rows += [("on_share", name, share) for name, share in shares.items()]
    recording = pd.DataFrame(rows, columns=["statistic", "meter", "value"]).assign(part="test")
    panels = nilm.plot_fig4(attacks, recording, period_s=60).axes[:5]
    assert {panel.get_title(): [text.get_text() for text in panel.texts] for panel in panels} == {
        "mean of 2 appliances": [],
        "mean of the 1 not always on": [],
        "fridge (on 25.0 % of the time)": [],
        "sockets (always on: no gain)": [],
        "stove (never on: no score)": [],
    }


def test_names_of_users_are_no_formulas():
    where = {"appliance": ["heat_$a$", "mean"]}
    played = tidy("f_score_losses", **where, adversary=["$mine$"], epsilon_bits=BITS)
    blind = tidy("f_score_losses", **where, adversary=WHO[:2], epsilon_bits=[0.0])
    recording = pd.DataFrame(
        [("bins", "mains", 40.0), ("days", "mains", 2.0), ("on_share", "heat_$a$", 0.25)],
        columns=["statistic", "meter", "value"],
    ).assign(part="test")
    mean, own = nilm.plot_fig4(pd.concat([played, blind]), recording, period_s=60).axes[:2]
    assert own.get_title() == r"heat_\$a\$ (on 25.0 % of the time)"
    assert r"\$mine\$" in shown(mean)
