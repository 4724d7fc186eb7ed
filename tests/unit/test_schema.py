"""Configuration: what a user can get wrong is one readable error, and the docs tell all keys."""

import copy

import pytest
import yaml

from noiseless.errors import ConfigError
from noiseless.schema import load_yaml, validate


@pytest.fixture
def config(root):
    return load_yaml(root / "config" / "config.yaml")


def key_paths(value, prefix=""):
    for key, inner in value.items() if isinstance(value, dict) else ():
        yield f"{prefix}{key}"
        yield from key_paths(inner, f"{prefix}{key}.")


def test_shipped_configurations_are_valid_and_have_the_same_keys(root, config):
    smoke = load_yaml(root / "config" / "smoke.yaml")
    validate(config, "config", source="config.yaml")
    validate(smoke, "config", source="smoke.yaml")
    assert list(key_paths(config)) == list(key_paths(smoke))


def change(path, value):
    def apply(config):
        *parents, last = path.split(".")
        for key in parents:
            config = config[key]
        if value is None:
            del config[last]
        else:
            config[last] = value

    return apply


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (
            "nsht.blurring.rho_per_kgs",
            [1],
            r"unknown key `nsht\.blurring\.rho_per_kgs`\. Did you mean `rho_per_kg`",
        ),
        ("sed", 1, r"unknown key `sed`. Did you mean `seed`"),
        ("seed", None, r"key `seed` is missing"),
        ("nsht.leakage.epsilon", None, r"key `nsht.leakage.epsilon` is missing"),
        ("seed", "one", r'`seed` is "one", but it must be of type integer'),
        ("nsht.leakage.epsilon.lowest", 0, r"epsilon\.lowest` is 0, but it must be larger than 0"),
        (
            "nsht.blurring.histogram_rho_per_kg",
            [1, -0.2],
            r"_per_kg\.1` is -0.2, but it must be larger",
        ),
        ("nsht.blurring.weight_range_kg", [0], r"must have at least 2 items"),
        ("data.young_people.tier", "kaggle", r"must be one of sample, local, dow"),
        ("nsht.leakage.largest_universe", 12, r"must be at most 8"),
    ],
)
def test_wrong_key_or_value_is_one_readable_error(config, path, value, message):
    spoiled = copy.deepcopy(config)
    change(path, value)(spoiled)
    with pytest.raises(ConfigError, match=message) as caught:
        validate(spoiled, "config", source="my.yaml")
    assert str(caught.value).startswith("my.yaml: ")
    assert "\n" not in str(caught.value)


def test_broken_yaml_names_the_line(tmp_path):
    path = tmp_path / "my.yaml"
    path.write_text("seed: 1\ndata: [\n")
    with pytest.raises(ConfigError, match=r"my\.yaml, line 3: not valid YAML: .*expected"):
        load_yaml(path)


def test_key_given_twice_is_an_error(tmp_path):
    path = tmp_path / "my.yaml"
    path.write_text("seed: 1\ndata: {a: 1}\nseed: 2\n")
    with pytest.raises(ConfigError, match=r"my\.yaml, line 3: .*key `seed` is given twice"):
        load_yaml(path)


@pytest.mark.parametrize("content", [b"a: \x07", b"\xff\xfe"])
def test_other_file_is_not_yaml(tmp_path, content):
    path = tmp_path / "my.yaml"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match="not a YAML text file") as caught:
        load_yaml(path)
    assert "\n" not in str(caught.value)


def test_missing_file_is_named(tmp_path):
    with pytest.raises(ConfigError, match="no such file"):
        load_yaml(tmp_path / "my.yaml")


def test_every_key_of_the_schema_is_described(root):
    schema = yaml.safe_load((root / "workflow/noiseless/schemas/config.schema.yaml").read_text())

    def check(part, path):
        part = {**schema["$defs"].get(part.get("$ref", "").split("/")[-1], {}), **part}
        assert part.get("description"), path
        for key, inner in part.get("properties", {}).items():
            check(inner, f"{path}.{key}")

    check(schema, "config")
