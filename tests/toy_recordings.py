"""A made-up recording in NILMTK's format: half an hour of a home's mains, fridge and microwave."""

import warnings

import pandas as pd

ACTIVE, APPARENT, VOLTS = ("power", "active"), ("power", "apparent"), ("voltage", "")
STAMPS = pd.date_range("2011-04-18 09:22", periods=30, freq="60s", tz="US/Eastern")


def hdf5_by_hand(path, edit=None, meter=1, **metadata):
    """Mains, a fridge and a microwave in NILMTK's format; one meter is edited before."""
    levels = {1: 300.0, 2: 100.0, 3: 50.0}
    with warnings.catch_warnings(), pd.HDFStore(path, "w") as store:
        warnings.simplefilter("ignore")
        for number, level in levels.items():
            columns = pd.MultiIndex.from_tuples([APPARENT if number == 1 else ACTIVE])
            frame = pd.DataFrame(level, index=STAMPS, columns=columns)
            frame = edit(frame) if number == meter and edit else frame
            if frame is not None:
                store.put(f"/building1/elec/meter{number}", frame, format="table")
        store.root["building1"]._v_attrs.metadata = {
            "elec_meters": {1: {"site_meter": True}, 2: {}, 3: {}},
            "appliances": [
                {"type": "fridge", "meters": [2]},
                {"type": "microwave", "meters": [3]},
            ],
            **metadata,
        }
    return path
