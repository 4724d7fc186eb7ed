"""Keys of the section ``deterministic``."""

from noiseless.settings import (
    counts,
    interval,
    key,
    limited,
    lists_of_counts,
    many,
    number,
    positive,
    section,
    whole,
)

K_ANONYMITY = section(
    "k-anonymity of the young people survey, and the homogeneity attack on it (Proposition V.1).",
    k=many(
        "Sizes k of the smallest class.",
        limited("integer", at_least=2),
        list(range(2, 51)),
        different=True,
    ),
    numeric=key(
        "Numeric quasi-identifiers (columns of the prepared survey), each with its public "
        "range and the numbers of levels to choose from.",
        {
            "age_years": {"range": [15, 30], "levels": [1, 3, 5, 15]},
            "height_cm": {"range": [0, 250], "levels": [1, 10, 25, 50]},
            "weight_kg": {"range": [0, 200], "levels": [1, 8, 20, 40]},
        },
        type="object",
        minProperties=1,
        additionalProperties=section(
            "A quasi-identifier that is a number.",
            range=interval("Its public range."),
            levels=counts("Numbers of levels to try."),
        ),
    ),
    categorical=many(
        "Quasi-identifiers that are released as they are.",
        {"type": "string"},
        ["gender"],
        different=True,
        minItems=0,
    ),
    sensitive=many(
        "Questions of the survey whose answers are attacked.",
        {"type": "string"},
        ["Alcohol", "Smoking", "Education", "Left - right handed"],
        different=True,
    ),
    most_excluded_share=number(
        "Largest share of people that the release may exclude.", 0.05, at_least=0, below=1
    ),
)

THEOREMS = section(
    "Theorems II.1 to IV.3 of the paper on deterministic policies, and the symmetry of "
    "maximin information.",
    relations=lists_of_counts(
        "Numbers of values of X and of Y; every relation of these sizes is tried.",
        [[2, 2], [3, 3], [3, 4], [4, 3]],
    ),
    random_relations=whole("Number of larger random relations.", 2000, at_least=1),
    random_size=whole("Values of X and of Y that these may have.", 12, at_least=1),
    largest_map=whole(
        "Values of X in the largest universe whose every report and processing is tried.",
        7,
        at_least=2,
    ),
    interval_cells=whole(
        "Largest number of cells of an interval whose every grouping is tried.", 7, at_least=1
    ),
    grids=lists_of_counts(
        "Unit cells along each of two or more dimensions; every grouping of them is tried.",
        [[2, 3], [2, 4], [3, 3], [2, 2, 2]],
    ),
    partition_cells=whole(
        "Largest number of cells of the output range in the search for a better policy than "
        "the quantizer.",
        8,
        at_least=2,
    ),
    half_widths=positive(
        "Errors 1/gamma allowed in that search, in cells.", [0.5, 0.75, 1, 1.5, 2]
    ),
    sloped_cells=whole(
        "Largest number of cells on each of which a policy is constant or slopes; every such "
        "policy is tried.",
        3,
        at_least=1,
        at_most=3,
    ),
    volume_cells=whole(
        "Largest number of cells of the output range in the search for a less leaking policy "
        "than bins; all volumes of the cells from 1 to 3 are tried.",
        5,
        at_least=2,
        at_most=6,
    ),
)

POLICIES = section(
    "Best quantizers for the average of two numbers (with its regions), for heights, and "
    "for two outputs.",
    averaging=section(
        "The average of two numbers in [-2, 2] (Example IV.1, Figure 3).",
        accuracy=positive(
            "Accuracies gamma; the reported average is off by at most 1/gamma.",
            [
                0.25,
                0.3,
                0.35,
                0.4,
                0.45,
                0.5,
                0.55,
                0.6,
                0.65,
                0.7,
                0.75,
                0.8,
                0.85,
                0.9,
                0.95,
                1,
                1.05,
                1.1,
                1.15,
                1.2,
                1.25,
                1.3,
                1.35,
                1.4,
                1.45,
                1.5,
                1.55,
                1.6,
                1.65,
                1.7,
                1.75,
                1.8,
                1.85,
                1.9,
                1.95,
                2,
                2.05,
                2.1,
                2.15,
                2.2,
                2.25,
                2.3,
                2.35,
                2.4,
                2.45,
                2.5,
                2.55,
                2.6,
                2.65,
                2.7,
                2.75,
                2.8,
                2.85,
                2.9,
                2.95,
                3,
                3.05,
                3.1,
                3.15,
                3.2,
                3.25,
                3.3,
                3.35,
                3.4,
                3.45,
                3.5,
                3.55,
                3.6,
                3.65,
                3.7,
                3.75,
                3.8,
                3.85,
                3.9,
                3.95,
                4,
                4.05,
                4.1,
                4.15,
                4.2,
                4.25,
                4.3,
                4.35,
                4.4,
                4.45,
                4.5,
                4.55,
                4.6,
                4.65,
                4.7,
                4.75,
                4.8,
                4.85,
                4.9,
                4.95,
                5,
            ],
        ),
    ),
    regions=section(
        "The regions of the optimal policies (Example IV.1, Figures 1 and 2).",
        accuracy=number("The accuracy gamma.", 2, above=0),
        lattice=whole(
            "Points along each axis on which the pieces of a level set are counted.",
            1601,
            at_least=401,
        ),
    ),
    raster_lattice=whole(
        "Points along each axis with which the regions are drawn.", 300, at_least=2
    ),
    heights=section(
        "The average of heights (Example IV.2).",
        people=counts("Numbers of people.", [1, 2, 3, 5]),
        levels=whole("Largest number of levels of the quantizer.", 30, at_least=1),
        height_range_cm=interval("Public range of a height, in cm.", [100, 250]),
    ),
    two_outputs=section(
        "Policies for queries of two outputs, against what any policy needs.",
        sides=many(
            "Lengths of the ranges of both outputs, in the unit of the outputs.",
            {"type": "array", "minItems": 2, "maxItems": 2, "items": limited("number", above=0)},
            [[1, 1], [2, 1], [10, 1]],
            different=True,
        ),
        accuracy=positive(
            "Accuracies gamma; the reported pair is off by at most 1/gamma.",
            [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64],
        ),
    ),
)

KEYS = section(
    'Experiments of Farokhi, "Development and Analysis of Deterministic Privacy-'
    'Preserving Policies".',
    k_anonymity=K_ANONYMITY,
    theorems=THEOREMS,
    policies=POLICIES,
)
