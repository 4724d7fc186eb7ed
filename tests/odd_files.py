"""Made files of meters, people and trips, as they come from spreadsheets."""

import numpy as np
import pandas as pd

from noiseless.seeds import generator


def meters(head, homes=3, days=40, *, unit_wh=1000.0, form="%d.%m.%Y", sep=";", decimal=","):
    draw = generator(3, "meters")
    rows = [
        (f"Z{home}", day.strftime(form), draw.gamma(8, 1.2) * 1000 / unit_wh)
        for home in range(homes)
        for day in pd.date_range("2024-01-20", periods=days)
    ]
    table = pd.DataFrame(rows, columns=head)
    table[head[2]] = table[head[2]].round(3)
    return table.to_csv(index=False, sep=sep, decimal=decimal, lineterminator="\n")


def people(sep=",", decimal="."):
    draw = generator(5, "people")
    n = 120
    table = pd.DataFrame(
        {
            "Größe": draw.normal(170, 10, n).round(1),
            "Alter": draw.integers(18, 80, n),
            "Geschlecht": draw.choice(["weiblich", "männlich"], n),
            "PLZ": draw.choice(["01067", "80331", "80333"], n),
            "Einkommen": draw.integers(10, 90, n) * 100,
            "Krank": draw.choice(["ja", "nein"], n),
            **{f"Frage {k}": draw.integers(1, 6, n) for k in range(6)},
        }
    )
    return table.to_csv(index=False, sep=sep, decimal=decimal, lineterminator="\n")


def rides(head, n=60, *, spread=0.9, times=True):
    draw = generator(7, "rides")
    table = pd.DataFrame(
        np.array([48, 2, 48, 2]) + draw.uniform(0.05, 0.05 + spread, (n, 4)), columns=head[:4]
    ).round(5)
    if times:
        table[head[4]] = pd.date_range("2024-03-01", periods=n, freq="7min")
    return table.to_csv(index=False, lineterminator="\n")
