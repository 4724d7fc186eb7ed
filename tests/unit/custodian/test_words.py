"""Numbers and tables in the words of the page."""

import pandas as pd
import pytest

from noiseless.custodian.words import cells_of, listing, percent, plain, sentence


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (2500, "2,500"),
        (2.5e-3, "0.0025"),
        (0.5777, "0.578"),
        (12345.6, "12,346"),
        (64, "64"),
        (0, "0"),
    ],
)
def test_numbers_have_no_exponent(number, words):
    assert plain(number) == words


def test_a_cell_of_a_table_is_a_row_with_its_interval():
    table = pd.DataFrame(
        {
            "n": [2, 2, 3, 3],
            "statistic": ["gain", "error", "gain", "error"],
            "value": [0.5, 1.0, 0.25, 2.0],
            "low": [0.4, None, 0.2, None],
            "high": [0.6, None, 0.3, None],
        }
    )
    found = cells_of(table, ["n"]).set_index("n")
    assert found.loc[3, ["gain", "gain_low", "gain_high", "error"]].tolist() == [0.25, 0.2, 0.3, 2]
    assert percent(0.0625) == "6.2 %"
    assert sentence("no time") == "No time"
    assert (listing(["a"]), listing(["a", "b", "c"], "or")) == ("a", "a, b or c")
