"""Take the first rows of a file of trips from where it is; write its trips and what was taken."""

from functools import partial

from noiseless.pipeline.jobs import job

with job(snakemake):
    from noiseless.data.nyc_taxi import prepare_trips, provenance_of_trips
    from noiseless.data.registry import load_heads, load_sources, mirrors
    from noiseless.tables import tidy, write_table

    params, registry = snakemake.params, "config/sources.yaml"
    settings = {key: params[key] for key in ("rows", "latitude_range_deg", "longitude_range_deg")}
    sources, heads = load_sources(registry), load_heads(registry, "nyc_taxi")
    provenance = partial(
        provenance_of_trips,
        tier=params.tier,
        file=params.file,
        heads=heads,
        public={each.file for each in (*sources, *heads) if each.dataset == "nyc_taxi"},
        settings=settings,
        code=params.code,
    )
    taken = prepare_trips(
        next(iter(snakemake.input), None) or mirrors(sources, dataset="nyc_taxi", file=params.file),
        snakemake.output.trips,
        provenance=provenance,
        patience=params.download,
        **settings,
    )
    write_table(tidy(taken.table(), []), snakemake.output.taken, provenance(taken))
