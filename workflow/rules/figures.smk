# Figures, each from tables alone: the function that draws it (noiseless.figures.<function>), its
# tables by the names of the function's arguments, the paper's number of it and what it shows (in the
# report), and settings where it needs any. Its caption is report/<paper>_<name of the function>.rst,
# or the one that it names, and may use what the figure `says` (snakemake.params.says).


for name, figure in FIGURES.items():
    paper, drawn = Path(name).parts
    function = figure["function"].split(".")[-1]

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
            f"logs/draw_{paper}_{drawn}.log",
        benchmark:
            f"benchmarks/draw_{paper}_{drawn}.tsv"
        group:
            paper
        conda:
            ENVIRONMENT
        params:
            **call(f"noiseless.figures.{figure['function']}", figure.get("settings", {})),
            **{key: figure[key] for key in ("says",) if key in figure},
        script:
            "../scripts/draw_figure.py"
