"""Put the papers' verdicts together."""

from noiseless.jobs import job
from noiseless.ledger.files import join_ledgers

with job(snakemake):
    join_ledgers(snakemake.input.papers, snakemake.output.ledger, code=snakemake.params.code)
