"""Paths of each dataset's raw files, by its tier, and their registered names and digests."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from noiseless.data.contents import compute_content_digests
from noiseless.data.local import CHANNELS, find_blocks, locate_redd
from noiseless.data.registry import Mirror, SetFile, get_registered_sha256, list_mirrors
from noiseless.errors import ConfigError
from noiseless.files import is_file, is_folder

_LOW_FREQ, _HDF5 = "low_freq.tar.bz2", "redd.h5"


@dataclass(frozen=True)
class RawInputs:
    """Raw files of a dataset by the arguments of its reader, with their identity and form.

    ``origin`` is for the rule that reads them; ``form`` is empty where a dataset has one.
    """

    files: Mapping[str, str]
    origin: Mapping[str, Any]
    form: str = ""


def list_raw_inputs(
    config: Mapping[str, Any], sources: Sequence[Mirror], house: int
) -> tuple[dict[str, RawInputs], dict[str, str]]:
    """List the raw files of each public dataset but the trips, and the trips' files by shard.

    A dataset without a tier is left out, and so are trips without one.
    """
    ausgrid = f"solar_home_{config['ausgrid']['year']}.csv"
    listing: dict[str, Callable[[], RawInputs]] = {
        "young_people": partial(
            _list_single_file, config, sources, "young_people", "responses.csv"
        ),
        "ausgrid": partial(_list_single_file, config, sources, "ausgrid", ausgrid),
        "london": partial(_list_london_files, config, sources),
        "redd": partial(_list_redd_files, config, sources, house),
    }
    there = {name: list_it() for name, list_it in listing.items() if config[name]["tier"]}
    return there, _list_trip_files(config, sources) if config["nyc_taxi"]["tier"] else {}


def list_set_inputs(
    section: str, sets: Mapping[str, Mapping[str, Any]], registered: Mapping[str, SetFile]
) -> dict[str, RawInputs]:
    """List the files of each set that is a user's or stands in.

    One without a path, whose tier is not ``download``, is left out.
    """
    found = {}
    for name, settings in sets.items():
        key, path, known = f"{section}.{name}", settings.get("path"), registered.get(name)
        if settings.get("tier") == "download":
            found[name] = _list_downloaded_set(key, path, known)
        elif path is not None:
            found[name] = _list_local_set(key, path, known, settings.get("house"))
    return found


def _list_downloaded_set(key: str, path: str | None, known: SetFile | None) -> RawInputs:
    """Return the file of a set, which is fetched from its address."""
    if path is not None:
        raise ConfigError(
            f"{key}: tier is download, and path is {path!r}. Set the tier to local to take that "
            "file, or the path to null."
        )
    if known is None or known.kind != "http":
        raise ConfigError(
            f"{key}: tier is download, but no address gives this set. Set the tier to local, and "
            "path to the file you have (data/README.md)."
        )
    files = {"path": f"data/raw/{known.set}/download/{known.file}"}
    origin = {"dataset": known.set, "tier": "download", "content": {}, "file": known.file}
    return RawInputs(files, origin | {"registered": {"path": known.sha256}}, known.form)


def _list_local_set(
    key: str, path: str | list[str], known: SetFile | None, house: int | None
) -> RawInputs:
    """List the files that a user has of a set that stands in, or of a set of their own.

    Homes are one file, or several with other homes, and a registered recording is one; another
    recording is in a form of REDD's.
    """
    if isinstance(path, list) or house is None or (known is not None and not is_folder(path)):
        paths = path if isinstance(path, list) else [path]
        form = "tidy" if known is None else known.form
        files = {f"path_{number}": each for number, each in enumerate(paths[1:], start=2)}
        files = {"path": paths[0], **files}
        if known is not None and len(paths) != len(known.digests):
            raise ConfigError(
                f"{key}: path names {len(paths)} file(s), but the set has {len(known.digests)}: "
                f"{', '.join(known.digests)}. Give all of them, in this order."
            )
        for each in paths:
            if not is_file(each):
                raise ConfigError(
                    f"{key}: path is {each!r}, and there is no such file. Set it to the file you "
                    "have, or to null to leave the set out."
                )
    else:
        form, files = locate_redd(path, house)
        files = _check_names(key, files)
        if form == "minutes":
            raise ConfigError(
                f"{key}: path is {path!r}; a recording of yours is the original folder low_freq, "
                "or a file in NILMTK's format, whose name ends in .h5."
            )
    name = key.partition(".")[2]
    content = compute_content_digests(files)
    origin: dict[str, Any] = {"content": content, "registered": {}, "file": ""}
    if known is None:
        origin |= {"dataset": f"own_{name}", "tier": "own"}
    else:
        origin |= {"dataset": name, "tier": "local"}
        if form == known.form:  # of a folder no digest is known
            registered: dict[str, str | None] = {}
            files_known = zip(files.items(), known.digests.items(), strict=True)
            for (argument, each), (file, digest) in files_known:
                registered |= _get_registered_digest(digest, file, each, argument)
            origin |= {"registered": registered, "file": known.file}
    return RawInputs(files, origin, form)


def _list_single_file(
    config: Mapping[str, Any], sources: Sequence[Mirror], dataset: str, file: str
) -> RawInputs:
    """Build the raw files of a dataset that is a single file, which readers call ``path``."""
    path = _find_path(config, dataset, file)
    digests = _get_registered_digest(
        get_registered_sha256(sources, dataset=dataset, file=file), file, path
    )
    return RawInputs({"path": path}, _build_origin(config, dataset, {"path": path}, file, digests))


def _find_path(config: Mapping[str, Any], dataset: str, file: str) -> str:
    """Find the path of a dataset's raw file by the dataset's tier; check it for tier ``local``."""
    source = config[dataset]
    if source["tier"] != "local":
        return f"data/raw/{dataset}/{source['tier']}/{file}"
    path = Path(source["path"] or "")
    path = path / file if is_folder(path) else path
    if source["path"] is None or not is_file(path):
        raise ConfigError(
            f"data.{dataset}: tier is local, but path is {source['path']!r}, which is neither "
            f"{file} nor a folder that holds it. Set it to the file you have, or choose another "
            "tier (data/README.md)."
        )
    return str(path)


def _build_origin(
    config: Mapping[str, Any],
    dataset: str,
    files: Mapping[str, str],
    file: str,
    digests: Mapping[str, str | None],
) -> dict[str, Any]:
    """Build the identity of a dataset's files: tier, contents, registered digests and file."""
    local = config[dataset]["tier"] == "local"
    return {
        "dataset": dataset,
        # The rule must run again when the content of a user's file changes.
        "content": compute_content_digests(files) if local else {},
        "tier": config[dataset]["tier"],
        "registered": dict(digests),
        "file": file,
    }


def _get_registered_digest(
    digest: str | None, file: str, path: str, argument: str = "path"
) -> dict[str, str | None]:
    """Map an argument to its file's registered digest; to None where only its name is known."""
    known = digest is not None or Path(path).name in (file, f"{file}.gz")
    return {argument: digest} if known else {}


def _check_names(key: str, files: Mapping[str, str]) -> dict[str, str]:
    """Return the files after checking that no path has braces, Snakemake's wildcards."""
    for file in files.values():
        if set(file) & set("{}"):
            raise ConfigError(
                f"{key}: {file} has braces in its name, which Snakemake takes for "
                "wildcards. Rename it."
            )
    return dict(files)


def _list_london_files(config: Mapping[str, Any], sources: Sequence[Mirror]) -> RawInputs:
    """List the files of the London dataset by its tier: ``households``, ``block_0``, ..."""
    source = config["london"]
    public = {each.file for each in sources if each.dataset == "london"}
    households = "informations_households.csv"
    if source["tier"] == "local":
        folder = Path(source["path"] or "")
        found = find_blocks(folder) if is_folder(folder) else []
        if source["path"] is None or not found:
            raise ConfigError(
                f"data.london: tier is local, but path is {source['path']!r}, which is no folder "
                "that holds block_0.csv, block_1.csv.gz or the like. Set it to the folder you "
                "have, or choose another tier (data/README.md)."
            )
        blocks = _check_names("data.london", {path.name.split(".")[0]: str(path) for path in found})
    else:
        names = [Path(file).stem for file in public if file.startswith("daily_dataset/")]
        if source["tier"] == "sample":
            names = [f"block_{block}" for block in range(source["sample_blocks"])]
        daily = f"data/raw/london/{source['tier']}/daily_dataset"
        blocks = {name: f"{daily}/{name}.csv" for name in sorted(names)}
    files = {"households": _find_path(config, "london", households), **blocks}
    registered = {name: f"daily_dataset/{name}.csv" for name in blocks} | {"households": households}
    digests = {
        name: get_registered_sha256(sources, dataset="london", file=file)
        for name, file in registered.items()
        if file in public
    }
    return RawInputs(files, _build_origin(config, "london", files, "", digests))


def _list_redd_files(config: Mapping[str, Any], sources: Sequence[Mirror], house: int) -> RawInputs:
    """List the files of REDD by its tier; the original's many files have no registered digest."""
    source = config["redd"]
    if source["tier"] == "sample":
        folder = "data/raw/redd/sample/low_freq/house_1"
        files = {"labels": f"{folder}/labels.dat"}
        files |= {f"channel_{number}": f"{folder}/channel_{number}.dat" for number in CHANNELS}
        form, file = "low_freq", _LOW_FREQ
    elif source["tier"] == "download":
        form, file = "nilmtk", _HDF5
        files = {"path": f"data/raw/redd/download/{file}"}
    else:
        if source["path"] is None:
            raise ConfigError("data.redd: tier is local, but path is not given (data/README.md).")
        form, found = locate_redd(source["path"], house)
        if form == "minutes":
            raise ConfigError(
                f"data.redd: path is {source['path']!r}, but the complete recording is redd.h5, or "
                "the original folder low_freq. Minutes of it are recordings of their own: set "
                "recordings.minutes-3.path or recordings.minutes-5.path to them, and "
                "data.redd.tier to null (data/README.md)."
            )
        files, file = _check_names("data.redd", found), _HDF5 if form == "nilmtk" else _LOW_FREQ
    digests: dict[str, str | None] = dict.fromkeys(files)
    if file == _HDF5:
        digest = get_registered_sha256(sources, dataset="redd", file=file)
        digests = _get_registered_digest(digest, file, files["path"])
    return RawInputs(files, _build_origin(config, "redd", files, file, digests), form)


def _list_trip_files(config: Mapping[str, Any], sources: Sequence[Mirror]) -> dict[str, str]:
    """List the files of taxi trips by the dataset's tier, by the name of each file's shard."""
    source = config["nyc_taxi"]
    if source["tier"] == "sample":
        numbers = range(1, source["sample_files"] + 1)
        files = [f"data/raw/nyc_taxi/sample/trips_{number}.csv" for number in numbers]
    elif source["tier"] == "download":
        files = source["files"]
        for file in files:
            list_mirrors(sources, dataset="nyc_taxi", file=file)
    else:
        path = Path(source["path"] or "")
        inside = sorted(path.iterdir()) if source["path"] and is_folder(path) else [path]
        files = [str(file) for file in inside if is_file(file) and file.name[0] != "."]
        if not files:
            raise ConfigError(
                f"data.nyc_taxi: tier is local, but path is {source['path']!r}, which is neither a "
                "file nor a folder of files. Set it to the trips you have, or choose another tier "
                "(data/README.md)."
            )
    return _check_names(
        "data.nyc_taxi", {f"{number:04d}": file for number, file in enumerate(files)}
    )
