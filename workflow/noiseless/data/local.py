"""Find the public datasets among the files that a user has.

``python -m noiseless.data.local FOLDER CONFIG`` writes a configuration in which every dataset
that is there is read from there, and every other one is left out, as are sets of homes and
recordings that stand in for the paper's.  A line for each says what was found, or how to get it,
and a last one names the files that no dataset took.

A dataset that is not found is an error where a file of its own name is in the folder: who has it
means it, and a run that left it out would end as if it had been used.  Of other files, under names
that no dataset has, nobody can tell whose they are; they are named, and stop nothing.
"""

import argparse
import os
import re
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

from noiseless.data.registry import (
    Mirror,
    RegisteredHead,
    SetFile,
    load_heads,
    load_sets,
    load_sources,
)
from noiseless.errors import ConfigError, DataError, UserError
from noiseless.files import compute_contents_sha256, is_file, is_folder, write_atomically
from noiseless.reading.raw_files import format_list

REGISTRY = "config/sources.yaml"
# Numbers and labels of house 1, without the circuits that add nothing new (ovens, a stove, ...).
CHANNELS = {
    1: "mains",
    2: "mains",
    5: "refrigerator",
    6: "dishwaser",
    7: "kitchen_outlets",
    8: "kitchen_outlets",
    9: "lighting",
    10: "washer_dryer",
    11: "microwave",
    17: "lighting",
}
# Where the sets are that stand in, by the section of the configuration that they are in.
_FOLDERS = {"homes": "homes", "recordings": "redd"}
_BESIDE = "columns.csv"  # of the survey, which no run reads
_PACKED = "low_freq.tar.bz2"  # of REDD, to be unpacked
_DEPTH = 4  # folders that are searched below a data folder; links may lead in circles
_PROSE = (".md", ".txt", ".pdf")  # about data, and no data
DATASETS = ("young_people", "ausgrid", "london", "nyc_taxi", "redd")


def find_local_datasets(
    folder: str | Path,
    sources: Sequence[Mirror],
    heads: Sequence[RegisteredHead] = (),
    sets: Mapping[str, SetFile] | None = None,
) -> dict[str, Path | list[Path] | None]:
    """Find each public dataset, and each registered set of data, in ``folder``.

    Return its path, or None. A dataset is looked for in the folder of its own name: first a file
    with a name that the registry knows, in the order of the registry, gzipped or not; then a file
    with the contents that the registry knows, under whatever name. London's homes and REDD's
    original are folders. Sets of homes are looked for in the same way, in the folder ``homes``, and
    recordings in ``redd``. A folder with none is refused, and one with files of a dataset, by their
    names, that was not found.
    """
    folder = Path(folder)
    if not is_folder(folder):
        raise ConfigError(f"{folder}: no such folder. Give the folder that holds your datasets.")
    found: dict[str, Path | list[Path] | None] = {
        dataset: _find_dataset(folder / dataset, dataset, sources, heads) for dataset in DATASETS
    }
    for name, known in (sets or {}).items():
        found[name] = _find_set(folder / _FOLDERS[known.section], known)
    _refuse_overlooked(folder, found, sources, heads, sets or {})
    if not any(found.values()):
        there = [path.name for path in list_files(folder)]
        raise ConfigError(
            f"{folder}: none of {', '.join(DATASETS)} was found. Each has a folder of its name in "
            "it, with the files that data/README.md lists. "
            f"What is there: {format_list(there, 6) or 'no file'}."
        )
    return found


def find_blocks(folder: Path) -> list[Path]:
    """Find the files of London's homes: in their folder, or as Kaggle's archive is unpacked."""
    places = (folder, folder / "daily_dataset", folder / "daily_dataset/daily_dataset")
    return sorted(path for place in places for path in place.glob("block_*.csv*"))


def _find_dataset(
    folder: Path, dataset: str, sources: Sequence[Mirror], heads: Sequence[RegisteredHead]
) -> Path | None:
    """Find the file or folder of a public dataset in its folder; None if nothing known is there."""
    if dataset == "london":
        return folder if find_blocks(folder) else None
    if dataset == "redd" and (folder / "low_freq").is_dir():
        return folder / "low_freq"
    registered = [
        mirror
        for mirror in sources
        if mirror.dataset == dataset and mirror.file not in (_BESIDE, _PACKED)
    ]
    known = [mirror.file for mirror in registered]
    known += [_get_member_name(mirror) for mirror in registered if _get_member_name(mirror)]
    known += [head.file for head in heads if head.dataset == dataset]
    return _find_first_known(folder, known, {mirror.sha256 for mirror in registered} - {None})


def _find_set(folder: Path, known: SetFile) -> Path | list[Path] | None:
    """Find the file of a set, or all its files where it has several; None if one is absent."""
    paths = [
        _find_first_known(folder, [file], {digest} - {None})
        for file, digest in known.digests.items()
    ]
    there = [path for path in paths if path is not None]
    if len(there) < len(paths):
        return None
    return there if len(there) > 1 else there[0]


def list_files(folder: Path) -> list[Path]:
    """List what is at the top of a data folder, and the files below the folders of datasets."""
    searched = {*DATASETS, *_FOLDERS.values()}
    top = sorted(folder.iterdir())
    files = [path for path in top if path.name not in searched or not path.is_dir()]
    for name in dict.fromkeys((*DATASETS, *_FOLDERS.values())):
        for place, inner, names in os.walk(folder / name, followlinks=True):
            inner[:] = sorted(inner) if len(Path(place).parts) < len(folder.parts) + _DEPTH else []
            files += [Path(place, each) for each in sorted(names)]
    return [path for path in files if not path.name.startswith(".")]


def _refuse_overlooked(
    folder: Path,
    found: Mapping[str, Path | list[Path] | None],
    sources: Sequence[Mirror],
    heads: Sequence[RegisteredHead],
    sets: Mapping[str, SetFile],
) -> None:
    """Raise ConfigError if files have names of a dataset's own, and it was not found."""
    owners = {
        (f"{name}.gz" if zipped else name): dataset
        for dataset, each in _list_own_names(sources, heads, sets).items()
        if not found[dataset]
        for name in each
        for zipped in (False, True)
    }
    problems = []
    for path in list_files(folder):
        dataset = owners.get(re.sub(r"^block_\d+", "block_0", path.name))
        if dataset is not None:
            if dataset in sets:
                place, files = folder / _FOLDERS[sets[dataset].section], [*sets[dataset].digests]
                absence = f"not found: wanted in {place} is {' and '.join(files)}"
            else:
                absence = describe_absence(folder / dataset, dataset, sources)
            problems.append((dataset, f"{dataset}: {absence}; {path} is a file of it by its name"))
    if problems:
        shown = list(dict(problems).values())  # one of each dataset
        raise ConfigError(
            "\n  ".join(["files of datasets are there, but cannot be taken as they are:", *shown])
            + "\nUnpack or move them (data/README.md), or take them out of the folder."
        )


def _get_member_name(mirror: Mirror) -> str:
    """Return the name that a mirror's file has once its archive is unpacked; empty if unknown."""
    return "" if mirror.member is None or "*" in mirror.member else mirror.member


def _list_own_names(
    sources: Sequence[Mirror], heads: Sequence[RegisteredHead], sets: Mapping[str, SetFile]
) -> dict[str, set[str]]:
    """List by dataset the names that its files have where they are served, or once unpacked."""
    names: dict[str, set[str]] = {dataset: set() for dataset in (*DATASETS, *sets)}
    for mirror in sources:
        served = mirror.url.partition("?select=")[2] or urlsplit(mirror.url).path
        if mirror.dataset in names and mirror.file != _BESIDE:
            own = (mirror.file, served * (mirror.kind != "page"), _get_member_name(mirror))
            names[mirror.dataset] |= {Path(each).name for each in own}
    for head in heads:
        names[head.dataset].add(head.file.removesuffix(".gz"))
    for name, known in sets.items():
        names[name] |= {*known.digests}
    names["redd"].add("labels.dat")
    return {dataset: {each for each in own if each} for dataset, own in names.items()}


def _find_first_known(
    folder: Path, names: Sequence[str], digests: Collection[str | None]
) -> Path | None:
    """Find the first file of a known name, gzipped or not, or of known contents; None if absent."""
    named = (folder / f"{name}{ending}" for name in names for ending in ("", ".gz"))
    tables = sorted([*folder.glob("*.csv"), *folder.glob("*.csv.gz")]) if digests else []
    same = (path for path in tables if compute_contents_sha256(path) in digests)
    return next((path for path in named if path.is_file()), None) or next(same, None)


def describe_absence(folder: Path, dataset: str, sources: Sequence[Mirror]) -> str:
    """Describe why a dataset is not found in its folder: it is absent, or what lies there."""
    there = sorted(path.name for path in folder.glob("*")) if folder.is_dir() else []
    if not there:
        return "not found"
    wanted = list(dict.fromkeys(each.file for each in sources if each.dataset == dataset))
    if dataset == "london":
        wanted = ["informations_households.csv", "block_0.csv", "block_1.csv", "..."]
    return f"not found: {folder} has {format_list(there)}, but wanted is {format_list(wanted)}"


def locate_redd(path: str | Path, house: int) -> tuple[str, dict[str, str]]:
    """Find a user's files of REDD, and which of its three forms they have.

    A form, ``low_freq``, ``minutes`` or ``nilmtk``, has the reader ``read_<form>`` of
    :mod:`noiseless.data.redd`; the files are named as its arguments.
    """
    path = Path(path)
    if is_folder(path):
        folder = path if (path / "labels.dat").is_file() else path / f"house_{house}"
        channels = sorted(folder.glob("channel_*.dat"), key=lambda each: (len(each.name), each))
        if not (folder / "labels.dat").is_file() or not channels:
            raise DataError(
                f"{path}: neither labels.dat with channel_1.dat, channel_2.dat, ... nor a folder "
                f"house_{house} that holds them. Give the original low_freq folder."
            )
        files = {"labels": folder / "labels.dat", **{each.stem: each for each in channels}}
        return "low_freq", {name: str(file) for name, file in files.items()}
    if not is_file(path):
        raise DataError(f"{path}: no such file or folder. data/README.md says where to get it.")
    return "nilmtk" if path.suffix == ".h5" else "minutes", {"path": str(path)}


def _find_address(name: str, sources: Sequence[Mirror], sets: Mapping[str, SetFile]) -> str:
    """Find the address of a set, or a dataset's first one that asks for no login."""
    if name in sets:
        return sets[name].url
    known = [mirror for mirror in sources if mirror.dataset == name]
    if len({mirror.file for mirror in known if mirror.version == known[0].version}) > 1:
        return known[0].url  # of a page that has all its files
    free = (m for m in known if m.kind in ("http", "rows") and m.status != "dead")
    return next(free, known[0]).url


def main() -> None:
    """Write the configuration, and print on standard error the path of each dataset."""
    parser = argparse.ArgumentParser(description="Find public datasets in a folder.")
    parser.add_argument("folder", help="holds young_people, ausgrid, london, nyc_taxi, redd, homes")
    parser.add_argument("config", help="the configuration to write")
    arguments = parser.parse_args()
    try:
        heads = load_heads(REGISTRY, "nyc_taxi")
        # The Makefile quotes the folder, so that no shell has replaced the ~.
        folder = Path(arguments.folder).expanduser()
        sets, sources = load_sets(REGISTRY), load_sources(REGISTRY)
        found = find_local_datasets(folder, sources, heads, sets)
    except UserError as error:
        sys.exit(str(error))
    config: dict[str, dict[str, Any]] = {"data": {}, "homes": {}, "recordings": {}}
    taken = {
        name: path if isinstance(path, list) else [path] if path else []
        for name, path in found.items()
    }
    for name, path in found.items():
        if name in sets:
            plain = [str(each) for each in taken[name]]
            config[sets[name].section][name] = {
                "path": plain if isinstance(path, list) else str(path) if path else None
            }
            place = folder / _FOLDERS[sets[name].section]
        else:
            config["data"][name] = {"tier": "local", "path": str(path)} if path else {"tier": None}
            place = folder / name
        absence = "not found" if name in sets else describe_absence(place, name, sources)
        url = _find_address(name, sources, sets)
        absent = f"{absence}; left out. To get it: {url}, into {place} (data/README.md)"
        there = ", ".join(map(str, taken[name]))
        print(f"{name}: {there or absent}", file=sys.stderr)
    files = [path for paths in taken.values() for path in paths]
    if left := [
        str(path.relative_to(folder)) + "/" * path.is_dir()
        for path in list_files(folder)
        if not {path, *path.parents} & {*files} and path.suffix not in _PROSE
    ]:
        print(f"no dataset: {format_list(left, 6)}; not read", file=sys.stderr)
    Path(arguments.config).parent.mkdir(parents=True, exist_ok=True)
    with write_atomically(arguments.config) as partial:
        partial.write_text(yaml.safe_dump(config), encoding="utf-8")


if __name__ == "__main__":
    main()
