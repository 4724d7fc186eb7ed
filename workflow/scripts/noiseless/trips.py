"""Unique trips (Figures 5 and 6), and who can be found in the release."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.noiseless.trips import (
        attribution_table,
        density_table,
        place_budget_table,
        uniqueness_tables,
    )

    box, size = snakemake.params.data["nyc_taxi"], snakemake.params.trips
    first = this.table("trips")
    this.save(
        {
            "budget": place_budget_table(**box),
            "density": density_table(first, levels=size["map_levels"], **box),
            **uniqueness_tables(first, numbers=size["numbers"], **box),
            "attribution": attribution_table(first, **box),
        }
    )
