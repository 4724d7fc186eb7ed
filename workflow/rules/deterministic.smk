# Deterministic Privacy-Preserving Policies: theorems, entropies, best quantizers, k-anonymity.
DETERMINISTIC = config["deterministic"]


rule deterministic_theorems:
    output:
        table=table("deterministic/theorems"),
    log:
        "logs/deterministic_theorems.log",
    benchmark:
        "benchmarks/deterministic_theorems.tsv"
    group:
        "deterministic"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.deterministic.theorems.theorems_table",
            {**DETERMINISTIC["theorems"], "seed": config["seed"]},
        ),
    script:
        "../scripts/make_table.py"


rule deterministic_entropy:
    output:
        extrema=table("deterministic/entropy_extrema"),
        covering=table("deterministic/entropy_covering"),
        joint=table("deterministic/entropy_joint"),
    log:
        "logs/deterministic_entropy.log",
    benchmark:
        "benchmarks/deterministic_entropy.tsv"
    group:
        "deterministic"
    conda:
        ENVIRONMENT
    params:
        **call("noiseless.experiments.deterministic.entropy.tables", {}),
    script:
        "../scripts/make_table.py"


rule deterministic_policies:
    output:
        examples=table("deterministic/policies_examples"),
        averaging=table("deterministic/policies_averaging"),
        regions=table("deterministic/policies_regions"),
        raster=table("deterministic/policies_raster"),
        heights=table("deterministic/policies_heights"),
        two_outputs=table("deterministic/policies_two_outputs"),
    log:
        "logs/deterministic_policies.log",
    benchmark:
        "benchmarks/deterministic_policies.tsv"
    group:
        "deterministic"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.deterministic.policies.policy_tables", DETERMINISTIC["policies"]
        ),
    script:
        "../scripts/make_table.py"


rule deterministic_k_anonymity:
    input:
        survey=rules.prepare_young_people.output.table,
    output:
        release=table("deterministic/k_anonymity"),
        attack=table("deterministic/k_anonymity_homogeneity"),
    log:
        "logs/deterministic_k_anonymity.log",
    benchmark:
        "benchmarks/deterministic_k_anonymity.tsv"
    group:
        "deterministic"
    conda:
        ENVIRONMENT
    params:
        **call(
            "noiseless.experiments.deterministic.k_anonymity.tables", DETERMINISTIC["k_anonymity"]
        ),
    script:
        "../scripts/make_table.py"


rule deterministic_k_anonymity_construction:
    output:
        construction=table("deterministic/k_anonymity_construction"),
        left_open=table("deterministic/k_anonymity_left_open"),
    log:
        "logs/deterministic_k_anonymity_construction.log",
    benchmark:
        "benchmarks/deterministic_k_anonymity_construction.tsv"
    group:
        "deterministic"
    conda:
        ENVIRONMENT
    params:
        **call("noiseless.experiments.deterministic.k_anonymity.construction_tables", {}),
    script:
        "../scripts/make_table.py"


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


rule judge_deterministic:
    input:
        **judged("deterministic"),
    output:
        ledger=ledger_of("deterministic"),
    log:
        "logs/judge_deterministic.log",
    benchmark:
        "benchmarks/judge_deterministic.tsv"
    group:
        "deterministic"
    conda:
        ENVIRONMENT
    params:
        code=source_digest("noiseless.ledger.judge"),
        tables=claimed_tables(CLAIMS, "deterministic"),
    script:
        "../scripts/judge_claims.py"
