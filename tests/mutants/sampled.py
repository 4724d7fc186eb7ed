"""Whether the tests of a module notice changes of its code: a sample of small ones.

``python tests/mutants/sampled.py draw 50 --seed 3 [WORD ...]`` tries 50 changes of the modules with
one of the words in their names, and prints a table of them, and those that no test noticed.

1. Cosmic Ray lists what can be changed in a module, and changes it: an operator, a comparison, a
   number, a condition, a loop.  Where a module has compiled code, it runs as plain Python.
2. The change is made in place, in a copy of the project.
3. The module's own test files run until the first one fails, in a fork of a Python that has
   imported everything else: Cosmic Ray's own runner starts a Python for each change.

A change that survives is a hole in the tests, or makes no difference.
``tests/mutants/sampled.md`` keeps what was found, by hand.
"""

import argparse
import ast
import contextlib
import importlib
import itertools
import os
import random
import resource
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path("workflow/noiseless")

_NOISELESS = "papers/noiseless"
_NSHT = "papers/nsht"
_PRRELATION = "papers/prrelation"
_DETERMINISTIC, _UNMOVED = "papers/deterministic", "statements/verdicts_without_data.py"
_BEYOND = "papers/beyond"
_CERTIFIED = [
    "accounting/test_branch_and_bound.py",
    "accounting/test_extremes.py",
    "accounting/test_realized_loss.py",
]
_FAMILIES = ["mechanisms/test_interface.py", "mechanisms/families/test_noise.py"]
# Test files, the quickest first, of modules with others than the one at the mirrored path.
_PAIRS = ["adversaries/membership/test_pair.py"]
TESTS = {
    "papers/prrelation/joint.py": ["accounting/test_joint.py", "theory/test_laws.py"],
    "adversaries/pair_difference.py": _PAIRS,
    "adversaries/membership/combined.py": _PAIRS,
    "adversaries/membership/pair_known.py": _PAIRS,
    "settings.py": ["test_settings.py", "pipeline/test_configuration.py"],
    "accounting/branch_and_bound.py": _CERTIFIED,
    "accounting/extremes.py": _CERTIFIED[1:],
    "accounting/queries.py": [
        "accounting/test_queries.py",
        *_CERTIFIED[1:],
        "accounting/test_filters.py",
    ],
    "accounting/realized_loss.py": _CERTIFIED[1:],
    "accounting/second_order.py": ["accounting/test_second_order.py", _CERTIFIED[1]],
    "games/appliances.py": ["games/test_appliances.py", f"{_NOISELESS}/test_nilm.py"],
    "papers/noiseless/limits.py": [f"{_NOISELESS}/test_membership.py"],
    "papers/beyond/informed.py": [
        f"{_BEYOND}/test_informed.py",
        f"{_BEYOND}/test_adversaries.py",
    ],
    "games/linkage.py": ["games/test_linkage.py", f"{_BEYOND}/test_comparison_trips.py"],
    "games/pairs.py": ["games/test_pairs.py", f"{_NOISELESS}/test_selected_pairs.py"],
    **{
        f"{_NOISELESS}/{name}.py": [f"{_NOISELESS}/{second}.py", _UNMOVED]
        for name, second in (
            *((f"section_{each}", "test_sections_1_to_3") for each in (1, 2, 3)),
            *((each, "test_sections_1_to_3") for each in ("cases", "appendix", "ours")),
            *((f"section_{each}", "test_sections_4_and_5") for each in (4, 5)),
        )
    },
    **{
        f"papers/nsht/{name}.py": [f"{_NSHT}/{second}.py", _UNMOVED]
        for name, second in (
            *((each, "test_sections_2_to_4") for each in ("cases", "section_2", "section_3")),
            ("section_4", "test_sections_2_to_4"),
            *((each, "test_sections_5_and_6") for each in ("section_5", "section_6", "appendix")),
            ("ours", "test_several_analysts"),
        )
    },
    **{
        f"papers/deterministic/{name}.py": [f"{_DETERMINISTIC}/{second}.py", _UNMOVED]
        for second, names in (
            ("test_sections_2_and_3", "groupings information section_2 section_3"),
            ("test_sections_4_and_5", "bins heights searches two_outputs section_4 section_5 ours"),
        )
        for name in names.split()
    },
    **{
        f"papers/knowledge/{name}.py": ["papers/knowledge/test_sections.py", _UNMOVED]
        for name in (*(f"section_{each}" for each in range(1, 8)), "cases", "appendix", "ours")
    },
    **{
        f"papers/prrelation/{name}.py": [f"{_PRRELATION}/{second}.py", _UNMOVED]
        for name, second in (
            *((each, "test_sections") for each in ("section_3", "section_4", "section_5")),
            ("section_6", "test_notions"),
            *((each, "test_composite") for each in ("section_7", "ours")),
            ("appendix", "test_derivatives"),
            ("cases", "test_knowledge"),
        )
    },
    "data/archives.py": ["data/test_download.py"],
    "data/ausgrid.py": ["data/test_meters.py", "data/test_damage.py", "data/test_faults.py"],
    "data/kaggle.py": ["data/test_download.py"],
    "data/london.py": ["data/test_meters.py", "data/test_damage.py"],
    "data/plane.py": [f"{_NOISELESS}/test_trips.py", f"{_BEYOND}/test_comparison_trips.py"],
    "data/prepare.py": ["data/test_contents.py", "data/test_meters.py"],
    "reading/raw_files.py": [
        "data/test_stream.py",
        "data/test_faults.py",
        "reading/test_columns.py",
    ],
    "data/registry.py": ["data/test_download.py", "pipeline/test_configuration.py"],
    **{
        f"mechanisms/families/{name}.py": [*_FAMILIES, f"mechanisms/families/test_{name}.py"]
        for name in ("gaussian", "laplace", "one_bit", "planar_laplace", "quantizer")
    },
    **{
        f"mechanisms/policies/{name}.py": [
            f"mechanisms/policies/test_{name}.py",
            "mechanisms/test_blurring.py",
        ]
        for name in ("collapse", "overlay", "round", "slices", "stretch")
    },
}
# Modules that no unit test is about: one compiles what others need, so that it need not be done
# twice; the others make up data, whose every byte tests/fingerprints holds.
LEFT_OUT = ("accounting/compiling.py", "data/samples/")
# hypothesis is imported before pytest could rewrite it.
_OPTIONS = ("-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning")
# What numba compiles, and what calls it; other modules are seen to be compiled.
_COMPILED = ("accounting/",)
_PRELOADED = (
    *("numpy", "scipy.optimize", "scipy.special", "scipy.stats", "scipy.sparse.csgraph"),
    *("pandas", "pyarrow.parquet", "sklearn.linear_model", "sklearn.pipeline", "numba"),
    *("pytest", "hypothesis", "yaml", "jinja2", "jsonschema", "requests"),
)


def operators() -> dict[str, Any]:
    """The ways in which Cosmic Ray changes code, but for decorators, by name."""
    from cosmic_ray.plugins import get_operator, operator_names

    skipped = ("remove-decorator", "variable-", "no-op")
    return {
        name: get_operator(name)()
        for name in operator_names()
        if not any(each in name for each in skipped) and not get_operator(name).arguments()
    }


def places(source: str) -> dict[tuple, list[tuple[str, int]]]:
    """The operators that change each place of a text, and which of their changes that is."""
    from cosmic_ray.ast import ast_nodes, get_ast

    tree, found = get_ast(source), {}
    for name, operator in operators().items():
        positions = (at for node in ast_nodes(tree) for at in operator.mutation_positions(node))
        for occurrence, (start, _) in enumerate(positions):
            found.setdefault(start, []).append((name, occurrence))
    return found


def changed(source: str, name: str, occurrence: int) -> str | None:
    """The text with one change; None where it changes an annotation, or is no Python."""
    from cosmic_ray.mutating import mutate_code

    text = mutate_code(source, operators()[name], occurrence)
    try:
        return None if text is None or _code(text) == _code(source) else text
    except SyntaxError:
        return None


def _code(source: str) -> str:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        for field in ("annotation", "returns"):
            if hasattr(node, field):
                setattr(node, field, None if field == "returns" else ast.Constant(0))
    return ast.dump(tree)


def one_line(source: str, text: str) -> tuple[int, str, str] | None:
    """Number of the line that differs, from 1, and both lines; None where several differ."""
    before, after = source.split("\n"), text.split("\n")
    if len(before) != len(after):
        return None
    differ = [i for i, (one, other) in enumerate(zip(before, after, strict=True)) if one != other]
    if len(differ) != 1:
        return None
    return differ[0] + 1, before[differ[0]].strip(), after[differ[0]].strip()


class Change(NamedTuple):
    """One line of a module before and after, and the module's text with the change."""

    file: str
    line: int
    old: str
    new: str
    text: str

    def __str__(self) -> str:
        return f"`{self.file}`, line {self.line}: `{self.old}` becomes `{self.new}`"


def draw(rng: random.Random, modules: Sequence[str]) -> Iterator[Change]:
    """Draw a change of each place of some modules, the places in random order."""
    sources = {file: (ROOT / PACKAGE / file).read_text(encoding="utf-8") for file in modules}
    found = {file: places(source) for file, source in sources.items()}
    every = [(file, at) for file, by_place in found.items() for at in sorted(by_place)]
    rng.shuffle(every)
    for file, at in every:
        text = changed(sources[file], *rng.choice(found[file][at]))
        if text is not None and (line := one_line(sources[file], text)):
            yield Change(file, *line, text)


def tests_of(file: str) -> list[str]:
    """The test files of a module."""
    path = Path(file)
    return TESTS.get(file) or [str(path.with_name(f"test_{path.name}"))]


def is_compiled(file: str) -> bool:
    """Whether numba compiles a module, or what it calls: it reads beyond an array's end."""
    source = (ROOT / PACKAGE / file).read_text(encoding="utf-8")
    compiles = "def compile_njit(" in source  # whose tests are about compilation
    return file.startswith(_COMPILED) or ("\n@compile_njit(" in source and not compiles)


def modules_with_tests() -> list[str]:
    """The modules whose code is changed."""
    files = (path.relative_to(ROOT / PACKAGE) for path in (ROOT / PACKAGE).rglob("*.py"))
    return sorted(
        str(file)
        for file in files
        if all((ROOT / "tests" / "unit" / each).exists() for each in tests_of(str(file)))
    )


class Copy:
    """A copy of the project, in which one change at a time is made."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("workflow", "config", "tests", "docs", "data/README.md"):
            source, target = ROOT / name, folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns(".snakemake"))
            else:
                shutil.copy(source, target)
        for name in ("pyproject.toml", "Snakefile", "README.md", "Makefile"):
            shutil.copy(ROOT / name, folder)
        self._seconds: dict[str, float] = {}

    def survives(self, change: Change) -> bool:
        """Whether the tests of the module pass in spite of a change."""
        file = change.file
        path = self.folder / PACKAGE / file
        source = path.read_text(encoding="utf-8")
        if file not in self._seconds:
            passed, self._seconds[file] = self._test(file, limit_s=3600)
            if not passed:
                raise RuntimeError(f"the tests of {file} fail without a change")
            _tell(f"{file}: {self._seconds[file]:.1f} s of tests")
        path.write_text(change.text, encoding="utf-8")
        try:
            passed, _ = self._test(file, limit_s=10 + 2 * self._seconds[file])
        finally:
            path.write_text(source, encoding="utf-8")
        return passed

    def _test(self, file: str, limit_s: float) -> tuple[bool, float]:
        """Whether the tests pass within seconds of the processor's time, and how many they took."""
        module = self.folder / PACKAGE / file
        for compiled in (module.parent / "__pycache__").glob(f"{module.stem}.*.pyc"):
            compiled.unlink()
        before = _children_s()
        if not (child := os.fork()):
            _run(self.folder, tests_of(file), is_compiled(file), limit_s)
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status) == 0, _children_s() - before


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _run(folder: Path, tests: list[str], uncompiled: bool, limit_s: float) -> None:
    """In the fork: run tests, and end with what pytest says."""
    code = 70
    with contextlib.suppress(BaseException):
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit_s) + 1, int(limit_s) + 2))
        os.chdir(folder)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        sys.path[:0] = [str(folder / "workflow"), str(folder / "tests")]
        os.environ["PYTHONPATH"] = str(folder / "workflow")
        if uncompiled:
            import numba

            os.environ["NUMBA_DISABLE_JIT"] = "1"
            numba.config.DISABLE_JIT = 1
        import hypothesis
        import pytest

        hypothesis.settings.register_profile(
            "mutants",
            derandomize=True,
            database=None,
            deadline=None,
            suppress_health_check=list(hypothesis.HealthCheck),
        )
        hypothesis.settings.load_profile("mutants")
        options = list(_OPTIONS)
        if uncompiled:
            # Where numba divides by zero or overflows, it says nothing.
            options += ["-W", "ignore::RuntimeWarning"]
            options += ["-m", "not compiled"]
        code = pytest.main(["-x", *options, *(f"tests/unit/{name}" for name in tests)])
    os._exit(int(code))


def report(outcomes: Sequence[tuple[Change, bool]]) -> str:
    """Return a table of changes by module in Markdown, and a list of those that survived."""
    survived = Counter(change.file for change, survives in outcomes if survives)
    drawn = Counter(change.file for change, _ in outcomes)
    lines = ["| module | changes | noticed | survive |", "|---|---|---|---|"]
    for file, count in sorted(drawn.items()):
        lines.append(f"| `{file}` | {count} | {count - survived[file]} | {survived[file]} |")
    lines += ["", f"Of {drawn.total()} changes, {survived.total()} survive.", ""]
    lines += [f"- {change}" for change, survives in outcomes if survives]
    return "\n".join(lines).rstrip() + "\n"


def _tell(what: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {what}", file=sys.stderr, flush=True)


def main() -> None:
    """Tell each change when it was tried, and print the table at the end."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("draw", choices=["draw"])
    parser.add_argument("count", type=int, help="how many changes")
    parser.add_argument("words", nargs="*", metavar="WORD", help="of the names of modules")
    parser.add_argument("--seed", type=int, required=True, help="of the changes that are drawn")
    asked = parser.parse_intermixed_args()
    modules = [
        file
        for file in modules_with_tests()
        if not asked.words or any(word in file for word in asked.words)
    ]
    if not modules:
        parser.error(f"no module with tests has {' or '.join(asked.words)} in its name")
    for name in _PRELOADED:
        importlib.import_module(name)
    outcomes = []
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder))
        sys.dont_write_bytecode = True
        for change in itertools.islice(draw(random.Random(asked.seed), modules), asked.count):
            outcomes.append((change, copy.survives(change)))
            _tell(f"{'SURVIVES' if outcomes[-1][1] else 'noticed '} {change}")
    print(report(outcomes), end="")


if __name__ == "__main__":
    main()
