"""The curves of Figure 6."""

import numpy as np

from noiseless.papers.nsht.leakage import build_bound_table


def test_printed_bound_lies_below_the_corrected_one_everywhere():
    table = build_bound_table(epsilon=np.geomspace(1e-3, 30, 50))
    difference = table.loc[table["statistic"] == "printed_minus_corrected", "value"]
    assert (difference < 0).all()
