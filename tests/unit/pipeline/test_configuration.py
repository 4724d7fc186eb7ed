"""The configuration: one file of values, one schema, and what is wrong is one readable line."""

import copy
import json
import re
import subprocess
import sys

import pytest
from jsonschema import Draft202012Validator

from noiseless.data.registry import load_sets, load_sources
from noiseless.errors import ConfigError
from noiseless.pipeline.configuration import (
    CONFIG,
    SCHEMA,
    check_config,
    load_config,
    merge_changes,
    read_file,
)
from noiseless.settings import (
    find_key_schema,
    is_precision,
    load_schema,
    load_yaml,
    resolve_type,
)
from noiseless.tables import flatten


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


def keys_of(schema, prefix=""):
    """Full names of the keys that a schema knows, and has none below."""
    for key, below in schema.get("properties", {}).items():
        if "properties" in below:
            yield from keys_of(below, f"{prefix}{key}.")
        else:
            yield prefix + key


SETS = ("homes.", "recordings.", "statements")  # sections whose keys are names


def test_the_file_and_the_schema_have_the_same_keys():
    """Sets of homes and recordings are the user's to name; universes have theirs in the papers."""
    Draft202012Validator.check_schema(load_schema(SCHEMA))
    written = {key for key, _ in flatten(load_yaml(CONFIG)) if not key.startswith(SETS)}
    known = {key for key in keys_of(load_schema(SCHEMA)) if not key.startswith(SETS)}
    assert written == known


def test_no_key_may_be_written_beside_those_that_are_known():
    """A section that takes any key would take a misspelt one."""

    def sections(schema, path=""):
        if isinstance(schema, dict):
            if "properties" in schema:
                yield path, schema.get("additionalProperties", True)
            for key, below in schema.items():
                yield from sections(below, f"{path}.{key}")

    found = dict(sections(load_schema(SCHEMA)))
    for section in ("homes", "recordings"):
        assert found.pop(f".properties.{section}")["required"] == ["path"]
    assert found
    assert {path for path, others in found.items() if others is not False} == set()


# Whole numbers without a maximum: the data are one; or they are sizes of the cases of statements.
BOUNDED_BY_DATA = ("data.nyc_taxi.rows", "noiseless.trips.numbers", ".n", ".house", ".max_bytes")
OF_CASES = (
    *("deterministic.theorems.", "noiseless.guarantees."),
    *("noiseless.premises.", "prrelation.testing.", "prrelation.worth."),
)


def test_a_number_of_cases_has_a_maximum_so_that_no_valid_run_is_endless():
    schema, without = load_schema(SCHEMA), set()
    for key, _ in flatten(load_config()):
        _, rules = find_key_schema(key, schema)
        while rules.get("type") == "array":
            rules = resolve_type(rules.get("items", {}), schema)
        if "integer" in str(rules.get("type")) and "maximum" not in rules:
            without.add(key)
    assert "noiseless.membership.n" in without
    bounded = {key for key in without if key.endswith(BOUNDED_BY_DATA) or key.startswith(OF_CASES)}
    assert without - bounded == {"seed"}


def test_what_a_key_may_be_is_found_with_its_type_and_that_of_its_items():
    schema = load_schema(SCHEMA)
    assert find_key_schema("noiseless.learned.games", schema)[0] == "runs"
    kind, rules = find_key_schema("knowledge.composition.runs", schema)
    assert kind == "runs"
    assert resolve_type(rules["items"], schema)["minimum"] == 1
    _, rules = find_key_schema("deterministic.k_anonymity.k", schema)
    assert rules["items"]["type"] == "integer"  # of the named type, beside the key's own minimum
    assert rules["items"]["minimum"] == 2
    assert find_key_schema("homes.mine.public_range_kwh", schema)[0] == "positive"
    found = {key: is_precision(key) for key, _ in flatten(load_config())}
    assert found["knowledge.health.tolerance"]
    assert found["beyond.adversaries.games"]
    assert not found["noiseless.membership.epsilon_bits"]
    assert not is_precision("no.such.key")


def test_smoke_holds_only_keys_that_differ(root):
    overlay = read_file(root / "config/smoke.yaml")
    base = dict(flatten(load_config()))
    assert [key for key, value in flatten(overlay) if base[key] == value] == []
    assert set(dict(flatten(load_config(root / "config/smoke.yaml")))) == set(base)


def test_files_are_merged_as_snakemake_merges_them(root):
    from snakemake.utils import update_config

    theirs = copy.deepcopy(load_config())
    overlay = read_file(root / "config/smoke.yaml")
    update_config(theirs, overlay)
    assert merge_changes(load_config(), overlay) == theirs


def test_every_key_is_explained_beside_it():
    """In a comment at it, or at the key or the section above it."""
    lines, said = CONFIG.read_text(encoding="utf-8").splitlines(), {}
    for line in lines:
        found = re.match(r"( *)(?:- )?([\w-]+):([^#]*)(#.*)?$", line)
        if found is None:
            continue
        depth = len(found[1])
        said = {each: words for each, words in said.items() if each <= depth}
        said[depth] = found[4] or said.get(depth)
        assert any(said.values()), line


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seed: 1\ndata:\n  redd: {tier: sample}\nseed: 2", ", line 4: not valid YAML: key `seed`"),
        ("knowledge: {survey: {queries: 2, queries: 4}}", ", line 1: not valid YAML: key `quer"),
        ("seed: &a [*a]", ": a value holds itself, by an anchor"),
        ("knowledge: {epsilon_nats: .nan}", "`knowledge.epsilon_nats` is nan, but it must"),
        ("download: {timeout_s: 1.0e+300}", "`download.timeout_s` is 1e+300, but it must be at m"),
        ("download: {timeout_s: .inf}", ": `download.timeout_s` is inf, but it must be a finite"),
        ("knowledge: {budgets_nats: [1, -.inf]}", "`knowledge.budgets_nats.1` is"),
        ("seed: 2.0", "`seed` is 2.0, but it must be a whole number, written without a point"),
        ("knowledge: {composition: {runs: [50.0]}}", "runs.0` is 50.0, but it must be a whole"),
        ("seed: true", "`seed` is true, but it must be a whole number"),
        ("seed: one\n", '`seed` is "one", but it must be a whole number'),
        ("recordings: {redd: {train_before: '2011-04-31x'}}", "it must be a day, as YYYY-MM-DD"),
        ("recordings: {redd: {train_before: 2011-02-30}}", ", line 1: not valid YAML: `2011-02-30"),
        ("data: {redd: {path: 'my {own} folder'}}", "`data.redd.path` is"),
        ('data: {redd: {path: "a\\nb"}}\n', "`data.redd.path` is"),
        ("- seed", ": no keys, but ['seed']"),
        ("seed", ": no keys, but 'seed'"),
        ("seeed: 1", "unknown key `seeed`. Did you mean `seed`"),
        ("theory: {tests: {}}", "unknown key `theory`"),
        ("knowledge: 5", "`knowledge` is 5, but it must be of type object"),
        ("knowledge: {composition: {dimension: 9}}", "tion.dimension`. Did you mean `dimensions`?"),
        ("knowledge: {composition: {dimensions: 0}}", "is 0, but it must be at least 1"),
        ("knowledge: {epsilon_nats: 31}", "is 31, but it must be at most 30"),
        ("knowledge: {budgets_nats: [1, 2]}", "must have at least 3 items"),
        (
            "knowledge: {budgets_nats: [0.9, 1, 1.1]}",
            "is [0.9, 1, 1.1], but the largest must be at least 3 times the smallest",
        ),
        ("noiseless: {membership: {games: 1000000}}", "is 1000000, but it must be at most 100000"),
        ("knowledge: {composition: {runs: [50, 6000]}}", "runs.1` is 6000, but it must be at most"),
        ("data: {young_people: {tier: kaggle}}", "must be one of sample, local, dow"),
        ("data: {ausgird: {tier: sample}}", "unknown key `data.ausgird`. Did you mean `ausgrid`?"),
        ("data: {ausgrid: {year: 2012}}", "must be one of 2010-2011, 2011-2012, 2012-2013"),
        (
            "homes: {mine: {resolution: days, public_range_kwh: 60}}",
            "key `homes.mine.path` is missing",
        ),
        (
            "homes: {ausgird: {public_range_kwh: 90}}",
            "is missing. Did you mean `ausgrid`?",
        ),
        (
            "homes: {lodnon: {resolution: days, public_range_kwh: 90}}",
            "key `homes.lodnon.path` is missing. Did you mean `london`?",
        ),
        (
            "homes: {ausgrid: {path: my.csv}}",
            "the public set has no path, tier, largest_reading_kwh",
        ),
        (
            "homes: {mine: {path: my.xls, resolution: days, public_range_kwh: 60}}",
            '`homes.mine.path` is "my.xls", but the path of a .csv',
        ),
        (
            "homes: {Mine: {path: my.csv, resolution: days, public_range_kwh: 60}}",
            "a set is named by small letters, digits and -",
        ),
        (
            "homes: {mine: {path: my.csv, resolution: days, public_range: 60}}",
            "unknown key `homes.mine.public_range`. Did you mean `public_range_kwh`?",
        ),
        (
            "data: {nyc_taxi: {latitude_range_deg: [41, 40]}}",
            "is [41, 40], but its first end must be below its second",
        ),
        ("recordings: {redd: {mains_range_w: [5, 5]}}", "its first end must be below its second"),
        (
            "recordings: {redd: {days: ['2011-05-21', '2011-04-23']}}",
            "its first end must be not after its second",
        ),
        (
            "homes: {redd: {path: my.csv, resolution: days, public_range_kwh: 60}}",
            ": homes.redd has the name of data.redd, whose files it would share. Give the set",
        ),
        (
            "homes: {minutes-3: {path: my.csv, resolution: days, public_range_kwh: 60}}",
            ": recordings.minutes-3 has the name of homes.minutes-3",
        ),
        ("knowledge: {health: {tolerance: 0.6}}", "is 0.6, but it must be at most 0.5"),
        (
            "deterministic: {policies: {accuracies_per_unit: 61}}",
            "is 61, but it must be at most 60",
        ),
    ],
)
def test_what_is_wrong_is_one_readable_line(refuse, text, message):
    said = refuse(text)
    assert message in said
    assert len(said) < 600


@pytest.mark.parametrize("path", ["a" * 255, "a//b", "my 'own' $file.csv", "été\xa0.csv"])
def test_paths_that_file_systems_take_are_right(tmp_path, path):
    file = tmp_path / "my.yaml"
    file.write_text(json.dumps({"data": {"redd": {"path": path}}}))
    assert load_config(file)["data"]["redd"]["path"] == path


def test_unquoted_days_and_an_empty_file_are_right(tmp_path):
    path = tmp_path / "my.yaml"
    path.write_text("recordings: {redd: {train_before: 2011-05-01}}\n")
    assert load_config(path)["recordings"]["redd"]["train_before"] == "2011-05-01"
    path.write_text("# nothing\n")
    assert load_config(path) == load_config()


def test_alias_outside_its_anchor_is_right(tmp_path):
    path = tmp_path / "my.yaml"
    path.write_text("knowledge: {budgets_nats: &a [1, 2, 3], cost: {queries: *a}}\n")
    assert load_config(path)["knowledge"]["cost"]["queries"] == [1, 2, 3]


def test_missing_value_of_a_set_is_named():
    spoiled = load_config()
    del spoiled["homes"]["london"]["resolution"]
    with pytest.raises(ConfigError, match=r"key `homes.london.resolution` is missing"):
        check_config(spoiled, source="my.yaml")


def test_registry_names_the_datasets_of_the_configuration(root):
    registered = {mirror.dataset for mirror in load_sources(root / "config" / "sources.yaml")}
    sets = load_sets(root / "config" / "sources.yaml")
    config = load_config()
    assert registered - set(sets) == set(config["data"])
    for section in ("homes", "recordings"):
        named = {name for name, each in sets.items() if each.section == section}
        assert named == set(config[section]) - set(config["data"])
        # Only of a set whose address is known can the tier be written.
        loadable = {name for name in named if sets[name].kind == "http"}
        assert loadable == {name for name in named if "tier" in config[section][name]}


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
