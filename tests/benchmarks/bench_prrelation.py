"""The likelihood-ratio adversary: counting answers, and the best F-score, against plain loops."""

import numpy as np
from comparison import Comparison
from peers import LOOP, SCIPY
from scipy.optimize import minimize_scalar

from noiseless.adversaries.likelihood_ratio import (
    compute_f_score,
    compute_gaussian_rates,
    compute_gaussian_test_rates,
    maximise_f_score,
)
from noiseless.papers.prrelation.monte_carlo import count_accepted
from noiseless.papers.prrelation.notions import (
    compute_epsilons,
    enumerate_mechanisms,
    enumerate_priors,
)


def comparisons():
    rng = np.random.default_rng(1)
    answers, thresholds = rng.laplace(size=200_000), np.linspace(-3, 3, 13)

    def loop():
        counts = [0] * len(thresholds)
        for answer in answers.tolist():
            for at, threshold in enumerate(thresholds.tolist()):
                counts[at] += answer >= threshold
        return np.array(counts)

    yield Comparison(
        name="13 tests of 200,000 answers; baseline: a loop over answers",
        baseline=loop,
        ours=lambda: count_accepted(answers, thresholds),
        agree=np.testing.assert_array_equal,
        peer=LOOP,
    )

    distances = np.geomspace(0.3, 5, 200)

    def optimiser():
        best = []
        for mu in distances:
            found = minimize_scalar(
                lambda psi, mu=mu: -compute_f_score(*compute_gaussian_rates(psi, mu), beta=1.0),
                bounds=(-10 / mu, 1),
                method="bounded",
                options={"xatol": 1e-9},
            )
            best.append(-found.fun)
        return np.array(best)

    yield Comparison(
        name="best F1 at 200 noises; baseline: scipy's optimiser at each",
        baseline=optimiser,
        ours=lambda: maximise_f_score(
            lambda ratio: compute_gaussian_test_rates(ratio, distances), beta=1.0
        ),
        agree=lambda slow, fast: np.testing.assert_allclose(fast, slow, atol=1e-6),
        peer=SCIPY,
    )

    prior, cases = enumerate_priors(6)[20], enumerate_mechanisms(3)[:1000]

    def one_by_one():
        parts = [compute_epsilons(prior, case[None])["records"]["ddp"] for case in cases]
        return np.concatenate(parts)

    yield Comparison(
        name="notions of 1,000 mechanisms; baseline: one call for each",
        baseline=one_by_one,
        ours=lambda: compute_epsilons(prior, cases)["records"]["ddp"],
        agree=lambda slow, fast: np.testing.assert_allclose(fast, slow, atol=1e-12),
        peer=LOOP,
    )
