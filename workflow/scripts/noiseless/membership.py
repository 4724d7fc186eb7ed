"""The membership game on a set of homes (Figure 3)."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.noiseless.membership import advantage_table, learned_table

    p, readings = snakemake.params, this.table("readings")
    drawn = {"dataset": snakemake.wildcards.homes, "seed": p.seed}
    release = {
        "public_range_kwh": p.homes[snakemake.wildcards.homes]["public_range_kwh"],
        "quantizer_rule": p.membership["quantizer_rule"],
    }
    game = {key: each for key, each in p.membership.items() if key != "quantizer_rule"}
    this.save(
        {
            "membership": advantage_table(readings, **game, **release, resolution="days", **drawn),
            "learned": learned_table(
                readings, **p.learned, **release, n=game["n"], resolution="days", **drawn
            ),
        }
    )
