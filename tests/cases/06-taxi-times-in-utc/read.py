import sys
from pathlib import Path

from noiseless.data.nyc_taxi import REASONS, RawFile, Tally, classify_rows, read_csv, read_parquet
from noiseless.data.plane import Plane
from noiseless.errors import UserError

box, counts = Plane.from_edges([40.5, 41.0], [-74.3, -73.6]), {}
try:
    with RawFile(Path(sys.argv[1])).open() as stream:
        read = read_parquet if stream.peek(4).startswith(b"PAR1") else read_csv
        for batch in read(stream, Tally(), name=sys.argv[1], rows=None):
            classes = classify_rows(batch, box)
            for number, name in enumerate(("used", *REASONS)):
                counts[name] = counts.get(name, 0) + int((classes == number).sum())
            print(batch["pickup_time"].iloc[0])
    print(counts)
except UserError as error:
    print(error)
