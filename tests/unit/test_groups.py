"""Group sizes by sorting, against a dictionary; runs on disk, against counting all at once."""

from collections import Counter
from itertools import chain

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pycanon import anonymity

from noiseless import groups
from noiseless.groups import (
    group_sizes,
    group_sizes_of_runs,
    merge_runs,
    portion_below,
    write_run,
)

KEYS = st.lists(st.integers(0, 6) | st.integers(0, 2**62), max_size=60)


def by_dictionary(keys, k):
    counts = Counter(keys)
    return sum(count for count in counts.values() if count < k) / max(1, len(keys))


def pairs(sizes):
    return list(zip(sizes.size.tolist(), sizes.groups.tolist(), strict=True))


@given(keys=KEYS, k=st.integers(1, 12))
def test_portion_equals_a_dictionary_count(keys, k):
    sizes = group_sizes(keys)
    assert portion_below(sizes, k) == by_dictionary(keys, k)
    assert sizes.records == len(keys)
    assert sizes.keys == len(set(keys))
    assert pairs(sizes) == sorted(Counter(Counter(keys).values()).items())


@given(keys=st.lists(st.integers(0, 5), min_size=1, max_size=60))
def test_smallest_group_is_what_pycanon_calls_k(keys):
    k = anonymity.k_anonymity(pd.DataFrame({"cell": keys}), ["cell"])
    sizes = group_sizes(keys)
    assert sizes.size.min() == k
    assert portion_below(sizes, k) == 0
    assert portion_below(sizes, k + 1) > 0


@given(batches=st.lists(KEYS, min_size=1, max_size=4), slice_records=st.sampled_from([1, 3, 10**6]))
@settings(deadline=None, max_examples=60)
def test_runs_count_as_if_all_keys_were_one_batch(tmp_path_factory, batches, slice_records):
    folder = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(groups, "SLICE_RECORDS", slice_records)
        runs = [folder / f"{number}.npy" for number in range(len(batches))]
        for batch, run in zip(batches, runs, strict=True):
            write_run(batch, run)
        whole = pairs(group_sizes(list(chain(*batches))))
        assert pairs(group_sizes_of_runs(runs)) == whole
        # Merged in two steps, as a cluster may do it, and in any order.
        merge_runs(runs[:2][::-1], folder / "first.npy")
        merge_runs([*runs[2:], folder / "first.npy"], folder / "all.npy")
        assert pairs(group_sizes_of_runs([folder / "all.npy"])) == whole


def test_numbers_of_unique_keys_do_not_add_up(tmp_path):
    """Why a merge needs the keys: 2 + 2 unique keys make 2, because one is in both."""
    for name, keys in (("a", [1, 2]), ("b", [2, 3])):
        write_run(keys, tmp_path / f"{name}.npy")
    runs = [tmp_path / "a.npy", tmp_path / "b.npy"]
    assert [pairs(group_sizes_of_runs([run])) for run in runs] == [[(1, 2)], [(1, 2)]]
    assert pairs(group_sizes_of_runs(runs)) == [(1, 2), (2, 1)]


def test_merged_run_has_the_bytes_of_a_run_of_all_keys(tmp_path):
    keys = np.random.default_rng(1).integers(0, 500, 2000)
    write_run(keys, tmp_path / "whole.npy")
    for part in range(4):
        write_run(keys[part::4], tmp_path / f"{part}.npy")
    merge_runs([tmp_path / f"{part}.npy" for part in range(4)], tmp_path / "merged.npy")
    assert (tmp_path / "merged.npy").read_bytes() == (tmp_path / "whole.npy").read_bytes()
    assert len(np.load(tmp_path / "merged.npy")) == len(np.unique(keys))


def test_popular_key_takes_one_place_in_a_run(tmp_path):
    write_run(np.zeros(10_000, dtype=int), tmp_path / "run.npy")
    assert len(np.load(tmp_path / "run.npy")) == 1
    assert pairs(group_sizes_of_runs([tmp_path / "run.npy"])) == [(10_000, 1)]


def test_scrambling_loses_no_key(tmp_path):
    keys = np.concatenate([np.arange(2000), 2**62 + np.arange(2000)])
    write_run(keys, tmp_path / "run.npy")
    assert len(np.load(tmp_path / "run.npy")) == 4000


@pytest.mark.parametrize(("records", "slices"), [(1, 1), (500, 1), (1000, 1), (1001, 2), (4000, 4)])
def test_a_merge_holds_a_slice_of_the_keys_at_a_time(tmp_path, monkeypatch, records, slices):
    """As many equal slices of the range of keys as the limit asks for, each once, in order."""
    monkeypatch.setattr(groups, "SLICE_RECORDS", 1000)
    runs = [tmp_path / "one.npy", tmp_path / "other.npy"]
    for part, run in enumerate(runs):
        write_run(np.arange(records)[part::2], run)
    found = [keys.astype(object) for keys, _ in groups._merged_slices(runs)]
    assert len(found) == slices
    for number, keys in enumerate(found):
        assert (np.diff(keys) > 0).all()
        assert {int(key) * slices >> 64 for key in keys} == {number}
    assert sum(map(len, found)) == records
