# The figures of a paper that rest on the same data are drawn by one job. Which they are stands in
# workflow/noiseless/papers/<paper>/figures/figures.yaml.
for name, drawn in by_job(FIGURES).items():

    rule:
        name:
            name
        input:
            sorted({table(each, "") for figure in drawn for each in figure.tables.values()}),
        output:
            [
                report(
                    f"results/figures/{figure.name}.png",
                    caption=f"../noiseless/{figure.caption}",
                    category=figure.paper,
                    labels=figure.labels,
                )
                for figure in drawn
            ],
            [f"results/figures/{figure.name}.pdf" for figure in drawn],
        log:
            f"logs/{name}.log",
        conda:
            ENVIRONMENT
        params:
            figures={
                figure.name: call(figure.function, **figure.settings)
                | {"tables": {key: table(each, "") for key, each in figure.tables.items()}}
                for figure in drawn
            },
            says={figure.game: TAKING_PART[figure.game] for figure in drawn if figure.game},
        script:
            "../scripts/draw_figures.py"
