"""Adversaries' F scores on a home's appliances behind a quantized meter (Figure 4)."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.noiseless.nilm import attack_tables, choices_table, energy_table

    redd, seed = this.table("redd"), snakemake.params.seed
    days = snakemake.params.data["redd"]
    game, choices = dict(snakemake.params.nilm), dict(snakemake.params.nilm["choices"])
    del game["choices"]
    this.save(
        {
            **attack_tables(redd, **game, **days, seed=seed),
            "energy": energy_table(redd, days=days["days"], train_before=days["train_before"]),
            "choices": choices_table(
                redd,
                epsilon_bits=choices.pop("epsilon_bits"),
                choices=choices,
                period_s=game["period_s"],
                quantize=game["quantize"],
                **days,
                seed=seed,
            ),
        }
    )
