"""Which verdicts change when the code that they judge is broken.

1. A copy of the package is made, and the jobs that make tables are listed from it.
2. A row of ``mutants.yaml`` replaces one piece of one function of the copy (:mod:`places`).
3. Another Python runs the scripts behind the row's statements in the copy, with few, small cells,
   and judges them as if any data would do (:mod:`replay_statements`).
4. The verdicts are held against those of the copy as it was.

A claim whose verdict no mutant changes judges nothing.  Rows with ``open: true`` are known to
change no verdict: holes in the checks, listed until a check closes them.
"""

import gzip
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from places import change, find_module

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SHARED_DATA = ROOT.parent / "shared" / "data"
ROWS = HERE / "mutants.yaml"


@dataclass(frozen=True)
class Mutant:
    """A row of ``mutants.yaml``, which says what its keys mean."""

    name: str
    function: str
    expression: str
    becomes: str
    claims: tuple[str, ...]
    data: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    compiled: bool = False
    quick: bool = False
    open: bool = False

    def applied(self, package: Path) -> tuple[Path, str]:
        """Return the file of a package that the mutant changes, and its changed source.

        Raises
        ------
        ValueError
            If the package has no such function, or its expression does not stand there once.
        """
        try:
            path, names = find_module(package, self.function)
            source = path.read_text(encoding="utf-8")
            return path, change(source, names, self.expression, self.becomes)
        except ValueError as error:
            raise ValueError(
                f"{self.name} ({self.function}): {error}. Mend the row of {ROWS.name}."
            ) from error


@dataclass(frozen=True)
class Result:
    """What a mutant did: the claims' verdicts before and after, or why it was skipped."""

    mutant: Mutant
    before: Mapping[str, str]
    after: Mapping[str, str]
    skipped: str = ""

    @property
    def changed(self) -> dict[str, bool]:
        """Whether each claim's verdict is another one."""
        return {claim: self.before[claim] != self.after[claim] for claim in self.mutant.claims}

    @property
    def as_expected(self) -> bool:
        """All verdicts changed; or none, where the row is open.  Before, none is an error."""
        if self.skipped:
            return True
        sound = not any(verdict.startswith("error") for verdict in self.before.values())
        return sound and set(self.changed.values()) == {not self.mutant.open}


def read_mutants(path: Path = ROWS) -> list[Mutant]:
    """The rows of the file, in its order."""
    rows = yaml.safe_load(path.read_text(encoding="utf-8"))["mutants"]
    return [
        Mutant(**{**row, "claims": tuple(row["claims"]), "data": tuple(row.get("data", ()))})
        for row in rows
    ]


class Copy:
    """A copy of the package, in which one mutant at a time is at work."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        ignored = shutil.ignore_patterns("__pycache__", ".snakemake")
        for name in ("workflow", "config", "docs/reference"):
            shutil.copytree(ROOT / name, folder / name, ignore=ignored)
        shutil.copy(ROOT / "Snakefile", folder)
        self._run(str(HERE / "list_jobs.py"), str(folder), str(folder / "jobs.json"))
        self._before: dict[str, str] = {}
        self._server: subprocess.Popen[str] | None = None

    def close(self) -> None:
        """End the Python that replays."""
        if self._server is not None:
            self._server.stdin.close()
            self._server.wait()

    def results(self, mutants: Iterable[Mutant]) -> Iterator[Result]:
        """What each mutant does to its claims' verdicts."""
        for mutant in mutants:
            absent = [dataset for dataset in mutant.data if not self._prepared(dataset)]
            if absent:
                yield Result(mutant, {}, {}, f"the real data of {' and '.join(absent)} is not here")
                continue
            path, changed = mutant.applied(self.folder / "workflow" / "noiseless")
            source = path.read_text(encoding="utf-8")
            before = self._judged_before(mutant)
            failed = [claim for claim, verdict in before.items() if verdict.startswith("error")]
            if failed:
                raise RuntimeError(f"{mutant.name}: {failed} cannot be judged before the change.")
            path.write_text(changed, encoding="utf-8")
            try:
                after = self._judge(mutant)
            finally:
                path.write_text(source, encoding="utf-8")
            yield Result(mutant, before, after)

    def _judged_before(self, mutant: Mutant) -> dict[str, str]:
        def key(claim: str) -> str:
            return json.dumps([claim, mutant.settings, mutant.compiled], sort_keys=True)

        if not all(key(claim) in self._before for claim in mutant.claims):
            self._before |= {key(name): each for name, each in self._judge(mutant).items()}
        return {claim: self._before[key(claim)] for claim in mutant.claims}

    def _judge(self, mutant: Mutant) -> dict[str, str]:
        asked = {
            "jobs": "jobs.json",
            "claims": list(mutant.claims),
            "settings": dict(mutant.settings),
            "data": {
                f"data/prepared/{_PREPARED[name]}.parquet": str(self._prepared(name))
                for name in mutant.data
            },
        }
        asked["environment"] = {"NUMBA_DISABLE_JIT": "1"} if mutant.compiled else {}
        if self._server is None:
            self._server = subprocess.Popen(
                [sys.executable, str(HERE / "replay_statements.py")],
                cwd=self.folder,
                env=self._environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        print(json.dumps(asked), file=self._server.stdin, flush=True)
        verdicts = json.loads(self._server.stdout.readline())
        if set(verdicts) != set(mutant.claims):
            raise RuntimeError(f"{mutant.name}: {verdicts}")
        return verdicts

    def _environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "PYTHONPATH": str(self.folder / "workflow"),
            # The files change within the second that a compiled one remembers of them.
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def _prepared(self, dataset: str) -> Path | None:
        """The prepared table of real data, made once; None where the data are not here."""
        path = self.folder / "prepared" / f"{dataset}.parquet"
        if not path.is_file():
            source = SHARED_DATA / ("redd" if dataset == "minutes-3" else dataset)
            if not source.is_dir():
                return None
            path.parent.mkdir(exist_ok=True)
            if dataset == "minutes-3":
                packed = source / "redd_building1_1min_mean.csv.gz"
                source = self.folder / "prepared" / "house1_minutes.csv"
                source.write_bytes(gzip.decompress(packed.read_bytes()))
            self._run(str(HERE / "prepare_real.py"), dataset, str(source), str(path))
        return path

    def _run(self, *arguments: str) -> None:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env=self._environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{arguments}: {done.stderr[-2000:]}")


_PREPARED = {
    "young_people": "young_people",
    "london": "london",
    "minutes-3": "minutes-3",
    "nyc_taxi": "nyc_taxi/0000",
}


def report(results: Sequence[Result]) -> str:
    """A table for a person: each mutant, each claim, its verdict before and after."""
    lines = []
    for result in results:
        mutant = result.mutant
        if result.skipped:
            lines.append(f"skipped    {mutant.name}: {result.skipped}")
            continue
        for claim, changed in result.changed.items():
            state = "changed" if changed else "OPEN" if mutant.open else "UNCHANGED"
            if changed and mutant.open:
                state = "CLOSED"
            lines.append(
                f"{state:10} {mutant.name}: {claim}: "
                f"{result.before[claim]} -> {result.after[claim]}"
            )
    noticed = sum(not each.skipped and all(each.changed.values()) for each in results)
    ran = sum(not each.skipped for each in results)
    known = sum(each.mutant.open for each in results)
    lines.append(f"{noticed} of {ran} mutants change every verdict; {known} rows are open.")
    return "\n".join(lines)
