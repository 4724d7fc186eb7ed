"""Theorems, sentences, entropies, k-anonymity and best policies on small cases."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.deterministic.areas import build_area_tables
    from noiseless.papers.deterministic.definitions import build_definition_tables
    from noiseless.papers.deterministic.entropy import build_entropy_tables
    from noiseless.papers.deterministic.k_anonymity import build_construction_tables
    from noiseless.papers.deterministic.policies import build_policy_tables
    from noiseless.papers.deterministic.sentences import build_sentences_table
    from noiseless.papers.deterministic.theorems import build_theorems_table
    from noiseless.papers.deterministic.uncertain_variables import build_uncertain_variables_table

    p = snakemake.params
    this.save(
        {
            "theorems": build_theorems_table(**p.theorems, seed=p.seed),
            "sentences": build_sentences_table(),
            "uncertain": build_uncertain_variables_table(),
            **build_entropy_tables(),
            **build_construction_tables(),
            **build_policy_tables(**p.policies),
            **build_definition_tables(lattice=p.policies["lattice"]),
            **build_area_tables(two_outputs=p.policies["two_outputs"]),
        }
    )
