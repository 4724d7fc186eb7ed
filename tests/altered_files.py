"""``python altered_files.py [hdf5|homes] [files] [seed]``: read altered files, and count outcomes.

Each file is a small sound one after one to three changes.  Its outcome is *right* (what the sound
file holds, or a part of it), *refused* (one message), *traceback*, or *wrong*.

- ``homes``: a user's homes as CSV, with bytes changed, put in, doubled and cut
  (:mod:`damaged_files`), or as Parquet, with bits flipped.
- ``hdf5``: a recording in NILMTK's format: bytes flipped outside of its numbers, which HDF5 does
  not protect, cuts, and what pandas and NILMTK say of the numbers removed or replaced; among the
  replacements are pickles that would run a command.
"""

import io
import os
import pickle
import sys
import tempfile
import traceback
from collections import Counter
from pathlib import Path

import h5py
import numpy as np
import pandas as pd

from damaged_files import cells, draw_damages, flip_bits, spoil
from noiseless.data.redd import read_nilmtk
from noiseless.errors import DataError
from noiseless.reading.tidy_homes import read_tidy_homes
from noiseless.seeds import make_generator
from toy_recordings import hdf5_by_hand


class Touch:
    """Object whose pickle makes a file when it is loaded."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


def judge(read, expected, path):
    """The outcome of reading a file."""
    try:
        found = read(path)
    except DataError as error:
        text = str(error)
        return "refused" if text.isprintable() and len(text) < 1500 else "traceback"
    except Exception:
        traceback.print_exc()
        return "traceback"
    return "right" if found <= expected else "wrong"


# --- Homes ------------------------------------------------------------------------------------


def read_homes(path):
    """What a file of homes says: home, time and energy."""
    found = read_tidy_homes(path, resolution="days")
    return {
        (name, time, energy)
        for name, row in zip(found.names, found.energy_kwh.tolist(), strict=True)
        for time, energy in zip(found.times, row, strict=True)
    }


def alter_homes(folder, number, rng):
    """Write an altered file of homes; return its path, and the sound contents."""
    table = pd.DataFrame(
        [
            (f"h{home}", f"2024-01-{day:02}", float(rng.integers(1, 90)) / 4)
            for home in range(4)
            for day in range(1, 11)
        ],
        columns=["home", "time", "energy_kwh"],
    )
    path = folder / "homes"
    if number % 3 == 2:
        content = io.BytesIO()
        table.to_parquet(content, write_page_checksum=True)
        sound = content.getvalue()
        altered = flip_bits(sound, rng)
    else:
        sound = table.to_csv(index=False, quoting=number % 3).encode()
        # A name or a day that becomes another one is a sound file of other homes or days.
        protected = cells(sound, {0, 1, 2})
        altered = spoil(sound, protected, list(draw_damages(rng)))
    path.write_bytes(sound)
    expected = read_homes(path)
    path.write_bytes(altered)
    return path, expected


# --- Recordings -------------------------------------------------------------------------------


def read_recording(path):
    """What a recording says: meter, time and power."""
    return set(read_nilmtk(path, house=1).itertuples(index=False, name=None))


def find_chunks(file):
    """Positions of the numbers of a file's tables."""
    places = set()

    def add(_, node):
        if isinstance(node, h5py.Dataset) and node.chunks:
            for k in range(node.id.get_num_chunks()):
                chunk = node.id.get_chunk_info(k)
                places.update(range(chunk.byte_offset, chunk.byte_offset + chunk.size))

    file.visititems(add)
    return places


VALUES = [
    b"", b"text", b"x\x80", 7, 1.5, np.arange(3), np.bytes_(b"I1\n."), "text", h5py.Empty("f"),
    *(np.bytes_(pickle.dumps(each, protocol)) for protocol in (0, 2, 4) for each in (
        None, 7, "x", [], {}, [[]], {"index": {}}, {"index": {"tz": None}}, [("power",)],
        [("power", "active")] * 2, {"elec_meters": [], "appliances": []}, {"elec_meters": {}},
        {"elec_meters": {1: {"site_meter": True}, 2: {}}, "appliances": {}},
        {"elec_meters": {1: {"site_meter": True}}, "appliances": [{"type": "fridge"}]},
        {"elec_meters": {1: None}, "appliances": [{"type": 3, "meters": [2]}]},
        {"elec_meters": {1: {"site_meter": True}}, "appliances": [{"type": "fridge", "meters": 2}]},
        {"elec_meters": {1: {"site_meter": True}},
         "appliances": [{"type": kind, "meters": [2]} for kind in ("fridge", "microwave")]},
    )),
]  # fmt: skip


def alter_structure(file, rng, made):
    """Remove or replace an attribute, a table or a group of a recording."""
    names = ["building1", "building1/elec"]
    names += [f"building1/elec/meter{k}{part}" for k in (1, 2, 3) for part in ("", "/table")]
    name = names[rng.integers(len(names))]
    try:
        node = file[name]
    except (KeyError, OSError, RuntimeError):  # removed before, or a link
        return
    kind = rng.choice(["remove", "replace", "run", "delete", "link", "table"])
    attributes = sorted(node.attrs)
    if kind in ("remove", "replace", "run") and attributes:
        attribute = attributes[rng.integers(len(attributes))]
        if "metadata" in attributes and rng.random() < 0.8:
            attribute = "metadata"
        del node.attrs[attribute]
        if kind == "replace":
            node.attrs[attribute] = VALUES[rng.integers(len(VALUES))]
        elif kind == "run":
            node.attrs[attribute] = np.bytes_(pickle.dumps(Touch(made), 0))
    elif kind == "delete":
        del file[name]
    elif kind == "link":
        del file[name]
        file[name] = (
            h5py.SoftLink("/building1/elec/meter3")
            if rng.random() < 0.5
            else h5py.ExternalLink("other.h5", "/")
        )
    elif name.endswith("table"):
        rows = node[:]
        del file[name]
        kinds = [np.complex64, "S4", np.float16, np.int64, np.bool_]
        fields = [("index", rows.dtype["index"])]
        fields += [("values_block_0", kinds[rng.integers(len(kinds))])]
        shape = [(len(rows),), (2, 3), (1 << 40,), ()][rng.integers(4)]
        file.create_dataset(name, shape, fields, chunks=shape[:1] == (1 << 40,) or None)


def alter_recording(folder, number, rng):
    """Write an altered recording; return its path, and the sound contents."""
    path = hdf5_by_hand(folder / "redd.h5")
    expected = read_recording(path)
    if number % 2:
        with h5py.File(path, "r+") as file:
            for _ in range(rng.integers(1, 4)):
                alter_structure(file, rng, folder / "made")
        return path, expected
    with h5py.File(path) as file:
        numbers = find_chunks(file)
    content = bytearray(path.read_bytes())
    for place in rng.integers(len(content), size=rng.integers(1, 40)):
        if place not in numbers:
            content[place] ^= 1 << rng.integers(8)
    cut = rng.integers(len(content)) if rng.random() < 0.15 else None
    path.write_bytes(bytes(content[:cut]))
    return path, expected


KINDS = {"homes": (alter_homes, read_homes), "hdf5": (alter_recording, read_recording)}


def count_outcomes(kind, files, seed):
    """Alter so many files, and count the outcomes; a file that one made counts as ``ran``."""
    alter, read = KINDS[kind]
    outcomes = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(files):
            rng = make_generator(seed, "altered files", kind, number)
            path, expected = alter(Path(folder), number, rng)
            outcome = judge(read, expected, path)
            if (Path(folder) / "made").exists():
                outcome = "ran"
                (Path(folder) / "made").rmdir()
            if outcome in ("wrong", "ran"):
                print(f"{kind}, file {number}: {outcome}", file=sys.stderr)
            outcomes[outcome] += 1
            path.unlink()
    return dict(outcomes)


if __name__ == "__main__":
    kind, files, seed = [*sys.argv[1:], *("homes", "300", "1")[len(sys.argv) - 1 :]]
    print(kind, count_outcomes(kind, int(files), int(seed)))
