"""Tables made by the rules' scripts without Snakemake: only what is asked for, and what it needs.

1. ``list_jobs.py`` writes what each script is given.
2. A script runs with functions of the papers that are called once their table is asked for, with
   some of their arguments changed.
"""

import ast
import functools
import importlib
import importlib.util
import inspect
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import patch

import pandas as pd
from snakemake.iocontainers import InputFiles, OutputFiles, Params, Wildcards

from noiseless.pipeline import jobs
from noiseless.pipeline.jobs import Job

SCRIPTS = Path("workflow/scripts")


class Later:
    """What a call will return: a table, or tables by name.  It is made once it is looked at."""

    def __init__(self, make: Callable[[], Any], names: "Names | None" = None, of: str = "") -> None:
        self._make, self._names, self._of = make, names, of

    @functools.cached_property
    def value(self) -> Any:
        """What it is."""
        made = self._make()
        if self._names is not None and isinstance(made, dict):
            self._names.learn(self._of, list(made))
        return made

    def keys(self) -> list[str]:
        """Names of the tables; known without making them where the call was made before.

        Tables of data that are not given have none: they are not asked for.
        """
        known = self._names and self._names.known.get(self._of)
        try:
            return known or list(self.value)
        except LookupError:
            return []

    def __getitem__(self, key: Any) -> "Later":
        return Later(lambda: self.value[key])

    def __iter__(self) -> Iterator[Any]:
        return iter(self.value)

    def __len__(self) -> int:
        return len(self.value)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.value, name)


class Names:
    """Names of the tables that functions return, kept in a file from one replay to the next."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.known = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}

    def learn(self, function: str, names: list[str]) -> None:
        """Keep the names of what a function returned."""
        if self.known.get(function) != names:
            self.known[function] = names
            self._path.write_text(json.dumps(self.known), encoding="utf-8")


class Replay:
    """Tables of the jobs in a file, with some arguments of the functions changed.

    Parameters
    ----------
    path : path
        What ``list_jobs.py`` wrote.
    data : mapping of str to DataFrame
        Prepared tables by their paths in the workflow.
    settings : mapping
        Arguments of functions by their names; also those within arguments that are mappings,
        lists of mappings, or dataclasses.
    """

    def __init__(
        self, path: Path, data: Mapping[str, pd.DataFrame], settings: Mapping[str, Any]
    ) -> None:
        listed = json.loads(path.read_text(encoding="utf-8"))
        self._makers = {file: job for job in listed for file in job["output"].values()}
        self._made: dict[str, Any] = dict(data)
        self.settings = settings
        self._names = Names(path.with_name("names.json"))
        self.unused = set(settings)

    def table(self, path: str) -> pd.DataFrame:
        """Return the table at a path of the workflow."""
        if path not in self._made:
            if path not in self._makers:
                raise LookupError(f"{path} is neither given nor made by a job")
            self._run(self._makers[path])
        made = self._made[path]
        return made.value if isinstance(made, Later) else made

    def _run(self, job: Mapping[str, Any]) -> None:
        """Run the script of a job; its tables are made once they are asked for."""
        replay = self

        class Replayed(Job):
            def load_table(self, name: str) -> Any:
                path = self._find_input(name)
                return Later(lambda: replay.table(path))

            def load_tables(self, name: str) -> list[Any]:
                paths = self._snakemake.input[name]
                return [Later(functools.partial(replay.table, path)) for path in paths]

            def save(self, tables: Mapping[str, Any]) -> None:
                for name, table in tables.items():
                    replay._made[job["output"][name]] = table

        @contextmanager
        def replayed(snakemake: Any) -> Iterator[Replayed]:
            yield Replayed(snakemake)

        kinds = {"input": InputFiles, "output": OutputFiles, "params": Params}
        given = {kind: made(fromdict=job[kind]) for kind, made in kinds.items()}
        wildcards = Wildcards(fromdict=job["wildcards"])
        snakemake = SimpleNamespace(**given, wildcards=wildcards, log=[""], rule=job["script"])
        source = (SCRIPTS / job["script"]).read_text(encoding="utf-8")
        with patch.object(jobs, "run_job", replayed), self._changed(source):
            exec(compile(source, job["script"], "exec"), {"snakemake": snakemake})

    @contextmanager
    def _changed(self, source: str) -> Iterator[None]:
        """Functions of the papers that a script imports are called later, and with the settings."""
        before: list[tuple[ModuleType, str, Any]] = []
        holders: list[tuple[ModuleType, list[str] | None]] = []
        for module, name in imported(source):
            holder = importlib.import_module(module)
            if not hasattr(holder, name):
                holders.append((importlib.import_module(f"{module}.{name}"), None))
            elif isinstance(getattr(holder, name), ModuleType):
                holders.append((getattr(holder, name), None))
            else:
                holders.append((holder, [name]))
        # All are imported by now: one that took a changed function of another would keep it.
        for holder, names in holders:
            for each, function in list(vars(holder).items()):
                if (names is None or each in names) and isinstance(function, FunctionType):
                    before.append((holder, each, function))
                    setattr(holder, each, self._later(function))
        try:
            yield
        finally:
            for holder, name, function in reversed(before):
                setattr(holder, name, function)

    def _later(self, function: FunctionType) -> Callable[..., Later]:
        def call(*args: Any, **kwargs: Any) -> Later:
            def make() -> Any:
                given = inspect.signature(function).bind(*map(_now, args), **_all_now(kwargs))
                given.apply_defaults()
                for key, value in given.arguments.items():
                    given.arguments[key] = self._with_settings(key, value)
                return function(*given.args, **given.kwargs)

            return Later(make, self._names, f"{function.__module__}.{function.__qualname__}")

        return call

    def _with_settings(self, key: str, value: Any) -> Any:
        if key in self.settings:
            self.unused.discard(key)
            return self.settings[key]
        if isinstance(value, Mapping):
            return {name: self._with_settings(name, each) for name, each in value.items()}
        if isinstance(value, list | tuple) and value and isinstance(value[0], Mapping):
            return [self._with_settings("", each) for each in value]
        if is_dataclass(value) and not isinstance(value, type):
            given = {each.name: getattr(value, each.name) for each in fields(value) if each.init}
            return replace(value, **self._with_settings("", given))
        return value


def _now(value: Any) -> Any:
    """Return what is used by a function that is called now."""
    return value.value if isinstance(value, Later) else value


def _all_now(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _now(value) for key, value in values.items()}


def imported(source: str) -> list[tuple[str, str]]:
    """Return the modules of the papers that a script imports from, and what it takes of each."""
    return [
        (node.module, alias.name)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and node.module.startswith("noiseless.papers.")
        for alias in node.names
    ]
