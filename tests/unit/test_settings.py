"""YAML files: what is wrong with one is one readable error."""

import pytest

from noiseless.errors import ConfigError
from noiseless.settings import load_yaml


@pytest.fixture
def loaded(tmp_path):
    """What a file of some bytes holds."""

    def load(content):
        path = tmp_path / "my.yaml"
        path.write_bytes(content)
        return load_yaml(path)

    return load


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"seed: 1\ndata: [\n", r"my\.yaml, line 3: not valid YAML: .*expected"),
        (b"seed: 1\ndata: {a: 1}\nseed: 2\n", r"line 3: .*key `seed` is given twice"),
        (b"a: \x07", "not a YAML text file"),
        (b"\xff\xfe", "not a YAML text file"),
        (b"data: &a {mine: *a}\n", r"my\.yaml: a value holds itself"),
        (b"n: &a [1, [*a]]\n", r"my\.yaml: a value holds itself"),
    ],
)
def test_what_is_wrong_is_one_line(loaded, content, said):
    with pytest.raises(ConfigError, match=said) as caught:
        loaded(content)
    assert "\n" not in str(caught.value)


def test_missing_file_is_named(tmp_path):
    with pytest.raises(ConfigError, match="no such file"):
        load_yaml(tmp_path / "my.yaml")


def test_alias_outside_its_anchor_and_keys_that_are_days_are_right(loaded):
    assert loaded(b"a: &a [1]\nb: *a\n2013-01-01: 1\n")["b"] == [1]
