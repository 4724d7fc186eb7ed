"""NILMTK's own way from files to f-scores: HDF5 in, HDF5 out, for a single budget.

This is what a user of NILMTK would write for Figure 4 of ``noiseless``.  The unit tests compare the
project's in-memory sweep with it, and the benchmarks measure both.
"""

import contextlib
import io
import shutil
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import yaml

from noiseless.adversaries.combinatorial import import_nilmtk_disaggregators

KINDS = ("fridge", "microwave", "sockets", "light", "dish washer")


def write_hdf5(low_freq: Path, target: Path) -> None:
    """Convert ``low_freq/house_1`` by NILMTK's converter, with its metadata of that home.

    ``convert_redd`` itself wants all six homes and all channels.
    """
    import_nilmtk_disaggregators()
    from nilm_metadata import save_yaml_to_datastore
    from nilmtk.dataset_converters.redd import convert_redd
    from nilmtk.utils import get_datastore

    present = {int(path.stem.split("_")[1]) for path in low_freq.glob("house_1/channel_*.dat")}
    source = Path(convert_redd.__file__).parent / "metadata"
    folder = target.parent / "metadata"
    folder.mkdir()
    for name in ("dataset.yaml", "meter_devices.yaml"):
        shutil.copy(source / name, folder)
    building = yaml.safe_load((source / "building1.yaml").read_text())
    building["elec_meters"] = {
        number: meter for number, meter in building["elec_meters"].items() if number in present
    }
    # A washer dryer has two circuits there, of which a sample writes one.
    for each in building["appliances"]:
        each["meters"] = [number for number in each["meters"] if number in present]
    building["appliances"] = [each for each in building["appliances"] if each["meters"]]
    (folder / "building1.yaml").write_text(yaml.safe_dump(building))
    with quiet():
        store = get_datastore(str(target), "HDF", mode="w")
        convert_redd._convert(
            str(low_freq),
            store,
            lambda _, channel: [("power", "apparent" if channel <= 2 else "active")],
            "US/Eastern",
        )
        save_yaml_to_datastore(str(folder), store)
        store.close()


@contextlib.contextmanager
def quiet():
    """NILMTK prints, and warns of what pandas and PyTables will change."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


@contextlib.contextmanager
def _statistics_cache(folder: Path):
    """The project closes NILMTK's cache on import; this route needs one, new for every release."""
    import nilmtk

    nilmtk.STATS_CACHE.store = pd.HDFStore(folder / "cache.h5", "w")
    try:
        yield
    finally:
        nilmtk.STATS_CACHE.store.close()


@contextlib.contextmanager
def _data_frame_append():
    """``metrics.f1_score`` calls DataFrame.append, which pandas 2 no longer has."""

    def append(frame, row, ignore_index):
        assert ignore_index
        return pd.concat([frame.astype(float), pd.DataFrame([row])], ignore_index=True)

    pd.DataFrame.append = append
    try:
        yield
    finally:
        del pd.DataFrame.append


def train(hdf5: Path, *, before: str, channels: list[int], period_s: int, seed: int):
    """NILMTK's combinatorial optimisation, trained from the file by its own ``train``."""
    from nilmtk import DataSet, MeterGroup

    with quiet(), _statistics_cache(hdf5.parent):
        data = DataSet(str(hdf5))
        data.set_window(end=before)
        elec = data.buildings[1].elec
        co = import_nilmtk_disaggregators().CombinatorialOptimisation()
        np.random.seed(seed)  # noqa: NPY002
        co.train(MeterGroup([elec[number] for number in channels]), sample_period=period_s)
        data.store.close()
    return co


def disaggregate_and_score(
    co, hdf5: Path, folder: Path, *, quantizer, start: str, period_s: int
) -> dict[int, float]:
    """F-score of each meter by ``nilmtk.metrics.f1_score`` on quantized mains."""
    from nilmtk import DataSet, HDFDataStore
    from nilmtk.metrics import f1_score

    folder.mkdir()
    released, predicted = folder / "released.h5", folder / "predicted.h5"
    shutil.copy(hdf5, released)
    with quiet(), _statistics_cache(folder):
        if quantizer is not None:
            _quantize_mains(released, quantizer)
        data = DataSet(str(released))
        data.set_window(start=start)
        elec = data.buildings[1].elec
        output = HDFDataStore(str(predicted), "w")
        co.disaggregate(elec.mains(), output, sample_period=period_s)
        output.close()
        result = DataSet(str(predicted))
        with _data_frame_append():
            scores = f1_score(result.buildings[1].elec, elec)
        result.store.close()
        data.store.close()
    shutil.rmtree(folder)
    return scores.to_dict()


def _quantize_mains(path: Path, quantizer) -> None:
    """The meter releases the sum of the two legs: it goes into the first, and 0 into the other."""
    with pd.HDFStore(path, "a") as store:
        legs = [store[f"/building1/elec/meter{number}"] for number in (1, 2)]
        legs[0].iloc[:, 0] = quantizer.release(legs[0].iloc[:, 0] + legs[1].iloc[:, 0])
        legs[1].iloc[:, 0] = 0.0
        for number, leg in zip((1, 2), legs, strict=True):
            store.put(f"/building1/elec/meter{number}", leg.astype("float32"), format="table")
