"""Tables that compare the sets of homes: advantages, and shares of releases without evidence."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.noiseless.membership import build_set_table, join_sets
    from noiseless.tables import REFUSED_COLUMN

    p, sets, hiding = snakemake.params, [], []
    for homes, settings in p.homes.items():
        is_played = p.membership["resolution"] == settings["resolution"]
        names = homes, f"membership_{homes}", f"membership_learned_{homes}"
        sets.append(
            build_set_table(
                *map(this.load_table, names),
                dataset=homes,
                seed=p.seed,
                n=p.membership["n"],
                resolution=p.membership["resolution"] if is_played else "days",
                public_range_kwh=settings["public_range_kwh"],
                quantizer_rule=p.membership["quantizer_rule"],
            )
        )
        found = this.load_table(f"membership_hiding_{homes}")
        if REFUSED_COLUMN not in found:
            hiding.append(found.assign(homes=homes))
    tables = {"sets": join_sets(sets)}
    with this.attempt("hiding"):
        tables["hiding"] = join_sets(hiding)
    this.save(tables)
