"""Every statement of the paper on small cases, and Figures 4, 6, 7 and 8, without data."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from noiseless.papers.nsht import (
        blurring,
        blurring_limits,
        continuous_queries,
        leakage,
        odds,
        sentences,
        several_analysts,
        several_thresholds,
        threshold_shapes,
    )
    from noiseless.papers.nsht.hypotheses import build_hypothesis_tables
    from noiseless.papers.nsht.indistinguishability import build_indistinguishability_tables
    from noiseless.settings import build_log_grid

    p, seed = snakemake.params, snakemake.params.seed
    sizes, analysts = p.blurring, p.several_analysts
    epsilon = build_log_grid(*leakage.BUDGETS, p.epsilon_points)
    rho_per_kg = build_log_grid(*blurring.ACCURACIES_PER_KG, p.rho_points)
    this.save(
        {
            "bound": leakage.build_bound_table(epsilon=epsilon),
            "enumeration": leakage.build_enumeration_table(**p.leakage, seed=seed),
            **build_hypothesis_tables(**p.hypotheses, seed=seed),
            **build_indistinguishability_tables(linear_queries=p.linear_queries, seed=seed),
            "sentences": sentences.build_sentences_table(),
            "continuous": continuous_queries.build_indistinguishability_table(),
            "budget": blurring.build_guarantees_table(rho_per_kg=rho_per_kg),
            "lattice": blurring.build_lattice_table(**sizes["lattice"]),
            "thresholds": blurring.build_thresholds_table(**sizes["thresholds"], seed=seed),
            "search": blurring_limits.build_search_table(**sizes["search"]),
            "odds": odds.build_odds_table(),
            "odds_lattice": odds.build_lattice_table(),
            "unbounded": blurring_limits.build_unbounded_table(),
            "distance": threshold_shapes.build_distance_table(
                cells=p.threshold_shapes["distance_cells"]
            ),
            "ends": several_analysts.build_ends_table(**analysts["ends"]),
            "releases": several_analysts.build_search_table(lattices=analysts["lattices"]),
            "threshold_pairs": several_thresholds.build_lines_table(),
            "threshold_releases": several_thresholds.build_search_table(),
        }
    )
