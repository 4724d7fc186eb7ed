"""Check a set of homes that is one file, and write it as the experiments read it."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from functools import partial

    from noiseless.data.ausgrid import read_ausgrid_features
    from noiseless.data.homes import read_homes

    resolution = snakemake.params.resolution
    readers = {
        "tidy": partial(read_homes, resolution=resolution),
        "features": read_ausgrid_features,
    }
    name = snakemake.wildcards.own
    this.prepare(readers[snakemake.params.form], recorded={f"homes.{name}.resolution": resolution})
