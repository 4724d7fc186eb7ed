"""What the rules of the workflow promise, read from the rules themselves."""

import json
import os
import shutil
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from snakemake.api import ConfigSettings, OutputSettings, ResourceSettings, SnakemakeApi
from snakemake.exceptions import WorkflowError
from snakemake.iocontainers import Wildcards

from noiseless.pipeline.code import source_digest

pytestmark = pytest.mark.slow


@contextmanager
def reading(root, folder, *configs):
    """The rules of a run in a folder, and the names that they share."""
    from snakemake import workflow as shared  # which imports what the names above import

    environment, path = dict(os.environ), list(sys.path)
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
            yield found._workflow
        finally:
            # Snakemake leaves it to the collector of garbage.
            found._workflow_store.sourcecache.runtime_cache.cleanup()
            vars(shared).clear()
            vars(shared).update(names)
            sys.path[:] = path
            os.environ.clear()
            os.environ.update(environment)


@pytest.fixture(scope="module")
def workflow(root):
    """The rules of a smoke run."""
    with reading(root, root, "config/smoke.yaml") as found:
        yield found


@pytest.fixture
def read(root, tmp_path):
    """Reads the rules in a folder of the user's, with some entries of `data`; their names."""

    def rules(where=root, **data):
        shutil.copytree(root / "config", tmp_path / "config", dirs_exist_ok=True)
        # JSON is YAML.
        (tmp_path / "my.json").write_text(json.dumps({"data": data}))
        with reading(where, tmp_path, "config/smoke.yaml", "my.json") as found:
            return dict(found.globals)

    return rules


@pytest.fixture(scope="module")
def jobs(workflow):
    """The rules that make something."""
    return [rule for rule in workflow.rules if rule.output]


def test_every_rule_has_a_log_and_an_environment_of_its_own(jobs):
    assert len(jobs) > 40
    for rule in jobs:
        assert rule.log, rule
        assert rule.conda_env.endswith("noiseless.yaml"), rule
    logs = [str(rule.log) for rule in jobs]
    assert len(set(logs)) == len(logs)


@pytest.fixture(scope="module")
def calls(workflow, jobs):
    """The calls of the rules that make tables, by rule."""
    some = Wildcards(fromdict={"homes": "london", "regression": "linear", "variant": ""})
    found = {}
    for rule in jobs:
        if str(rule.script).endswith("make_tables.py"):
            of_rule = rule.params["calls"]
            found[rule.name] = of_rule(some) if callable(of_rule) else of_rule
    return found


def test_calls_name_the_digest_of_the_code_behind_them(calls):
    assert sum(map(len, calls.values())) > 45
    for rule, of_rule in calls.items():
        for call in of_rule.values():
            assert call["code"] == source_digest(call["function"].rpartition(".")[0]), rule


def test_a_key_reaches_the_function_that_a_rule_calls(workflow, calls):
    settings = calls["noiseless_membership"]["membership"]["settings"]
    budgets = workflow.globals["config"]["noiseless"]["membership"]["epsilon_bits"]
    assert settings["epsilon_bits"] == budgets == [1, 2, 3, 6, 10]
    assert settings["resolution"] == "days"


def test_lists_of_tables_and_figures_hold_what_the_rules_make(workflow, jobs):
    folder = "results/{variant}tables/"
    paths = [path for rule in jobs for path in map(str, rule.output) if path.startswith(folder)]
    for path in paths:
        if path.endswith(".parquet"):
            assert path.replace(".parquet", ".csv") in paths
    shared = workflow.globals
    tables = [f"results/tables/{name}.parquet" for name in shared["TABLES"]]
    assert len(set(tables)) == len(tables) > 80
    for path in tables:
        assert [rule for rule in jobs if rule.is_producer(path)], path
    literal = {path.replace("{variant}", "") for path in paths if path.endswith(".parquet")}
    assert {path for path in literal if "{" not in path} <= set(tables)
    for name, figure in shared["FIGURES"].items():
        assert set(figure.tables.values()) <= set(shared["TABLES"]), name


def test_data_that_are_absent_hold_up_no_figure_of_other_data(workflow, jobs):
    """A rule draws figures of one paper on one dataset, each with labels of its own."""
    drawing = [rule for rule in jobs if "_figures" in rule.name]
    figures = workflow.globals["FIGURES"]
    assert sum(len(rule.output) for rule in drawing) == 2 * len(figures)
    for rule in drawing:
        drawn = [figures[name] for name in rule.params["figures"]]
        assert len({(figure.paper, figure.data) for figure in drawn}) == 1, rule
    labels = [figure.labels for figure in figures.values()]
    assert len({tuple(each.items()) for each in labels}) == len(labels)


@pytest.fixture
def refusal(read):
    """What a person is told of rules that cannot be read."""

    def said(*where, **data):
        with pytest.raises(WorkflowError) as caught:
            read(*where, **data)
        return str(caught.value)

    return said


def test_a_path_of_the_users_is_given_to_snakemake_in_its_plain_form(read, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/a.csv").write_text("a,b,c\n")
    found = read(young_people={"tier": "local", "path": ".//mine//a.csv"})
    assert found["RAW"]["young_people"].files == {"path": "mine/a.csv"}


@pytest.mark.parametrize(
    ("dataset", "files"),
    [
        ("london", ["informations_households.csv", "block_{0}.csv"]),
        ("nyc_taxi", ["trips{1}.csv"]),
        ("redd", ["labels.dat", "channel_1.dat", "channel_{2}.dat"]),
    ],
)
def test_braces_in_names_that_snakemake_reads_are_one_line(refusal, tmp_path, dataset, files):
    (tmp_path / "mine").mkdir()
    for file in files:
        (tmp_path / "mine" / file).touch()
    assert refusal(**{dataset: {"tier": "local", "path": "mine"}}).splitlines()[-1] == (
        f"data.{dataset}: mine/{files[-1]} has braces in its name, which Snakemake takes for "
        "wildcards. Rename it."
    )


def test_braces_in_the_name_of_the_checkout_are_one_line(refusal, root, tmp_path):
    checkout = tmp_path / "my {own} checkout"
    (checkout / "workflow").mkdir(parents=True)
    shutil.copy(root / "Snakefile", checkout)
    said = refusal(checkout).splitlines()[-1]
    assert f"{checkout}/workflow has braces in its name" in said
