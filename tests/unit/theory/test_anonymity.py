"""Classes of equal records, against pycanon and by hand."""

import warnings

import numpy as np
import pandas as pd
import pytest

from noiseless.errors import DataError
from noiseless.seeds import make_generator
from noiseless.theory.anonymity import (
    class_diversity,
    class_numbers,
    class_sizes,
    k_anonymous_share,
    unique_share,
)

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from pycanon import anonymity


def test_classes_and_their_sizes_are_those_counted_by_hand():
    table = pd.DataFrame({"a": [1.0, 1, 2, np.nan, np.nan], "b": ["x", "x", "x", "y", "y"]})
    classes = class_numbers(table)
    assert classes.tolist() == [0, 0, 1, 2, 2]
    assert class_sizes(classes).tolist() == [2, 2, 1, 2, 2]
    assert class_diversity(classes, ["p", "q", "p", None, None]).tolist() == [2, 2, 1, 1, 1]
    assert unique_share(table) == pytest.approx(0.2)
    assert k_anonymous_share(table, 2) == pytest.approx(0.8)
    with pytest.raises(DataError, match="there are no records"):
        class_numbers(table[:0])


@pytest.mark.filterwarnings(
    "ignore::FutureWarning", "ignore:In a future version, the keys of `groups`"
)  # of pycanon, with pandas 2 and 3
@pytest.mark.parametrize("number", range(10))
def test_k_and_l_are_those_of_pycanon(number):
    draw = make_generator(number, "anonymity")
    values = {name: draw.integers(0, 3, 60).astype(str) for name in ("a", "b", "secret")}
    table = pd.DataFrame(values).astype(object)
    known = ["a", "b"] if number % 2 else ["a"]
    classes = class_numbers(table[known])
    assert class_sizes(classes).min() == anonymity.k_anonymity(table, known)
    found = class_diversity(classes, table["secret"]).min()
    assert found == anonymity.l_diversity(table, known, ["secret"])
