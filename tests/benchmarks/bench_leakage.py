"""What deterministic reports leak, against the quantitative information flow library ``qif``."""

import numpy as np
import qif
from comparison import Comparison
from peers import QIF

from noiseless.theory.finite import Relation

SECRETS, LEVELS = 3000, 500


def comparisons():
    reports = np.random.default_rng(1).integers(0, LEVELS, SECRETS)

    def with_qif():
        channel = np.equal.outer(reports, np.unique(reports)).astype(float)
        return qif.measure.bayes_vuln.mult_capacity(channel)

    yield Comparison(
        name=f"capacity of {LEVELS} levels of {SECRETS:,} secrets; qif",
        baseline=with_qif,
        ours=lambda: Relation.from_outcomes(range(SECRETS), reports.tolist()).maximin_count,
        agree=lambda theirs, ours: np.testing.assert_allclose(ours, theirs),
        peer=QIF,
    )
