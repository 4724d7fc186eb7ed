"""Filters, odometers, lemmas and Algorithms 4 and 6 on small cases."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.knowledge.algorithm6 import comparison_table
    from noiseless.papers.knowledge.filter_streams import stream_tables
    from noiseless.papers.knowledge.interactions import interaction_tables
    from noiseless.papers.knowledge.largest_filter import filter_tables
    from noiseless.papers.knowledge.output_dependent import output_dependent_tables
    from noiseless.papers.knowledge.sentences import sentences_tables
    from noiseless.papers.knowledge.theory import theory_tables

    size, seed = snakemake.params.theory, snakemake.params.seed
    this.save(
        {
            **interaction_tables(**size["interactions"], seed=seed),
            **filter_tables(**size["largest_filter"], seed=seed),
            **stream_tables(seed=seed),
            **output_dependent_tables(**size["output_dependent"], seed=seed),
            **sentences_tables(),
            **theory_tables(**size["lemmas"], line_15=size["line_15"], seed=seed),
            "algorithm6": comparison_table(**size["algorithm6"], seed=seed),
        }
    )
