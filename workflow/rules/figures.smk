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
