# Deterministic Privacy-Preserving Policies: theorems, entropies, best quantizers, k-anonymity.
DETERMINISTIC = config["deterministic"]


use rule make_table as deterministic_table with:
    group:
        "deterministic"


rule deterministic:
    input:
        lambda wildcards: results_of("deterministic"),


use rule deterministic_table as deterministic_theorems with:
    output:
        **tables(table="deterministic/theorems"),
    pathvars:
        job="deterministic_theorems",
    params:
        **call(
            "noiseless.experiments.deterministic.theorems.theorems_table",
            **DETERMINISTIC["theorems"],
            seed=config["seed"],
        ),


use rule deterministic_table as deterministic_entropy with:
    output:
        **tables(
            extrema="deterministic/entropy_extrema",
            covering="deterministic/entropy_covering",
            joint="deterministic/entropy_joint",
        ),
    pathvars:
        job="deterministic_entropy",
    params:
        **call("noiseless.experiments.deterministic.entropy.tables"),


use rule deterministic_table as deterministic_policies with:
    output:
        **tables(
            examples="deterministic/policies_examples",
            averaging="deterministic/policies_averaging",
            regions="deterministic/policies_regions",
            raster="deterministic/policies_raster",
            heights="deterministic/policies_heights",
            two_outputs="deterministic/policies_two_outputs",
        ),
    pathvars:
        job="deterministic_policies",
    params:
        **call(
            "noiseless.experiments.deterministic.policies.policy_tables",
            **DETERMINISTIC["policies"],
        ),


use rule deterministic_table as deterministic_k_anonymity with:
    input:
        survey=prepared("young_people"),
    output:
        **tables(
            release="deterministic/k_anonymity",
            attack="deterministic/k_anonymity_homogeneity",
        ),
    pathvars:
        job="deterministic_k_anonymity",
    params:
        **call(
            "noiseless.experiments.deterministic.k_anonymity.tables",
            **DETERMINISTIC["k_anonymity"],
        ),


use rule deterministic_table as deterministic_k_anonymity_construction with:
    output:
        **tables(
            construction="deterministic/k_anonymity_construction",
            left_open="deterministic/k_anonymity_left_open",
        ),
    pathvars:
        job="deterministic_k_anonymity_construction",
    params:
        **call("noiseless.experiments.deterministic.k_anonymity.construction_tables"),


FIGURES |= {
    "deterministic/fig1": {
        "function": "deterministic.policies.fig1",
        "tables": {
            "raster": "deterministic/policies_raster",
            "regions": "deterministic/policies_regions",
        },
        "figure": "1",
        "shows": "regions for an average",
    },
    "deterministic/fig2": {
        "function": "deterministic.policies.fig2",
        "tables": {
            "raster": "deterministic/policies_raster",
            "regions": "deterministic/policies_regions",
        },
        "figure": "2",
        "shows": "regions for a quadratic query",
    },
    "deterministic/fig3": {
        "function": "deterministic.policies.fig3",
        "tables": {"averaging": "deterministic/policies_averaging"},
        "figure": "3",
        "shows": "privacy against accuracy",
    },
    "deterministic/k_anonymity": {
        "function": "deterministic.k_anonymity.k_anonymity",
        "tables": {
            "release": "deterministic/k_anonymity",
            "attack": "deterministic/k_anonymity_homogeneity",
        },
        "figure": "Section V",
        "shows": "people revealed by k-anonymous data",
    },
}
