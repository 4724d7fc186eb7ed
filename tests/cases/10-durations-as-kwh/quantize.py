import numpy as np
import pandas as pd

import noiseless as nl
from noiseless.errors import UserError

quantizer = nl.Quantizer(nl.Domain((0,), (20,), "kwh"), levels=4)
for values in (
    pd.to_timedelta([1, 2], unit="s"),
    pd.to_datetime(["2024-01-01"]),
    np.array([1 + 2j]),
):
    try:
        print("released:", quantizer.release(values))
    except UserError as error:
        print(error)
