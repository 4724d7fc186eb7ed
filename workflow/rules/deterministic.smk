# Deterministic Privacy-Preserving Policies: theorems, entropies, best quantizers, k-anonymity.
DETERMINISTIC = config["deterministic"]


rule deterministic:
    input:
        lambda wildcards: results_of("deterministic"),


rule deterministic_theory:
    output:
        **tables(
            theorems="deterministic/theorems",
            sentences="deterministic/sentences",
            uncertain="deterministic/uncertain_variables",
            extrema="deterministic/entropy_extrema",
            covering="deterministic/entropy_covering",
            joint="deterministic/entropy_joint",
            construction="deterministic/k_anonymity_construction",
            left_open="deterministic/k_anonymity_left_open",
            examples="deterministic/policies_examples",
            averaging="deterministic/policies_averaging",
            regions="deterministic/policies_regions",
            raster="deterministic/policies_raster",
            heights="deterministic/policies_heights",
            two_outputs="deterministic/policies_two_outputs",
        ),
    log:
        "logs/{variant}deterministic_theory.log",
    conda:
        ENVIRONMENT
    params:
        calls={
            "theorems": call(
                "noiseless.papers.deterministic.theorems.theorems_table",
                **DETERMINISTIC["theorems"],
                seed=config["seed"],
            ),
            "sentences": call("noiseless.papers.deterministic.sentences.sentences_table"),
            "uncertain": call(
                "noiseless.papers.deterministic.uncertain_variables.uncertain_variables_table"
            ),
            "entropy": call("noiseless.papers.deterministic.entropy.entropy_tables"),
            "construction": call("noiseless.papers.deterministic.k_anonymity.construction_tables"),
            "policies": call(
                "noiseless.papers.deterministic.policies.policy_tables",
                **DETERMINISTIC["policies"],
            ),
        },
    script:
        "../scripts/make_tables.py"


rule deterministic_k_anonymity:
    input:
        survey=prepared("young_people"),
    output:
        **tables(
            release="deterministic/k_anonymity",
            attack="deterministic/k_anonymity_homogeneity",
        ),
    log:
        "logs/{variant}deterministic_k_anonymity.log",
    conda:
        ENVIRONMENT
    params:
        calls={
            "k_anonymity": call(
                "noiseless.papers.deterministic.k_anonymity.release_tables",
                "survey",
                **DETERMINISTIC["k_anonymity"],
            ),
        },
    script:
        "../scripts/make_tables.py"
