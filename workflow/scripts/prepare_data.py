"""Parse and check a dataset's raw files with the function that the rule names.

A function that returns several tables returns them by the names of the rule's outputs.
"""

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
        file=snakemake.params.file,
    )
    settings = dict(snakemake.params.settings)
    result = locate(snakemake.params.function)(**dict(snakemake.input.items()), **settings)
    provenance = derive_provenance(settings, snakemake.params.code, sources=[source])
    for name, table in (result if isinstance(result, dict) else {"table": result}).items():
        write_table(table, snakemake.output[name], provenance)
