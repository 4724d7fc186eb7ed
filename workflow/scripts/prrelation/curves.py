"""Curves and F-scores of Figures 3 to 8, and the epsilons to choose, for the delta at hand."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.prrelation import choice, curves
    from noiseless.settings import build_log_grid

    p = snakemake.params
    this.save(
        {
            "curves": curves.build_curve_table(
                delta=p.delta,
                gaussian_epsilon_nats=p.gaussian_epsilon_nats,
                points=p.points["curves"],
            ),
            "f_scores": curves.build_f_score_table(
                epsilon_nats=build_log_grid(*curves.F_SCORE_NATS, p.points["f_scores"]),
                delta=p.delta,
            ),
            "choice": choice.build_choice_table(
                f_score=choice.list_bounds(p.points["bounds"]), deltas=[p.delta]
            ),
            "meaning": choice.build_meaning_table(
                epsilon_nats=build_log_grid(*choice.MEANING_NATS, p.points["meaning"]),
                delta=p.delta,
            ),
        }
    )
