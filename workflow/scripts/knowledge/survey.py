"""People of the young people survey answer regressions under a filter (beyond the paper)."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.knowledge.survey import build_survey_tables

    settings, seed = snakemake.params.survey, snakemake.params.seed
    this.save(build_survey_tables(this.load_table("survey"), **settings, seed=seed))
