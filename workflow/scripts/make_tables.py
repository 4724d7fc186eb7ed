"""Call the functions that the rule names on its inputs; write the tables that they return."""

from noiseless.pipeline.jobs import job

with job(snakemake):
    from noiseless.pipeline.results import make_tables

    make_tables(
        snakemake.params.calls,
        inputs=dict(snakemake.input.items()),
        outputs={
            name: path for name, path in snakemake.output.items() if path.endswith(".parquet")
        },
        variant=snakemake.wildcards.variant,
        seed=snakemake.config["seed"],
    )
