"""Group sizes by sorting, against a dictionary."""

from collections import Counter

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pycanon import anonymity

from noiseless.theory.groups import compute_share_below, count_group_sizes

# Near each other, and too far from each other for 32 bits; also where a difference overflows 64.
NEAR = st.lists(st.integers(-3, 3) | st.integers(2**32 - 5, 2**32), max_size=60)
KEYS = NEAR | st.lists(st.integers(0, 6) | st.integers(-(2**63), 2**63 - 1), max_size=60)


def by_dictionary(keys, k):
    counts = Counter(keys)
    return sum(count for count in counts.values() if count < k) / max(1, len(keys))


def pairs(sizes):
    return list(zip(sizes.size.tolist(), sizes.groups.tolist(), strict=True))


@given(keys=KEYS, k=st.integers(1, 12))
def test_portion_equals_a_dictionary_count(keys, k):
    sizes = count_group_sizes(keys)
    assert compute_share_below(sizes, k) == by_dictionary(keys, k)
    assert sizes.records == len(keys)
    assert sizes.keys == len(set(keys))
    assert pairs(sizes) == sorted(Counter(Counter(keys).values()).items())


@pytest.mark.filterwarnings("ignore:In a future version, the keys of `groups`")  # pycanon's
@given(keys=st.lists(st.integers(0, 5), min_size=1, max_size=60))
def test_smallest_group_is_what_pycanon_calls_k(keys):
    k = anonymity.k_anonymity(pd.DataFrame({"cell": keys}), ["cell"])
    sizes = count_group_sizes(keys)
    assert sizes.size.min() == k
    assert compute_share_below(sizes, k) == 0
    assert compute_share_below(sizes, k + 1) > 0
