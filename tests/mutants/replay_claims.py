"""Make the tables behind some claims, judge the claims, write their verdicts as JSON.

Runs in the copy, and never ends by itself: each line of standard input is a request, and each line
of standard output its answer.  A request is served by a fork, so that every one sees the package
as it is then, while pandas and the like are loaded once.  Whatever a mutant raises is the verdict
``error``.
"""

import dataclasses
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

    from noiseless.ledger.bridge import StatedClaim, load_all_claims

    wanted = {name.partition("/")[0] for name in asked["claims"]}  # a cell's statement
    claims = [
        # Any data will do: what is judged here is the code.
        dataclasses.replace(claim, needs=())
        for claim in load_all_claims(Path("workflow/noiseless/papers"))
        if claim.id in wanted
    ]
    data = {name: pd.read_parquet(path) for name, path in asked["data"].items()}
    replay = Replay(Path(asked["jobs"]), data, asked["settings"])
    stated = [claim.id for claim in claims if isinstance(claim, StatedClaim)]
    try:
        tables = {
            name: replay.table(f"results/tables/{name}.parquet")
            for claim in claims
            for name in claim.tables
        }
        found = _run_statements(stated, tables, replay)
        if replay.unused:
            raise ValueError(f"no function behind the claims takes {sorted(replay.unused)}")
        found |= _judge_claims([claim for claim in claims if claim.id not in stated], tables)
    except Exception as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return dict.fromkeys(asked["claims"], f"error ({type(error).__name__})")
    return {name: found[name] for name in asked["claims"]}


def _judge_claims(claims: list, tables: dict) -> dict[str, str]:
    from noiseless.ledger.judge import judge_claims
    from noiseless.tables import Provenance

    read = {name: (table, Provenance("")) for name, table in tables.items()}
    ledger = judge_claims(claims, read)
    return dict(zip(ledger["id"], ledger["verdict"], strict=True))


def _run_statements(ids: list[str], tables: dict, replay: Any) -> dict[str, str]:
    """Run statements on given tables and smaller universes, and judge them."""
    from noiseless.statements.cells import widen
    from noiseless.statements.registry import Run, Sizes, load_sections
    from noiseless.statements.running import run_statement
    from noiseless.statements.verdicts import judge, judge_cell
    from noiseless.tables import Provenance

    statements = [
        each
        for paper in {name.partition("-")[0] for name in ids}
        for each in load_sections(paper).statements
        if each.id in ids
    ]
    overrides = _override(statements, replay)
    run = Run(Sizes.SMOKE, SEED, dict.fromkeys(tables, ""), overrides)
    for each in statements:
        each.needs = ()
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
