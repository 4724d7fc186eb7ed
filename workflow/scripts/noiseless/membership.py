"""The membership game on a set of homes (Figure 3), its public range, who learns, who predicts."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.noiseless.homes_hidden import build_hiding_table
    from noiseless.papers.noiseless.membership import (
        build_advantage_table,
        build_learned_table,
        build_ranges_table,
    )

    p, readings, tables = snakemake.params, this.load_table("readings"), {}
    homes, game = p.homes[snakemake.wildcards.homes], p.membership
    given = {
        "dataset": snakemake.wildcards.homes,
        "seed": p.seed,
        "public_range_kwh": homes["public_range_kwh"],
    }
    played = game["resolution"] if game["resolution"] == homes["resolution"] else "days"
    with this.attempt("membership"):
        tables["membership"] = build_advantage_table(
            readings, **{**game, "resolution": played}, **given
        )
    with this.attempt("ranges"):
        tables["ranges"] = build_ranges_table(readings, **p.ranges, **given)
    with this.attempt("learned"):
        tables["learned"] = build_learned_table(
            readings,
            n=game["n"],
            quantizer_rule=game["quantizer_rule"],
            resolution="days",
            **p.learned,
            **given,
        )
    with this.attempt("hiding"):
        tables["hiding"] = build_hiding_table(readings, **p.hiding, **given)
    this.save(tables)
