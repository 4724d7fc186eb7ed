"""Figure of the people of the young people survey whose answers k-anonymous data reveal."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.deterministic.figures.k_anonymity import k_anonymity

    this.draw("k_anonymity", k_anonymity, "release", "attack")
