"""What a verdict rests on: settings, sizes and cells, changed one by one after the smoke run.

Any data will do: what is looked at is the judge.
"""

import json
import math
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from changed_settings.variants import Variant, list_precisions
from noiseless.ledger.claims import Bounds, load_claims
from noiseless.ledger.judge import NOT_TESTED, judge_claims
from noiseless.ledger.statements import build_statements
from noiseless.pipeline.configuration import SCHEMA, load_config, merge_changes
from noiseless.settings import find_key_schema, load_schema, resolve_type
from noiseless.tables import flatten, read_table

ROOT = Path(__file__).resolve().parents[2]
# What a run at the coarsest settings may make of a verdict.
UNDECIDED = {"inconclusive", NOT_TESTED}
# Of the papers whose statements are functions: test_statements.py.
PAPERS = ["deterministic", "knowledge", "noiseless"]
SMOKE = ROOT / "config/smoke.yaml"
ANY = Bounds(-math.inf, math.inf)
# Sets of data that stand in, by the section that they are in: a run on samples has none of them.
LEFT_OUT = {
    section: [name for name, settings in load_config()[section].items() if "path" in settings]
    for section in ("homes", "recordings")
}


@pytest.fixture(scope="module", params=PAPERS)
def claims(root, request):
    """The claims of a paper, which take any data."""
    loaded = load_claims(root / "workflow/noiseless/papers")
    assert sorted({claim.paper for claim in loaded}) == PAPERS
    return [replace(claim, needs=()) for claim in loaded if claim.paper == request.param]


@pytest.fixture(scope="module")
def tables(smoke_run, claims):
    """The tables that the claims read, with their provenances."""
    folder = smoke_run.path / "results/tables"
    names = {name for claim in claims for name in claim.tables}
    absent = {name for name in names if not (folder / f"{name}.parquet").is_file()}
    endings = tuple(f"_{name}" for names in LEFT_OUT.values() for name in names)
    assert all(name.endswith(endings) for name in absent), absent
    return {name: read_table(folder / f"{name}.parquet") for name in names - absent}


def judged(claims, tables):
    """Verdict and note of each claim."""
    return judge_claims(claims, tables).set_index("id")[["verdict", "note"]]


def settings_of(tables, name):
    """What a table records."""
    return json.loads(tables[name][1].settings)


def with_setting(tables, key, value):
    """The tables, each with another value of a key where it records that key."""
    changed = {}
    for name, (table, provenance) in tables.items():
        pairs = [[each, value if each == key else old] for each, old in settings_of(tables, name)]
        changed[name] = table, replace(provenance, settings=json.dumps(pairs))
    return changed


def other(value):
    """Another value than the one that is given."""
    return {"another": 1} if isinstance(value, str) else [value, value]


def test_a_presumed_key_that_is_changed_leaves_no_verdict_on_tables_that_record_it(claims, tables):
    before = judged(claims, tables)
    for key, value in claims[0].presumes.items():
        after = judged(claims, with_setting(tables, key, other(value)))
        records = {name for name in tables if key in dict(settings_of(tables, name))}
        resting = [claim for claim in claims if records & set(claim.tables)]
        left_out = (f"{section}.{name}." for section, names in LEFT_OUT.items() for name in names)
        if key.startswith(tuple(left_out)):
            assert not records, key
            continue
        assert resting, f"no claim rests on {key}"
        ids = [claim.id for claim in resting]
        assert set(after.loc[ids, "verdict"]) == {NOT_TESTED}, key
        assert after.loc[ids, "note"].str.contains(f"was made with {key} = ", regex=False).all()
        # Intervals of a paper are widened together, and a claim may presuppose another.
        rest = before.index.difference(ids)
        changed = rest[before.loc[rest, "verdict"] != after.loc[rest, "verdict"]]
        by_id = {claim.id: claim for claim in claims}
        alone = [
            each
            for each in changed
            if by_id[each].presupposes not in ids and by_id[each].check.interval is None
        ]
        assert alone == [], key


def test_a_key_that_no_list_has_leaves_no_verdict(claims, tables):
    pair = ["knowledge.made_up", 1]
    unknown = {
        name: (table, replace(made, settings=json.dumps([*settings_of(tables, name), pair])))
        for name, (table, made) in tables.items()
    }
    assert set(judged(claims, unknown)["verdict"]) == {NOT_TESTED}


def test_a_size_that_is_changed_changes_no_verdict_by_itself(claims, tables):
    before = judged(claims, tables)
    for key in sorted({key for claim in claims for key in claim.sizes})[::5]:
        assert judged(claims, with_setting(tables, key, 7)).equals(before), key


def test_no_claim_of_a_complete_run_lacks_its_cell(claims, tables, root):
    """Else a cell that is misspelt in a claim would look like a thinner grid."""
    # Samples have too few homes for several groups of them, and for 16 and those that are known
    # beside; the reference, below, has enough.
    too_few_homes = [
        claim.id
        for claim in claims
        for check in claim.checks
        if "advantage_over_homes" in check.cells.get("statistic", ())
        or (
            check.table.startswith("noiseless/membership_learned_")
            and 16 in check.cells.get("n", ())
        )
    ]
    notes = judged(claims, tables)["note"].drop(too_few_homes)
    assert not notes.str.contains("no row has").any(), notes[notes.str.contains("no row has")]
    reference = root / "docs/reference/ledger.csv"
    if reference.is_file():
        assert not pd.read_csv(reference)["note"].astype(str).str.contains("no row has").any()


def test_a_cell_that_a_grid_lacks_costs_the_claims_on_it_alone(claims, tables):
    """Of each table the cell that most claims name in a column of numbers."""
    before = judged(claims, tables)
    named = Counter(
        (check.table, column, cell)
        for claim in claims
        for check in claim.checks
        if check.table in tables  # of a set that samples have not there is none
        for column, cells in check.cells.items()
        for cell in cells
        if isinstance(cell, int | float) and not isinstance(cell, bool)
    )
    assert named
    for (name, column, cell), _ in named.most_common(8):
        table, provenance = tables[name]
        thinner = table[table[column].astype(float) != cell]
        after = judged(claims, {**tables, name: (thinner, provenance)})
        for claim in claims:
            checks = [check for check in claim.checks if check.table == name]
            if any(cell in check.cells.get(column, ()) for check in checks):
                assert after.loc[claim.id, "verdict"] == NOT_TESTED, claim.id
                assert "no row has" in after.loc[claim.id, "note"]
            elif not checks and not claim.presupposes and claim.check.interval is None:
                assert after.loc[claim.id].equals(before.loc[claim.id]), claim.id


def find_coarsest(value, schema, limit):
    """The coarsest value of a setting that is judged: fewest cases, largest tolerance.

    A list has its first entries; its numbers are as small as the schema allows.
    """
    kind, of_key = schema
    if isinstance(value, list):
        fewest = max(of_key.get("minItems", 1), 1)
        inner = resolve_type(of_key.get("items", {}), load_schema(SCHEMA))
        made = [find_coarsest(each, (kind, inner), limit) for each in value[:fewest]]
        return made if len({json.dumps(each) for each in made}) == len(made) else value[:fewest]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    if kind == "tolerance":
        return min(of_key["maximum"], limit.high)
    if "minimum" in of_key:
        return max(of_key["minimum"], limit.low)
    return value


def find_coarsest_settings(paper, claims):
    """Configuration in which each size and precision of a paper has its coarsest judged value."""
    schema, config, made = load_schema(SCHEMA), dict(flatten(load_config(SMOKE))), {}
    limits = claims[0].limits
    for key in sorted(key for key in claims[0].sizes | set(limits) if key.startswith(f"{paper}.")):
        found = find_key_schema(key, schema)
        coarsest = find_coarsest(config[key], found, limits.get(key, ANY))
        made = merge_changes(made, Variant(key, coarsest, False).overlay)
    return made


def test_at_the_coarsest_settings_a_statement_keeps_its_verdict_or_has_none(smoked, claims):
    """Fewer cases and coarser numbers may leave open what holds, and never turn it around."""
    paper = claims[0].paper
    precisions = {key for key in list_precisions(load_config(SMOKE)) if key.startswith(f"{paper}.")}
    assert precisions <= claims[0].sizes | set(claims[0].limits)
    config = find_coarsest_settings(paper, claims)
    before = judge_folder(smoked.path, claims)
    smoked.smoke(target=f"results/ledger/{paper}.parquet", config=config)
    after = judge_folder(smoked.path, claims)
    turned = {
        name: (before[name], after[name])
        for name in before.index
        if after[name] not in {before[name], *UNDECIDED}
    }
    assert turned == {}


def judge_folder(path, claims):
    """Verdicts of the statements of some claims on a run's tables, whatever its data."""
    names = {name for claim in claims for name in claim.tables}
    paths = {name: path / f"results/tables/{name}.parquet" for name in names}
    tables = {name: read_table(file) for name, file in paths.items() if file.is_file()}
    return build_statements(judge_claims(claims, tables)).set_index("statement")["verdict"]
