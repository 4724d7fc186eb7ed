"""What the rules of the workflow promise, read from the rules themselves."""

import os
import sys
from pathlib import Path

import pytest
import yaml
from snakemake.api import ConfigSettings, OutputSettings, ResourceSettings, SnakemakeApi
from snakemake.iocontainers import Wildcards

from noiseless.code import source_digest


@pytest.fixture(scope="module")
def workflow(root):
    """The rules of a smoke run, and the names that they share."""
    environment, path = dict(os.environ), list(sys.path)
    with pytest.MonkeyPatch.context() as here, SnakemakeApi(OutputSettings(quiet=None)) as api:
        here.chdir(root)
        yield api.workflow(
            resource_settings=ResourceSettings(cores=1),
            config_settings=ConfigSettings(configfiles=[Path("config/smoke.yaml")]),
            snakefile=Path("Snakefile"),
        )._workflow
    sys.path[:] = path
    os.environ.clear()
    os.environ.update(environment)


@pytest.fixture(scope="module")
def jobs(workflow):
    """The rules that make something."""
    return [rule for rule in workflow.rules if rule.output]


def test_every_rule_has_log_benchmark_and_environment_of_its_own(jobs):
    assert len(jobs) > 80
    for rule in jobs:
        assert rule.log, rule
        assert rule.benchmark, rule
        assert rule.conda_env.endswith("noiseless.yaml"), rule
    for files in ([str(rule.log[0]) for rule in jobs], [str(rule.benchmark) for rule in jobs]):
        assert len(set(files)) == len(files)


def test_rules_name_the_digest_of_the_code_that_they_call(jobs):
    called = [rule for rule in jobs if isinstance(rule.params.get("function"), str)]
    assert len(called) > 60
    for rule in called:
        module = rule.params.function.rpartition(".")[0]
        assert rule.params.code == source_digest(module), rule


def test_a_key_reaches_the_function_that_a_rule_calls(workflow, jobs):
    (rule,) = (rule for rule in jobs if rule.name == "noiseless_membership")
    settings = rule.params.settings(Wildcards(fromdict={"homes": "london"}))
    budgets = workflow.globals["config"]["noiseless"]["membership"]["epsilon_bits"]
    assert settings["epsilon_bits"] == budgets == [1, 2, 3, 6, 10]
    assert settings["resolution"] == "days"


def test_lists_of_tables_and_figures_hold_what_the_rules_make(workflow, jobs):
    folder = "results/tables/"
    paths = [path for rule in jobs for path in map(str, rule.output) if path.startswith(folder)]
    for path in paths:
        if path.endswith(".parquet"):
            assert path.replace(".parquet", ".csv") in paths
    shared = workflow.globals
    tables = [f"{folder}{name}.parquet" for name in shared["TABLES"]]
    assert len(set(tables)) == len(tables) > 80
    for path in tables:
        assert [rule for rule in jobs if rule.is_producer(path)], path
    assert {path for path in paths if path.endswith(".parquet") and "{" not in path} <= set(tables)
    for name, figure in shared["FIGURES"].items():
        assert set(figure["tables"].values()) <= set(shared["TABLES"]), name


def test_groups_of_a_clusters_profiles_are_those_of_the_rules(root, jobs):
    fixed = {rule._group for rule in jobs if isinstance(rule._group, str)}
    for name in ("slurm", "generic", "groups"):
        profile = yaml.safe_load((root / f"workflow/profiles/{name}/profile.yaml").read_text())
        groups = {entry.split("=")[0] for entry in profile["group-components"]}
        # The ledger and the page are one job already.
        assert groups == fixed - {"ledger"}, name
