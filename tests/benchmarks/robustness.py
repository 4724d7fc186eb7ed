"""``robustness.py RESULTS``: keep which verdicts changed in ``make robustness``."""

import sys
from pathlib import Path

import pandas as pd
from record import keep

from noiseless.ledger.judge import NOT_TESTED

KINDS = ("seed", "half")


def changes(table: pd.DataFrame) -> dict[str, dict[str, object]]:
    """By what was varied: how many variants, how many tested claims, and those that changed.

    Parameters
    ----------
    table : DataFrame
        Of :func:`noiseless.ledger.robustness.robustness_table`, for one or more papers.
    """
    as_run = table[table["kind"] == "as run"].set_index("claim")["verdict"]
    tested = table.assign(as_run=table["claim"].map(as_run))
    tested = tested[tested["as_run"] != NOT_TESTED]
    found: dict[str, dict[str, object]] = {}
    for kind in KINDS:
        rows = tested[tested["kind"] == kind]
        changed = rows.loc[rows["verdict"] != rows["as_run"], ["claim", "as_run", "verdict"]]
        counted = changed.value_counts(sort=False).rename("variants").reset_index()
        found[kind] = {
            "variants": rows["variant"].nunique(),
            "claims": rows["claim"].nunique(),
            "changed": counted.to_dict("records"),
        }
    return found


def main() -> None:
    """See the module."""
    (folder,) = sys.argv[1:]
    papers = sorted(Path(folder, "ledger").glob("robustness_*.parquet"))
    keep("robustness", changes(pd.concat([pd.read_parquet(path) for path in papers])))


if __name__ == "__main__":
    main()
