import sys
from pathlib import Path

from noiseless.errors import UserError
from noiseless.reading.tidy_homes import read_tidy_homes

notes = {(4, 4): '"19 rack', (6, 4): '"19 rack'}
text = "home,time,note,energy_kwh\n" + "".join(
    f"h{home},2024-01-{day:02},{notes.get((day, home), 'ok')},{day}0.{home}5\n"
    for day in range(1, 13)
    for home in range(5)
)
path = Path(sys.argv[1]) / "homes.csv"
path.write_text(text)
try:
    found = read_tidy_homes(path, resolution="days")
    print(found.format_summary())
    print("h4:", found.energy_kwh[4])
except UserError as error:
    print(error)
