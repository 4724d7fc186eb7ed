"""The digest of the code that a module runs."""

import pytest

from noiseless import code
from noiseless.code import source_digest


def forget():
    """What was read of the code before is read again."""
    for read in (code._parsed, code._imports):
        read.cache_clear()


@pytest.fixture
def forgotten():
    """Nothing that the test has read of other code stays."""
    yield
    forget()


def test_code_digest_follows_imports(tmp_path, monkeypatch, forgotten):
    package = tmp_path / "noiseless"
    (package / "sub").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "sub" / "__init__.py").write_text("")
    (package / "a.py").write_text("from noiseless.sub import b\n")
    (package / "sub" / "b.py").write_text("import noiseless.sub.c\n")
    (package / "sub" / "c.py").write_text("x = 1\n")
    (package / "d.py").write_text("x = 1\n")
    monkeypatch.setattr(code, "_ROOT", tmp_path)

    def digest():
        forget()
        return source_digest("noiseless.a")

    before = digest()
    (package / "d.py").write_text("x = 2\n")
    assert digest() == before
    (package / "sub" / "c.py").write_text("x = 2\n")
    assert digest() != before
    with pytest.raises(ModuleNotFoundError):
        source_digest("noiseless.e")


def test_code_digest_follows_what_a_registry_loads_by_name(tmp_path, monkeypatch, forgotten):
    package = tmp_path / "noiseless"
    (package / "kinds").mkdir(parents=True)
    for name, text in {
        "__init__": "",
        "kinds/__init__": "",
        "kinds/one": "x = 1\n",
        "registry": 'LOADED_BY_NAME = ("noiseless.kinds",)\n',
        "experiment": "from noiseless.registry import load\n",
        "figure": "x = 1\n",
    }.items():
        (package / f"{name}.py").write_text(text)
    monkeypatch.setattr(code, "_ROOT", tmp_path)

    def digests():
        forget()
        return source_digest("noiseless.experiment"), source_digest("noiseless.figure")

    first = digests()
    (package / "kinds" / "one.py").write_text("x = 2\n")
    edited = digests()
    (package / "kinds" / "two.py").write_text("x = 1\n")
    assert edited[0] != first[0]
    assert digests()[0] not in (first[0], edited[0])
    assert digests()[1] == first[1]


def test_a_comparison_depends_on_every_mechanism_and_its_figure_on_none():
    compared = "noiseless.mechanisms.compared.one_bit"
    assert compared in code._closure("noiseless.experiments.beyond.comparison_homes")
    assert compared not in code._closure("noiseless.figures.beyond.comparison")


def test_a_call_ties_the_function_to_its_code_and_settings():
    name = "noiseless.experiments.nsht.leakage.bound_table"
    found = code.call(name, epsilon=[1, 2])
    assert found == {
        "function": name,
        "code": source_digest("noiseless.experiments.nsht.leakage"),
        "settings": {"epsilon": [1, 2]},
    }
    by_wildcards = code.call(name, lambda wildcards: {"epsilon": [int(wildcards)]})
    assert by_wildcards["settings"]("3") == {"epsilon": [3]}
    with pytest.raises(TypeError, match="by name and by wildcards"):
        code.call(name, lambda wildcards: {}, epsilon=[1])
    with pytest.raises(AttributeError, match="bound_tabel"):
        code.call("noiseless.experiments.nsht.leakage.bound_tabel")
    with pytest.raises(ModuleNotFoundError):
        code.call("noiseless.experiments.nsht.leekage.bound_table")
