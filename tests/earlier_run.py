"""The smoke run that tests begin from: that of the clone that they are in, where it has one.

What has changed since is made again, as by ``make``; so it must have come from ``smoke.yaml``
alone, or what other settings made would lie between its results.
"""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

from noiseless.pipeline.configuration import load_config
from noiseless.tables import flatten, read_provenance

# What a rule is given beside keys of the configuration.
NO_KEYS = {"claims"}


def find_smoke_run(root: Path, environment: Mapping[str, str]) -> Path | None:
    """Return the folder whose smoke run tests go on from; None where they begin from nothing.

    The variable ``SMOKE_RUN`` names it; empty, everything begins from nothing.  By default it is
    the checkout itself.

    Raises
    ------
    ValueError
        If the folder that is named has no smoke run, or one with other settings.
    """
    named = environment.get("SMOKE_RUN")
    if named == "":
        return None
    folder = Path(named or root)
    problem = find_problem(folder, root / "config/smoke.yaml")
    if problem and named:
        raise ValueError(f"SMOKE_RUN={named}: {problem}")
    return None if problem else folder


def find_problem(folder: Path, configuration: Path) -> str:
    """Return why a folder holds no smoke run of a configuration alone; nothing where it does."""
    if not (folder / "results/ledger.parquet").is_file():
        return "there is no results/ledger.parquet"
    if any((folder / ".snakemake/locks").glob("*")):
        return "a run is going on, or one was killed (make unlock)"
    known = {_format_pair(*pair) for pair in flatten(load_config(configuration))}
    for place in ("results", "data/prepared"):
        for table in sorted((folder / place).rglob("*.parquet")):
            provenance = read_provenance(table)
            if not {source.tier for source in provenance.sources} <= {"sample"}:
                return f"{table.relative_to(folder)} was made from other data than samples"
            for key, value in json.loads(provenance.settings):
                if key not in NO_KEYS and _format_pair(key, value) not in known:
                    return f"{table.relative_to(folder)} was made with {key}: {value}"
    return ""


def _format_pair(key: str, value: object) -> str:
    return json.dumps([key, value], sort_keys=True)


def copy_smoke_run(before: Path, folder: Path) -> None:
    """Copy what a smoke run made, and what Snakemake knows of it, but no downloads."""
    samples = [path.relative_to(before) for path in before.glob("data/raw/*/sample")]
    for place in (".snakemake", "logs", "results", "data/prepared", *samples):
        if (before / place).is_dir():
            shutil.copytree(
                before / place,
                folder / place,
                dirs_exist_ok=True,
                symlinks=True,
                ignore=shutil.ignore_patterns("conda", "conda-archive", "singularity"),
            )
