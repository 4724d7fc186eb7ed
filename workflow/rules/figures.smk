# Figures, each from tables alone.


rule draw_nsht_fig4:
    input:
        budget=table("nsht/blurring_budget"),
        enclosure=table("nsht/blurring_enclosure"),
    output:
        png=report(
            "results/figures/nsht/fig4.png",
            caption="../report/nsht_fig4.rst",
            category="nsht",
            labels={"figure": "4", "shows": "privacy budget against accuracy"},
        ),
        pdf="results/figures/nsht/fig4.pdf",
    log:
        "logs/draw_nsht_fig4.log",
    benchmark:
        "benchmarks/draw_nsht_fig4.tsv"
    group:
        "nsht"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.figures.nsht.fig4",
        code=source_digest("noiseless.figures.nsht"),
        settings={},
    script:
        "../scripts/draw_figure.py"


rule draw_nsht_fig5:
    input:
        histogram=table("nsht/blurring_histogram"),
        people=table("nsht/blurring_people"),
    output:
        png=report(
            "results/figures/nsht/fig5.png",
            caption="../report/nsht_fig5.rst",
            category="nsht",
            labels={"figure": "5", "shows": "reported weight and height"},
        ),
        pdf="results/figures/nsht/fig5.pdf",
    log:
        "logs/draw_nsht_fig5.log",
    benchmark:
        "benchmarks/draw_nsht_fig5.tsv"
    group:
        "nsht"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.figures.nsht.fig5",
        code=source_digest("noiseless.figures.nsht"),
        settings={"bmi_kg_m2": BLURRING["bmi_kg_m2"], "histogram_bin": BLURRING["histogram_bin"]},
    script:
        "../scripts/draw_figure.py"


rule draw_nsht_fig5_people:
    input:
        people=table("nsht/blurring_people"),
    output:
        png=report(
            "results/figures/nsht/fig5_people.png",
            caption="../report/nsht_fig5_people.rst",
            category="nsht",
            labels={"figure": "5, counted", "shows": "people moved, people identifiable"},
        ),
        pdf="results/figures/nsht/fig5_people.pdf",
    log:
        "logs/draw_nsht_fig5_people.log",
    benchmark:
        "benchmarks/draw_nsht_fig5_people.tsv"
    group:
        "nsht"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.figures.nsht.fig5_people",
        code=source_digest("noiseless.figures.nsht"),
        settings={},
    script:
        "../scripts/draw_figure.py"


rule draw_nsht_fig6:
    input:
        bound=table("nsht/leakage_bound"),
    output:
        png=report(
            "results/figures/nsht/fig6.png",
            caption="../report/nsht_fig6.rst",
            category="nsht",
            labels={"figure": "6", "shows": "bound of the leakage against epsilon"},
        ),
        pdf="results/figures/nsht/fig6.pdf",
    log:
        "logs/draw_nsht_fig6.log",
    benchmark:
        "benchmarks/draw_nsht_fig6.tsv"
    group:
        "nsht"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.figures.nsht.fig6",
        code=source_digest("noiseless.figures.nsht"),
        settings={},
    script:
        "../scripts/draw_figure.py"


for dataset in MEMBERSHIP_RESOLUTIONS:

    rule:
        name:
            f"draw_noiseless_fig3_{dataset}"
        input:
            table=table(f"noiseless/membership_{dataset}"),
        output:
            png=report(
                f"results/figures/noiseless/fig3_{dataset}.png",
                caption="../report/noiseless_fig3.rst",
                category="noiseless",
                labels={"figure": "3", "shows": f"membership game, {dataset}"},
            ),
            pdf=f"results/figures/noiseless/fig3_{dataset}.pdf",
        log:
            f"logs/draw_noiseless_fig3_{dataset}.log",
        benchmark:
            f"benchmarks/draw_noiseless_fig3_{dataset}.tsv"
        group:
            "noiseless"
        conda:
            ENVIRONMENT
        params:
            function="noiseless.figures.noiseless_membership.fig3",
            code=source_digest("noiseless.figures.noiseless_membership"),
            settings={"almost_zero": MEMBERSHIP["choices"]["almost_zero"]},
        script:
            "../scripts/draw_figure.py"

    rule:
        name:
            f"draw_noiseless_fig3_choices_{dataset}"
        input:
            table=table(f"noiseless/membership_choices_{dataset}"),
        output:
            png=report(
                f"results/figures/noiseless/fig3_choices_{dataset}.png",
                caption="../report/noiseless_fig3_choices.rst",
                category="noiseless",
                labels={"figure": "3, choices", "shows": f"what the paper leaves open, {dataset}"},
            ),
            pdf=f"results/figures/noiseless/fig3_choices_{dataset}.pdf",
        log:
            f"logs/draw_noiseless_fig3_choices_{dataset}.log",
        benchmark:
            f"benchmarks/draw_noiseless_fig3_choices_{dataset}.tsv"
        group:
            "noiseless"
        conda:
            ENVIRONMENT
        params:
            function="noiseless.figures.noiseless_membership.fig3_choices",
            code=source_digest("noiseless.figures.noiseless_membership"),
            settings={"almost_zero": MEMBERSHIP["choices"]["almost_zero"]},
        script:
            "../scripts/draw_figure.py"

    rule:
        name:
            f"draw_noiseless_fig3_learned_{dataset}"
        input:
            table=table(f"noiseless/membership_learned_{dataset}"),
        output:
            png=report(
                f"results/figures/noiseless/fig3_learned_{dataset}.png",
                caption="../report/noiseless_fig3_learned.rst",
                category="noiseless",
                labels={"figure": "3, learned", "shows": f"a trained adversary, {dataset}"},
            ),
            pdf=f"results/figures/noiseless/fig3_learned_{dataset}.pdf",
        log:
            f"logs/draw_noiseless_fig3_learned_{dataset}.log",
        benchmark:
            f"benchmarks/draw_noiseless_fig3_learned_{dataset}.tsv"
        group:
            "noiseless"
        conda:
            ENVIRONMENT
        params:
            function="noiseless.figures.noiseless_membership.fig3_learned",
            code=source_digest("noiseless.figures.noiseless_membership"),
            settings={},
        script:
            "../scripts/draw_figure.py"


rule draw_noiseless_fig5:
    input:
        density=table("noiseless/trips_density"),
    output:
        png=report(
            "results/figures/noiseless/fig5.png",
            caption="../report/noiseless_fig5.rst",
            category="noiseless",
            labels={"figure": "5", "shows": "pickups on a map"},
        ),
        pdf="results/figures/noiseless/fig5.pdf",
    log:
        "logs/draw_noiseless_fig5.log",
    benchmark:
        "benchmarks/draw_noiseless_fig5.tsv"
    group:
        "noiseless"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.figures.noiseless_trips.fig5",
        code=source_digest("noiseless.figures.noiseless_trips"),
        settings={**TRIPS_BOX, "levels": TRIPS["map_levels"]},
    script:
        "../scripts/draw_figure.py"


rule draw_noiseless_fig6:
    input:
        known=table("noiseless/trips_unique"),
        half=table("noiseless/trips_half_unique"),
        budget=table("noiseless/trips_budget"),
    output:
        png=report(
            "results/figures/noiseless/fig6.png",
            caption="../report/noiseless_fig6.rst",
            category="noiseless",
            labels={"figure": "6", "shows": "unique trips against epsilon"},
        ),
        pdf="results/figures/noiseless/fig6.pdf",
    log:
        "logs/draw_noiseless_fig6.log",
    benchmark:
        "benchmarks/draw_noiseless_fig6.tsv"
    group:
        "noiseless"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.figures.noiseless_trips.fig6",
        code=source_digest("noiseless.figures.noiseless_trips"),
        settings={},
    script:
        "../scripts/draw_figure.py"


rule draw_noiseless_fig6_beyond:
    input:
        known=table("noiseless/trips_unique"),
        numbers=table("noiseless/trips_unique_by_number"),
    output:
        png=report(
            "results/figures/noiseless/fig6_beyond.png",
            caption="../report/noiseless_fig6_beyond.rst",
            category="noiseless",
            labels={"figure": "6, beyond", "shows": "larger groups, pickup times, fewer trips"},
        ),
        pdf="results/figures/noiseless/fig6_beyond.pdf",
    log:
        "logs/draw_noiseless_fig6_beyond.log",
    benchmark:
        "benchmarks/draw_noiseless_fig6_beyond.tsv"
    group:
        "noiseless"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.figures.noiseless_trips.fig6_beyond",
        code=source_digest("noiseless.figures.noiseless_trips"),
        settings={},
    script:
        "../scripts/draw_figure.py"


rule draw_prrelation_fig3:
    input:
        curves=table("prrelation/curves"),
        f_scores=table("prrelation/f_scores"),
        rates=table("prrelation/monte_carlo_rates"),
        counted=table("prrelation/monte_carlo_f_scores"),
    output:
        png=report(
            "results/figures/prrelation/fig3.png",
            caption="../report/prrelation_fig3.rst",
            category="prrelation",
            labels={"figure": "3", "shows": "precision, recall and F-score of a Laplace answer"},
        ),
        pdf="results/figures/prrelation/fig3.pdf",
    log:
        "logs/draw_prrelation_fig3.log",
    benchmark:
        "benchmarks/draw_prrelation_fig3.tsv"
    group:
        "prrelation"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.figures.prrelation.fig3",
        code=source_digest("noiseless.figures.prrelation"),
        settings={"answers": PRRELATION["monte_carlo"]["answers"]},
    script:
        "../scripts/draw_figure.py"


rule draw_prrelation_fig4:
    input:
        curves=table("prrelation/curves"),
        rates=table("prrelation/monte_carlo_rates"),
    output:
        png=report(
            "results/figures/prrelation/fig4.png",
            caption="../report/prrelation_fig4.rst",
            category="prrelation",
            labels={"figure": "4", "shows": "precision and recall of a Gaussian answer"},
        ),
        pdf="results/figures/prrelation/fig4.pdf",
    log:
        "logs/draw_prrelation_fig4.log",
    benchmark:
        "benchmarks/draw_prrelation_fig4.tsv"
    group:
        "prrelation"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.figures.prrelation.fig4",
        code=source_digest("noiseless.figures.prrelation"),
        settings={"answers": PRRELATION["monte_carlo"]["answers"]},
    script:
        "../scripts/draw_figure.py"


rule draw_prrelation_fig5_6_7:
    input:
        curves=table("prrelation/curves"),
        rates=table("prrelation/monte_carlo_rates"),
    output:
        png=report(
            "results/figures/prrelation/fig5_6_7.png",
            caption="../report/prrelation_fig5_6_7.rst",
            category="prrelation",
            labels={"figure": "5b, 6b, 7b", "shows": "what side knowledge adds"},
        ),
        pdf="results/figures/prrelation/fig5_6_7.pdf",
    log:
        "logs/draw_prrelation_fig5_6_7.log",
    benchmark:
        "benchmarks/draw_prrelation_fig5_6_7.tsv"
    group:
        "prrelation"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.figures.prrelation.fig5_6_7",
        code=source_digest("noiseless.figures.prrelation"),
        settings={"answers": PRRELATION["monte_carlo"]["answers"]},
    script:
        "../scripts/draw_figure.py"


rule draw_prrelation_fig8:
    input:
        f_scores=table("prrelation/f_scores"),
        counted=table("prrelation/monte_carlo_f_scores"),
    output:
        png=report(
            "results/figures/prrelation/fig8.png",
            caption="../report/prrelation_fig8.rst",
            category="prrelation",
            labels={"figure": "8", "shows": "F-score against side knowledge"},
        ),
        pdf="results/figures/prrelation/fig8.pdf",
    log:
        "logs/draw_prrelation_fig8.log",
    benchmark:
        "benchmarks/draw_prrelation_fig8.tsv"
    group:
        "prrelation"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.figures.prrelation.fig8",
        code=source_digest("noiseless.figures.prrelation"),
        settings={"answers": PRRELATION["monte_carlo"]["answers"]},
    script:
        "../scripts/draw_figure.py"


rule draw_prrelation_calibrations:
    input:
        calibrations=table("prrelation/calibrations"),
        f_scores=table("prrelation/f_scores"),
    output:
        png=report(
            "results/figures/prrelation/calibrations.png",
            caption="../report/prrelation_calibrations.rst",
            category="prrelation",
            labels={"figure": "-", "shows": "classical, printed and analytic Gaussian"},
        ),
        pdf="results/figures/prrelation/calibrations.pdf",
    log:
        "logs/draw_prrelation_calibrations.log",
    benchmark:
        "benchmarks/draw_prrelation_calibrations.tsv"
    group:
        "prrelation"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.figures.prrelation.calibrations",
        code=source_digest("noiseless.figures.prrelation"),
        settings={},
    script:
        "../scripts/draw_figure.py"


rule draw_prrelation_choice:
    input:
        choice=table("prrelation/choice"),
    output:
        png=report(
            "results/figures/prrelation/choice.png",
            caption="../report/prrelation_choice.rst",
            category="prrelation",
            labels={"figure": "-", "shows": "the largest epsilon for a bound of F"},
        ),
        pdf="results/figures/prrelation/choice.pdf",
    log:
        "logs/draw_prrelation_choice.log",
    benchmark:
        "benchmarks/draw_prrelation_choice.tsv"
    group:
        "prrelation"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.figures.prrelation.choice",
        code=source_digest("noiseless.figures.prrelation"),
        settings={},
    script:
        "../scripts/draw_figure.py"


rule draw_knowledge_fig1:
    input:
        losses_linear=table("knowledge/losses_linear"),
        accepted_linear=table("knowledge/accepted_linear"),
        losses_logistic=table("knowledge/losses_logistic"),
        accepted_logistic=table("knowledge/accepted_logistic"),
    output:
        png=report(
            "results/figures/knowledge/fig1.png",
            caption="../report/knowledge_fig1.rst",
            category="knowledge",
            labels={"figure": "1", "shows": "queries that a filter accepts"},
        ),
        pdf="results/figures/knowledge/fig1.pdf",
    log:
        "logs/draw_knowledge_fig1.log",
    benchmark:
        "benchmarks/draw_knowledge_fig1.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.figures.knowledge.fig1",
        code=source_digest("noiseless.figures.knowledge"),
        settings={"epsilon": COMPOSITION["epsilon"]},
    script:
        "../scripts/draw_figure.py"


rule draw_knowledge_scan:
    input:
        scan=table("knowledge/scan"),
    output:
        png=report(
            "results/figures/knowledge/scan.png",
            caption="../report/knowledge_scan.rst",
            category="knowledge",
            labels={"figure": "beyond 1", "shows": "which set-ups give the printed medians"},
        ),
        pdf="results/figures/knowledge/scan.pdf",
    log:
        "logs/draw_knowledge_scan.log",
    benchmark:
        "benchmarks/draw_knowledge_scan.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.figures.knowledge.scan",
        code=source_digest("noiseless.figures.knowledge"),
        settings={},
    script:
        "../scripts/draw_figure.py"


rule draw_knowledge_cost:
    input:
        cost=table("knowledge/cost"),
    output:
        png=report(
            "results/figures/knowledge/cost.png",
            caption="../report/knowledge_cost.rst",
            category="knowledge",
            labels={"figure": "beyond 1, cost", "shows": "relaxations of the certified solver"},
        ),
        pdf="results/figures/knowledge/cost.pdf",
    log:
        "logs/draw_knowledge_cost.log",
    benchmark:
        "benchmarks/draw_knowledge_cost.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.figures.knowledge.cost",
        code=source_digest("noiseless.figures.knowledge"),
        settings={},
    script:
        "../scripts/draw_figure.py"


rule draw_knowledge_health:
    input:
        losses=table("knowledge/health_losses"),
        spent=table("knowledge/health_spent"),
    output:
        png=report(
            "results/figures/knowledge/health.png",
            caption="../report/knowledge_health.rst",
            category="knowledge",
            labels={"figure": "Appendix E", "shows": "certified losses of the health regressions"},
        ),
        pdf="results/figures/knowledge/health.pdf",
    log:
        "logs/draw_knowledge_health.log",
    benchmark:
        "benchmarks/draw_knowledge_health.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.figures.knowledge.health",
        code=source_digest("noiseless.figures.knowledge"),
        settings={"epsilon": HEALTH["epsilon"]},
    script:
        "../scripts/draw_figure.py"


rule draw_knowledge_survey:
    input:
        people=table("knowledge/survey_people"),
        means=table("knowledge/survey_means"),
    output:
        png=report(
            "results/figures/knowledge/survey.png",
            caption="../report/knowledge_survey.rst",
            category="knowledge",
            labels={"figure": "beyond the paper", "shows": "people of the survey under a filter"},
        ),
        pdf="results/figures/knowledge/survey.pdf",
    log:
        "logs/draw_knowledge_survey.log",
    benchmark:
        "benchmarks/draw_knowledge_survey.tsv"
    group:
        "knowledge"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.figures.knowledge.survey",
        code=source_digest("noiseless.figures.knowledge"),
        settings={},
    script:
        "../scripts/draw_figure.py"


rule draw_nsht_fig7:
    input:
        indistinguishability=table("nsht/indistinguishability"),
    output:
        png=report(
            "results/figures/nsht/fig7.png",
            caption="../report/nsht_fig7.rst",
            category="nsht",
            labels={"figure": "7", "shows": "levels of the average against epsilon"},
        ),
        pdf="results/figures/nsht/fig7.pdf",
    log:
        "logs/draw_nsht_fig7.log",
    benchmark:
        "benchmarks/draw_nsht_fig7.tsv"
    group:
        "nsht"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.figures.nsht.fig7",
        code=source_digest("noiseless.figures.nsht"),
        settings={},
    script:
        "../scripts/draw_figure.py"


rule draw_nsht_fig8:
    input:
        indistinguishability=table("nsht/indistinguishability"),
    output:
        png=report(
            "results/figures/nsht/fig8.png",
            caption="../report/nsht_fig8.rst",
            category="nsht",
            labels={"figure": "8", "shows": "leakage of the average against people and epsilon"},
        ),
        pdf="results/figures/nsht/fig8.pdf",
    log:
        "logs/draw_nsht_fig8.log",
    benchmark:
        "benchmarks/draw_nsht_fig8.tsv"
    group:
        "nsht"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.figures.nsht.fig8",
        code=source_digest("noiseless.figures.nsht"),
        settings={},
    script:
        "../scripts/draw_figure.py"


rule draw_deterministic_fig1:
    input:
        raster=table("deterministic/raster"),
        regions=table("deterministic/regions"),
    output:
        png=report(
            "results/figures/deterministic/fig1.png",
            caption="../report/deterministic_fig1.rst",
            category="deterministic",
            labels={"figure": "1", "shows": "regions for an average"},
        ),
        pdf="results/figures/deterministic/fig1.pdf",
    log:
        "logs/draw_deterministic_fig1.log",
    benchmark:
        "benchmarks/draw_deterministic_fig1.tsv"
    group:
        "deterministic"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.figures.deterministic.fig1",
        code=source_digest("noiseless.figures.deterministic"),
        settings={},
    script:
        "../scripts/draw_figure.py"


rule draw_deterministic_fig2:
    input:
        raster=table("deterministic/raster"),
        regions=table("deterministic/regions"),
    output:
        png=report(
            "results/figures/deterministic/fig2.png",
            caption="../report/deterministic_fig2.rst",
            category="deterministic",
            labels={"figure": "2", "shows": "regions for a quadratic query"},
        ),
        pdf="results/figures/deterministic/fig2.pdf",
    log:
        "logs/draw_deterministic_fig2.log",
    benchmark:
        "benchmarks/draw_deterministic_fig2.tsv"
    group:
        "deterministic"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.figures.deterministic.fig2",
        code=source_digest("noiseless.figures.deterministic"),
        settings={},
    script:
        "../scripts/draw_figure.py"


rule draw_deterministic_fig3:
    input:
        averaging=table("deterministic/averaging"),
    output:
        png=report(
            "results/figures/deterministic/fig3.png",
            caption="../report/deterministic_fig3.rst",
            category="deterministic",
            labels={"figure": "3", "shows": "privacy against accuracy"},
        ),
        pdf="results/figures/deterministic/fig3.pdf",
    log:
        "logs/draw_deterministic_fig3.log",
    benchmark:
        "benchmarks/draw_deterministic_fig3.tsv"
    group:
        "deterministic"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.figures.deterministic.fig3",
        code=source_digest("noiseless.figures.deterministic"),
        settings={},
    script:
        "../scripts/draw_figure.py"


rule draw_deterministic_k_anonymity:
    input:
        release=table("deterministic/k_anonymity"),
        attack=table("deterministic/homogeneity"),
    output:
        png=report(
            "results/figures/deterministic/k_anonymity.png",
            caption="../report/deterministic_k_anonymity.rst",
            category="deterministic",
            labels={"figure": "Section V", "shows": "people revealed by k-anonymous data"},
        ),
        pdf="results/figures/deterministic/k_anonymity.pdf",
    log:
        "logs/draw_deterministic_k_anonymity.log",
    benchmark:
        "benchmarks/draw_deterministic_k_anonymity.tsv"
    group:
        "deterministic"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.figures.deterministic.k_anonymity",
        code=source_digest("noiseless.figures.deterministic"),
        settings={},
    script:
        "../scripts/draw_figure.py"


rule draw_noiseless_fig4:
    input:
        attacks=table("noiseless/nilm_attacks"),
        recording=table("noiseless/nilm_recording"),
    output:
        png=report(
            "results/figures/noiseless/fig4.png",
            caption="../report/noiseless_fig4.rst",
            category="noiseless",
            labels={"figure": "4", "shows": "f-score of disaggregation against epsilon"},
        ),
        pdf="results/figures/noiseless/fig4.pdf",
    log:
        "logs/draw_noiseless_fig4.log",
    benchmark:
        "benchmarks/draw_noiseless_fig4.tsv"
    group:
        "noiseless"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.figures.noiseless_nilm.fig4",
        code=source_digest("noiseless.figures.noiseless_nilm"),
        settings={"period_s": NILM["period_s"]},
    script:
        "../scripts/draw_figure.py"


rule draw_noiseless_fig4_choices:
    input:
        choices=table("noiseless/nilm_choices"),
    output:
        png=report(
            "results/figures/noiseless/fig4_choices.png",
            caption="../report/noiseless_fig4_choices.rst",
            category="noiseless",
            labels={"figure": "4, open choices", "shows": "what the paper leaves open"},
        ),
        pdf="results/figures/noiseless/fig4_choices.pdf",
    log:
        "logs/draw_noiseless_fig4_choices.log",
    benchmark:
        "benchmarks/draw_noiseless_fig4_choices.tsv"
    group:
        "noiseless"
    conda:
        ENVIRONMENT
    params:
        function="noiseless.figures.noiseless_nilm.fig4_choices",
        code=source_digest("noiseless.figures.noiseless_nilm"),
        settings={},
    script:
        "../scripts/draw_figure.py"


for dataset in MEMBERSHIP_RESOLUTIONS:

    rule:
        name:
            f"draw_beyond_adversaries_{dataset}"
        input:
            adversaries=table(f"beyond/adversaries_{dataset}"),
            repeated=table(f"beyond/repeated_{dataset}"),
        output:
            png=report(
                f"results/figures/beyond/adversaries_{dataset}.png",
                caption="../report/beyond_adversaries.rst",
                category="beyond the papers",
                labels={"figure": "adversaries", "shows": f"what an adversary knows, {dataset}"},
            ),
            pdf=f"results/figures/beyond/adversaries_{dataset}.pdf",
        log:
            f"logs/draw_beyond_adversaries_{dataset}.log",
        benchmark:
            f"benchmarks/draw_beyond_adversaries_{dataset}.tsv"
        group:
            "beyond"
        conda:
            ENVIRONMENT
        params:
            function="noiseless.figures.beyond_adversaries.adversaries",
            code=source_digest("noiseless.figures.beyond_adversaries"),
            settings={key: ADVERSARIES[key] for key in ("known_shares", "shown_epsilon")},
        script:
            "../scripts/draw_figure.py"

    rule:
        name:
            f"draw_beyond_custodian_{dataset}"
        input:
            limits=table(f"beyond/custodian_limits_{dataset}"),
        output:
            png=report(
                f"results/figures/beyond/custodian_{dataset}.png",
                caption="../report/beyond_custodian.rst",
                category="beyond the papers",
                labels={"figure": "custodian", "shows": f"homes and levels, {dataset}"},
            ),
            pdf=f"results/figures/beyond/custodian_{dataset}.pdf",
        log:
            f"logs/draw_beyond_custodian_{dataset}.log",
        benchmark:
            f"benchmarks/draw_beyond_custodian_{dataset}.tsv"
        group:
            "beyond"
        conda:
            ENVIRONMENT
        params:
            function="noiseless.figures.beyond_adversaries.custodian",
            code=source_digest("noiseless.figures.beyond_adversaries"),
            settings={"gains": config["beyond"]["custodian"]["gains"]},
        script:
            "../scripts/draw_figure.py"
