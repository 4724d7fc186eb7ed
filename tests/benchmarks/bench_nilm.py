"""The sweep over budgets in memory against NILMTK's own way through HDF5 files, for one budget.

Both start from a trained model and end with an f-score of each appliance.
"""

import itertools
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from comparison import Comparison
from nilmtk_route import disaggregate_and_score, quiet, train, write_hdf5
from peers import NILMTK, NUMPY

from noiseless.adversaries.factorial_hmm import FactorialHMM
from noiseless.data.redd import MAINS, OTHER_APPLIANCES
from noiseless.games import appliances
from noiseless.mechanisms.families.quantizer import Quantizer
from noiseless.mechanisms.interface import Domain
from noiseless.seeds import make_generator
from toy_meter import sampled_redd

SPLIT = "2011-04-30"
START = "2011-05-04"  # from here on the sample has no gap: NILMTK averages over stretches
METERS = [5, 11, 8, 9, 6]  # in the order of the project's appliances


def comparisons():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        redd = sampled_redd(folder, days=12, period_s=30, seed=1)
        write_hdf5(folder / "low_freq", folder / "redd.h5")
        parts = appliances.split_by_day(
            appliances.build_recording(
                redd, mains=MAINS, others=OTHER_APPLIANCES.values(), period_s=60
            ),
            SPLIT,
        )
        yield _through_files(folder, *parts)
        yield _posterior(*parts)


def _through_files(folder, training, test):
    co = train(folder / "redd.h5", before=SPLIT, channels=METERS, period_s=60, seed=1)
    run = itertools.count()
    start_s = pd.Timestamp(START, tz="US/Eastern").timestamp()
    test = test.select_bins(test.slot * 60 >= start_s)

    def baseline():
        scores = disaggregate_and_score(
            co,
            folder / "redd.h5",
            folder / str(next(run)),
            quantizer=Quantizer(Domain((0,), (12000,), "w"), 2**6),
            start=START,
            period_s=60,
        )
        return [scores[number] for number in METERS]

    def ours():
        seen = appliances.release(
            test, Quantizer(Domain((0,), (12000,), "w"), 2**6), quantize="before"
        )
        with quiet():
            power = co.disaggregate_chunk(pd.Series(seen.value_w)).to_numpy()
        on = power >= appliances.ON_W
        return appliances.compute_f_scores(appliances.count_outcomes(test.is_on["metrics"], on))

    return Comparison(
        name="one budget, 3 days, from trained CO; baseline: NILMTK's files",
        baseline=baseline,
        ours=ours,
        # NILMTK leaves out the last bin.
        agree=lambda slow, fast: np.testing.assert_allclose(slow, fast, atol=0.003),
        peer=NILMTK,
    )


def _posterior(training, test):
    """Joint transitions as one matrix, the first way that comes to mind."""
    model = FactorialHMM.fit(
        training.power_w,
        training.mains_w,
        follows=training.follows,
        on_w=appliances.ON_W,
        on_states=1,
        other_states=8,
        range_w=(0.0, 12000.0),
        rng=make_generator(1, "bench"),
    )
    part = test.select_bins(np.arange(len(test.slot)) < 1500)
    low, high = part.mains_w - 50, part.mains_w + 50

    def dense():
        matrix, initial = np.ones((1, 1)), np.ones(1)
        for each, start in zip(model.transitions, model.initial, strict=True):
            matrix, initial = np.kron(matrix, each), np.kron(initial, start)
        means, spread = np.zeros(1), np.zeros(1)
        for mean, variance in zip(model.means_w, model.variances_w2, strict=True):
            means = np.add.outer(means, mean).ravel()
            spread = np.add.outer(spread, variance).ravel()
        likelihood = model._compute_likelihood(
            np.stack([low, high], axis=1), means, np.sqrt(spread + 20.0**2)
        )
        forward = np.empty_like(likelihood)
        for t, follows in enumerate(part.follows):
            vector = likelihood[t] * (forward[t - 1] @ matrix if follows else initial)
            forward[t] = vector / vector.sum()
        backward = np.ones(len(means))
        on = np.empty((len(low), len(model.means_w) - 1))
        shape = [len(mean) for mean in model.means_w]
        for t in range(len(low) - 1, -1, -1):
            joint = (forward[t] * backward).reshape(shape)
            joint /= joint.sum()
            on[t] = [1 - joint.take(0, axis=chain).sum() for chain in range(on.shape[1])]
            backward = matrix @ (likelihood[t] * backward) if part.follows[t] else 1.0
            backward = backward / np.max(backward) * np.ones(len(means))
        return on

    return Comparison(
        name="posterior, 1,500 bins, 256 states; baseline: one joint matrix",
        baseline=dense,
        ours=lambda: model.compute_posterior(low, high, follows=part.follows)[0],
        agree=lambda slow, fast: np.testing.assert_allclose(fast, slow, atol=1e-9),
        peer=NUMPY,
    )
