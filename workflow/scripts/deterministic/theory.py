"""Theorems, sentences, entropies, k-anonymity and best policies on small cases."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.deterministic.areas import area_tables
    from noiseless.papers.deterministic.definitions import definition_tables
    from noiseless.papers.deterministic.entropy import entropy_tables
    from noiseless.papers.deterministic.k_anonymity import construction_tables
    from noiseless.papers.deterministic.policies import policy_tables
    from noiseless.papers.deterministic.sentences import sentences_table
    from noiseless.papers.deterministic.theorems import theorems_table
    from noiseless.papers.deterministic.uncertain_variables import uncertain_variables_table

    p = snakemake.params
    this.save(
        {
            "theorems": theorems_table(**p.theorems, seed=p.seed),
            "sentences": sentences_table(),
            "uncertain": uncertain_variables_table(),
            **entropy_tables(),
            **construction_tables(),
            **policy_tables(**p.policies),
            **definition_tables(lattice=p.policies["lattice"]),
            **area_tables(two_outputs=p.policies["two_outputs"]),
        }
    )
