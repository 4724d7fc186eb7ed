"""Figure of the notions of privacy."""

import math

import numpy as np

from drawn import tidy
from noiseless.papers.prrelation.figures import orders


def test_cells_show_the_largest_multiple_of_a_panel():
    notions = list(orders._NOTIONS)
    kinds = ["uniform", "independent", "correlated", "count", "constrained"]
    table = tidy("unbounded", "largest_multiple", records=kinds, notion=notions, than=notions)
    table = table[table["notion"] != table["than"]]
    rng = np.random.default_rng(8)
    finite = table["statistic"] == "largest_multiple"
    table.loc[finite, "value"] = rng.uniform(0.5, 4, size=finite.sum()).round(2)
    table.loc[~finite, "value"] = 0.0
    lost = (table["notion"] == "DP") & (table["than"] == "IP record") & ~finite
    table.loc[lost & (table["records"] == "count"), "value"] = 1.0
    left, right = orders.plot_orders(table).axes
    for axis, panel in ((left, kinds[:2]), (right, kinds)):
        shown = {tuple(map(round, text.get_position())): text.get_text() for text in axis.texts}
        assert len(shown) == 81
        for (column, row), words in shown.items():
            if row == column:
                assert words == "1"
                continue
            cells = table[
                (table["notion"] == notions[row])
                & (table["than"] == notions[column])
                & table["records"].isin(panel)
            ]
            expected = cells[cells["statistic"] == "largest_multiple"]["value"].max()
            if cells[cells["statistic"] == "unbounded"]["value"].sum():
                expected = math.inf
            assert words == ("∞" if math.isinf(expected) else f"{expected:g}")
