"""Call the function that the rule names on its input tables and settings; write what it returns.

A function that returns several tables returns them by the names of the rule's outputs.
"""

from noiseless.jobs import job

with job(snakemake):
    from noiseless.code import find_function
    from noiseless.plugins import use_plugins
    from noiseless.tables import derive_provenance, read_table, write_table

    plugins = dict(snakemake.params.get("plugins", {}))
    with use_plugins(plugins):
        inputs = {name: read_table(path) for name, path in snakemake.input.items()}
        settings = dict(snakemake.params.settings)
        result = find_function(snakemake.params.function)(
            **{name: table for name, (table, _) in inputs.items()}, **settings
        )
        tables = result if isinstance(result, dict) else {"table": result}
        made_with = settings | ({"plugins": sorted(plugins.values())} if plugins else {})
        provenance = derive_provenance(
            made_with, snakemake.params.code, inputs=[each for _, each in inputs.values()]
        )
        for name, table in tables.items():
            write_table(table, snakemake.output[name], provenance)
