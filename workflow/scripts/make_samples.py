"""Write synthetic look-alikes of raw files with the functions that the rule names."""

from noiseless.pipeline.jobs import job

with job(snakemake):
    from pkgutil import resolve_name

    for path, call in snakemake.params.calls.items():
        resolve_name(call["function"])(path, **call["settings"])
