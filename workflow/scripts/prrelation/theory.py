"""Theorems, equations, notions and Table 1, which depend on nothing that the paper leaves open."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.prrelation import curves
    from noiseless.papers.prrelation.appendix import build_appendix_tables
    from noiseless.papers.prrelation.choice import build_table_1
    from noiseless.papers.prrelation.composite import build_composite_tables
    from noiseless.papers.prrelation.knowledge import build_knowledge_tables
    from noiseless.papers.prrelation.notions import build_notions_table, build_possible_table
    from noiseless.papers.prrelation.sentences import build_sentences_tables
    from noiseless.papers.prrelation.testing import build_testing_tables
    from noiseless.papers.prrelation.vector import build_vector_table
    from noiseless.settings import build_log_grid

    p = snakemake.params
    budgets_nats = build_log_grid(*curves.F_SCORE_NATS, p.points["f_scores"])
    this.save(
        {
            "vector": build_vector_table(**p.vector),
            "notions": build_notions_table(**p.notions),
            "possible": build_possible_table(**p.notions),
            **build_testing_tables(**p.testing),
            **build_appendix_tables(),
            "thresholds": curves.build_threshold_table(),
            "calibrations": curves.build_calibration_table(),
            "table1": build_table_1(),
            **build_knowledge_tables(epsilon_nats=budgets_nats, **p.worth),
            **build_sentences_tables(),
            **build_composite_tables(),
        }
    )
