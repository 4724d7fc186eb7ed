"""The digest of the code that a module runs."""

import ast

import pytest

from noiseless import code
from noiseless.code import source_digest


def test_code_digest_follows_imports(tmp_path, monkeypatch, forget_code):
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
        forget_code()
        return source_digest("noiseless.a")

    before = digest()
    (package / "d.py").write_text("x = 2\n")
    assert digest() == before
    (package / "sub" / "c.py").write_text("x = 2\n")
    assert digest() != before
    with pytest.raises(ModuleNotFoundError):
        source_digest("noiseless.e")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import noiseless.a, noiseless.b as c  # d", {"a", "b"}),
        ("from noiseless import a, b as c  # d", {"a", "b"}),
        ("from noiseless import (\n    a,  # d\n    b as c,\n)", {"a", "b"}),
        ("from noiseless.a import x", {"a"}),
        ("def f():\n    import noiseless.a", {"a"}),
        ("if True:\n\timport noiseless.a", {"a"}),
        (">>> import noiseless.a\n# import noiseless.b\nfrom .c import d", set()),
        ("import noiseless_a", set()),
    ],
)
def test_imports_are_found_by_their_lines(text, found, tmp_path, monkeypatch, forget_code):
    package = tmp_path / "noiseless"
    package.mkdir()
    for name in ("__init__", "a", "b", "c", "d"):
        (package / f"{name}.py").write_text("")
    (package / "asked.py").write_text(text)
    monkeypatch.setattr(code, "_ROOT", tmp_path)
    forget_code()
    own = code._imports("noiseless.asked") - {"noiseless"}
    assert own == {f"noiseless.{name}" for name in found}


@pytest.mark.slow
def test_all_modules_import_and_define_what_their_syntax_trees_say(root):
    package = root / "workflow" / "noiseless"
    for path in package.rglob("*.py"):
        module = ".".join(path.relative_to(package.parent).with_suffix("").parts)
        module = module.removesuffix(".__init__")
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names, lazy = set(), set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                names.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names.add(node.module)
                names.update(f"{node.module}.{alias.name}" for alias in node.names)
            elif isinstance(node, ast.Assign) and "LOADED_BY_NAME" in map(
                ast.unparse, node.targets
            ):
                lazy.update(ast.literal_eval(node.value))
        names.update(each for package_name in lazy for each in code._modules_in(package_name))
        own = {name for name in names if name.split(".")[0] == "noiseless" and code._find(name)}
        assert code._imports(module) == own, module
        functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        assert {name.decode() for name in code._functions(module)} == functions, module


def test_code_digest_follows_what_a_registry_loads_by_name(tmp_path, monkeypatch, forget_code):
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
        forget_code()
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
