"""Figure of the people of the young people survey under a privacy filter."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.knowledge.figures.survey import survey

    this.draw("survey", survey, "survey_people", "survey_means")
