"""Count how many trips share each report, among the reports of one partition."""

from pathlib import Path

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.noiseless.trips import count_reports

    shards = snakemake.params.noiseless["shards"]
    counts = count_reports(
        this.list_paths("trips"),
        epsilon_bits=shards["epsilon_bits"],
        partition=int(snakemake.wildcards.partition),
        partitions=shards["partitions"],
        folder=Path(snakemake.output.counts).parent,
        memory_mb=snakemake.resources.mem_mb // 2,  # beside Python, its libraries and the pieces
        threads=snakemake.threads,
        **snakemake.params.data["nyc_taxi"],
    )
    this.save({"counts": counts})
