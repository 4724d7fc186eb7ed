"""Check a set of homes of the user's, and write it as the experiments read it."""

from noiseless.pipeline.jobs import job

with job(snakemake):
    from noiseless.data.homes import own_source, read_homes
    from noiseless.tables import derive_provenance, write_table

    path, name = snakemake.input[0], snakemake.wildcards.own
    settings = {"resolution": snakemake.params.resolution}
    homes = read_homes(path, **settings)
    source = own_source(path, name=name)
    recorded = {"homes": {name: settings}}
    made = derive_provenance(recorded, snakemake.params.code, sources=[source])
    write_table(homes, snakemake.output[0], made)
