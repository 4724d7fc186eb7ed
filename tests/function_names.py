"""``python tests/function_names.py``: check that functions' names begin with a verb."""

import ast
import re
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import yaml

FILES = ("noiseless/**/*.py", "scripts/**/*.py", "schemas/**/*.py", "rules/*.smk")
KNOWN = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
_REMEDY = "begins with no verb. Rename it (`compute_...`, `is_...`), or see function_names.yaml."
VERBS = {*KNOWN["verbs"].split(), *KNOWN["predicates"].split()}


def iterate_functions(source: str, *, parsed: bool) -> Iterator[tuple[int, str]]:
    """Iterate over the line and name of every function but those named for a thing.

    These are properties, statements (`thm1`) and their universes of cases (`policies`).
    """
    if not parsed:  # rules are no Python
        for found in re.finditer(r"^ *def (\w+)\(", source, re.MULTILINE):
            yield source.count("\n", 0, found.end()) + 1, found[1]
        return
    for node in ast.walk(ast.parse(source)):
        marks = " ".join(map(ast.unparse, getattr(node, "decorator_list", [])))
        is_thing = re.search(r"property|paper\.(states|adds)\(|^corrects\(|universe\(", marks)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not is_thing:
            yield node.lineno, node.name


def is_allowed(name: str, file: str) -> bool:
    """Return whether a function of a file, named from ``workflow``, may have a name."""
    is_verb = name.strip("_").split("_")[0] in VERBS and not name.endswith("_of")  # as in seed_of
    if is_verb or re.fullmatch(r"__\w+__", name):
        return True
    rows = (each for each in KNOWN["exceptions"] if fnmatch(file, each["files"]))
    return any(name in each["names"].split() for each in rows)


def check_names(folder: Path) -> tuple[int, list[str]]:
    """Count the functions below a folder, and describe those whose name begins with no verb."""
    total, messages = 0, []
    for path in sorted(each for pattern in FILES for each in folder.glob(pattern)):
        file, source = path.relative_to(folder).as_posix(), path.read_text(encoding="utf-8")
        for line, name in iterate_functions(source, parsed=path.suffix == ".py"):
            total += 1
            if not is_allowed(name, file):
                messages.append(f"{folder.name}/{file}:{line}: `{name}` {_REMEDY}")
    return total, messages


def main() -> None:
    """Print the messages, and the share of names that begin with a verb or need none."""
    total, messages = check_names(Path(__file__).resolve().parents[1] / "workflow")
    share = f"{1 - len(messages) / total:.1%}"
    print(*messages, f"{share} of {total} names begin with a verb or need none.", sep="\n")
    sys.exit(bool(messages))


if __name__ == "__main__":
    main()
