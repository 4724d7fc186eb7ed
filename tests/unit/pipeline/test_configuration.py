"""The configuration: one model, and what a user can get wrong is one readable line."""

import copy
import json
import subprocess
import sys
from collections.abc import Mapping

import pytest
from jsonschema import Draft202012Validator

from noiseless.data.registry import load_sources
from noiseless.errors import ConfigError
from noiseless.pipeline.configuration import (
    SCHEMA,
    check_files,
    checked,
    defaults,
    described,
    load_config,
    merged,
)
from noiseless.settings import load_yaml


@pytest.fixture
def refuse(tmp_path):
    """The message on a file of some text, after its name."""

    def message(text):
        path = tmp_path / "my.yaml"
        path.write_text(text)
        with pytest.raises(ConfigError) as caught:
            load_config(path)
        said = str(caught.value)
        assert said.startswith(str(path))
        assert "\n" not in said
        return said.removeprefix(str(path))

    return message


def leaves(value, path=""):
    """Path and value of every key that has none below."""
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            yield from leaves(inner, f"{path}.{key}".removeprefix("."))
    else:
        yield path, value


def test_shipped_configurations_are_right_and_the_small_one_holds_only_keys_that_differ(root):
    paper = load_config(root / "config" / "config.yaml")
    assert paper == defaults() == load_config()
    overlay = load_yaml(root / "config" / "smoke.yaml")
    smoke = load_config(root / "config" / "smoke.yaml")
    base = dict(leaves(defaults()))
    assert [path for path, value in leaves(overlay) if base[path] == value] == []
    assert {path for path, _ in leaves(smoke)} == set(base)


def test_files_are_merged_as_snakemake_merges_them(root):
    from snakemake.utils import update_config

    theirs = copy.deepcopy(defaults())
    overlay = load_yaml(root / "config" / "smoke.yaml")
    update_config(theirs, overlay)
    assert merged(defaults(), overlay) == theirs


def test_every_key_has_a_meaning_and_a_default_that_is_right():
    Draft202012Validator.check_schema(SCHEMA)
    names = [name for name, _ in described()]
    assert {path for path, _ in leaves(defaults())} <= {
        *names,
        *("knowledge.health.categories." + key for key in ("age_years", "sex")),
        *(path for path, _ in leaves(defaults()) if "k_anonymity.numeric" in path),
        *(path for path, _ in leaves(defaults()) if "health.categories" in path),
    }
    for name, meaning in described():
        assert meaning.strip(), name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seed: 1\ndata:\n  redd: {house: 1}\nseed: 2", ", line 4: not valid YAML: key `seed`"),
        ("noiseless: {membership: {n: [2], n: [4]}}", ", line 1: not valid YAML: key `n` is giv"),
        ("nsht: {blurring: {bmi_kg_m2: .nan}}", "`nsht.blurring.bmi_kg_m2` is nan, but it must"),
        ("download: {timeout_s: 1.0e+300}", "`download.timeout_s` is 1e+300, but it must be at m"),
        ("download: {timeout_s: .inf}", ": `download.timeout_s` is inf, but it must be a finite"),
        ("noiseless: {trips: {epsilon_bits: [1, -.inf]}}", "`noiseless.trips.epsilon_bits.1` is"),
        ("seed: 2.0", "`seed` is 2.0, but it must be a whole number, written without a point"),
        ("noiseless: {membership: {n: [2, 4.0]}}", "`noiseless.membership.n.1` is 4.0, but it"),
        ("seed: true", "`seed` is true, but it must be a whole number"),
        ("noiseless: {nilm: {train_before: '2011-02-30'}}", "it must be a day that exists, as"),
        ("noiseless: {nilm: {train_before: 2011-02-30}}", ", line 1: not valid YAML: `2011-02-30"),
        ("noiseless: {nilm: {train_before: 30/04/2011}}", "it must be a day that exists, as YYYY"),
        ("data: {my_town: {path: a.csv}}", "unknown key `data.my_town`. Known keys at `data`: aus"),
        ("data: {lodon: {tier: sample}}", "`data.lodon`. Did you mean `london`"),
        (
            "data: {redd: {path: 'my {own} folder'}}",
            "it must be a path without braces, which Snakemake takes for wildcards",
        ),
        (f"data: {{london: {{path: {'m' * 300}}}}}", "with names of 255 bytes at most: rename it"),
        (f"data: {{redd: {{path: {'ü' * 128}.csv}}}}", "of 255 bytes at most: rename"),
        (f"data: {{redd: {{path: {'a/' * 3000}b}}}}", "of 255 bytes at most: rename"),
        ("data: {redd: {path: ''}}", "it must be a path without braces"),
        ('data: {redd: {path: "a\\nb"}}\n', "without control characters"),
        ("knowledge: {composition: {epsilon_nats: 800}}", "is 800, but it must be at most 30"),
        (
            "noiseless: {trips: {epsilon_bits: [2, 800]}}",
            "_bits.1` is 800, but it must be at most 50",
        ),
        ("- seed", ": no keys, but ['seed']"),
        ("seed", ": no keys, but 'seed'"),
        ("sed: 1", "unknown key `sed`. Did you mean `seed`"),
        ("nsht: {blurring: {rho_per_kgs: [1]}}", "Did you mean `rho_per_kg`"),
        ("theory: {tests: {}}", "unknown key `theory`"),
        ("seed: one\n", '`seed` is "one", but it must be a whole number'),
        ("nsht: {leakage: {epsilon: {lowest: 0}}}", "epsilon.lowest` is 0, but it must be larger"),
        ("nsht: {blurring: {histogram_rho_per_kg: [1, -0.2]}}", "_per_kg.1` is -0.2, but it"),
        ("nsht: {blurring: {weight_range_kg: [0]}}", "must have at least 2 items"),
        ("data: {young_people: {tier: kaggle}}", "must be one of sample, local, dow"),
        ("nsht: {leakage: {largest_universe: 12}}", "must be at most 8"),
    ],
)
def test_what_is_wrong_is_one_readable_line(refuse, text, message):
    assert message in refuse(text)


@pytest.mark.parametrize(
    "path", ["a" * 255, "ü" * 127, "a//b", "my 'own' $file.csv", "été\xa0.csv"]
)
def test_paths_that_file_systems_take_are_right(tmp_path, path):
    file = tmp_path / "my.yaml"
    file.write_text(json.dumps({"data": {"redd": {"path": path}}}))
    assert load_config(file)["data"]["redd"]["path"] == path


def test_unquoted_days_and_an_empty_file_are_right(tmp_path):
    path = tmp_path / "my.yaml"
    path.write_text("noiseless: {nilm: {train_before: 2011-05-01}}\n")
    assert load_config(path)["noiseless"]["nilm"]["train_before"] == "2011-05-01"
    path.write_text("# nothing\n")
    assert load_config(path) == defaults()


def test_missing_key_is_named():
    spoiled = defaults()
    del spoiled["nsht"]["leakage"]["epsilon"]
    with pytest.raises(ConfigError, match=r"key `nsht.leakage.epsilon` is missing"):
        checked(spoiled, source="my.yaml")


def test_registry_names_the_datasets_of_the_configuration(root):
    registered = {mirror.dataset for mirror in load_sources(root / "config" / "sources.yaml")}
    assert registered == set(defaults()["data"])


def test_files_are_checked_before_they_are_merged(tmp_path):
    path = tmp_path / "my {own} file.yaml"
    path.write_text("seed: 1\nseed: 1\n")
    with pytest.raises(ConfigError, match=r"my \{own\} file.yaml, line 2: .*`seed` is given"):
        check_files([path])
    path.write_text("seed: 1\n")
    check_files([path])
    assert load_config(path)["seed"] == 1


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("typo.yaml", "no such file"),
        ("a folder", "no such file"),
        ("m" * 300, "cannot be read (File name too long)"),
    ],
)
def test_a_file_that_is_not_there_is_one_line(tmp_path, root, name, said):
    (tmp_path / "a folder").mkdir()
    result = subprocess.run(
        [sys.executable, "-m", "noiseless.pipeline.configuration", name],
        cwd=tmp_path,
        env={"PYTHONPATH": str(root / "workflow")},
        capture_output=True,
        text=True,
    )
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == f"error: {name}: {said}.\n"
