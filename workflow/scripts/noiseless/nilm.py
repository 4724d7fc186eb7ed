"""Adversaries' F scores on a home's appliances behind a quantized meter (Figure 4)."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.games.appliances import MeterGame
    from noiseless.papers.noiseless.nilm import build_attack_tables, build_energy_table

    p, readings = snakemake.params, this.load_table("readings")
    recording = p.recordings[snakemake.wildcards.recording]
    days = {key: recording[key] for key in ("days", "train_before")}
    played = {key: p.nilm[key] for key in ("period_s", "hmm", "learned", "draws")}
    game = MeterGame(mains_range_w=recording["mains_range_w"], **days, **played)
    asked = {key: p.nilm[key] for key in ("epsilon_bits", "quantize", "trainings")}
    this.save(
        {
            **build_attack_tables(readings, game, **asked, seed=p.seed),
            "energy": build_energy_table(readings, **days),
        }
    )
