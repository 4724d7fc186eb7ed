"""Run the function of one statement, and say what it found."""

import importlib
from collections.abc import Iterator
from pathlib import Path
from pkgutil import iter_modules

from noiseless.errors import ConfigError
from noiseless.files import index_paths
from noiseless.settings import suggest_name
from noiseless.statements import words
from noiseless.statements.findings import Finding
from noiseless.statements.registry import Run, Sizes, Statement, load_sections
from noiseless.statements.running import run_statement
from noiseless.statements.verdicts import Decision, Entry, judge

PAPERS = ("noiseless", "nsht", "deterministic", "prrelation", "knowledge")  # for a reader


def find_statement(name: str) -> Statement:
    """Find a statement by its id, such as ``noiseless-thm8``.

    For one that no paper has, the error names the one that may be meant.
    """
    paper = name.split("-")[0]
    # One of the user's own is a package beside the others.
    packages = importlib.import_module("noiseless.papers").__path__
    if paper not in {*PAPERS, *(each.name for each in iter_modules(packages))} - {"beyond"}:
        raise ConfigError(
            f"no statement is called {name!r}: an id begins with a paper, {', '.join(PAPERS)}. "
            "`noiseless verdicts` lists statements, docs/errata.md those that fail."
        )
    known = {each.id: each for each in load_sections(paper).statements}
    if name not in known:
        raise ConfigError(
            f"no statement is called {name!r}.{suggest_name(name, known)} "
            f"`noiseless verdicts {paper}` lists those of the paper."
        )
    return known[name]


def check_statement(
    name: str, *, sizes: Sizes = Sizes.SMOKE, seed: int = 2019, results: str | Path = "results"
) -> Iterator[str]:
    """Run a statement's function, and its corrections'; iterate over lines of what came out."""
    statement = find_statement(name)
    tables = index_paths(map(str, sorted(Path(results).glob("tables/*/[!.]*.parquet"))))
    tested = run_statement(statement, Run(sizes, seed, tables))
    [entry] = judge([statement], {statement.id: tested})
    yield f"{statement.id}: {statement.paper.name}, {statement.where}"
    if printed := statement.quote or statement.prints:
        yield f"printed:  {' '.join(printed.split())}"
    if statement.reading:
        yield f"reading:  {statement.reading}"
    yield f"computed: {statement.computes}"
    yield f"by:       {tested.module.replace('.', '/')}.py, {tested.function}"
    yield from _describe_entry(entry)


def _describe_entry(entry: Entry) -> Iterator[str]:
    """Describe what came out of the words as printed, and of each correction."""
    statement, tested = entry.statement, entry.tested
    if tested.error:
        yield f"error:    {tested.error}"
        return
    if tested.printed is None:
        yield f"not tested: {words.describe_missing(statement, tested.missing)}"
        return
    findings = (tested.printed, *tested.corrections)
    names = ["", *(each.check.__name__ for each in statement.corrections)]
    for name, decision, finding in zip(names, entry.decisions, findings, strict=True):
        head = f"instead ({name}): " if name else "found:    "
        yield f"{head}{_describe_finding(decision, finding)}"
        if finding.example and not finding.example.holds:
            yield f"example:  {words.describe_example(finding.example)}"
    for correction in statement.corrections:
        if correction.cause.fails and not correction.reading:
            yield f"because:  {correction.cause.fails}"
            yield f"mend:     {correction.holds_instead}"


def _describe_finding(decision: Decision, finding: Finding) -> str:
    """Describe a finding in the word for it and its number."""
    return f"{words.VERDICT_WORDS[decision.verdict]}, {words.describe_briefly(finding)}"
