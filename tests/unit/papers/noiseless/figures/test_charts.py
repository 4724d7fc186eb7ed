"""Whose lines the charts of ``noiseless`` show."""

import numpy as np
import pandas as pd

from noiseless.papers.noiseless.figures.charts import _STRONGEST, CHARTS


def test_beside_the_papers_adversaries_stand_the_trained_and_the_strongest_who_know_more():
    (chart,) = (each for each in CHARTS if each.key == "membership")
    tables = ("noiseless/membership_x", "noiseless/membership_learned_x", "beyond/adversaries_x")
    rows = pd.DataFrame(
        [
            (tables[0], "mse", 1, 0.1),
            (tables[1], "mse", 1, 0.2),
            (tables[1], "learned", 1, 0.3),
            *((tables[2], who, days, value) for who, days, value in (
                ("normal", 1, 0.9), ("normal", 30, 0.5), ("mse", 30, 0.6), ("exact", 30, np.nan),
                ("control", 30, 0.8), ("any", 30, 0.7),
            )),
        ],
        columns=["table", "adversary", "days", "value"],
    ).assign(dataset="x", n=2, epsilon_bits=3)  # fmt: skip
    shown = chart.prepare(rows)[["adversary", "value"]].to_numpy().tolist()
    assert shown == [["mse", 0.1], ["learned", 0.3], [_STRONGEST, 0.6]]
    alone = chart.prepare(rows[rows["table"] != tables[2]])
    assert alone["value"].tolist() == [0.1, 0.3]
