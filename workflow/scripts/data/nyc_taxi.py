"""Take the first rows of a file of trips from where it is; write its trips and what was taken."""

from functools import partial

from noiseless.pipeline.jobs import run_job

with run_job(snakemake):
    from noiseless.data.nyc_taxi import build_provenance, prepare_trips
    from noiseless.data.registry import list_mirrors, load_heads, load_sources
    from noiseless.tables import tidy, write_table

    params, registry = snakemake.params, "config/sources.yaml"
    settings = {key: params[key] for key in ("rows", "latitude_range_deg", "longitude_range_deg")}
    sources, heads = load_sources(registry), load_heads(registry, "nyc_taxi")
    provenance = partial(
        build_provenance,
        tier=params.tier,
        file=params.file,
        heads=heads,
        public={each.file for each in (*sources, *heads) if each.dataset == "nyc_taxi"},
        settings=settings,
        code=params.code,
    )
    taken = prepare_trips(
        next(iter(snakemake.input), None)
        or list_mirrors(sources, dataset="nyc_taxi", file=params.file),
        snakemake.output.trips,
        provenance=provenance,
        patience=params.download,
        **settings,
    )
    write_table(tidy(taken.build_table(), []), snakemake.output.taken, provenance(taken))
