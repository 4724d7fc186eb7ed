"""Write a synthetic look-alike of a dataset's raw file with the function that the rule names."""

from pydoc import locate

from noiseless.jobs import job

with job(snakemake):
    locate(snakemake.params.function)(snakemake.output[0], **snakemake.params.settings)
