"""Effects of blurring on the people of the young people survey (Example 3, Figure 5, Section 7)."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.nsht import (
        blurring,
        blurring_limits,
        odds,
        several_analysts,
        several_thresholds,
    )
    from noiseless.settings import build_log_grid

    survey = this.load_table("survey")
    rho_per_kg = build_log_grid(*blurring.ACCURACIES_PER_KG, snakemake.params.rho_points)
    this.save(
        {
            "survey": blurring.build_survey_table(survey),
            **blurring.build_survey_tables(survey, rho_per_kg=rho_per_kg),
            "composition": blurring_limits.build_composition_table(survey),
            "odds_people": odds.build_people_table(survey),
            "several_analysts": several_analysts.build_survey_table(survey),
            "several_thresholds": several_thresholds.build_people_table(survey),
        }
    )
