"""Put the papers' verdicts together."""

from noiseless.jobs import job

with job(snakemake):
    from noiseless.ledger.files import join_ledgers

    join_ledgers(snakemake.input.papers, snakemake.output.ledger, code=snakemake.params.code)
