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

import pandas as pd
import scipy.optimize
import scipy.special
import scipy.stats  # noqa: F401 - loaded before the forks
import tqdm  # noqa: F401


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

    from noiseless.ledger.claims import load_claims
    from noiseless.ledger.judge import judge_claims
    from noiseless.tables import Provenance

    claims = [
        # Any data will do: what is judged here is the code.
        dataclasses.replace(claim, needs=())
        for claim in load_claims(Path("workflow/noiseless/papers"))
        if claim.id in asked["claims"]
    ]
    data = {name: pd.read_parquet(path) for name, path in asked["data"].items()}
    replay = Replay(Path(asked["jobs"]), data, asked["settings"])
    try:
        tables = {
            name: (replay.table(f"results/tables/{name}.parquet"), Provenance(""))
            for claim in claims
            for name in claim.tables
        }
        if replay.unused:
            raise ValueError(f"no function behind the claims takes {sorted(replay.unused)}")
        ledger = judge_claims(claims, tables)
    except Exception as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return {claim.id: f"error ({type(error).__name__})" for claim in claims}
    return dict(zip(ledger["id"], ledger["verdict"], strict=True))


if __name__ == "__main__":
    main()
