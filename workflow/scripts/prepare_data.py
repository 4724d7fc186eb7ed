"""Parse and check a dataset's raw files with the function that the rule names."""

from pydoc import locate

from noiseless.datasets.prepare import source_of
from noiseless.jobs import job
from noiseless.tables import derive_provenance, write_table

with job(snakemake):
    source = source_of(
        dataset=snakemake.params.dataset,
        tier=snakemake.params.tier,
        files=dict(snakemake.input.items()),
        registered=dict(snakemake.params.registered),
    )
    settings = dict(snakemake.params.settings)
    table = locate(snakemake.params.function)(**dict(snakemake.input.items()), **settings)
    provenance = derive_provenance(settings, snakemake.params.code, sources=[source])
    write_table(table, snakemake.output.table, provenance)
