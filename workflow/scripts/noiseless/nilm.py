"""Adversaries' F scores on a home's appliances behind a quantized meter (Figure 4)."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.noiseless.nilm import (
        build_attack_tables,
        build_choices_table,
        build_energy_table,
    )

    readings, seed = this.load_table("readings"), snakemake.params.seed
    recording = snakemake.params.recordings[snakemake.wildcards.recording]
    days = {key: recording[key] for key in ("mains_range_w", "days", "train_before")}
    game, choices = dict(snakemake.params.nilm), dict(snakemake.params.nilm["choices"])
    del game["choices"]
    this.save(
        {
            **build_attack_tables(readings, **game, **days, seed=seed),
            "energy": build_energy_table(
                readings, days=days["days"], train_before=days["train_before"]
            ),
            "choices": build_choices_table(
                readings,
                epsilon_bits=choices.pop("epsilon_bits"),
                choices=choices | {"days": recording.get("other_days")},
                period_s=game["period_s"],
                quantize=game["quantize"],
                **days,
                seed=seed,
            ),
        }
    )
