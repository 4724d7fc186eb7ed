"""Variants of a run."""

import pandas as pd

from noiseless.pipeline.variants import PATTERN, Variant


def test_variants_are_read_from_their_folders():
    found = {each: Variant.of(each) for each in ("", "seed_7/", "half_2/")}
    assert found == {"": Variant(), "seed_7/": Variant("seed", 7), "half_2/": Variant("half", 2)}
    assert all(pd.Series(found.keys()).str.fullmatch(PATTERN))
    settings = {"seed": 1, "n": 2}
    assert [each.settings(settings)["seed"] for each in found.values()] == [1, 7, 1]
    assert found["seed_7/"].settings({"n": 2}) == {"n": 2}
    homes, places = pd.DataFrame({"home": [1]}), pd.DataFrame({"place": [1]})
    assert [each.takes_half_of(homes) for each in found.values()] == [False, False, True]
    assert not found["half_2/"].takes_half_of(places)


def test_halves_of_the_homes_differ_and_are_the_same_each_time():
    table = pd.DataFrame({"home": [f"h{k}" for k in range(6)], "energy_kwh": [0, 0, 0, 9, 9, 9]})
    halves = [Variant("half", number).half_of(table, 1)["home"].tolist() for number in range(1, 20)]
    assert halves == [
        Variant("half", number).half_of(table, 1)["home"].tolist() for number in range(1, 20)
    ]
    assert len({tuple(half) for half in halves}) > 3
    assert all(half == sorted(half) and len(half) == 3 for half in halves)
