"""The guarantees by enumeration, other sentences, and what the statements presuppose."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.noiseless.guarantees import guarantee_tables
    from noiseless.papers.noiseless.premises import premise_tables
    from noiseless.papers.noiseless.sentences import sentences_table

    p = snakemake.params
    this.save(
        {
            **guarantee_tables(**p.guarantees, seed=p.seed),
            **premise_tables(**p.premises),
            "sentences": sentences_table(),
        }
    )
