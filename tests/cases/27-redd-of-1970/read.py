import sys
import warnings

import pandas as pd
import tables

from noiseless.data.redd import read_nilmtk
from noiseless.errors import UserError

warnings.simplefilter("ignore", tables.NaturalNameWarning)
METERS = {1: "apparent", 2: "apparent", 3: "active"}
for times in (1_303_132_929, 0):  # as they are, and with nanoseconds where seconds were meant
    with pd.HDFStore(sys.argv[1], "w") as store:
        index = pd.to_datetime(times + pd.RangeIndex(0, 600, 3), unit="s", utc=True)
        for meter, kind in METERS.items():
            columns = pd.MultiIndex.from_tuples([("power", kind)])
            frame = pd.DataFrame(100.0 * meter, index=index, columns=columns, dtype="float32")
            store.put(f"building1/elec/meter{meter}", frame, format="table")
        store.root.building1._v_attrs.metadata = {
            "elec_meters": {1: {"site_meter": True}, 2: {"site_meter": True}, 3: {}},
            "appliances": [{"type": "fridge", "instance": 1, "meters": [3]}],
        }
    try:
        print("readings:", len(read_nilmtk(sys.argv[1], house=1)))
    except UserError as error:
        print(error)
