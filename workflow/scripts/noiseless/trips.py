"""Unique trips (Figures 5 and 6), and who can be found in the release."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.noiseless import trips

    box, size = snakemake.params.data["nyc_taxi"], snakemake.params.trips
    first = this.table("trips")
    this.save(
        {
            "budget": trips.place_budget_table(**box),
            "density": trips.density_table(first, levels=size["map_levels"], **box),
            **trips.uniqueness_tables(first, numbers=size["numbers"], **box),
            "attribution": trips.attribution_table(first, **box),
        }
    )
