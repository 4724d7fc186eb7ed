"""Theorems, equations, notions and Table 1, which depend on nothing that the paper leaves open."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.prrelation import curves
    from noiseless.papers.prrelation.appendix import appendix_tables
    from noiseless.papers.prrelation.choice import table1
    from noiseless.papers.prrelation.composite import composite_tables
    from noiseless.papers.prrelation.knowledge import knowledge_tables
    from noiseless.papers.prrelation.notions import notions_table, possible_table
    from noiseless.papers.prrelation.sentences import sentences_tables
    from noiseless.papers.prrelation.testing import testing_tables
    from noiseless.papers.prrelation.vector import vector_table
    from noiseless.settings import log_grid

    p = snakemake.params
    budgets_nats = log_grid(*curves.F_SCORE_NATS, p.points["f_scores"])
    this.save(
        {
            "vector": vector_table(**p.vector),
            "notions": notions_table(**p.notions),
            "possible": possible_table(**p.notions),
            **testing_tables(**p.testing),
            **appendix_tables(),
            "thresholds": curves.threshold_table(),
            "calibrations": curves.calibration_table(),
            "table1": table1(),
            **knowledge_tables(epsilon_nats=budgets_nats, **p.worth),
            **sentences_tables(),
            **composite_tables(),
        }
    )
