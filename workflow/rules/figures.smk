# Figures, each from tables alone: the function that draws it (noiseless.figures.<function>), its
# tables by the names of the function's arguments, the paper's number of it and what it shows (in the
# report), and settings where it needs any. Its caption is report/<paper>_<name of the function>.rst,
# or the one that it names, and may use what the figure `says` (snakemake.params.says). A figure of
# the user's own datasets has a wildcard for the dataset in its name, and says which these are.


for name, figure in FIGURES.items():
    paper, *dataset, drawn = Path(name).parts
    function = figure["function"].split(".")[-1]
    job = Path(f"draw_{paper}_{drawn}", *dataset)

    rule:
        name:
            f"draw_{paper}_{drawn}"
        input:
            **{argument: table(each) for argument, each in figure["tables"].items()},
        output:
            png=report(
                f"results/figures/{name}.png",
                caption=f"../report/{figure.get('caption', f'{paper}_{function}')}.rst",
                category=paper,
                labels={"figure": figure["figure"], "shows": figure["shows"]},
            ),
            pdf=f"results/figures/{name}.pdf",
        log:
            f"logs/{job}.log",
        benchmark:
            f"benchmarks/{job}.tsv"
        wildcard_constraints:
            dataset=figure.get("datasets", ".+"),
        group:
            paper
        conda:
            ENVIRONMENT
        params:
            **call(f"noiseless.figures.{figure['function']}", figure.get("settings", {})),
            **{key: figure[key] for key in ("says",) if key in figure},
        script:
            "../scripts/draw_figure.py"
