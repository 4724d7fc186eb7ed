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
    conda:
        ENVIRONMENT
    params:
        function="noiseless.figures.deterministic.k_anonymity",
        code=source_digest("noiseless.figures.deterministic"),
        settings={},
    script:
        "../scripts/draw_figure.py"
