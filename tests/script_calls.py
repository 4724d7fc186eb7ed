"""Rules' scripts run with stand-ins, which check how they call the package and compute nothing."""

import ast
import functools
import importlib
import importlib.util
import inspect
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace

import pytest
from snakemake.iocontainers import InputFiles, OutputFiles, Params, Wildcards

from noiseless.pipeline import jobs
from noiseless.pipeline.jobs import Job

KINDS = {"input": InputFiles, "output": OutputFiles, "params": Params, "wildcards": Wildcards}


def given(*, rule="a_rule", log="job.log", config=None, **names):
    """What Snakemake gives a script, by its names alone."""
    parts = {kind: made(fromdict=names.get(kind, {})) for kind, made in KINDS.items()}
    return SimpleNamespace(rule=rule, log=[log], config=config or {}, **parts)


def given_of(job, config):
    """What Snakemake would give the script of one of its jobs."""
    return SimpleNamespace(
        rule=job.rule.name,
        log=list(job.log),
        config=config,
        input=job.input,
        output=job.output,
        params=job.params,
        wildcards=job.wildcards,
        threads=1,
        resources=SimpleNamespace(mem_mb=1000),
    )


class Anything(dict):
    """What a stand-in returns: every attribute, every call and every part of it is another one."""

    def __getattr__(self, name):
        return Anything()

    def __missing__(self, key):
        return Anything()

    def __call__(self, *args, **kwargs):
        return Anything()


class CheckedJob(Job):
    """A job that reads and writes nothing, and refuses names that its rule does not have."""

    def load_table(self, name):
        self._find_input(name)
        return Anything()

    def load_tables(self, name):
        return [Anything() for _ in self._snakemake.input[name]]

    def save(self, tables):
        names = set(dict(self._snakemake.output.items()))
        if unknown := set(tables) - names:
            raise KeyError(f"{sorted(unknown)} are no outputs of {self._snakemake.rule}")
        self.settings  # noqa: B018 - it looks at the parameters

    def draw(self, name, function, *tables, **settings):
        inspect.signature(function).bind(*tables, **settings)
        for table in tables:
            self._find_input(table)
        endings = {Path(path).suffix for path in self._snakemake.output if Path(path).stem == name}
        if endings != {".png", ".pdf", ".webp"}:
            raise KeyError(f"{name} is no figure of {self._snakemake.rule}")

    def prepare(self, reader, *, recorded=None, **settings):
        inspect.signature(reader).bind(**dict(self._snakemake.input.items()), **settings)


def imported(source):
    """Modules of the package that a script imports from, and the names that it takes of each."""
    return [
        (node.module, alias.name)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and node.module.startswith("noiseless")
        for alias in node.names
        if node.module != "noiseless.pipeline.jobs"
    ]


def modules_behind(source):
    """Full names of the modules of the package that a script imports, or imports from."""
    return {
        f"{module}.{name}" if find_spec(module, name) else module
        for module, name in imported(source)
    }


def find_spec(package, name):
    """What Python knows of a module in a package; None where there is none."""
    holder = importlib.import_module(package)
    return hasattr(holder, "__path__") and importlib.util.find_spec(f"{package}.{name}")


def run_with_stand_ins(source, snakemake):
    """Run a script's text; an error where it would call something that is not there.

    Functions of the package check the call against their signature, and return :class:`Anything`.
    """

    @contextmanager
    def job(snakemake):
        yield CheckedJob(snakemake)

    def checked(function):
        @functools.wraps(function)
        def call(*args, **kwargs):
            inspect.signature(function).bind(*args, **kwargs)
            return Anything()

        return call

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jobs, "run_job", job)
        for module, name in imported(source):
            holder = importlib.import_module(module)
            found = getattr(holder, name, None)
            if found is None and find_spec(module, name):
                found = importlib.import_module(f"{module}.{name}")
            functions = vars(found) if isinstance(found, ModuleType) else {name: found}
            for key, each in list(functions.items()):
                if isinstance(each, FunctionType):
                    place = found if isinstance(found, ModuleType) else holder
                    patch.setattr(place, key, checked(each))
        exec(compile(source, snakemake.rule, "exec"), {"snakemake": snakemake})
