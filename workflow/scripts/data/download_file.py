"""Fetch a raw file from the first mirror of the registry that has it."""

from noiseless.pipeline.jobs import job

with job(snakemake):
    from noiseless.data.download import download
    from noiseless.data.registry import load_sources, mirrors

    sources = load_sources("config/sources.yaml")
    download(
        mirrors(sources, dataset=snakemake.wildcards.dataset, file=snakemake.wildcards.file),
        snakemake.output[0],
        **snakemake.config["download"],
    )
