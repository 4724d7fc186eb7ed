"""What shows an erratum."""

from noiseless.ledger.claims import load_claims
from noiseless.ledger.errata import CaseOfErratum, Rows, evidence, with_errata
from toy_claims import FAILS, PASSES, claims_file, entry, erratum


def test_evidence_is_what_both_checks_look_at(tmp_path):
    many = "{where: {n: [1, 2, 3, 4, 5.5]}, reduce: all, at_most: 9}"
    entries = "{by: eps, equals: {1: 0.1, 2: 0.2}, where: {n: 4}, tolerance: {absolute: 0, why: w}}"
    claims = load_claims(
        claims_file(
            tmp_path,
            entry(PASSES),
            entry(FAILS, id="toy-2", erratum=erratum(PASSES)),
            entry(FAILS, id="toy-3", needs=["ausgrid"], erratum=erratum(many)),
            entry(entries, id="toy-4", erratum=erratum("{table: toy/u, at_most: 1}")),
        )
    )
    wrong = with_errata(claims)
    assert [claim.id for claim in wrong] == ["toy-2", "toy-3", "toy-4"]
    same, other, listed = map(evidence, wrong)
    rows = Rows("results/tables/toy/t", (("n", ("4",)), ("eps", ("2",))))
    command = ".venv/bin/snakemake --cores 2 --configfile config/{}.yaml -- {}.parquet"
    # The correction is about the same rows.
    assert same == CaseOfErratum(command.format("smoke", rows.table), (), rows, None)
    assert other.command == command.format("config", rows.table)
    assert other.needs == ("ausgrid",)
    assert other.correction == Rows(rows.table, (("n", ("1", "2", "...", "5.5")),))
    assert listed.rows.selected == (("n", ("4",)), ("eps", ("1", "2")))
    assert listed.correction == Rows("results/tables/toy/u", ())
