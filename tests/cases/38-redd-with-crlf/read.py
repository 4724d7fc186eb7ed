import sys

import pandas as pd

from noiseless.data.redd import read_low_freq

windows, plain = (
    read_low_freq(
        labels=f"{folder}/labels.dat",
        **{f"channel_{k}": f"{folder}/channel_{k}.dat" for k in (1, 2, 3, 4)},
    )
    for folder in sys.argv[1:]
)
pd.testing.assert_frame_equal(windows, plain)
print("the same rows:", len(windows))
