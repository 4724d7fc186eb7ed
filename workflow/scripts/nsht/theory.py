"""Every statement of the paper on small cases, and Figures 4, 6, 7 and 8, without data."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
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
    from noiseless.papers.nsht.hypotheses import hypothesis_tables
    from noiseless.papers.nsht.indistinguishability import indistinguishability_tables
    from noiseless.settings import log_grid

    p, seed = snakemake.params, snakemake.params.seed
    sizes, shapes, analysts = p.blurring, p.threshold_shapes, p.several_analysts
    epsilon = log_grid(*leakage.BUDGETS, p.epsilon_points)
    rho_per_kg = log_grid(*blurring.ACCURACIES_PER_KG, p.rho_points)
    this.save(
        {
            "bound": leakage.bound_table(epsilon=epsilon),
            "enumeration": leakage.enumeration_table(**p.leakage, seed=seed),
            **hypothesis_tables(**p.hypotheses, seed=seed),
            **indistinguishability_tables(linear_queries=p.linear_queries, seed=seed),
            "sentences": sentences.sentences_table(),
            "continuous": continuous_queries.indistinguishability_table(),
            "budget": blurring.guarantees_table(rho_per_kg=rho_per_kg),
            "enclosure": blurring.enclosure_table(**sizes["enclosure"]),
            "lattice": blurring.lattice_table(**sizes["lattice"]),
            "thresholds": blurring.thresholds_table(**sizes["thresholds"], seed=seed),
            "search": blurring_limits.search_table(**sizes["search"]),
            "odds": odds.odds_table(),
            "odds_lattice": odds.lattice_table(),
            "unbounded": blurring_limits.unbounded_table(),
            "shapes": threshold_shapes.shapes_table(cells=shapes["cells"]),
            "distance": threshold_shapes.distance_table(cells=shapes["distance_cells"]),
            "ends": several_analysts.ends_table(**analysts["ends"]),
            "releases": several_analysts.search_table(lattices=analysts["lattices"]),
            "threshold_pairs": several_thresholds.lines_table(),
            "threshold_releases": several_thresholds.search_table(),
        }
    )
