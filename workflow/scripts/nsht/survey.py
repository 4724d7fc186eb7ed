"""Effects of blurring on the people of the young people survey (Example 3, Figure 5, Section 7)."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.nsht import (
        blurring,
        blurring_limits,
        odds,
        several_analysts,
        several_thresholds,
    )
    from noiseless.settings import log_grid

    survey = this.table("survey")
    rho_per_kg = log_grid(*blurring.ACCURACIES_PER_KG, snakemake.params.rho_points)
    this.save(
        {
            "survey": blurring.survey_table(survey),
            **blurring.survey_tables(survey, rho_per_kg=rho_per_kg),
            "composition": blurring_limits.composition_table(survey),
            "odds_people": odds.people_table(survey),
            "several_analysts": several_analysts.survey_table(survey),
            "several_thresholds": several_thresholds.people_table(survey),
        }
    )
