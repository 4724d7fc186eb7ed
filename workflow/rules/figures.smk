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
    conda:
        ENVIRONMENT
    params:
        function="noiseless.figures.noiseless_nilm.fig4_choices",
        code=source_digest("noiseless.figures.noiseless_nilm"),
        settings={},
    script:
        "../scripts/draw_figure.py"
