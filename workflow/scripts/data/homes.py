"""Check a set of homes of the user's, and write it as the experiments read it."""

from noiseless.pipeline.jobs import job

with job(snakemake):
    from noiseless.data.homes import own_source, read_homes
    from noiseless.tables import derive_provenance, write_table

    path, resolution = snakemake.input[0], snakemake.params.resolution
    homes = read_homes(path, resolution=resolution)
    source = own_source(path, name=snakemake.wildcards.own)
    made = derive_provenance({"resolution": resolution}, snakemake.params.code, sources=[source])
    write_table(homes, snakemake.output[0], made)
