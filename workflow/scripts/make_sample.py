"""Write a synthetic look-alike of a dataset's raw file with the function that the rule names."""

from noiseless.jobs import job

with job(snakemake):
    from noiseless.code import find_function

    find_function(snakemake.params.function)(snakemake.output[0], **snakemake.params.settings)
