"""YAML files: what is wrong with one is one readable error."""

import pytest

from noiseless.errors import ConfigError
from noiseless.settings import load_yaml


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


@pytest.mark.parametrize("content", ["data: &a {mine: *a}\n", "n: &a [1, [*a]]\n"])
def test_value_that_holds_itself_is_an_error(tmp_path, content):
    path = tmp_path / "my.yaml"
    path.write_text(content)
    with pytest.raises(ConfigError, match=r"my\.yaml: a value holds itself"):
        load_yaml(path)


def test_alias_outside_its_anchor_and_keys_that_are_days_are_right(tmp_path):
    path = tmp_path / "my.yaml"
    path.write_text("a: &a [1]\nb: *a\n2013-01-01: 1\n")
    assert load_yaml(path)["b"] == [1]
