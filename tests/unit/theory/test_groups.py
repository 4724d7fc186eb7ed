"""Group sizes by sorting, against a dictionary; runs on disk, against counting all at once."""

import errno
import resource
from collections import Counter
from itertools import chain

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pycanon import anonymity

from noiseless.theory import groups
from noiseless.theory.groups import group_sizes, group_sizes_of_runs, new_run, portion_below

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


@pytest.mark.filterwarnings("ignore:In a future version, the keys of `groups`")  # pycanon's
@given(keys=st.lists(st.integers(0, 5), min_size=1, max_size=60))
def test_smallest_group_is_what_pycanon_calls_k(keys):
    k = anonymity.k_anonymity(pd.DataFrame({"cell": keys}), ["cell"])
    sizes = group_sizes(keys)
    assert sizes.size.min() == k
    assert portion_below(sizes, k) == 0
    assert portion_below(sizes, k + 1) > 0


def run_of(path, *batches):
    with new_run(path) as add:
        for batch in batches:
            add(batch)
    return path


@given(
    files=st.lists(st.lists(KEYS, max_size=3), min_size=1, max_size=4),
    slice_keys=st.sampled_from([1, 3, 10**6]),
)
@settings(deadline=None, max_examples=60)
def test_runs_count_as_if_all_keys_were_one_batch(tmp_path_factory, files, slice_keys):
    folder = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(groups, "SLICE_KEYS", slice_keys)
        runs = [run_of(folder / f"{number}.npy", *batches) for number, batches in enumerate(files)]
        whole = pairs(group_sizes(list(chain(*chain(*files)))))
        assert pairs(group_sizes_of_runs(runs)) == whole
        assert pairs(group_sizes_of_runs(runs[::-1])) == whole


def test_numbers_of_unique_keys_do_not_add_up(tmp_path):
    """Why a merge needs the keys: 2 + 2 unique keys make 2, because one is in both."""
    runs = [run_of(tmp_path / "a.npy", [1, 2]), run_of(tmp_path / "b.npy", [2, 3])]
    assert [pairs(group_sizes_of_runs([run])) for run in runs] == [[(1, 2)], [(1, 2)]]
    assert pairs(group_sizes_of_runs(runs)) == [(1, 2), (2, 1)]


def test_order_of_the_keys_of_a_batch_changes_no_byte(tmp_path):
    keys = np.random.default_rng(1).integers(0, 500, 2000)
    one, other = run_of(tmp_path / "one.npy", keys), run_of(tmp_path / "other.npy", keys[::-1])
    assert one.read_bytes() == other.read_bytes()


def test_keys_take_as_much_of_the_disk_as_documented(tmp_path):
    """8 bytes for a unique key, 24 for any other, beside the headers of 128 bytes."""
    assert run_of(tmp_path / "unique.npy", range(1000)).stat().st_size == 2 * 128 + 8 * 1000
    popular = run_of(tmp_path / "popular.npy", np.zeros(10_000, dtype=int))
    assert popular.stat().st_size == 2 * 128 + 24
    assert pairs(group_sizes_of_runs([popular])) == [(10_000, 1)]


def test_scrambling_loses_no_key(tmp_path):
    keys = np.concatenate([np.arange(2000), 2**62 + np.arange(2000), -1 - np.arange(2000)])
    assert len(np.load(run_of(tmp_path / "run.npy", keys))) == 6000


@pytest.mark.parametrize(("records", "slices"), [(1, 1), (500, 1), (1000, 1), (1001, 2), (4000, 4)])
def test_a_merge_holds_a_slice_of_the_keys_at_a_time(tmp_path, monkeypatch, records, slices):
    """As many equal slices of the range of keys as the limit asks for, each once, in order."""
    monkeypatch.setattr(groups, "SLICE_KEYS", 1000)
    keys = np.arange(records)
    runs = [
        run_of(tmp_path / "one.npy", keys[::3], keys[1::3]),
        run_of(tmp_path / "other.npy", keys[2::3]),
    ]
    found = [keys.astype(object) for keys, _ in groups._merged_slices(runs)]
    assert len(found) == slices
    for number, keys in enumerate(found):
        assert (np.diff(keys) > 0).all()
        assert {int(key) * slices >> 64 for key in keys} == {number}
    assert sum(map(len, found)) == records


def test_a_full_disk_says_so_and_leaves_nothing_behind(tmp_path):
    """As far as a limit on the size of files is a full disk; NumPy's own error has no number."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, hard))
    try:
        with pytest.raises(OSError, match="File too large") as failure:
            run_of(tmp_path / "run.npy", np.arange(10_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert failure.value.errno == errno.EFBIG
    assert list(tmp_path.iterdir()) == []
