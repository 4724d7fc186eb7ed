"""Curves and F-scores of Figures 3 to 8, and the epsilons to choose, for the delta at hand."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.papers.prrelation import choice, curves
    from noiseless.settings import log_grid

    p = snakemake.params
    this.save(
        {
            "curves": curves.curve_table(
                delta=p.delta,
                gaussian_epsilon_nats=p.gaussian_epsilon_nats,
                points=p.points["curves"],
            ),
            "f_scores": curves.f_score_table(
                epsilon_nats=log_grid(*curves.F_SCORE_NATS, p.points["f_scores"]), delta=p.delta
            ),
            "choice": choice.choice_table(
                f_score=choice.list_bounds(p.points["bounds"]), deltas=[p.delta]
            ),
            "meaning": choice.meaning_table(
                epsilon_nats=log_grid(*choice.MEANING_NATS, p.points["meaning"]), delta=p.delta
            ),
        }
    )
