"""Write synthetic look-alikes of raw files with the functions that the rule names."""

from noiseless.jobs import job

with job(snakemake):
    from noiseless.code import find_function

    for path, call in snakemake.params.calls.items():
        find_function(call["function"])(path, **call["settings"])
