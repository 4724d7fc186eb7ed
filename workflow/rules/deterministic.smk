# Deterministic Privacy-Preserving Policies: best quantizers of queries, k-anonymous releases.
D = config["deterministic"]


rule deterministic_theory:
    output:
        averaging="{results}/tables/deterministic/policies_averaging.parquet",
        regions="{results}/tables/deterministic/policies_regions.parquet",
        raster="{results}/tables/deterministic/policies_raster.parquet",
        areas="{results}/tables/deterministic/areas.parquet",
        areas_regions="{results}/tables/deterministic/areas_regions.parquet",
    log:
        "logs/{results}/deterministic_theory.log",
    conda:
        ENVIRONMENT
    params:
        policies=D["policies"],
        code=digest_code("deterministic"),
    script:
        "../scripts/deterministic/theory.py"


rule deterministic_k_anonymity:
    input:
        survey="data/prepared/young_people.parquet",
    output:
        release="{results}/tables/deterministic/k_anonymity.parquet",
        attack="{results}/tables/deterministic/k_anonymity_homogeneity.parquet",
    log:
        "logs/{results}/deterministic_k_anonymity.log",
    conda:
        ENVIRONMENT
    params:
        k_anonymity=D["k_anonymity"],
        code=digest_code("deterministic"),
    script:
        "../scripts/deterministic/k_anonymity.py"


# All figures are drawn by one job, as starting one takes longer; without the survey, its own is not.
D_SURVEY_FIGURES = ["k_anonymity"]


rule deterministic_figures:
    input:
        expand(keep_made("young_people", rules.deterministic_k_anonymity.output), results="results"),
        averaging="results/tables/deterministic/policies_averaging.parquet",
        regions="results/tables/deterministic/policies_regions.parquet",
        raster="results/tables/deterministic/policies_raster.parquet",
        areas="results/tables/deterministic/areas.parquet",
        areas_regions="results/tables/deterministic/areas_regions.parquet",
        printed="results/tables/deterministic/printed.parquet",
    output:
        declare_figures(
            *("deterministic", "fig1", "fig2", "fig3", "two_outputs"),
            *keep_made("young_people", D_SURVEY_FIGURES),
        ),
    log:
        "logs/deterministic_figures.log",
    conda:
        ENVIRONMENT
    params:
        data_use=load_data_use("deterministic"),
        left_out=list_left_out("young_people", D_SURVEY_FIGURES),
        code=digest_figure_code("deterministic"),
    script:
        "../scripts/deterministic/figures.py"


rule deterministic:
    input:
        figures=rules.deterministic_figures.output,
        verdicts="results/ledger/deterministic.parquet",
        complete="results/complete/deterministic",
        tables=expand(
            [
                "results/tables/deterministic/printed.parquet",
                *rules.deterministic_theory.output,
                *keep_made("young_people", rules.deterministic_k_anonymity.output),
            ],
            results="results",
        ),
    localrule: True
