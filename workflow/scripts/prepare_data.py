"""Parse and check a dataset's raw files with the function that the rule names."""

from functools import partial

from noiseless.jobs import job

with job(snakemake):
    from noiseless.code import find_function
    from noiseless.datasets.prepare import read_source
    from noiseless.tables import derive_provenance, write_table

    files, settings = dict(snakemake.input.items()), dict(snakemake.params.settings)
    result, source = read_source(
        partial(find_function(snakemake.params.function), **files, **settings),
        dataset=snakemake.params.dataset,
        tier=snakemake.params.tier,
        files=files,
        registered=dict(snakemake.params.registered),
        file=snakemake.params.file,
    )
    provenance = derive_provenance(settings, snakemake.params.code, sources=[source])
    write_table(result, snakemake.output.table, provenance, with_twin=False)
