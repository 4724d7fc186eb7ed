"""Make the tables behind some statements, judge these, write their verdicts as JSON.

Runs in the copy, and never ends by itself: each line of standard input is a request, and each line
of standard output its answer.  A request is served by a fork, so that every one sees the package
as it is then, while pandas and the like are loaded once.  Whatever a mutant raises is the verdict
``error``.
"""

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import pandas as pd
import scipy.optimize
import scipy.special
import scipy.stats  # noqa: F401 - loaded before the forks
import tqdm  # noqa: F401

SEED = 2019  # of the universes of statements


def main() -> None:
    """Answer requests until there are no more."""
    for line in sys.stdin:
        with tempfile.NamedTemporaryFile("r", suffix=".json") as answer:
            child = os.fork()
            if child == 0:
                _serve(json.loads(line), answer.name)
            _, status = os.waitpid(child, 0)
            print(answer.read() or json.dumps({"failed": status}), flush=True)


def _serve(asked: dict, answer: str) -> None:
    """Judge what is asked for, write the verdicts, and end this process."""
    os.environ.update(asked["environment"])
    try:
        verdicts = _verdicts(asked)
    except BaseException as error:
        verdicts = {"failed": repr(error)}
    Path(answer).write_text(json.dumps(verdicts), encoding="utf-8")
    os._exit(0)


def _verdicts(asked: dict) -> dict[str, str]:
    # Imported in the fork: this is the package with the mutant in it.
    from replay import Replay

    from noiseless.pipeline.sections import list_papers
    from noiseless.statements.registry import load_statements

    wanted = {name.partition("/")[0] for name in asked["claims"]}  # a cell's statement
    statements = [each for each in load_statements(list_papers()) if each.id in wanted]
    data = {name: pd.read_parquet(path) for name, path in asked["data"].items()}
    replay = Replay(Path(asked["jobs"]), data, asked["settings"])
    try:
        tables = {
            table.name: replay.table(f"results/tables/{table.name}.parquet")
            for each in statements
            for table in each.tables
        }
        found = _run_statements(statements, tables, replay)
        if replay.unused:
            raise ValueError(f"no function behind the statements takes {sorted(replay.unused)}")
    except Exception as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return dict.fromkeys(asked["claims"], f"error ({type(error).__name__})")
    return {name: found[name] for name in asked["claims"]}


def _run_statements(statements: list, tables: dict, replay: Any) -> dict[str, str]:
    """Run statements on given tables and smaller universes, and judge them."""
    from noiseless.statements.cells import widen
    from noiseless.statements.registry import Run, Sizes
    from noiseless.statements.running import run_statement
    from noiseless.statements.verdicts import judge, judge_cell
    from noiseless.tables import Provenance

    overrides = _override(statements, replay)
    run = Run(Sizes.SMOKE, SEED, dict.fromkeys(tables, ""), overrides)
    for each in statements:
        each.needs = ()  # Any data will do: what is judged here is the code.
        for table in each.tables:
            run.built[table] = widen(tables[table.name])
            run.built[table.name] = Provenance("")
    tested = {each.id: run_statement(each, run) for each in statements}
    entries = judge(statements, tested)
    cells = {
        f"{entry.statement.id}/{cell.name}": str(judge_cell(entry, cell))
        for entry in entries
        for cell in (entry.tested.printed.cells if entry.tested.printed else ())
    }
    return cells | {entry.statement.id: str(entry.verdict) for entry in entries}


def _override(statements: list, replay: Any) -> dict[str, dict]:
    """Return the sizes of the universes behind statements that the settings of a row change."""
    run = {}
    for source in {source for each in statements for source in each.universes}:
        known = {key: value for key, value in replay.settings.items() if key in source.smoke}
        replay.unused -= set(known)
        run[source.name] = known
    return run


if __name__ == "__main__":
    main()
