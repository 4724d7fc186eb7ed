# What a quantized meter still says about a home's appliances (Figure 4 of noiseless).
NILM = config["noiseless"]["nilm"]
NILM_BASE = {key: NILM[key] for key in ("mains_range_w", "period_s", "quantize", "train_before")}


rule attack_redd:
    input:
        redd=rules.prepare_redd.output.table,
    output:
        attacks=table("noiseless/nilm_attacks"),
        release=table("noiseless/nilm_release"),
        recording=table("noiseless/nilm_recording"),
    log:
        "logs/attack_redd.log",
    benchmark:
        "benchmarks/attack_redd.tsv"
    group:
        "noiseless"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=memory(3000),
    params:
        function="noiseless.experiments.nilm.attack_tables",
        code=source_digest("noiseless.experiments.nilm"),
        settings={
            **NILM_BASE,
            **{key: NILM[key] for key in ("epsilon", "hmm", "learned", "draws")},
            "seed": config["seed"],
        },
    script:
        "../scripts/make_table.py"


rule vary_nilm_choices:
    input:
        redd=rules.prepare_redd.output.table,
    output:
        table=table("noiseless/nilm_choices"),
    log:
        "logs/vary_nilm_choices.log",
    benchmark:
        "benchmarks/vary_nilm_choices.tsv"
    group:
        "noiseless"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.experiments.nilm.choices_table",
        code=source_digest("noiseless.experiments.nilm"),
        settings={
            **NILM_BASE,
            "epsilon": NILM["choices"]["epsilon"],
            "choices": {key: NILM["choices"][key] for key in NILM["choices"] if key != "epsilon"},
            "seed": config["seed"],
        },
    script:
        "../scripts/make_table.py"
