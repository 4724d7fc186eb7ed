"""Fetch a raw file from the first mirror of the registry that has it."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake):
    from noiseless.data.download import download
    from noiseless.data.registry import list_mirrors, load_sources

    sources = load_sources("config/sources.yaml")
    download(
        list_mirrors(sources, dataset=snakemake.wildcards.dataset, file=snakemake.wildcards.file),
        snakemake.output[0],
        **snakemake.config["download"],
    )
