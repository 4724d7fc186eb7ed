"""Tables on disk: Parquet with its provenance in the metadata, and a CSV twin to read.

A table is long and tidy: the columns that name a cell, then ``statistic`` and ``value`` (and
``low``, ``high`` and ``over``, what the interval runs over, where the value is an estimate with an
interval).  Units stand in the names of
columns and statistics.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from noiseless import __version__
from noiseless.errors import DataError
from noiseless.files import complete_file

DIGESTS = ("registered", "unknown", "other")
_METADATA_KEY = b"noiseless"
_TWIN_ROWS = 100_000  # nobody reads more, and millions of readings take minutes to write as text


def digest(value: Any) -> str:
    """Short digest (16 hexadecimal digits) of a JSON-like value, the same on every machine."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Source:
    """A dataset that a table rests on.

    Attributes
    ----------
    dataset : str
        Its key in ``config/sources.yaml``; ``own_<part>`` for data of the user's.
    tier : str
        ``sample``, ``local`` or ``download``; ``own`` for data of the user's, which take the place
        of no public file and have no row in the registry.
    sha256 : str
        Digest of the raw input (of the concatenated file digests where there are several).
    digest : str
        What ``config/sources.yaml`` knows of it: ``registered``, the digest of the public file;
        ``unknown``, the file has the name of a public one, of which no digest is known; ``other``,
        anything else.
    file : str
        Name of the public file in ``config/sources.yaml``; empty where the data are several files,
        or none of them.
    """

    dataset: str
    tier: str
    sha256: str
    digest: str
    file: str = ""

    def __post_init__(self) -> None:
        if self.digest not in DIGESTS:
            raise ValueError(f"{self.digest!r} is none of {', '.join(DIGESTS)}")

    @property
    def is_public(self) -> bool:
        """Whether these are the real public data: by their digest, or on trust in their name."""
        return self.tier in ("local", "download") and self.digest != "other"


@dataclass(frozen=True)
class Provenance:
    """Where a table comes from.  Holds no time and no path, so that equal tables are equal bytes.

    Attributes
    ----------
    config : str
        :func:`digest` of the configuration that the table depends on.
    sources : tuple of Source
        The datasets; none for a table that is computed from a formula or by enumeration.
    version : str
        Version of this package; with the digest of the code behind the table after a ``+``.
    """

    config: str
    sources: tuple[Source, ...] = ()
    version: str = __version__

    @property
    def tier(self) -> str:
        """Tiers of the datasets, joined by ``+``; ``-`` where there is no dataset."""
        return "+".join(sorted({source.tier for source in self.sources})) or "-"

    @property
    def dataset(self) -> str:
        """Names of the datasets, joined by ``+``; ``-`` where there is none."""
        return "+".join(sorted({source.dataset for source in self.sources})) or "-"

    @property
    def is_sample(self) -> bool:
        """Whether any of the data is made up."""
        return any(source.tier == "sample" for source in self.sources)

    def short(self) -> str:
        """One line for the foot of a figure."""
        data = ", ".join(f"{s.dataset} ({s.tier} {s.sha256[:8]})" for s in self.sources)
        return f"noiseless {self.version} | config {self.config[:8]} | {data or 'no data'}"


def derive_provenance(
    settings: Any, code: str, *, inputs: Iterable[Provenance] = (), sources: Iterable[Source] = ()
) -> Provenance:
    """Provenance of a table made by some code, with some settings, from tables or raw data.

    Parameters
    ----------
    settings : JSON-like
        What the code was given besides the tables.
    code : str
        :func:`noiseless.code.source_digest` of the code.
    inputs : iterable of Provenance
        Of the tables it read.
    sources : iterable of Source
        The raw data it read.
    """
    inputs = list(inputs)
    sources = {*sources, *(source for each in inputs for source in each.sources)}
    return Provenance(
        config=digest([settings, *([each.config, each.version] for each in inputs)]),
        sources=tuple(sorted(sources, key=repr)),
        version=f"{__version__}+{code[:8]}",
    )


def write_table(table: pd.DataFrame, path: str | Path, provenance: Provenance) -> None:
    """Write ``table`` to ``path`` (Parquet), and beside it a CSV twin of the same name.

    Both are replaced as a whole.  The same table and provenance give the same bytes.  A table of
    more than 100,000 rows has no twin.
    """
    path = Path(path)
    arrow = pa.Table.from_pandas(table, preserve_index=False)
    metadata = {**arrow.schema.metadata, **provenance_metadata(provenance)}
    with complete_file(path) as partial:
        pq.write_table(arrow.replace_schema_metadata(metadata), partial, compression="zstd")
    twin = path.with_suffix(".csv")
    if len(table) > _TWIN_ROWS:
        twin.unlink(missing_ok=True)
        return
    with complete_file(twin) as partial:
        table.to_csv(partial, index=False, lineterminator="\n")


def provenance_metadata(provenance: Provenance) -> dict[bytes, bytes]:
    """What is written into the metadata of a Parquet file."""
    return {_METADATA_KEY: json.dumps(asdict(provenance)).encode()}


def read_provenance(path: str | Path) -> Provenance:
    """Provenance of the table at ``path``.

    Raises
    ------
    DataError
        If the file has none, or that of another version of this package.
    """
    metadata = pq.read_metadata(path).metadata or {}
    if _METADATA_KEY not in metadata:
        raise DataError(
            f"{path}: this Parquet file has no provenance, so it was not written by this "
            "workflow. Delete it and run again."
        )
    stored: Mapping[str, Any] = json.loads(metadata[_METADATA_KEY])
    try:
        sources = tuple(Source(**source) for source in stored["sources"])
    except TypeError:
        raise DataError(
            f"{path}: written by version {stored['version']} of this package, which told its data "
            "in other words. Delete it and run again."
        ) from None
    return Provenance(config=stored["config"], sources=sources, version=stored["version"])


def read_table(path: str | Path) -> tuple[pd.DataFrame, Provenance]:
    """The table at ``path`` and its provenance.

    Raises
    ------
    DataError
        If the file was not written by :func:`write_table`.
    """
    provenance = read_provenance(path)
    return pd.read_parquet(path), provenance


def tidy(wide: pd.DataFrame, cell: Sequence[str]) -> pd.DataFrame:
    """Long table of one row per (cell, statistic) from one row per cell.

    Parameters
    ----------
    wide : DataFrame, n rows
        The columns that name a cell, and one numeric column per statistic, its unit in its name.
    cell : sequence of str
        The columns that name a cell; may be empty.

    Returns
    -------
    DataFrame
        The columns in ``cell``, then ``statistic`` (str) and ``value`` (float); cells in the order
        of ``wide``, statistics in theirs within a cell.
    """
    statistics = wide.columns.drop(list(cell))
    long = wide[list(cell)].loc[wide.index.repeat(len(statistics))].reset_index(drop=True)
    long["statistic"] = np.tile(statistics, len(wide))
    long["value"] = wide[statistics].to_numpy(dtype=float).ravel()
    return long
