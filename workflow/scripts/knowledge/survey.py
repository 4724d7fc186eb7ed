"""People of the young people survey answer regressions under a filter (beyond the paper)."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.knowledge.survey import survey_tables

    settings, seed = snakemake.params.survey, snakemake.params.seed
    this.save(survey_tables(this.table("survey"), **settings, seed=seed))
