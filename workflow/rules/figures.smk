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
    conda:
        ENVIRONMENT
    params:
        function="noiseless.figures.prrelation.choice",
        code=source_digest("noiseless.figures.prrelation"),
        settings={},
    script:
        "../scripts/draw_figure.py"
