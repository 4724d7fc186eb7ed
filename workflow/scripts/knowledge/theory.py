"""Filters, odometers, lemmas and Algorithms 4 and 6 on small cases."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.knowledge.algorithm6 import build_comparison_table
    from noiseless.papers.knowledge.filter_streams import build_stream_tables
    from noiseless.papers.knowledge.interactions import build_interaction_tables
    from noiseless.papers.knowledge.largest_filter import build_filter_tables
    from noiseless.papers.knowledge.output_dependent import build_output_dependent_tables
    from noiseless.papers.knowledge.sentences import build_sentences_tables
    from noiseless.papers.knowledge.theory import build_theory_tables

    size, seed = snakemake.params.theory, snakemake.params.seed
    this.save(
        {
            **build_interaction_tables(**size["interactions"], seed=seed),
            **build_filter_tables(**size["largest_filter"], seed=seed),
            **build_stream_tables(seed=seed),
            **build_output_dependent_tables(**size["output_dependent"]),
            **build_sentences_tables(),
            **build_theory_tables(**size["lemmas"], line_15=size["line_15"], seed=seed),
            "algorithm6": build_comparison_table(**size["algorithm6"], seed=seed),
        }
    )
