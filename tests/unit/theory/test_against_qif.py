"""Leakage of deterministic reports, against the quantitative information flow library ``qif``.

The multiplicative Bayes capacity of a function is the number of its values: the logarithm of it is
I* of deterministic reports (``deterministic``, Equation 9), and of ``nsht`` it bounds L0(X; Y) from
below.  For uniform secrets that library's posterior vulnerability is that number over the secrets.
"""

import numpy as np
import pytest
import qif

from noiseless.seeds import make_generator
from noiseless.theory.finite import Relation


def random_reports(key: int) -> list[int]:
    random = make_generator(5, "qif", key)
    secrets = int(random.integers(2, 9))
    return random.integers(0, random.integers(1, secrets, endpoint=True), secrets).tolist()


@pytest.mark.parametrize("key", range(12))
def test_capacity_of_a_function_is_its_maximin_count(key):
    reports = random_reports(key)
    relation = Relation.from_outcomes(range(len(reports)), reports)
    channel = np.equal.outer(reports, sorted(set(reports))).astype(float)
    assert qif.measure.bayes_vuln.mult_capacity(channel) == pytest.approx(relation.maximin_count)
    assert relation.leakage >= relation.maximin_count >= relation.information
    uniform = np.full(len(reports), 1 / len(reports))
    vulnerability = qif.measure.bayes_vuln.posterior(uniform, channel)
    assert vulnerability == pytest.approx(relation.maximin_count / len(reports))
