"""Whether the tests of a module notice changes of its code: a sample of small ones.

``python tests/mutants/sampled.py draw 50 [WORD ...]`` draws 50 changes more, ``again`` runs those
that survived again, and ``write`` writes ``docs/quality.md``.

1. Cosmic Ray lists what can be changed in a module, and changes it: an operator, a comparison, a
   number, a condition, a loop.  Where a module has compiled code, it runs as plain Python.
2. The change is made in place, in a copy of the project.
3. The module's own test files run until the first one fails, in a fork of a Python that has
   imported everything else: Cosmic Ray's own runner starts a Python for each change.

``sampled.yaml`` keeps every change that was tried.  One that survives is a hole in the tests, or
makes no difference, and then says why.
"""

import ast
import contextlib
import fcntl
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
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PACKAGE = Path("workflow/noiseless")
RECORD = HERE / "sampled.yaml"
PAGE = ROOT / "docs" / "quality.md"
SEED = 2  # of the changes that are drawn next

_NOISELESS = "papers/noiseless"
_BEYOND = "papers/beyond"
_CERTIFIED = [
    "accounting/test_branch_and_bound.py",
    "accounting/test_extremes.py",
    "accounting/test_realized_loss.py",
]
_FAMILIES = ["mechanisms/test_interface.py", "mechanisms/families/test_noise.py"]
# Test files, the quickest first, of modules with others than the one at the mirrored path.
TESTS = {
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
    "papers/beyond/informed.py": [
        f"{_BEYOND}/test_informed.py",
        f"{_BEYOND}/test_adversaries.py",
        f"{_BEYOND}/test_custodian.py",
    ],
    "games/linkage.py": ["games/test_linkage.py", f"{_BEYOND}/test_comparison_trips.py"],
    "games/pairs.py": ["games/test_pairs.py", f"{_NOISELESS}/test_selected_pairs.py"],
    "ledger/judge.py": ["ledger/test_judge.py"],
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
# hypothesis is imported before pytest could rewrite it.
_OPTIONS = ("-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning")
# What numba compiles, and what calls it.
_COMPILED = ("accounting/", "games/membership.py")
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


def draw(rng: random.Random, modules: list[str]) -> Iterator[dict[str, Any]]:
    """Endless changes of modules, each of which is as likely as it is long."""
    sources = {file: (ROOT / PACKAGE / file).read_text(encoding="utf-8") for file in modules}
    found = {file: places(source) for file, source in sources.items()}
    every = [(file, at) for file, by_place in found.items() for at in sorted(by_place)]
    while True:
        file, at = rng.choice(every)
        text = changed(sources[file], *rng.choice(found[file][at]))
        if text is not None and (line := one_line(sources[file], text)):
            yield {"file": file, "line": line[0], "old": line[1], "new": line[2]}


def put(source: str, change: dict[str, Any]) -> str:
    """The text with a change that is on record, near the line where it was.

    Raises
    ------
    ValueError
        If the text has no such line any more.
    """
    lines = source.split("\n")
    there = [i for i, line in enumerate(lines) if line.strip() == change["old"]]
    if not there:
        raise ValueError(f"{change['file']} has no line `{change['old']}` any more: remove the row")
    at = min(there, key=lambda i: abs(i + 1 - change["line"]))
    lines[at] = lines[at].replace(change["old"], change["new"])
    return "\n".join(lines)


def tests_of(file: str) -> list[str]:
    """The test files of a module."""
    path = Path(file)
    return TESTS.get(file) or [str(path.with_name(f"test_{path.name}"))]


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

    def survives(self, change: dict[str, Any]) -> bool:
        """Whether the tests of the module pass in spite of a change."""
        file = change["file"]
        path = self.folder / PACKAGE / file
        source = path.read_text(encoding="utf-8")
        if file not in self._seconds:
            passed, self._seconds[file] = self._test(file, limit_s=3600)
            if not passed:
                raise RuntimeError(f"the tests of {file} fail without a change")
            print(f"{file}: {self._seconds[file]:.1f} s of tests", flush=True)
        path.write_text(put(source, change), encoding="utf-8")
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
            _run(self.folder, tests_of(file), file.startswith(_COMPILED), limit_s)
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


def load() -> list[dict[str, Any]]:
    """Every change that was tried."""
    if not RECORD.exists():
        return []
    return yaml.safe_load(RECORD.read_text(encoding="utf-8"))["changes"]


def save(record: list[dict[str, Any]]) -> None:
    """Write every change that was tried, in the order of files and lines."""
    head = (
        "# Changes of code, and what the module's own tests said; see sampled.py.\n"
        "#   killed      a test failed, one of those marked `compiled` if `by` names it\n"
        "#   equivalent  no test can notice it, and `why`\n"
        "#   survived    a hole in the tests\n"
    )
    rows = sorted(record, key=lambda row: (row["file"], row["line"], row["new"]))
    text = yaml.safe_dump({"changes": rows}, sort_keys=False, width=1000, allow_unicode=True)
    RECORD.write_text(head + text, encoding="utf-8")


@contextlib.contextmanager
def kept() -> Iterator[list[dict[str, Any]]]:
    """Every change that was tried, to be altered: what another process tried meanwhile stays."""
    with (HERE / "sampled.py").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        record = load()
        yield record
        save(record)


def draw_more(copy: Copy, count: int, words: list[str]) -> None:
    """Try changes of the modules with one of the words in their names, and keep them."""
    modules = [
        file for file in modules_with_tests() if not words or any(word in file for word in words)
    ]
    record = load()
    known = {_key(row) for row in record}
    rng = random.Random(f"{SEED} {words} {len(record)}")
    new = (row for row in draw(rng, modules) if _key(row) not in known)
    for row in itertools.islice(new, count):
        known.add(_key(row))
        survived = copy.survives(row)
        _tell(row, survived)
        with kept() as rows:
            rows.append({**row, "outcome": "survived" if survived else "killed"})


def _key(row: dict[str, Any]) -> tuple:
    return row["file"], row["old"], row["new"]


def page() -> str:
    """``docs/quality.md``: the score of each module's tests, and the errors of types."""
    sys.path.insert(0, str(ROOT / "tests"))
    import type_errors

    record = load()
    counts = {file: Counter() for file in sorted({row["file"] for row in record})}
    for row in record:
        counts[row["file"]][row["outcome"]] += 1
    total = sum(counts.values(), Counter())
    lines = [
        "# Quality",
        "",
        "Generated by `python tests/mutants/sampled.py write`.",
        "",
        "## Changes that the tests notice",
        "",
        "`tests/mutants/sampled.py` changes the code in place, one small thing at a time, with",
        "compiled code switched off, and runs the module's own test files. The changes are drawn",
        "at random. A change that makes no difference is *equivalent*.",
        f"Of {sum(total.values())} changes, the tests notice {total['killed']}, "
        f"{total['equivalent']} are equivalent, and {total['survived']} survive.",
        "",
        "| module | changes | noticed | equivalent | survive |",
        "|---|---|---|---|---|",
        *(
            f"| `{file}` | {sum(count.values())} | {count['killed']} | {count['equivalent']} | "
            f"{count['survived']} |"
            for file, count in counts.items()
        ),
        "",
    ]
    for outcome, title in (("survived", "Survivors"), ("equivalent", "Equivalent changes")):
        if rows := [row for row in record if row["outcome"] == outcome]:
            lines += [f"### {title}", ""]
            for row in rows:
                lines.append(f"- `{row['file']}`: `{row['old']}` becomes `{row['new']}`")
                if "why" in row:
                    lines[-1] += f". {row['why']}"
            lines.append("")
    errors = type_errors.listed()
    clean = ", ".join(f"`{name}`" for name in type_errors.CLEAN)
    lines += [
        "## Types",
        "",
        f"mypy finds no error in {clean}.",
        f"The other files have {sum(errors.values())} errors, and this list may only become",
        "shorter (`tests/type_errors.yaml`, part of `make lint`).",
        "",
        "| file | errors |",
        "|---|---|",
        *(f"| `{file}` | {count} |" for file, count in errors.items()),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """See the module."""
    what, *words = sys.argv[1:] or ["write"]
    if what == "write":
        PAGE.write_text(page(), encoding="utf-8")
        return
    for name in _PRELOADED:
        importlib.import_module(name)
    record = load()
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder))
        sys.dont_write_bytecode = True
        if what == "again":
            for row in record:
                words_match = not words or any(word in row["file"] for word in words)
                if row["outcome"] != "killed" and words_match:
                    survived = copy.survives(row)
                    _tell(row, survived)
                    if not survived:
                        with kept() as rows:
                            (same,) = (each for each in rows if _key(each) == _key(row))
                            same["outcome"] = "killed"
                            same.pop("why", None)
        elif what == "draw":
            count, *words = words
            draw_more(copy, int(count), words)
        else:
            sys.exit(__doc__)


def _tell(row: dict[str, Any], survived: bool) -> None:
    state = "SURVIVES" if survived else "killed  "
    at = time.strftime("%H:%M:%S")
    print(f"{at} {state} {row['file']}:{row['line']}: {row['old']} -> {row['new']}", flush=True)


if __name__ == "__main__":
    main()
