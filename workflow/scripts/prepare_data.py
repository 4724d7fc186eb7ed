"""Parse and check a dataset's raw files with the function that the rule names."""

from functools import partial

from noiseless.pipeline.jobs import job

with job(snakemake):
    from pkgutil import resolve_name

    from noiseless.data.prepare import read_source
    from noiseless.tables import derive_provenance, write_table

    files, settings = dict(snakemake.input.items()), dict(snakemake.params.settings)
    result, source = read_source(
        partial(resolve_name(snakemake.params.function), **files, **settings),
        dataset=snakemake.params.dataset,
        tier=snakemake.params.tier,
        files=files,
        registered=dict(snakemake.params.registered),
        file=snakemake.params.file,
    )
    provenance = derive_provenance(settings, snakemake.params.code, sources=[source])
    write_table(result, snakemake.output.table, provenance, with_twin=False)
