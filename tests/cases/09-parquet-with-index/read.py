import sys

import pandas as pd

from noiseless.errors import UserError
from noiseless.reading.tidy_homes import read_tidy_homes

days = pd.date_range("2024-01-01", periods=8)
rows = [(f"h{home}", day, 3.0 + home + day.day / 10) for home in range(5) for day in days]
table = pd.DataFrame(rows, columns=["home", "time", "energy_kwh"])
for index in (["home", "time"], ["time"]):
    table.set_index(index).to_parquet(sys.argv[1] + "/homes.parquet")
    try:
        print(read_tidy_homes(sys.argv[1] + "/homes.parquet", resolution="days").format_summary())
    except UserError as error:
        print("UserError:", error)
