"""Take half of the homes of a prepared table at random."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.data.homes import half_of

    half = snakemake.params.half
    this.save({"homes": half_of(this.table("homes"), half, seed=snakemake.params.seed)})
