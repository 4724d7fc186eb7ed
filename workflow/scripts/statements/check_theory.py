"""Run the statements of a paper that need no data."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake):
    from noiseless.files import index_paths
    from noiseless.statements.counts import write_counts
    from noiseless.statements.registry import Run, Sizes
    from noiseless.statements.running import check_paper

    p, paper, made = snakemake.params, snakemake.wildcards.paper, snakemake.output
    run = Run(Sizes(p.sizes), p.seed, index_paths(snakemake.input), p.statements, p.left_out)
    tested = check_paper(paper, run, made.findings, cores=snakemake.threads)
    write_counts(paper, run, tested, made.counts)
