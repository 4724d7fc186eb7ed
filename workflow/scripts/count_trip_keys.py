"""Count how many trips share each report, among the reports of one partition."""

from pathlib import Path

from noiseless.pipeline.jobs import job

with job(snakemake):
    from noiseless.papers.noiseless.trips import count_reports
    from noiseless.tables import derive_provenance, read_provenance, write_table

    settings = dict(snakemake.params.settings)
    counts = count_reports(
        snakemake.input.trips,
        **settings,
        partition=int(snakemake.wildcards.partition),
        folder=Path(snakemake.output[0]).parent,
        memory_mb=snakemake.resources.mem_mb // 2,  # beside Python, its libraries and the pieces
        threads=snakemake.threads,
    )
    behind = map(read_provenance, snakemake.input.trips)
    provenance = derive_provenance(settings, snakemake.params.code, inputs=behind)
    write_table(counts, snakemake.output[0], provenance)
