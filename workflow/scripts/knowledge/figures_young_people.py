"""Figure of the people of the young people survey under a privacy filter."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.knowledge.figures.survey import plot_survey

    this.draw("survey", plot_survey, "survey_people", "survey_means")
