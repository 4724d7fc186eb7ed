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
    conda:
        ENVIRONMENT
    params:
        function="noiseless.figures.nsht.fig6",
        code=source_digest("noiseless.figures.nsht"),
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
    conda:
        ENVIRONMENT
    params:
        function="noiseless.figures.knowledge.survey",
        code=source_digest("noiseless.figures.knowledge"),
        settings={},
    script:
        "../scripts/draw_figure.py"
