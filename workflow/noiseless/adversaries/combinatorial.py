"""Combinatorial optimisation through NILMTK: the disaggregation of ``noiseless``, Figure 4.

NILMTK clusters the power of each appliance into at most three states, one of them off, and reads
every mains value, by itself, as the combination of states whose sum is nearest.  States are whole
watts, so that several combinations often have one sum; which of them NILMTK takes depends on how
the processor sorts equal numbers.  Here it knows only the first of them, the one with the smallest
states of the appliances that are named first.

Importing NILMTK takes seconds and leaves a file in the temporary folder.  Only these functions
import it, once in a process, with a temporary folder that is gone when they return.
"""

import contextlib
import io
import itertools
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from functools import cache
from types import ModuleType

import numpy as np
import pandas as pd
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.extmath import cartesian

from noiseless.arrays import Floats
from noiseless.errors import DataError

_MAX_STATES = 3  # default of NILMTK's own train() for up to twelve meters


@cache
def import_nilmtk_disaggregators() -> ModuleType:
    """Import NILMTK's module of disaggregation algorithms, leaving no file behind."""
    before = tempfile.tempdir
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tempfile.tempdir = folder
        try:
            import nilmtk
            from nilmtk.legacy import disaggregate
        finally:
            tempfile.tempdir = before
        nilmtk.STATS_CACHE.close()
    return disaggregate


class CombinatorialOptimisation:
    """NILMTK's ``CombinatorialOptimisation``, trained on watts by appliance and run in memory.

    NILMTK draws its clusters from numpy's global state, which is seeded from ``rng`` and put back
    afterwards.  ``states_w`` are the states that were found, in whole watts, the first of them 0.
    """

    def __init__(self, power: Mapping[str, Floats], *, rng: np.random.Generator) -> None:
        self._model = import_nilmtk_disaggregators().CombinatorialOptimisation()
        with _seed_numpy(int(rng.integers(2**32))), warnings.catch_warnings():
            # NILMTK tries three clusters, also for an appliance that has fewer different powers.
            warnings.simplefilter("ignore", ConvergenceWarning)
            for appliance, watts in power.items():
                self._model.train_on_chunk(pd.Series(watts), appliance, _MAX_STATES, None)
        self.states_w = {each["training_metadata"]: each["states"] for each in self._model.model}
        combinations = cartesian(list(self.states_w.values()))
        _, first = np.unique(combinations.sum(axis=1), return_index=True)
        self._model.state_combinations = combinations[first]

    def disaggregate(self, mains_w: Floats) -> Floats:
        """Disaggregate mains (W) into the power of each appliance (W), shape (n, appliances).

        NILMTK wants 100 values or more; fewer are a DataError.
        """
        if len(mains_w) < self._model.MIN_CHUNK_LENGTH:
            raise DataError(
                f"NILMTK disaggregates {self._model.MIN_CHUNK_LENGTH} values or more, not "
                f"{len(mains_w)}: the test data is too short."
            )
        with contextlib.redirect_stdout(io.StringIO()):
            power = self._model.disaggregate_chunk(pd.Series(mains_w))
        return power[list(self.states_w)].to_numpy(dtype=float)

    def count_farther(self, mains_w: Floats, power_w: Floats) -> int:
        """Count the values whose disaggregation is no combination of states, or not a nearest one.

        Found by trying all combinations, without NILMTK.
        """
        states = list(self.states_w.values())
        is_state = np.all(
            [np.isin(power, each) for power, each in zip(power_w.T, states, strict=True)], axis=0
        )
        sums = np.sort([sum(each) for each in itertools.product(*states)])
        above = np.searchsorted(sums, mains_w).clip(max=len(sums) - 1)
        neighbours = sums[above], sums[(above - 1).clip(min=0)]
        nearest = np.minimum(*(np.abs(mains_w - each) for each in neighbours))
        off_by = np.abs(mains_w - power_w.sum(axis=1))
        return int((~is_state | (off_by > nearest)).sum())


@contextlib.contextmanager
def _seed_numpy(seed: int) -> Iterator[None]:
    """Seed NumPy's global generator within the context, and restore its state afterwards."""
    state = np.random.get_state()  # noqa: NPY002
    np.random.seed(seed)  # noqa: NPY002
    try:
        yield
    finally:
        np.random.set_state(state)  # noqa: NPY002
