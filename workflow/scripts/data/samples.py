"""Write synthetic look-alikes of raw files, of the datasets whose tier is `sample`."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake):
    from noiseless.data.samples.ausgrid import write_ausgrid
    from noiseless.data.samples.london import write_london
    from noiseless.data.samples.nyc_taxi import write_trip_files
    from noiseless.data.samples.redd import write_redd
    from noiseless.data.samples.young_people import write_young_people

    first, data, seed = snakemake.params.first, snakemake.params.data, snakemake.params.seed
    writers = {
        "young_people": lambda path, d: write_young_people(path, rows=d["sample_rows"], seed=seed),
        "ausgrid": lambda path, d: write_ausgrid(
            path, homes=d["sample_homes"], year=d["year"], seed=seed
        ),
        "london": lambda path, d: write_london(path, blocks=d["sample_blocks"], seed=seed),
        "redd": lambda path, d: write_redd(
            path, days=d["sample_days"], period_s=d["sample_period_s"], seed=seed
        ),
        "nyc_taxi": lambda path, d: write_trip_files(
            path, rows=d["sample_rows"], files=d["sample_files"], seed=seed
        ),
    }
    for name, path in first.items():
        writers[name](path, data[name])
