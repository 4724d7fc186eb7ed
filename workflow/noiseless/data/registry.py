"""Registry of public data, ``config/sources.yaml``: mirrors, digests and licence of each file."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from noiseless.errors import ConfigError
from noiseless.reading.raw_files import format_list
from noiseless.settings import load_schema, load_yaml, validate

SCHEMA = Path(__file__).with_name("sources.schema.yaml")


@dataclass(frozen=True)
class Mirror:
    """Mirror of a registered file: one address that it can be fetched from.

    ``sources.schema.yaml`` beside this module says what each field means; ``None`` stands for what
    is not known or does not apply.
    """

    dataset: str
    version: str
    file: str
    url: str
    kind: str
    archive: str
    member: str | None
    archive_bytes: int | None
    archive_sha256: str | None
    bytes: int | None
    sha256: str | None
    licence: str
    redistributable: str
    citation: str
    checked: str | None
    status: str
    note: str


def load_sources(path: str | Path) -> tuple[Mirror, ...]:
    """Load the registry of datasets, one entry per file and mirror, in the order of the rows.

    The sets whose address gives their file come last, each as a dataset of its own name.
    """
    registry = load_yaml(path)
    validate(registry, load_schema(SCHEMA), source=str(path))
    sources: list[Mirror] = []
    for number, row in enumerate(registry["sources"], start=1):
        where = f"{path}: row {number} of `sources` ({row['dataset']}, {row['file']})"
        for mirror in _expand_blocks(row, where):
            _check_row(mirror, sources, where)
            sources.append(mirror)
    sets = (SetFile(**row) for row in registry.get("sets", []))
    return (*sources, *(each.build_mirror() for each in sets if each.kind == "http"))


def _expand_blocks(row: Mapping[str, Any], where: str) -> Iterator[Mirror]:
    """Iterate over the mirrors of a row: one, or one for each of its ``blocks``."""
    fixed = {field.name: row[field.name] for field in fields(Mirror)}
    if not ("blocks" in row) == ("{block}" in row["file"]) == ("{block}" in row["url"]):
        raise ConfigError(
            f"{where}: a row with `blocks` has {{block}} in its file and url, and no other has."
        )
    if "blocks" not in row:
        yield Mirror(**fixed)
        return
    known = {entry["block"]: entry for entry in row["blocks"].get("known", [])}
    for block in range(row["blocks"]["count"]):
        numbered = {
            key: value.replace("{block}", str(block))
            for key, value in fixed.items()
            if key in ("file", "url", "member") and value is not None
        }
        entry = known.get(block, {"bytes": None, "sha256": None})
        yield Mirror(**fixed | numbered | {"bytes": entry["bytes"], "sha256": entry["sha256"]})


def _check_row(mirror: Mirror, before: Sequence[Mirror], where: str) -> None:
    """Raise ConfigError if ``mirror`` contradicts itself or one of the rows before it."""
    if mirror.kind == "kaggle":
        parse_kaggle_url(mirror.url)
    if mirror.kind == "rows" and not re.search(r"\?\$order=[^&]+&\$limit=[1-9][0-9]*$", mirror.url):
        raise ConfigError(
            f"{where}: `url` of rows ends with an order and the rows of a page, "
            "?$order=:id&$limit=50000, as pages without an order may overlap."
        )
    if mirror.archive in ("none", "gz") and mirror.member:
        raise ConfigError(f"{where}: `member` must be null where `archive` is {mirror.archive}.")
    if mirror.archive == "none" and (mirror.archive_bytes or mirror.archive_sha256):
        raise ConfigError(
            f"{where}: `archive_bytes` and `archive_sha256` must be null where `archive` is none."
        )
    for other in before:
        if (other.dataset, other.file) != (mirror.dataset, mirror.file):
            continue
        if other.url == mirror.url:
            raise ConfigError(f"{where}: {mirror.url} is listed twice for this file.")
        for key in ("version", "bytes", "sha256"):
            ours, theirs = getattr(mirror, key), getattr(other, key)
            if None not in (ours, theirs) and ours != theirs:
                raise ConfigError(
                    f"{where}: `{key}` is {ours}, but an earlier row of the same file says "
                    f"{theirs}. Files that differ need names that differ."
                )


def list_mirrors(sources: Sequence[Mirror], *, dataset: str, file: str) -> tuple[Mirror, ...]:
    """Select the mirrors of a dataset's file, in the order in which they are tried."""
    found = tuple(m for m in sources if (m.dataset, m.file) == (dataset, file))
    if not found:
        known = list(dict.fromkeys(m.file for m in sources if m.dataset == dataset))
        raise ConfigError(
            f"config/sources.yaml has no file {file} of the dataset {dataset}. "
            f"Known files: {format_list(known, 6) or 'none'}."
        )
    return found


def get_registered_sha256(sources: Sequence[Mirror], dataset: str, file: str) -> str | None:
    """Return the registered SHA-256 of a dataset's file; None if the registry has none."""
    rows = list_mirrors(sources, dataset=dataset, file=file)
    return next((row.sha256 for row in rows if row.sha256), None)


@dataclass(frozen=True)
class RegisteredHead:
    """Registered number of rows, size and digest of a public file's beginning; see the schema."""

    dataset: str
    file: str
    rows: int | None
    bytes: int
    sha256: str
    citation: str
    note: str


def load_heads(path: str | Path, dataset: str) -> tuple[RegisteredHead, ...]:
    """Load the registered digests of the first rows of a dataset's files."""
    registry = load_yaml(path)
    validate(registry, load_schema(SCHEMA), source=str(path))
    heads = (RegisteredHead(**row) for row in registry.get("heads", []))
    return tuple(head for head in heads if head.dataset == dataset)


@dataclass(frozen=True)
class SetFile:
    """Registered file of a set of homes, or of a recording, that stands in; see the schema."""

    set: str
    file: str
    form: str
    kind: str
    url: str
    bytes: int | None
    sha256: str | None
    licence: str
    redistributable: str
    citation: str
    checked: str | None
    note: str
    further: Sequence[Mapping[str, Any]] = ()

    @property
    def digests(self) -> dict[str, str | None]:
        """The digest of each of the set's files, by its name."""
        return {self.file: self.sha256} | {each["file"]: each["sha256"] for each in self.further}

    @property
    def section(self) -> str:
        """The section of the configuration that the set is in."""
        return "recordings" if self.form in ("minutes", "channels", "archive") else "homes"

    def build_mirror(self) -> Mirror:
        """Build the mirror of the file, as of a dataset of the set's name."""
        shared = [field.name for field in fields(Mirror) if hasattr(self, field.name)]
        return Mirror(
            dataset=self.set,
            version=self.set,
            archive="none",
            member=None,
            archive_bytes=None,
            archive_sha256=None,
            status="unverified",
            **{name: getattr(self, name) for name in shared},
        )


def load_sets(path: str | Path) -> dict[str, SetFile]:
    """Load the registered files of sets that stand in, by the name of the set."""
    registry = load_yaml(path)
    validate(registry, load_schema(SCHEMA), source=str(path))
    files = [SetFile(**row) for row in registry.get("sets", [])]
    found = {each.set: each for each in files}
    if len(found) < len(files):
        raise ConfigError(f"{path}: a set of `sets` is there twice. Give each a name of its own.")
    return found


def parse_kaggle_url(url: str) -> tuple[str, str, str]:
    """Parse the address of a file on Kaggle as owner, slug of the dataset, and file name."""
    parts = urlsplit(url)
    path = parts.path.strip("/").split("/")
    files = parse_qs(parts.query).get("select", [])
    if len(path) != 3 or path[0] != "datasets" or len(files) != 1:
        raise ConfigError(
            f"config/sources.yaml: {url} does not name a file on Kaggle; the form is "
            "https://www.kaggle.com/datasets/OWNER/SLUG?select=FILE."
        )
    return path[1], path[2], files[0]
