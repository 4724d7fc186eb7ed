"""The best quantizer of a function, against all cuts."""

import itertools
import math

import numpy as np
import pytest

import noiseless as nl


def test_best_quantizer_against_all_cuts():
    best = nl.best_quantizer(
        lambda data: data[:, 0] ** 2, 4, ranges=[(0, 1)], output_range=(0, 1), points=500, cells=16
    )
    volumes = np.histogram(((np.arange(500) + 0.5) / 500) ** 2, bins=16, range=(0, 1))[0]
    longest = 8  # 2 / accuracy in cells
    shares = []
    for inner in itertools.chain.from_iterable(
        itertools.combinations(range(1, 16), count) for count in range(1, 6)
    ):
        cuts = (0, *inner, 16)
        if max(np.diff(cuts)) <= longest:
            shares.append(min(volumes[low:high].sum() for low, high in itertools.pairwise(cuts)))
    assert best.leakage_bits == pytest.approx(-math.log2(max(shares) / 500))
    assert best.least_leakage_bits <= best.leakage_bits
    assert max(np.diff(best.quantizer.edges)) <= 0.5
    assert best.fewest_reports == 2
