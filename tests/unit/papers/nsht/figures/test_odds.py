"""Figure of odds against change."""

from drawn import alike, points, shown, tidy
from noiseless.papers.nsht.figures.odds import _LOOKS, plot_blurring_odds


def test_odds_of_a_line_stand_beside_both_changes():
    settings = {"setting": [1.0, 3.0]}
    odds = tidy("worst_odds", "mean_change_kg", policy=list(_LOOKS), **settings)
    people = tidy("people", "mean_change_kg", policy=list(_LOOKS), **settings)
    people = alike(people, "people")
    left, right = plot_blurring_odds(odds, people).axes
    for policy, (_, _, label) in _LOOKS.items():
        behind = [y for _, y in points(odds, "setting", statistic="worst_odds", policy=policy)]
        for axis, table in ((left, odds), (right, people)):
            where = {"statistic": "mean_change_kg", "policy": policy}
            change = [y for _, y in points(table, "setting", **where)]
            assert shown(axis)[label] == list(zip(change, behind, strict=True))
    total = people.loc[people["statistic"] == "people", "value"].iloc[0]
    assert f"all {total:.0f} people" in right.get_xlabel()
