"""The digest of the code that a module runs."""

import ast

import pytest

from noiseless.pipeline import code
from noiseless.pipeline.code import source_digest


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Writes modules of a package that is not there, and gives the digest of one."""
    folder = tmp_path / "toy_package"
    monkeypatch.setattr(code, "_PACKAGE", folder.name)
    monkeypatch.setattr(code, "_ROOT", tmp_path)
    monkeypatch.syspath_prepend(tmp_path)

    def digest(module, **written):
        for name, text in written.items():
            path = folder / f"{name}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            for parent in {path.parent, folder}:
                (parent / "__init__.py").touch()
            path.write_text(text.replace("noiseless", folder.name))
        code.forget()
        return source_digest(f"{folder.name}.{module}")

    yield digest
    monkeypatch.undo()
    code.forget()


def test_code_digest_follows_imports(package):
    before = package(
        "a",
        **{"a": "from noiseless.sub import b\n", "d": "x = 1\n"},
        **{"sub/b": "import noiseless.sub.c\n", "sub/c": "x = 1\n"},
    )
    assert package("a", d="x = 2\n") == before
    assert package("a", **{"sub/c": "x = 2\n"}) != before
    with pytest.raises(ModuleNotFoundError):
        package("e")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import noiseless.a, noiseless.b as c  # d", {"a", "b"}),
        ("from noiseless import a, b as c  # d", {"a", "b"}),
        ("from noiseless import (\n    a,  # d\n    b as c,\n)", {"a", "b"}),
        ("from noiseless.a import x", {"a"}),
        ("def f():\n    import noiseless.a", {"a"}),
        ("if True:\n\timport noiseless.a", {"a"}),
        ("# import noiseless.b\nfrom .c import d", {"c"}),
        ("import noiseless_a", set()),
    ],
)
def test_every_way_to_import_counts(text, found, package):
    modules = dict.fromkeys("abcd", "x = 1\n")
    before = package("asked", asked=text, **modules)
    changed = {
        name for name in "abcd" if package("asked", **{**modules, name: "x = 2\n"}) != before
    }
    assert changed == found


def test_code_digest_follows_the_packages_behind_a_module(package):
    before = package("sub.b", **{"sub/b": "x = 1\n"})
    assert package("sub.b", **{"sub/__init__": "x = 1\n"}) != before


@pytest.mark.slow
def test_all_modules_are_known_with_their_imports(root):
    """Beside a walk over the syntax trees."""
    folder = root / "workflow" / "noiseless"
    for path in folder.rglob("*.py"):
        module = ".".join(path.relative_to(folder.parent).with_suffix("").parts)
        module = module.removesuffix(".__init__")
        names = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names.add(node.module)
                names.update(f"{node.module}.{alias.name}" for alias in node.names)
        modules = {name for name in names if name.startswith("noiseless.")} & code.modules()
        assert modules <= code.behind(module), module


def test_code_digest_follows_what_a_registry_loads_by_name(package):
    def digests(**written):
        package("experiment", **written)
        return package("experiment"), package("figure")

    first = digests(
        **{"kinds/one": "x = 1\n", "registry": "from noiseless import kinds\n"},
        **{"experiment": "from noiseless.registry import load\n", "figure": "x = 1\n"},
    )
    edited = digests(**{"kinds/one": "x = 2\n"})
    added = digests(**{"kinds/two": "x = 1\n"})
    assert len({first[0], edited[0], added[0]}) == 3
    assert len({first[1], edited[1], added[1]}) == 1


def test_a_comparison_and_its_figure_depend_on_every_mechanism_and_on_no_policy():
    """A mechanism says how it is drawn; an edited plugin draws nothing anew."""
    comparison = code.behind("noiseless.papers.beyond.comparison_homes")
    figure = code.behind("noiseless.papers.beyond.figures.comparison")
    for found in (comparison, figure):
        assert "noiseless.mechanisms.families.one_bit" in found
        assert "noiseless.mechanisms.policies.round" not in found
    assert "noiseless.plugins" in comparison - figure
    assert "noiseless.mechanisms.policies.round" in code.behind("noiseless.papers.nsht.blurring")


def test_a_call_ties_the_function_to_its_code_inputs_and_settings():
    name = "noiseless.papers.nsht.leakage.bound_table"
    assert code.call(name, "survey", epsilon=[1, 2]) == {
        "function": name,
        "inputs": ["survey"],
        "code": source_digest("noiseless.papers.nsht.leakage"),
        "settings": {"epsilon": [1, 2]},
    }
    with pytest.raises(AttributeError, match="bound_tabel"):
        code.call("noiseless.papers.nsht.leakage.bound_tabel")
    with pytest.raises(ModuleNotFoundError):
        code.call("noiseless.papers.nsht.leekage.bound_table")


def test_plugins_are_parameters_of_what_asks_a_registry():
    plugins = {"mine.py": "ab"}
    asks = code.call("noiseless.papers.beyond.comparison_trips.comparison_tables", plugins=plugins)
    assert asks["plugins"] == plugins
    assert "plugins" not in code.call("noiseless.papers.nsht.leakage.bound_table", plugins=plugins)
