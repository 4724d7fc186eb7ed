"""``robustness.py RESULTS``: keep which verdicts changed in ``make robustness``."""

import sys
from pathlib import Path

import pandas as pd
from record import keep

from noiseless.ledger.robustness import describe_verdict_changes
from noiseless.statements.verdicts import Verdict

KINDS = ("seed", "half")


def changes(table: pd.DataFrame) -> dict[str, dict]:
    """How many seeds and halves, how many tested claims depend on them, and what changed.

    Parameters
    ----------
    table : DataFrame
        Of :func:`noiseless.ledger.robustness.build_robustness_table`, for one or more papers.
    """
    as_run = table[table["kind"] == "as run"].set_index("claim")["verdict"]
    is_tested = (table["verdict"] != Verdict.NOT_TESTED) & (
        table["claim"].map(as_run) != Verdict.NOT_TESTED
    )
    varied = table[is_tested & table["kind"].isin(KINDS)].groupby("kind")
    flips = {
        claim: [as_run[claim], words] for claim, words in describe_verdict_changes(table).items()
    }
    return {**varied[["variant", "claim"]].nunique().to_dict("index"), "changed": flips}


def main() -> None:
    """See the module."""
    (folder,) = sys.argv[1:]
    papers = sorted(Path(folder, "ledger").glob("robustness_*.parquet"))
    keep("robustness", changes(pd.concat([pd.read_parquet(path) for path in papers])))


if __name__ == "__main__":
    main()
