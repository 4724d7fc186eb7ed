"""Unique trips (Figures 5 and 6), and who can be found in the release."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.noiseless.trips import (
        build_attribution_table,
        build_density_table,
        build_place_budget_table,
        build_uniqueness_tables,
    )

    box, size = snakemake.params.data["nyc_taxi"], snakemake.params.trips
    first = this.load_table("trips")
    this.save(
        {
            "budget": build_place_budget_table(**box),
            "density": build_density_table(first, levels=size["map_levels"], **box),
            **build_uniqueness_tables(first, numbers=size["numbers"], **box),
            "attribution": build_attribution_table(first, **box),
        }
    )
