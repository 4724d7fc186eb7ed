"""Adversaries' F scores on a home's appliances behind a quantized meter (Figure 4)."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.noiseless.nilm import build_attack_tables, build_energy_table

    p, readings = snakemake.params, this.load_table("readings")
    recording = p.recordings[snakemake.wildcards.recording]
    days = {key: recording[key] for key in ("days", "train_before")}
    mains = {"mains_range_w": recording["mains_range_w"]}
    this.save(
        {
            **build_attack_tables(readings, **p.nilm, **days, **mains, seed=p.seed),
            "energy": build_energy_table(readings, **days),
        }
    )
