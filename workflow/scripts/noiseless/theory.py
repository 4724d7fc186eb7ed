"""The guarantees by enumeration, other sentences, and what the statements presuppose."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.noiseless.guarantees import build_guarantee_tables
    from noiseless.papers.noiseless.premises import build_premise_tables
    from noiseless.papers.noiseless.sentences import build_sentences_table

    p = snakemake.params
    this.save(
        {
            **build_guarantee_tables(**p.guarantees, seed=p.seed),
            **build_premise_tables(**p.premises),
            "sentences": build_sentences_table(),
        }
    )
