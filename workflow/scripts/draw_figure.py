"""Draw a figure from its tables with the function that the rule names."""

from noiseless.jobs import job

with job(snakemake):
    from noiseless.code import find_function
    from noiseless.figures.style import save, style
    from noiseless.tables import derive_provenance, read_table

    with style():
        inputs = {name: read_table(path) for name, path in snakemake.input.items()}
        settings = dict(snakemake.params.settings)
        figure = find_function(snakemake.params.function)(
            **{name: table for name, (table, _) in inputs.items()}, **settings
        )
        provenance = derive_provenance(
            settings, snakemake.params.code, inputs=[each for _, each in inputs.values()]
        )
        save(figure, [snakemake.output.png, snakemake.output.pdf], provenance)
