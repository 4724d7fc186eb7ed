"""Check a set of homes that is one file, and write it as the experiments read it."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from functools import partial

    from noiseless.data.ausgrid import read_ausgrid_features
    from noiseless.data.homes import read_homes

    resolution, own = snakemake.params.resolution, snakemake.params.own
    readers = {
        "tidy": partial(read_homes, resolution=resolution, **own),
        "features": read_ausgrid_features,
    }
    keys = {"resolution": resolution, **own}
    recorded = {f"homes.{snakemake.wildcards.own}.{key}": value for key, value in keys.items()}
    this.prepare(readers[snakemake.params.form], recorded=recorded)
