"""Tables on disk: Parquet with provenance in the metadata, and a CSV copy for people to read.

A table is long and tidy: key columns, then ``statistic`` and ``value``. A table of estimates also
has ``low`` and ``high``, the ends of the interval, and ``over``, the unit that the interval
samples. Units stand in the names of columns and statistics.

Its metadata hold where it comes from, and a digest of each column's contents: a table that was
damaged or edited afterwards is refused where it is read.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cache, wraps
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ParamSpec

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from noiseless import __version__
from noiseless.errors import ConfigError, DataError, OtherFormatError, UserError
from noiseless.files import compute_file_sha256, write_atomically

DIGEST_KINDS = ("registered", "unknown", "other")
REFUSED_COLUMN = "refused"
"""The one column of the table of an experiment that a set of homes is too small for."""

_METADATA_KEY = b"noiseless"
_METADATA_DIGEST_KEY = b"noiseless.sha256"
_REMEDY = "Delete it and run again."
_PACKAGES = ("numpy", "scipy", "numba", "pandas")
Rows = Iterator[Mapping[str, Any] | pd.DataFrame]
"""What :func:`as_table` makes a table of: a row each time, or several as a table."""

_Parameters = ParamSpec("_Parameters")
_ESTIMATE = ("value", "low", "high", "over")  # columns of a tidy table that are no key columns


def compute_digest(value: Any) -> str:
    """Compute a short digest (16 hexadecimal digits) of a JSON-like value."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Source:
    """Dataset that a table is computed from.

    ``dataset`` is its key in ``config/sources.yaml``, or ``own_<part>`` for data of the user's,
    which take the place of no public file and have no row in the registry.  ``sha256`` is of the
    raw input (of the concatenated file digests where there are several), and the kind of this
    digest ``registered``, that of the public file in ``config/sources.yaml``; ``unknown``, for the
    name of a public file without a known digest; or ``other``.  ``file`` is the name of the public
    file; empty where the data are several files, or none of them.  ``excluded`` says in one
    sentence which homes are left out, and why.
    """

    dataset: str
    tier: str
    sha256: str
    digest: str
    file: str = ""
    excluded: str = ""

    def __post_init__(self) -> None:
        if self.digest not in DIGEST_KINDS:
            raise ValueError(f"{self.digest!r} is none of {', '.join(DIGEST_KINDS)}")

    @property
    def is_public(self) -> bool:
        """Whether these are the real public data, by their digest or on trust in their name."""
        return self.tier in ("local", "download") and self.digest != "other"


@cache
def format_package_versions() -> str:
    """Format the installed versions of the libraries that numbers depend on, in one line."""
    return ", ".join(f"{name} {version(name)}" for name in _PACKAGES if find_spec(name))


@dataclass(frozen=True)
class Provenance:
    """Origin of a table, without times and paths, so that equal tables are equal bytes.

    ``config`` is :func:`compute_digest` of the configuration that the table depends on;
    ``settings`` are the pairs of the full name of a key and its value, each once, as a list in
    JSON, that the table and all behind it were made with.  ``version`` is that of this package,
    with the digest of the code behind the table after a ``+``, and ``packages`` are those of the
    libraries that the numbers depend on (:func:`format_package_versions`).  A table that is
    computed from a formula or by enumeration has no sources.
    """

    config: str
    sources: tuple[Source, ...] = ()
    version: str = __version__
    settings: str = "[]"
    packages: str = field(default_factory=format_package_versions)

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
        """Whether any of the data is synthetic."""
        return any(source.tier == "sample" for source in self.sources)

    def format_footer(self) -> str:
        """Format version, configuration and data in one line for the foot of a figure."""
        data = ", ".join(f"{s.dataset} ({s.tier} {s.sha256[:8]})" for s in self.sources)
        return f"noiseless {self.version} | config {self.config[:8]} | {data or 'no data'}"


def derive_provenance(
    settings: Any, code: str, *, inputs: Iterable[Provenance] = (), sources: Iterable[Source] = ()
) -> Provenance:
    """Build the provenance of a table from settings, code, input tables and raw data.

    ``code`` is the digest that the rule gives.
    """
    inputs = list(inputs)
    sources = {*sources, *(source for each in inputs for source in each.sources)}
    pairs = [[key, value] for key, value in flatten(settings)]
    pairs += [pair for each in inputs for pair in json.loads(each.settings)]
    once = {json.dumps(pair, sort_keys=True): pair for pair in pairs}
    return Provenance(
        config=compute_digest([settings, *([each.config, each.version] for each in inputs)]),
        sources=tuple(sorted(sources, key=repr)),
        version=f"{__version__}+{code[:8]}",
        settings=json.dumps(sorted(once.values(), key=repr)),
    )


def flatten(settings: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Iterate over the values of nested settings by full names, joined by points."""
    for key, value in settings.items():
        if isinstance(value, Mapping):
            yield from flatten(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


class ContentDigests:
    """Digests of the contents of a table's columns, which may come in batches of any size."""

    def __init__(self) -> None:
        self._columns: dict[str, _ColumnDigest] = {}

    def add(self, batch: pa.Table | pa.RecordBatch) -> None:
        """Add the next rows to the digests; a type of column that no table has is a TypeError."""
        table = pa.Table.from_batches([batch]) if isinstance(batch, pa.RecordBatch) else batch
        for name, column in zip(table.column_names, table.columns, strict=True):
            digest_of = self._columns.setdefault(name, _ColumnDigest())
            for chunk in column.chunks:
                digest_of.add(chunk)

    def get_digests(self) -> dict[str, str]:
        """Return the digest of each column by its name, in 64 hexadecimal digits."""
        return {name: column.compute_hexdigest() for name, column in self._columns.items()}


class _ColumnDigest:
    """Digest of one column: its values, the lengths of its texts, and its missing rows."""

    def __init__(self) -> None:
        self._values, self._lengths, self._absent = (hashlib.sha256() for _ in range(3))
        self._rows, self._kind = 0, "nothing"

    def add(self, cells: pa.Array) -> None:
        """Add the next cells to the digest."""
        if pa.types.is_dictionary(cells.type):
            cells = cells.dictionary_decode()
        if cells.null_count:
            self._absent.update((self._rows + np.flatnonzero(cells.is_null())).tobytes())
        self._rows += len(cells)
        kind = cells.type
        if pa.types.is_null(kind):
            return
        if pa.types.is_string(kind) or pa.types.is_large_string(kind):
            self._kind = "text"
            texts = pc.fill_null(cells, "").cast(pa.large_string())
            ends = np.frombuffer(texts.buffers()[1], np.int64)[
                texts.offset : texts.offset + len(texts) + 1
            ]
            self._lengths.update(np.diff(ends).tobytes())
            if len(texts):
                self._values.update(memoryview(texts.buffers()[2] or b"")[ends[0] : ends[-1]])
            return
        self._kind = str(kind)
        if pa.types.is_boolean(kind):
            cells = cells.cast(pa.uint8())
        elif pa.types.is_timestamp(kind):
            # Parquet has no timestamps in seconds, so they are stored in milliseconds.
            stored = pa.timestamp("ms" if kind.unit == "s" else kind.unit, kind.tz)
            self._kind = str(stored)
            cells = cells.cast(stored).cast(pa.int64())
        elif pa.types.is_date32(kind):
            cells = cells.cast(pa.int32())
        elif not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
            raise TypeError(
                f"the type of a column must be boolean, time, number or text, got {kind}"
            )
        self._values.update(pc.fill_null(cells, 0).to_numpy(zero_copy_only=False).tobytes())

    def compute_hexdigest(self) -> str:
        """Compute the digest of the cells so far, in 64 hexadecimal digits."""
        parts = [each.hexdigest() for each in (self._values, self._lengths, self._absent)]
        text = f"{self._kind} {self._rows} {' '.join(parts)}"
        return hashlib.sha256(text.encode()).hexdigest()


def write_table(table: pd.DataFrame, path: str | Path, provenance: Provenance) -> None:
    """Write a long and tidy table to ``path`` (Parquet) with its provenance and digests.

    The file is replaced as a whole.  The same table, name and provenance give the same bytes.  A
    cell that is named by NaN, or values none of which is a number, are a ConfigError.
    """
    path = Path(path)
    _check_numbers(path, table)
    arrow = pa.Table.from_pandas(table, preserve_index=False)
    contents = ContentDigests()
    contents.add(arrow)
    metadata = build_metadata(path, provenance, contents, arrow.schema.metadata)
    with write_atomically(path) as partial:
        pq.write_table(
            arrow.replace_schema_metadata(metadata),
            partial,
            compression="zstd",
            write_page_checksum=True,
        )


def write_csv_copies(
    tables: Sequence[str | Path], twins: Sequence[str | Path], digests: str | Path
) -> None:
    """Write the contents of Parquet tables as CSV, for people to read.

    ``digests`` gets the SHA-256 of each table and of its copy, in the format of ``sha256sum``.
    """
    lines = []
    for table, twin in zip(tables, twins, strict=True):
        contents = read_table(table)[0].to_csv(index=False, lineterminator="\n")
        with write_atomically(Path(twin)) as partial:
            partial.write_text(contents, encoding="utf-8", newline="")
        lines += [f"{compute_file_sha256(each)}  {each}\n" for each in (table, twin)]
    with write_atomically(Path(digests)) as partial:
        partial.write_text("".join(lines), encoding="utf-8")


def check_csv_copies(digests: str | Path) -> None:
    """Check that tables and their CSV copies are those that :func:`write_csv_copies` knows."""
    for line in Path(digests).read_text(encoding="utf-8").splitlines():
        sha256, _, path = line.partition("  ")
        if compute_file_sha256(path) != sha256:
            raise DataError(f"{path}: not what the workflow wrote: damaged or edited. {_REMEDY}")


def _check_numbers(path: Path, table: pd.DataFrame) -> None:
    """Check that no row of a tidy table has a key of NaN, and that some value is a number."""
    if table.empty or not {"statistic", "value"} <= set(table.columns):
        return
    cells = table.drop(columns=[*_ESTIMATE], errors="ignore")
    unnamed = [str(name) for name in cells.columns[cells.isna().any().to_numpy()]]
    if unnamed:
        what = f"the key of a row is NaN in {', '.join(f'`{name}`' for name in unnamed)}"
    elif table["value"].isna().all():
        what = "no value is a number"
    else:
        return
    raise ConfigError(
        f"{path}: {what}. Look for .nan, .inf and numbers that are far too large in the part of "
        "the configuration that this table is made from."
    )


def build_metadata(
    path: str | Path,
    provenance: Provenance,
    contents: ContentDigests,
    metadata: Mapping[bytes, bytes] | None = None,
) -> dict[bytes, bytes]:
    """Build a Parquet file's metadata: ``metadata`` of pandas, name, provenance and digests."""
    named = {"name": Path(path).name, "contents": contents.get_digests()}
    text = json.dumps(asdict(provenance) | named)
    combined = {**(metadata or {}), _METADATA_KEY: text.encode()}
    return {**combined, _METADATA_DIGEST_KEY: _compute_metadata_digest(combined)}


def _compute_metadata_digest(metadata: Mapping[bytes, bytes]) -> bytes:
    """Compute the digest of metadata without the schema, which Arrow adds and checks."""
    kept = sorted(set(metadata) - {_METADATA_DIGEST_KEY, b"ARROW:schema"})
    return compute_digest(
        [[key.decode("latin-1"), metadata[key].decode("latin-1")] for key in kept]
    ).encode()


def read_provenance(path: str | Path) -> Provenance:
    """Read the provenance of the table at ``path``.

    A file that is damaged, or that has none, or that of another version, is a DataError.
    """
    return _read_metadata(path)[0]


def read_table(path: str | Path) -> tuple[pd.DataFrame, Provenance]:
    """Read the table at ``path`` and its provenance.

    A file that is damaged, was not written by :func:`write_table`, or was edited or given another
    name since is a DataError.
    """
    provenance, digests = _read_metadata(path)
    with _convert_parquet_errors(path):
        arrow = pq.read_table(path, page_checksum_verification=True)
        # Pandas reads the copy of the metadata that Arrow keeps in its schema, so check it as well;
        # files that are written in pieces have no copy.
        if arrow.schema.metadata:
            _check_metadata(path, arrow.schema.metadata)
        table = arrow.to_pandas()
        contents = ContentDigests()
        contents.add(arrow)
    _check_digests(path, contents, digests, {*arrow.column_names, *digests})
    return table, provenance


def read_batches(path: str | Path, columns: Sequence[str], rows: int) -> Iterator[pd.DataFrame]:
    """Iterate over some columns of the table at ``path`` in pieces; check digests at the end.

    A piece has at most so many rows, and does not go beyond a row group.  A DataError as of
    :func:`read_table` comes before the first piece, at a damaged one, or after the last.
    """
    _, digests = _read_metadata(path)
    contents = ContentDigests()
    with _convert_parquet_errors(path):
        file = pq.ParquetFile(path, page_checksum_verification=True)
    # One row group at a time, as a single reader keeps all groups in memory until the end.
    batches = (
        batch
        for group in range(file.num_row_groups)
        for batch in file.iter_batches(rows, row_groups=[group], columns=list(columns))
    )
    while True:
        with _convert_parquet_errors(path):
            batch = next(batches, None)
            if batch is None:
                break
            contents.add(batch)
        yield batch.to_pandas()
    _check_digests(path, contents, digests, columns)


def _read_metadata(path: str | Path) -> tuple[Provenance, dict[str, str]]:
    """Read the provenance in a file and the digests of its columns."""
    with _convert_parquet_errors(path):
        metadata = pq.read_metadata(path).metadata or {}
    if _METADATA_KEY not in metadata:
        raise DataError(
            f"{path}: this Parquet file has no provenance, so it was not written by this "
            f"workflow. {_REMEDY}"
        )
    if _METADATA_DIGEST_KEY not in metadata:
        raise OtherFormatError(
            f"{path}: written by an earlier version of this package, which kept no digest of its "
            f"contents. {_REMEDY}"
        )
    _check_metadata(path, metadata)
    stored: dict[str, Any] = json.loads(metadata[_METADATA_KEY])
    try:
        sources = tuple(Source(**source) for source in stored.pop("sources"))
        digests, name = stored.pop("contents"), stored.pop("name")
        if "packages" not in stored:
            raise TypeError("the versions of the packages are missing")
        found = Provenance(**stored, sources=sources), digests
    except (TypeError, KeyError):
        raise OtherFormatError(
            f"{path}: written by version {stored['version']} of this package, in another format of "
            f"provenance. {_REMEDY}"
        ) from None
    if name != Path(path).name:
        raise DataError(f"{path}: this is the table {name}, under another's name. {_REMEDY}")
    return found


def _check_metadata(path: str | Path, metadata: Mapping[bytes, bytes]) -> None:
    """Check that metadata have the digest that they carry."""
    if _compute_metadata_digest(metadata) != metadata.get(_METADATA_DIGEST_KEY):
        raise DataError(f"{path}: its metadata are damaged or were edited. {_REMEDY}")


def _check_digests(
    path: str | Path, contents: ContentDigests, digests: Mapping[str, str], columns: Iterable[str]
) -> None:
    """Check that the contents of columns have the digests that were written."""
    actual = contents.get_digests()
    if changed := sorted(name for name in columns if actual.get(name) != digests.get(name)):
        raise DataError(
            f"{path}: the contents of {', '.join(f'`{name}`' for name in changed)} are not those "
            f"that the workflow wrote: the file is damaged or was edited. {_REMEDY}"
        )


@contextmanager
def _convert_parquet_errors(path: str | Path) -> Iterator[None]:
    """Convert exceptions that a damaged Parquet file raises to DataError."""
    try:
        yield
    except (MemoryError, UserError):  # Arrow's own lack of memory is one of its exceptions, too
        raise
    except (pa.ArrowException, OSError, ValueError, KeyError, TypeError, OverflowError) as error:
        if getattr(error, "errno", None) is not None:
            raise  # of the file system, not of what the file holds
        reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        raise DataError(
            f"{path}: damaged, or no Parquet file of this workflow ({reason}). {_REMEDY}"
        ) from None


def tidy(wide: pd.DataFrame, cell: Sequence[str]) -> pd.DataFrame:
    """Convert one row per key to a long table of one row per (key, statistic).

    Columns that do not name a cell are statistics, with their unit in the name.  The result has the
    columns of the cell, ``statistic`` and ``value``, in the order of the rows, then of the columns.
    """
    statistics = wide.columns.drop(list(cell))
    long = wide[list(cell)].loc[wide.index.repeat(len(statistics))].reset_index(drop=True)
    long["statistic"] = np.tile(statistics, len(wide))
    long["value"] = wide[statistics].to_numpy(dtype=float).ravel()
    return long


def returns_table(
    *cell: str,
    with_nan: bool = True,
) -> Callable[[Callable[_Parameters, Rows]], Callable[_Parameters, pd.DataFrame]]:
    """Decorate a function that yields a row per key, so that it returns their :func:`tidy` table.

    Columns other than those of the cell are statistics; ``with_nan``: they are kept where they are
    NaN.
    """

    def decorate(rows_of: Callable[_Parameters, Rows]) -> Callable[_Parameters, pd.DataFrame]:
        """Decorate a generator function of rows."""

        @wraps(rows_of)
        def build_table(*args: _Parameters.args, **kwargs: _Parameters.kwargs) -> pd.DataFrame:
            """Build the tidy table of all rows that the function yields."""
            rows = list(rows_of(*args, **kwargs))
            parts = rows and isinstance(rows[0], pd.DataFrame)
            long = tidy(pd.concat(rows, ignore_index=True) if parts else pd.DataFrame(rows), cell)
            return long if with_nan else long.dropna(ignore_index=True)

        return build_table

    return decorate
