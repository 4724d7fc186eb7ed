"""Take half of the homes of a prepared table at random."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.data.homes import select_half

    half = snakemake.params.half
    this.save({"homes": select_half(this.load_table("homes"), half, seed=snakemake.params.seed)})
