"""YAML files: what is wrong with one is one readable error."""

import math
import time

import pytest

from noiseless.errors import ConfigError
from noiseless.settings import load_yaml, validate


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
        (b"data: &a {mine: *a}\n", "line 1: .*a value holds itself"),
        (b"n: &a [1, [*a]]\n", "line 1: .*a value holds itself"),
        (b"a: 1\n? [a]\n: 1\n", "line 2: .*a key is a list or has keys itself"),
        (b"a: {b: {? {a: 1} : 1}}\n", "line 1: .*a key is a list or has keys itself"),
        (b"a: &a {x: 1}\nb: {<<: *a, y: 2}\n", "line 2: .*the key `<<` is not merged here"),
        (b"seed: 010\n", "line 1: .*`010` is 8 to YAML 1.1, and another number to YAML 1.2"),
        (b"seed: -0_10\n", "`-0_10` is -8 to YAML 1.1"),
        (b"seed: [1, 1:30]\n", "`1:30` is 90 to YAML 1.1, and a text to YAML 1.2"),
        (b"seed: 1:30.5\n", "`1:30.5` is 90.5 to YAML 1.1"),
        (b"1:30: seed\n", "`1:30` is 90 to YAML 1.1"),
        (b"seed: " + b"9" * 5000 + b"\n", "line 1: .*`9{40}` is not a whole number"),
        (b"seed: !!int x\n", "line 1: .*`x` is not a whole number"),
        (b"seed: !!float x\n", "`x` is not a number"),
        (b"seed: !!bool x\n", "`x` is not a flag"),
        (b"seed: !!timestamp x\n", "`x` is not a day that exists"),
        (b"seed: 2013-02-30\n", "`2013-02-30` is not a day that exists"),
        (b"seed: !!python/name:os.system x\n", "could not determine a constructor"),
        (b"\n" + b"[" * 50_000, "line 2: .*nested more than 50 deep"),
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


def test_numbers_that_are_alike_in_all_of_yaml_are_read(loaded):
    read = loaded(b"[0, 7, 007, -12, +3, 0x1F, 1_000, 0.5, -0.25, 1.5e+3, .inf, '010', '1:30', 08]")
    expected = [0, 7, 7, -12, 3, 31, 1000, 0.5, -0.25, 1500.0, math.inf, "010", "1:30", "08"]
    assert read == expected
    assert [type(each) for each in read] == [type(each) for each in expected]


@pytest.mark.parametrize("kind", ["number", "integer"])
@pytest.mark.parametrize(
    "text", ["6e1", "1e-6", "2.5E3", ".5e1", "-.5e2", "5.e2", "1e2", "6,5", "'60'", "'-1.5'"]
)
def test_a_number_that_is_a_text_to_yaml_comes_with_how_to_write_it(loaded, kind, text):
    schema = {"properties": {"key": {"type": kind}}}
    with pytest.raises(ConfigError, match=r"is a text to YAML 1\.1: write") as caught:
        validate(loaded(f"key: {text}\n".encode()), schema, source="mine.yaml")
    written = str(caught.value).partition("write ")[2].removesuffix(".")
    value = float(text.strip("'").replace(",", "."))
    assert loaded(f"key: {written}\n".encode())["key"] == value
    if kind == "number" or value.is_integer():
        validate(loaded(f"key: {written}\n".encode()), schema, source="mine.yaml")


@pytest.mark.parametrize("text", ["e1", ".e1", "60 kWh", "1,000,000", "x"])
def test_what_is_no_number_gets_no_such_advice(loaded, text):
    schema = {"properties": {"key": {"type": "number"}}}
    with pytest.raises(ConfigError, match=r"it must be of type number\.$"):
        validate(loaded(f"key: {text}\n".encode()), schema, source="mine.yaml")


def bomb(levels, each):
    """Lists of aliases of lists: ``each ** levels`` values in a few lines."""
    lines = ["a0: &a0 [" + ", ".join("x" * each) + "]"]
    for level in range(1, levels):
        lines.append(f"a{level}: &a{level} [" + ", ".join([f"*a{level - 1}"] * each) + "]")
    return "\n".join(lines).encode()


def test_aliases_that_unfold_to_too_much_are_refused_at_once(loaded):
    assert len(bomb(9, 10)) < 600
    for content in (bomb(9, 10), bomb(60, 2), bomb(5, 10)):
        started_s = time.process_time()
        with pytest.raises(ConfigError, match=r"line 1: .*unfold to more than 100,000 values"):
            loaded(content)
        assert time.process_time() - started_s < 1
    assert loaded(bomb(4, 10))["a3"][9][9][9] == ["x"] * 10
