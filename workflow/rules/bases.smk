# What rules have in common, for `use rule ... as ... with`; these make nothing themselves. <job> is the
# name of the log.


rule make_sample:
    log:
        "logs/<job>.log",
    pathvars:
        job="make_sample",
    group:
        "data"
    conda:
        ENVIRONMENT
    script:
        "../scripts/make_sample.py"


rule prepare_data:
    log:
        "logs/<job>.log",
    pathvars:
        job="prepare_data",
    group:
        "data"
    conda:
        ENVIRONMENT
    script:
        "../scripts/prepare_data.py"


rule make_table:
    log:
        "logs/<job>.log",
    pathvars:
        job="make_table",
    conda:
        ENVIRONMENT
    script:
        "../scripts/make_table.py"


# Not a base alone: it draws every figure of the papers, from tables.
rule draw_figure:
    input:
        unpack(figure_tables),
    output:
        png=report(
            "results/figures/{paper}/{figure}.png",
            caption="../report/figure.rst",
            category="{paper}",
            labels=figure_labels,
        ),
        pdf="results/figures/{paper}/{figure}.pdf",
    log:
        "logs/<job>.log",
    pathvars:
        job="draw_figure/{paper}_{figure}",
    wildcard_constraints:
        paper="[a-z]+",
        figure="[^/]+",
    group:
        lambda wildcards: wildcards.paper
    conda:
        ENVIRONMENT
    params:
        **drawn_by(figure_of),
    script:
        "../scripts/draw_figure.py"
