"""Every random stream of the package: the calls that make its generators, found in the source.

``python tests/streams.py`` writes them to tests/streams.yaml, the list that
tests/unit/test_seeds.py compares.  A change there changes every table that is drawn from the
stream: it needs a new version.
"""

import ast
from pathlib import Path
from typing import NamedTuple

import yaml

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "workflow/noiseless"
LIST = Path(__file__).with_suffix(".yaml")
KEYS = {"key", "coordinates", "cell", "stream", "stream_key"}
"""What several coordinates together are called."""
HEAD = (
    "# Random streams by module, and the coordinates that several calls share. "
    "python tests/streams.py writes it.\n"
)


class Stream(NamedTuple):
    """A call of ``make_generator``, or of ``partial`` with it."""

    file: str
    call: ast.Call
    loops: tuple[ast.For | ast.comprehension, ...]  # those around it within its function

    @property
    def text(self) -> str:
        """The call as source, with the loop that gives it several coordinates as one."""
        starred = {
            name
            for each in self.coordinates
            if isinstance(each, ast.Starred)
            for name in find_names(each)
        }
        loops = (each for each in self.loops if find_names(each.target) & starred)
        texts = (f" for {ast.unparse(each.target)} in {ast.unparse(each.iter)}" for each in loops)
        return ast.unparse(self.call) + "".join(texts)

    @property
    def coordinates(self) -> list[ast.expr]:
        """Seed and coordinates, as they are written."""
        return self.call.args[1:] if ast.unparse(self.call.func) == "partial" else self.call.args


def find_streams() -> list[Stream]:
    """Find all streams, by file and in the order of the source."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if "make_generator" in source:
            found += _find(ast.parse(source), path.relative_to(PACKAGE).as_posix(), ())
    return found


def _find(node: ast.AST, file: str, loops: tuple[ast.For | ast.comprehension, ...]) -> list[Stream]:
    """Find the streams below a node of a module's tree."""
    if isinstance(node, ast.FunctionDef | ast.Lambda):
        loops = ()
    if isinstance(node, ast.For):
        loops = (*loops, node)
    if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        loops = (*loops, *node.generators)
    own = []
    if isinstance(node, ast.Call):
        called = [ast.unparse(each) for each in (node.func, *node.args[:1])]
        if called[0] == "make_generator" or called == ["partial", "make_generator"]:
            own = [Stream(file, node, loops)]
    return own + [
        each for child in ast.iter_child_nodes(node) for each in _find(child, file, loops)
    ]


def find_names(node: ast.AST) -> frozenset[str]:
    """The names in an expression."""
    return frozenset(each.id for each in ast.walk(node) if isinstance(each, ast.Name))


def find_keys() -> dict[str, list[str]]:
    """Find where the coordinates are put together that a call takes as one, by file."""
    found: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if "make_generator" not in source and "key=(" not in source:
            continue
        for node in ast.walk(ast.parse(source)):
            targets = {
                ast.Assign: lambda each: each.targets,
                ast.AugAssign: lambda each: [each.target],
                ast.keyword: lambda each: [ast.Name(each.arg or "")],
            }.get(type(node), lambda each: [])(node)
            names = {name for each in targets for name in find_names(each)}
            names |= {each.attr for each in targets if isinstance(each, ast.Attribute)}
            if names & KEYS and isinstance(node.value, ast.Tuple):
                file = path.relative_to(PACKAGE).as_posix()
                found.setdefault(file, []).append(ast.unparse(node))
    return found


def build_list(streams: list[Stream]) -> dict[str, list[str]]:
    """The calls of each file."""
    calls: dict[str, list[str]] = {}
    for stream in streams:
        calls.setdefault(stream.file, []).append(stream.text)
    return calls


if __name__ == "__main__":
    both = {"calls": build_list(find_streams()), "keys": find_keys()}
    text = yaml.safe_dump(both, width=200, sort_keys=False)
    LIST.write_text(HEAD + text, encoding="utf-8")
