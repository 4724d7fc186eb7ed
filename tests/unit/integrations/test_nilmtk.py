"""The quantized meter in NILMTK's own loader."""

import doctest
import warnings

import numpy as np
import pandas as pd
import pytest

from noiseless.errors import UserError
from noiseless.mechanisms.families.quantizer import Quantizer

# NILMTK says so of whatever is given as preprocessing.
pytestmark = pytest.mark.filterwarnings("ignore:If you are using `preprocessing` to resample")

POWER_W = [120.0, 1_450.0, 9_000.0, np.nan, 0.0, 4_000.0]


@pytest.fixture(scope="module")
def step():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of NILMTK's imports
        pytest.importorskip("nilmtk")
        from noiseless.integrations import nilmtk
    return nilmtk


@pytest.fixture
def meter(step, tmp_path, monkeypatch):
    from nilmtk.datastore import HDFDataStore
    from nilmtk.elecmeter import ElecMeter, ElecMeterID

    columns = [("power", "active"), ("voltage", "")]
    readings = pd.DataFrame(
        dict.fromkeys(columns, POWER_W),
        index=pd.date_range("2026-01-01", periods=len(POWER_W), freq="min", tz="UTC"),
    )
    readings.columns = pd.MultiIndex.from_tuples(columns, names=["physical_quantity", "type"])
    with pd.HDFStore(tmp_path / "meter.h5", "w") as store:
        store.put("/building1/elec/meter1", readings, format="table")
    measured = [{"physical_quantity": "power", "type": "active"}]
    device = {"model": "m", "sample_period": 60, "max_sample_period": 120, "measurements": measured}
    monkeypatch.setattr(ElecMeter, "meter_devices", {"m": device})
    store = HDFDataStore(str(tmp_path / "meter.h5"), "r")
    metadata = {"device_model": "m", "data_location": "/building1/elec/meter1"}
    yield ElecMeter(store, metadata, ElecMeterID(1, 1, "d"))
    store.close()


def test_power_comes_in_bins(step, meter):
    quantizer = Quantizer(0, 4_000, 4, clip=True)
    (chunk,) = meter.load(preprocessing=[step.QuantizedMeter(quantizer=quantizer)])
    expected = [500.0, 1_500.0, 3_500.0, np.nan, 500.0, 3_500.0]
    np.testing.assert_array_equal(chunk["power", "active"], expected)
    assert chunk.timeframe.start == pd.Timestamp("2026-01-01", tz="UTC")


def test_what_is_no_power_stays(step):
    from nilmtk.node import Node

    readings = pd.DataFrame({("power", "apparent"): [1, 1_200], ("voltage", ""): [229, 231]})
    quantizer = Quantizer(0, 4_000, 4)
    (chunk,) = step.QuantizedMeter(Node(generator=iter([readings])), quantizer=quantizer).process()
    assert chunk["power", "apparent"].tolist() == [500.0, 1_500.0]
    assert chunk["voltage", ""].tolist() == [229, 231]
    assert readings["power", "apparent"].tolist() == [1, 1_200]


def test_settings_are_told_without_reading(step, meter):
    node = step.QuantizedMeter(meter, quantizer=Quantizer(0, 4_000, 4))
    told = node.dry_run_metadata()["preprocessing_applied"]["quantize"]
    assert told == {"lower_w": 0, "upper_w": 4_000, "levels": 4}
    assert step.QuantizedMeter.postconditions == {"preprocessing_applied": {"quantize": {}}}


def test_mistakes_are_named(step, meter):
    with pytest.raises(UserError, match="needs a quantizer"):
        step.QuantizedMeter()
    loud = step.QuantizedMeter(quantizer=Quantizer(0, 4_000, 4))
    with pytest.raises(UserError, match="outside the public range"):
        list(meter.load(preprocessing=[loud]))


def test_example(step):
    assert doctest.testmod(step) == (0, 4)
