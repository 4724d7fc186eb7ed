"""Leakage and information of pairs and channels."""

import math

import numpy as np
import pandas as pd
import pytest

import noiseless as nl
from noiseless.seeds import make_generator
from noiseless.theory.finite import Relation


def test_leakage_and_information_follow_their_definitions():
    rng = make_generator(1, "leakage of random pairs")
    for _ in range(30):
        pairs = rng.integers(0, 5, (8, 2)).tolist()
        secrets, reports = zip(*pairs, strict=True)
        relation = Relation.from_outcomes(secrets, reports)
        assert nl.leakage_bits(secrets, reports) == pytest.approx(math.log2(relation.leakage))
        assert nl.maximin_information_bits(pd.Series(secrets), np.array(reports)) == pytest.approx(
            math.log2(relation.maximin_count)
        )
        channel = rng.dirichlet(np.ones(4), 3)
        assert 2 ** nl.maximal_leakage_bits(channel) == pytest.approx(
            sum(max(row[y] for row in channel) for y in range(4))
        )
