import sys
from pathlib import Path

import pandas as pd

from noiseless.errors import UserError
from noiseless.reading.tidy_homes import read_tidy_homes

path = Path(sys.argv[1]) / "hours.csv"
for first, last in (("2024-10-24", "2024-10-31"), ("2024-03-28", "2024-04-05")):
    there = pd.date_range(first, last, freq="h", tz="Europe/London", inclusive="left")
    rows = [
        f"h{home},{hour},0.{home}{place % 10}\n"
        for home in range(5)
        for place, hour in enumerate(there.strftime("%Y-%m-%d %H:%M"))
    ]
    path.write_text("home,time,energy_kwh\n" + "".join(rows))
    try:
        print(read_tidy_homes(path, resolution="hours").format_summary())
    except UserError as error:
        print(error)
