"""Keys of the section ``deterministic``."""

from noiseless.settings import (
    count,
    counts,
    group_sizes,
    interval,
    key,
    limited,
    lists_of_counts,
    many,
    number,
    positive,
    positive_number,
    section,
    whole,
)

K_ANONYMITY = section(
    "k-anonymity of the young people survey, and the homogeneity attack on it (Proposition V.1).",
    k=group_sizes("Sizes k of the smallest class.", list(range(2, 51))),
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
    random_relations=count("Number of larger random relations.", 2000),
    random_size=count("Values of X and of Y that these may have.", 12),
    largest_map=whole(
        "Values of X in the largest universe whose every report and processing is tried.",
        7,
        at_least=2,
    ),
    interval_cells=count(
        "Largest number of cells of an interval whose every grouping is tried.", 7
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
            [each / 100 for each in range(25, 501, 5)],
        ),
    ),
    regions=section(
        "The regions of the optimal policies (Example IV.1, Figures 1 and 2).",
        accuracy=positive_number("The accuracy gamma.", 2),
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
        levels=count("Largest number of levels of the quantizer.", 30),
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
