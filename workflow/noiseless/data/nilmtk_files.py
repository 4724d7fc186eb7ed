"""Recordings in NILMTK's format, HDF5 as pandas writes it, read without running anything in them.

pandas and PyTables keep names and settings in pickled attributes, and unpickle them when a file is
opened, which runs what they name.  Here h5py reads the numbers, and
:mod:`noiseless.data.plain_pickles` the plain values of these attributes.  A link to another place,
or to another file, is refused.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from noiseless.arrays import Floats, Ints
from noiseless.data.plain_pickles import Opaque, read_plain_pickle
from noiseless.errors import DataError
from noiseless.reading.raw_files import (
    FETCH_AGAIN,
    MAX_COMPRESSION_RATIO,
    MAX_DECOMPRESSED_BYTES,
    RawFile,
    format_list,
)

if TYPE_CHECKING:
    import h5py

SITE_METER = "mains"
_UNITS_PER_S = {"": 10**9, "[ns]": 10**9, "[us]": 10**6, "[ms]": 10**3, "[s]": 1}
# Errors of h5py about what a file holds.
_DAMAGE = (OSError, RuntimeError, LookupError, ValueError, TypeError, ArithmeticError)
# Where a meter is, the zone of its home, its times and their unit (1/s), and its power (W).
MeterPower = tuple[str, str | None, Ints, int, Floats]


@dataclass(frozen=True)
class NilmtkFile:
    """Open file in NILMTK's format."""

    path: Path
    root: "h5py.File"

    @classmethod
    @contextmanager
    def open(cls, path: str | Path) -> "Iterator[NilmtkFile]":
        """Open a file for reading; a damaged one is a DataError, in place of h5py's errors."""
        import h5py
        import hdf5plugin  # noqa: F401, registers the compression of the file that people share

        path = Path(path)
        RawFile(path).open().close()
        try:
            root = h5py.File(path, "r")
        except _DAMAGE:
            raise DataError(f"{path}: not an HDF5 file, or cut off. Fetch it again.") from None
        with root:
            yield cls(path, root)

    def read_meters(self, house: int) -> dict[int, list[str]]:
        """Read the types of all that each of a building's meters measures, by its number.

        That of the site is :data:`SITE_METER`.
        """
        name = f"building{house}"
        try:
            node = self._get_node(name) if name in self.root else None
            content = None if node is None else node.attrs.get("metadata")
        except DataError:
            raise
        except _DAMAGE:
            content = None
        if content is None:
            raise DataError(f"{self.path}: no {name} with NILMTK's metadata in it. Is it redd.h5?")
        metadata = self._read_plain(content, f"{self.path}, metadata of {name}")
        meters, appliances = (
            metadata.get(key) if isinstance(metadata, dict) else None
            for key in ("elec_meters", "appliances")
        )
        if not isinstance(meters, dict) or not all(map(_is_meter, meters.items())):
            raise self._build_metadata_error(name, "`elec_meters` by number")
        if not isinstance(appliances, list) or not all(map(_is_appliance, appliances)):
            raise self._build_metadata_error(name, "`appliances` with a type and their meters each")
        users: dict[int, list[str]] = {
            number: [SITE_METER] for number, meter in meters.items() if meter.get("site_meter")
        }
        for appliance in appliances:
            for number in appliance["meters"]:
                users.setdefault(number, []).append(appliance["type"])
        return users

    def read_power(self, house: int, number: int, wanted: Sequence[tuple[str, str]]) -> MeterPower:
        """Read the power of a meter, from the first of the wanted columns that it has.

        No link is followed.
        """
        name = f"building{house}/elec/meter{number}"
        where = f"{self.path}, {name}"
        try:
            return self._read_table(name, where, wanted)
        except DataError:
            raise
        except _DAMAGE as error:
            reason = ascii(str(error).splitlines()[0][:120])[1:-1] if str(error) else "?"
            raise DataError(f"{where}: damaged ({reason}). {FETCH_AGAIN}") from None

    def _read_table(self, name: str, where: str, wanted: Sequence[tuple[str, str]]) -> MeterPower:
        """Read a meter's table: zone, times and power."""
        import h5py

        group = self._get_node(name)
        table = self._get_node(f"{name}/table")
        form = group.attrs.get("pandas_type")
        if _read_text(form) != "frame_table" or not isinstance(table, h5py.Dataset):
            raise DataError(f"{where}: not a table of NILMTK's. Convert the original folder again.")
        if table.is_virtual or table.external:
            raise DataError(f"{where}: its numbers are in another file. {FETCH_AGAIN}")
        fields = dict(table.dtype.fields or {})
        kind = _read_text(table.attrs.get("index_kind")) or ""
        unit = _UNITS_PER_S.get(kind.removeprefix("datetime64"))
        if not kind.startswith("datetime64") or unit is None or "index" not in fields:
            raise DataError(f"{where}: its times have no zone. Convert the original folder again.")
        columns = {
            label: (field, place)
            for field in fields
            if field != "index"
            for place, label in enumerate(self._read_labels(table, field, where))
        }
        labels = [
            label
            for field in fields
            if field != "index"
            for label in self._read_labels(table, field, where)
        ]
        there = [label for label in wanted if labels.count(label) == 1]
        if not there:
            found = format_list([str(label) for label in labels])
            raise DataError(
                f"{where}: its columns are {found}, but one of watts is wanted, called "
                f"{' or '.join(map(str, wanted))}. Convert the original folder again."
            )
        size = table.size * table.dtype.itemsize
        if size > MAX_DECOMPRESSED_BYTES + MAX_COMPRESSION_RATIO * table.id.get_storage_size():
            raise DataError(f"{where}: {size} bytes, far more than the file has. {FETCH_AGAIN}")
        field, place = columns[there[0]]
        is_real = fields[field][0].base.kind in "fiu" and fields["index"][0].kind in "iu"
        if not is_real or table.ndim != 1:
            raise DataError(f"{where}: not numbers by time. Convert the original folder again.")
        rows = table[:]
        power_w = np.reshape(rows[field], (len(rows), -1)).astype(float)[:, place]
        return where, self._read_zone(group, where), rows["index"].astype(np.int64), unit, power_w

    def _read_labels(self, table: Any, field: str, where: str) -> list[tuple[str, ...]]:
        """Read the labels of the columns in one field of a table."""
        labels = self._read_plain(table.attrs[f"{field}_kind"], f"{where}, columns")
        width = int(np.prod(table.dtype.fields[field][0].shape))
        if not isinstance(labels, list) or len(labels) != width:
            raise DataError(f"{where}: its columns have no names. {FETCH_AGAIN}")
        return [
            tuple(map(str, label))
            if isinstance(label, tuple)
            and all(isinstance(part, str | int | float) for part in label)
            else ("?",)
            for label in labels
        ]

    def _read_zone(self, group: Any, where: str) -> str | None:
        """Read the zone of a meter's home: the dataset's, else that of the meter's times."""
        info = self._read_plain(group.attrs["info"], f"{where}, its times")
        index = info.get("index") if isinstance(info, dict) else None
        zone = index.get("tz") if isinstance(index, dict) else None
        if zone is None:
            return None
        if "metadata" in self.root.attrs:
            dataset = self._read_plain(self.root.attrs["metadata"], f"{self.path}, metadata")
            named = dataset.get("timezone") if isinstance(dataset, dict) else None
            zone = zone if named is None else named
        return _get_zone_name(zone)

    def _read_plain(self, content: Any, name: str) -> Any:
        """Decode the plain value of a pickled attribute."""
        if not isinstance(content, bytes):  # also NumPy's
            raise DataError(f"{name}: not as NILMTK writes it. {FETCH_AGAIN}")
        return read_plain_pickle(bytes(content), name)

    def _get_node(self, name: str) -> Any:
        """Return a group or dataset, every part of whose path is there and no link."""
        import h5py

        node = self.root
        for part in name.split("/"):
            link = node.get(part, getlink=True) if isinstance(node, h5py.Group) else None
            if link is None:
                raise DataError(
                    f"{self.path}: its metadata name {name}, which is not there. {FETCH_AGAIN}"
                )
            if not isinstance(link, h5py.HardLink):
                raise DataError(
                    f"{self.path}: {name} is a link to another place or file, which is not "
                    f"followed. {FETCH_AGAIN}"
                )
            node = node[part]
        return node

    def _build_metadata_error(self, name: str, wanted: str) -> DataError:
        """Build the error about metadata of another form."""
        return DataError(
            f"{self.path}: the metadata of {name} lack {wanted}, as NILMTK writes them. "
            f"{FETCH_AGAIN}"
        )


def _read_text(value: Any) -> str | None:
    """Decode an attribute that is a text; None if it is none."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if isinstance(value, str) else None


def _get_zone_name(zone: Any) -> str:
    """Return the name of a zone, which may be an object such as ``pytz._p("US/Eastern", ...)``."""
    if isinstance(zone, Opaque):
        first = next(iter(zone.arguments), None)
        if zone.name == "pytz _UTC":
            zone = "UTC"
        elif zone.name == "datetime timezone" and isinstance(first, Opaque):
            zone = "unknown" if any(first.arguments) else "UTC"  # timezone(timedelta(0))
        else:
            zone = first
    return zone if isinstance(zone, str) else "unknown"


def _is_meter(item: tuple[Any, Any]) -> bool:
    """Return whether an entry of the metadata is a meter: its number, and what is said of it."""
    number, meter = item
    if type(number) is not int or number <= 0 or not isinstance(meter, dict):
        return False
    return not isinstance(meter.get("site_meter"), Opaque)  # whether it is that of the site


def _is_appliance(appliance: Any) -> bool:
    """Return whether an entry of the metadata is an appliance with its type and meters."""
    if not isinstance(appliance, dict) or not isinstance(appliance.get("type"), str):
        return False
    meters = appliance.get("meters")
    return isinstance(meters, list) and all(type(each) is int and each > 0 for each in meters)
