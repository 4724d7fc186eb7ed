"""The rules of the workflow, read as Snakemake reads them, and the jobs of a complete run."""

import os
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from snakemake.api import (
    ConfigSettings,
    DAGSettings,
    OutputSettings,
    ResourceSettings,
    SnakemakeApi,
)


@contextmanager
def reading(root, folder, *configs):
    """The rules of a run in a folder, and the names that they share."""
    from snakemake import workflow as shared  # which imports what the names above import

    environment, path, python = dict(os.environ), list(sys.path), sys.executable
    # Every run's rules share them: a reading within another would leave the other without its own.
    names = dict(vars(shared))
    # A reading within another would leave the other's log open.
    settings = OutputSettings(quiet=None, enable_file_logging=False)
    with pytest.MonkeyPatch.context() as here, SnakemakeApi(settings) as api:
        here.chdir(folder)
        found = api.workflow(
            resource_settings=ResourceSettings(cores=1),
            config_settings=ConfigSettings(configfiles=list(map(Path, configs))),
            snakefile=root / "Snakefile",
        )
        try:
            yield found
        finally:
            # Snakemake leaves it to the collector of garbage.
            found._workflow_store.sourcecache.runtime_cache.cleanup()
            vars(shared).clear()
            vars(shared).update(names)
            sys.path[:], sys.executable = path, python
            os.environ.clear()
            os.environ.update(environment)


def jobs_of(found, *targets):
    """The jobs that Snakemake would run for some targets if nothing were made yet."""
    found.dag(DAGSettings(targets=set(targets)))  # sets what the graph of jobs needs
    workflow = found._workflow
    workflow._prepare_dag(forceall=True, ignore_incomplete=True, lock_warn_only=True)
    workflow._build_dag()
    return list(workflow.dag.jobs)
