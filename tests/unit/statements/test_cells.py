"""The cells of a table."""

import pandas as pd

from noiseless.statements import Estimate, list_estimates, widen
from noiseless.tables import REFUSED_COLUMN


def test_statistics_become_columns():
    long = pd.DataFrame(
        [
            {"n": 1, "statistic": "a", "value": 0.5},
            {"n": 1, "statistic": "b", "value": 2.0},
            {"n": 2, "statistic": "a", "value": 1.5},
        ]
    )
    assert widen(long).set_index("n").loc[1].to_dict() == {"a": 0.5, "b": 2.0}
    one = pd.DataFrame({"statistic": ["a", "b"], "value": [1.0, 2.0]})
    assert widen(one).to_dict() == {"a": 1.0, "b": 2.0}


def test_estimates_and_refusals_keep_their_form():
    estimates = pd.DataFrame({"who": ["x"], "value": [0.5], "low": [0.4], "high": [0.6]})
    assert widen(estimates) is estimates
    assert list_estimates(estimates, "who") == [Estimate(0.5, 0.4, 0.6, "x")]
    refused = pd.DataFrame({REFUSED_COLUMN: ["too few homes"]})
    assert widen(refused) is refused
