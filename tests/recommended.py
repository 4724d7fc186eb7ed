"""Tables of recommended releases whose every number is known."""

import pandas as pd

from noiseless.statistics import Estimate
from noiseless.statistics import rows as rows_of

AIMS = {"gain": 0.2, "largest_error_share": 0.1}
DESCRIBED = (64, 2.0, 7)
# n, rounding, days per value: gain, its upper end, error, share of constants, useful, chosen.
RELEASES = {
    (8, 2.0, 1): (0.5, 0.8, 0.58, 0.0, 1, 0),
    (8, 50.0, 1): (0.0, 0.0, 3.0, 0.997, 0, 0),
    (64, 2.0, 7): (0.1, 0.18, 0.57, 0.0, 1, 1),
    (8, 2.0, 7): (0.4, 0.6, 0.59, 0.0, 1, 0),
}


def recommendation_tables(releases=None, *, possible=1, certain=1, largest_n=128):
    """What the experiment on homes would write of some releases; the last but one is described."""
    releases, rows, splits = releases or RELEASES, [], []
    for (n, step, days), numbers in releases.items():
        gain, high, error, constant, useful, chosen = numbers
        cell = {"n": n, "rounding_kwh": step, "days_per_value": days}
        found = {
            "gain_all": Estimate(gain, gain - 0.1, high, "homes"),
            "insider_all": 0.9,
            "error_kwh": error,
            "error_share": Estimate(error / 10, error / 11, error / 9, "homes"),
            "constant_share": constant,
            "useful": useful,
            "values": 360 // days,
            "chosen": chosen,
        }
        rows += rows_of({**cell, "adversary": "normal"}, **found)
    n, step, days = DESCRIBED if DESCRIBED in releases else next(iter(releases))
    for side, off in enumerate((0.02, -0.02)):
        cell = {"split": 0, "half": side, "n": n, "rounding_kwh": step, "days_per_value": days}
        found = {"gain_all": releases[n, step, days][0] + off, "gain_one": 0.025}
        splits += rows_of(cell, **found, insider_all=0.92)
    exposed = [{"tenth": each, "value": 0.5 if each == 0 else each / 30} for each in range(11)]
    mechanisms = [
        row
        for name, gain in (("none", 0.9), ("laplace", 0.12), ("a plugin's", 0.3))
        for row in rows_of({"mechanism": name, "n": 4, "days_per_value": 7}, gain_all=gain)
    ]
    facts = {"homes": 300, "days": 365, "possible": possible, "largest_n": largest_n}
    facts |= {"known_homes": 150, "certain": certain}
    return {
        "recommendation_frontier": pd.DataFrame(rows),
        "recommendation_splits": pd.DataFrame(splits),
        "recommendation_exposed": pd.DataFrame(exposed),
        "recommendation_mechanisms": pd.DataFrame(mechanisms),
        "recommendation_facts": pd.DataFrame(rows_of({}, **facts)),
    }
