"""Figure of the people of the young people survey whose answers k-anonymous data reveal."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.deterministic.figures.k_anonymity import plot_k_anonymity

    this.draw("k_anonymity", plot_k_anonymity, "release", "attack")
