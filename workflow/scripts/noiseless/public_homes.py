"""Choices that the paper leaves open in Figure 3, and the adversary who selects the two homes."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.noiseless.membership import build_choices_table
    from noiseless.papers.noiseless.selected_pairs import build_pairs_table

    p, readings, tables = snakemake.params, this.load_table("readings"), {}
    homes = p.homes[snakemake.wildcards.homes]
    given = {
        "dataset": snakemake.wildcards.homes,
        "seed": p.seed,
        "public_range_kwh": homes["public_range_kwh"],
    }
    with this.attempt("choices"):
        tables["choices"] = build_choices_table(
            readings,
            resolutions=["days", *({homes["resolution"]} & {"half-hours"})],
            week_start=homes["week_start"],
            **p.choices,
            **given,
        )
    with this.attempt("pairs"):
        tables["pairs"] = build_pairs_table(
            readings, quantizer_rule=p.membership["quantizer_rule"], **p.pairs, **given
        )
    this.save(tables)
