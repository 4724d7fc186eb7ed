"""Keys of the section ``nsht``."""

from noiseless.settings import (
    count,
    counts,
    grid,
    interval,
    larger_counts,
    limited,
    many,
    pair,
    pairs_of_counts,
    positive,
    positive_number,
    section,
    whole,
)

_BITS = limited("integer", at_least=1, at_most=50)

BLURRING = section(
    "The blurring policy on weight and height (Theorem 4, Example 3, Figures 4 and 5).",
    weight_range_kg=interval(
        "Public range of weight, in kg. A record outside is an error.", [0, 200]
    ),
    height_range_cm=interval(
        "Public range of height, in cm. A record outside is an error.", [0, 250]
    ),
    bmi_kg_m2=positive_number("Body mass index from which a person counts as obese, in kg/m2.", 30),
    kg_per_cm=positive_number(
        "What a change of 1 cm counts in the norm of a complete record, in kg. The paper's "
        "norm says 1.",
        1,
    ),
    rho_per_kg=grid(
        "Accuracies rho of Fig. 4, in 1/kg; no weight is changed by more than 1/rho.", 0.01, 10, 121
    ),
    histogram_rho_per_kg=positive(
        "Accuracies rho of Fig. 5, in 1/kg; one column of the figure each, after the "
        "unblurred data.",
        [1, 0.2, 0.1, 0.05],
    ),
    histogram_bin=section(
        "Size of a bin of Fig. 5.",
        weight_kg=positive_number("Along the weight, in kg.", 2.5),
        height_cm=positive_number("Along the height, in cm.", 2.5),
    ),
    enclosure=section(
        "Certified bounds of the budget, a second route to the exact one.",
        rho_per_kg=positive("Accuracies rho, in 1/kg.", [0.01, 0.1, 1, 10]),
        cells=counts(
            "Numbers of cells that the range of height is cut into.",
            [16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576],
        ),
    ),
    lattice=section(
        "The policies run on a lattice of records, a third route, by counting.",
        rho_per_kg=positive("Accuracies rho, in 1/kg.", [0.05, 0.1]),
        cells=counts(
            "Numbers of cells that each axis of the public range is cut into.",
            [50, 100, 200, 400, 800],
        ),
        cells_per_record=positive_number(
            "A cell holds this portion of the number of cells as records along the weight, so "
            "that records grow with the cells.",
            25,
        ),
    ),
    thresholds=section(
        "Theorem 4 for random thresholds, ranges and accuracies, counted on lattices.",
        degrees=many(
            "Degrees of the polynomial thresholds.", limited("integer", at_least=0), [0, 1, 2, 3, 4]
        ),
        thresholds=count(
            "Random thresholds of each degree that stay inside the range, and as many that leave "
            "it.",
            20,
        ),
        cells=count("Cells that each axis of the range is cut into.", 120),
        cells_per_record=positive_number("As for the lattice.", 6),
    ),
    search=section(
        "Every policy on small lattices, against the bound of its class.",
        lines=pairs_of_counts(
            "Points of a line, and the steps by which a point may move.",
            [[4, 1], [6, 1], [8, 1], [10, 1], [6, 2], [7, 2]],
        ),
        grids=pairs_of_counts(
            "Width and height of lattices whose points move by 1 at most. With more than nine "
            "points there are millions of policies.",
            [[2, 3], [3, 2], [3, 3], [2, 4], [4, 2], [5, 2]],
        ),
    ),
    composition=section(
        "Two blurred releases of the survey, seen together.",
        pairs=many(
            "Pairs of releases.",
            section(
                "The accuracies of both, and the threshold that the second blurs.",
                rho_per_kg=pair(
                    "Accuracy of the first and of the second release, in 1/kg.",
                    limited("number", above=0),
                ),
                bmi_kg_m2=positive_number(
                    "Body mass index whose threshold the second release blurs, in kg/m2."
                ),
            ),
            [
                {"rho_per_kg": [0.1, 0.1], "bmi_kg_m2": 30},
                {"rho_per_kg": [0.1, 0.2], "bmi_kg_m2": 30},
                {"rho_per_kg": [0.05, 0.1], "bmi_kg_m2": 30},
                {"rho_per_kg": [0.1, 0.1], "bmi_kg_m2": 28},
            ],
        ),
    ),
)

SEVERAL_ANALYSTS = section(
    "Blurred releases for several analysts, who may compare them (Section 7).",
    rho_per_kg=many(
        "Accuracy of each analyst's weights, in 1/kg.",
        limited("number", above=0),
        [0.05, 0.1, 0.2],
        different=True,
        minItems=2,
    ),
    ends=section(
        "The chain on lines that end near their threshold. The unit is that of 1/rho.",
        rooms=many(
            "Rooms below and above a threshold; every pair is tried.",
            limited("number", at_least=0),
            [0, 0.5, 1, 3, 7, 10, 15, 20, 25, 40, 60],
            different=True,
        ),
        rho=positive("Accuracies of the releases.", [0.05, 0.1, 0.2]),
        records=whole("Records of a line, at equal distances.", 401, at_least=2),
    ),
    lattices=many(
        "Lattices on which all releases there are, are tried.",
        section(
            "A line of records.",
            points=whole(
                "Records 0, 1, ... Beyond eight there are ten thousands of releases.",
                at_least=2,
                at_most=10,
            ),
            spans=counts(
                "Largest distance of two records with one report, of each release: twice 1/rho.",
                minItems=2,
            ),
        ),
        [
            {"points": 3, "spans": [3, 2]},
            {"points": 4, "spans": [3, 2]},
            {"points": 5, "spans": [4, 2]},
            {"points": 6, "spans": [4, 2]},
            {"points": 7, "spans": [3, 2]},
            {"points": 8, "spans": [4, 2]},
            {"points": 8, "spans": [5, 2]},
            {"points": 7, "spans": [4, 3, 2]},
            {"points": 8, "spans": [4, 3, 2]},
            {"points": 7, "spans": [5, 4, 3]},
        ],
    ),
)

THRESHOLD_SHAPES = section(
    "Thresholds that touch, are or cross the ends of the square [0, 4] x [0, 4].",
    rho=positive_number("Accuracy.", 2.5),
    cells=counts("Cells of each side for the privacy of Equation 9.", [20, 40, 80]),
    distance_cells=counts(
        "Records along each side for policies that change the complete record.",
        [41, 81, 161],
        at_least=2,
    ),
)

LEAKAGE = section(
    "Leakage of an epsilon-private policy (Proposition 1, Figure 6).",
    epsilon=grid(
        "Privacy budgets epsilon of Fig. 6 (no unit; a policy is epsilon-private if its "
        "privacy is at least log(1 + epsilon)).",
        0.01,
        10,
        121,
    ),
    largest_universe=whole(
        "Outcomes of the largest universe whose every policy and hypothesis is checked. One "
        "more makes about ten times the work.",
        7,
        at_least=3,
        at_most=8,
    ),
    random_universes=larger_counts(
        "Numbers of outcomes of larger universes, on which random policies and hypotheses are"
        " checked.",
        [12, 20],
    ),
    random_maps=count("Number of random policies on each of them.", 5000),
)

HYPOTHESES = section(
    "Theorems 1 to 3, checked on every universe up to a size. Larger sizes take much "
    "longer, by a factor of ten or so for each step.",
    tests=section(
        'Theorems 1 and 2 of "Non-Stochastic Hypothesis Testing for Privacy".',
        largest_universe=whole(
            "Outcomes of the largest universe whose every policy, hypothesis and test is tried.",
            5,
            at_least=2,
            at_most=7,
        ),
        random_universes=larger_counts(
            "Numbers of outcomes of larger universes, on which every test is tried for random "
            "policies and hypotheses.",
            [8, 12, 16],
        ),
        random_maps=count("Number of random policies on each of them.", 1000),
    ),
    densities=section(
        "Theorem 3 of the same paper.",
        cells=counts(
            "Numbers of cells on which the two densities are constant; every pair is tried.",
            [2, 3, 4],
        ),
        random_cells=many(
            "Larger numbers of cells, with random pairs of densities.",
            limited("integer", at_least=2, at_most=12),
            [6, 8, 10],
            different=True,
            minItems=0,
        ),
        random_pairs=count("Number of random pairs on each of them.", 1000),
    ),
)

INDISTINGUISHABILITY = section(
    "Theorem 5, and the quantized average (Figures 7 and 8).",
    linear_queries=section(
        "Theorem 5 of the same paper.",
        people=counts("Numbers of people.", [2, 3, 4]),
        largest_coefficient=count(
            "Every query with whole coefficients from 1 to this is tried.", 4
        ),
        epsilon_bits=many(
            "Budgets of indistinguishability, in bits.", _BITS, [1, 2, 3, 4], different=True
        ),
        random_people=larger_counts("Larger numbers of people, with random queries.", [8, 16]),
        random_queries=count("Number of random queries for each of them.", 50),
    ),
    average=section(
        "The quantized average of people, Figures 7 and 8 of the same paper.",
        people=counts("Numbers of people.", [2, 3, 4, 6, 8, 12, 16], at_least=2),
        epsilon_bits=many(
            "Budgets of indistinguishability, in bits.", _BITS, [1, 2, 3, 4, 5, 6], different=True
        ),
    ),
)

CONTINUOUS_QUERIES = section(
    "Definition 5 for answers that are not quantized.",
    people=counts("Numbers of people.", [2, 3, 4, 8, 100], at_least=2),
)

KEYS = section(
    'Experiments of Farokhi, "Non-Stochastic Hypothesis Testing for Privacy".',
    blurring=BLURRING,
    several_analysts=SEVERAL_ANALYSTS,
    threshold_shapes=THRESHOLD_SHAPES,
    leakage=LEAKAGE,
    hypotheses=HYPOTHESES,
    indistinguishability=INDISTINGUISHABILITY,
    continuous_queries=CONTINUOUS_QUERIES,
)
