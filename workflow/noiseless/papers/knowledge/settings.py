"""Keys of the section ``knowledge``."""

from typing import Any

from noiseless.settings import (
    REQUIRED,
    Schema,
    choice,
    count,
    counts,
    interval,
    key,
    limited,
    many,
    number,
    positive,
    positive_number,
    probability,
    section,
    whole,
)


def ldp_guarantee(default: float) -> Schema:
    """The key of the guarantee of each query of an experiment."""
    return number(
        "LDP guarantee of each query, in nats; at most 30, beyond which one bit cannot keep "
        "both answers possible.",
        default,
        above=0,
        at_most=30,
    )


def tolerance(default: float) -> Schema:
    """The key of the certified solver's tolerance."""
    return positive_number("Largest distance of the certified bounds of a loss, in nats.", default)


def node_limit(default: int) -> Schema:
    """The key of the certified solver's limit of work."""
    meaning = "Most relaxations for either extreme of a likelihood; the bounds hold however few."
    return count(meaning, default)


def groups(default: Any = REQUIRED) -> Schema:
    """Sizes of the groups of Appendix C."""
    meaning = "Queries in a group of Appendix C; 0 for no groups."
    return many(meaning, limited("integer", at_least=0), default, different=True)


def coefficients(default: list[float]) -> Schema:
    """The key of the coefficients of a regression of Table I."""
    meaning = "Coefficients of age, sex, blood pressure and BMI, then the intercept."
    return many(meaning, limited("number"), default, minItems=5, maxItems=5)


def checkup_ranges(
    meaning: str, age: list[float], blood_pressure: list[float], bmi: list[float]
) -> Schema:
    """The section of the ranges of a person's health checkup."""
    return section(
        meaning,
        age_years=interval("Age, in years.", age),
        sex=interval("0 female, 1 male.", [0, 1]),
        blood_pressure_mmhg=interval("Blood pressure, in mmHg.", blood_pressure),
        bmi_kg_m2=interval("Body mass index, in kg/m2.", bmi),
    )


LDP_RESPONSE = number("LDP guarantee of each response, in nats.", above=0, at_most=30)
BUDGET = positive_number("Budget, in nats.")

COMPOSITION = section(
    "Random regressions against one object until its filter rejects one (Sections 6.1 and"
    " 6.2, Figure 1).",
    dimensions=count(
        "Coordinates of the object, each in [-1, 1]. Without groups, linear regressions are "
        "exact up to 20; above it branch and bound meets the node limit, and less is "
        "accepted.",
        9,
    ),
    parameter_range=section(
        "The range r of the regressions' parameters, drawn from U[-r, r].",
        linear=positive_number(
            "Of linear regressions (whose parameters are then scaled to an L1 norm of 1).", 1
        ),
        logistic=positive_number("Of logistic regressions.", 10),
    ),
    epsilon_nats=ldp_guarantee(0.1),
    budgets_nats=positive(
        "Privacy budgets of the object, in nats.",
        [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0],
    ),
    groups=groups([10, 0]),
    runs=counts(
        "Numbers of runs to summarise; a smaller number is the first runs of a larger one.",
        [50, 500],
    ),
    shown_runs=count("Runs whose losses are kept query by query, for Fig. 1a and 1c.", 10),
    tolerance=tolerance(0.001),
    node_limit=node_limit(20000),
)

GROUPING = section(
    "What Appendix C groups, the maximum of the likelihood, its minimum, both or neither;"
    " the rest is as in composition.",
    size=count("Queries in a group; must be among the groups of composition, as must 0.", 10),
    printed_runs=whole(
        "Runs that the paper's medians are of; intervals hold the median of as many other runs.",
        50,
        at_least=9,
    ),
    printed=section(
        "The paper's medians at the largest budget, which the figure shows.",
        linear=number("Of linear regressions.", 47),
        logistic=number("Of logistic regressions.", 21),
    ),
    index_queries=counts(
        "Numbers of queries whose groups by Equation 26 are listed.", [5, 10, 11, 20, 47]
    ),
)

BASELINES = section(
    "Accounting that does not look at outputs, beside the filters of Figure 1.",
    delta=probability(
        "Probability with which the baselines may fail (a probability, no unit).", 1e-05
    ),
)

SCAN = section(
    "The same with other set-ups, in search of the printed medians; epsilon and the "
    "largest budget are those of composition.",
    setups=many(
        "Regressions, each with lists of dimensions, parameter ranges and group sizes (0 for "
        "no groups); the product of the lists is scanned.",
        section(
            "One of them.",
            regression=choice("Which regression.", ["linear", "logistic"]),
            dimensions=counts("Numbers of parameters."),
            parameter_range=positive("Largest sizes of a parameter."),
            groups=groups(),
        ),
        [
            {
                "regression": "linear",
                "dimensions": [1, 2, 3, 5, 7, 9, 12],
                "parameter_range": [1],
                "groups": [10, 20, 0],
            },
            {
                "regression": "logistic",
                "dimensions": [1, 2, 3, 5, 9],
                "parameter_range": [10],
                "groups": [10],
            },
            {
                "regression": "logistic",
                "dimensions": [9],
                "parameter_range": [0.5, 1, 1.5, 2, 5],
                "groups": [10],
            },
        ],
    ),
    runs=count(
        "Runs of each set-up. With fewer than nine the median has no interval, and no claim "
        "that is judged by one holds.",
        50,
    ),
    tolerance=tolerance(0.01),
    node_limit=node_limit(2000),
)

COST = section(
    "How many relaxations the certified solver needs for random logistic queries, as in "
    "composition.",
    queries=counts("Numbers of queries.", [2, 4, 6, 8, 10, 12, 16, 20]),
    dimensions=counts("Numbers of coordinates of the object.", [2, 4, 9, 15, 20, 30]),
    tolerance=tolerance(0.001),
    node_limit=node_limit(2000),
    problems=count("Random problems for each pair of them.", 15),
)

HEALTH = section(
    "Four regressions on a health checkup (Section 6.3, Appendix E).",
    regressions=section(
        "Table I; for each regression the coefficients of age (years), sex (0 female, 1 "
        "male), blood pressure (mmHg) and BMI (kg/m2), then the intercept.",
        heart=coefficients([-0.059, -1.456, -0.0134, 0, 6.177]),
        stroke=coefficients([0.0761, 0.0952, 0, 0.0163, -7.989]),
        diabetes=coefficients([0.0491, 0, -0.0091, 0.1039, -5.07]),
        sleep=coefficients([0.0855, 0.4617, -0.07, 0, 12.323]),
    ),
    sleep_range_h=interval("Interval to which sleep is truncated, in hours.", [0, 12]),
    categories=key(
        "All values of those of the ranges' coordinates that take only finitely many, such as"
        " sex, 0 (female) or 1 (male).",
        {"sex": [0, 1]},
        type="object",
        propertyNames={"enum": ["age_years", "sex", "blood_pressure_mmhg", "bmi_kg_m2"]},
        additionalProperties={"type": "array", "minItems": 2, "items": {"type": "number"}},
    ),
    ranges=checkup_ranges("Public ranges of a person.", [10, 100], [50, 200], [10, 50]),
    epsilon_nats=ldp_guarantee(1.0),
    tolerance=tolerance(1e-06),
    adults=checkup_ranges(
        "Ranges of adults of plausible blood pressure and BMI, for the share of the budget "
        "that they spend.",
        [18, 80],
        [90, 180],
        [17, 40],
    ),
    truncated_epsilons_nats=positive(
        "Guarantees for which the functions of Section 5.3.2 are tried.", [1, 2]
    ),
    people=many(
        "The mock people; age, sex, blood pressure, BMI.",
        {"type": "array", "minItems": 4, "maxItems": 4, "items": limited("number")},
        [[34, 0, 110, 18], [52, 1, 140, 23]],
    ),
    grid_points=whole(
        "Points along each axis of a grid of people, over which the median loss of a person "
        "is least and largest.",
        21,
        at_least=2,
    ),
)

THEORY = section(
    "Lemmas, definitions and algorithms, checked on small random cases.",
    mechanisms=count("Random finite mechanisms.", 2000),
    beliefs=count("Random beliefs for each mechanism and output.", 20),
    estimator=section(
        "Cases of the mean estimator.",
        intervals=many(
            "Intervals [a, b] of responses.",
            {"type": "array", "minItems": 2, "maxItems": 2, "items": limited("number")},
            [[0, 1], [2, 6], [-1, 1], [0, 12]],
        ),
        shares=many(
            "Where in the interval the true mean is, from 0 (a) to 1 (b).",
            limited("number", at_least=0, at_most=1),
            [0, 0.25, 0.5, 1],
        ),
        epsilon_nats=ldp_guarantee(1.0),
    ),
    line_15=section(
        "Algorithm 4 with its line 15 as printed and corrected.",
        budgets_nats=positive("Privacy budgets, in nats.", [0.5, 0.8, 1.0, 2.0]),
        delta=probability("Of the (epsilon, delta) guarantee.", 1e-05),
        queries=count("Most queries of a run.", 20),
        runs=count("Runs for each budget.", 200),
    ),
    algorithm6=section(
        "Algorithm 6 as printed and repaired, on random logistic queries.",
        queries=count("Queries of a problem.", 3),
        dimensions=count("Coordinates of the object.", 2),
        problems=count("Problems.", 5),
        epsilon_nats=positive_number("Epsilon of each query, in nats.", 0.5),
        delta=positive_number("The algorithm's tolerance, in nats.", 0.01),
    ),
)

LARGEST_FILTER = section(
    "Every filter of small interactions, and a last query that reaches the budget.",
    interactions=count("Random pools of queries and budgets.", 40),
    streams=many(
        "Streams of equal randomized responses.",
        section("One of them.", epsilon_nats=LDP_RESPONSE, budget_nats=BUDGET),
        [
            {"epsilon_nats": 0.4, "budget_nats": 0.5},
            {"epsilon_nats": 0.4, "budget_nats": 1.0},
            {"epsilon_nats": 0.3, "budget_nats": 1.0},
        ],
    ),
    queries=whole("Most queries of a transcript.", 8, at_least=1, at_most=12),
)

INTERACTIONS = section(
    "Filters and odometers against adversaries who choose, in exact fractions (Section 4).",
    interactions=count("Random pools of queries, budgets and adversaries.", 20),
    depth=whole("Most queries of a transcript.", 3, at_least=1, at_most=3),
    values=many(
        "Numbers of values of the object whose queries are enumerated (Section 4.2).",
        limited("integer", at_least=2, at_most=3),
        [2, 3],
    ),
    parts=whole(
        "Their probabilities are positive multiples of one over this.", 6, at_least=3, at_most=7
    ),
    output_independent=many(
        "Budgets and deltas of the output-independent filter (Section 4.3).",
        section("One of them.", budget_nats=BUDGET, delta=probability("Delta, a probability.")),
        [{"budget_nats": 5, "delta": 1e-05}, {"budget_nats": 10, "delta": 1e-06}],
    ),
    epsilon_nats=ldp_guarantee(0.1),
    bits=whole(
        "Up to as many bits the losses of all sequences of answers are enumerated.",
        6,
        at_least=1,
        at_most=8,
    ),
)

SURVEY = section(
    "People of the young people survey answer a stream of regressions under a filter.",
    ranges=section(
        "Public ranges of a person. A record outside is an error.",
        age_years=interval("Age, in years.", [15, 30]),
        sex=interval("0 female, 1 male.", [0, 1]),
        weight_kg=interval("Weight, in kg.", [0, 200]),
        height_cm=interval("Height, in cm.", [0, 250]),
    ),
    most_people=count(
        "Ask this many people, drawn at random; everybody where there are fewer.", 2000
    ),
    queries=count("Length of the stream; linear and logistic in turn.", 12),
    logistic_range=positive_number(
        "Parameters of logistic regressions are drawn from U[-r, r], on coordinates scaled to"
        " [-1, 1].",
        3,
    ),
    epsilon_nats=ldp_guarantee(1.0),
    budget_nats=positive_number("Privacy budget of each person, in nats.", 4.0),
    tolerance=tolerance(0.02),
)

_ADVERSARIES = [
    {"budget_nats": 0.7, "delta": 0.05, "epsilon_nats": [0.1, 0.5, 0.7], "values": 2, "depth": 4},
    {"budget_nats": 1.0, "delta": 0.2, "epsilon_nats": [0.5], "values": 2, "depth": 6},
    {"budget_nats": 1.0, "delta": 0.5, "epsilon_nats": [0.25, 0.5], "values": 2, "depth": 6},
    {"budget_nats": 0.5, "delta": 0.1, "epsilon_nats": [0.25, 0.5], "values": 3, "depth": 4},
]

OUTPUT_DEPENDENT = section(
    "A filter of Definition 4.6 that spends delta where outputs are unlucky.",
    adversaries=many(
        "Filters against every adaptive adversary.",
        section(
            "One of them.",
            budget_nats=positive_number("Budget epsilon_g, in nats."),
            delta=probability("Budget delta."),
            epsilon_nats=many(
                "LDP guarantees of the queries to choose from, in nats.",
                limited("number", above=0, at_most=30),
                different=True,
            ),
            values=whole("Values of the object.", at_least=2, at_most=3),
            depth=whole("Most queries that are asked.", at_least=1, at_most=10),
        ),
        _ADVERSARIES,
    ),
    answers=many(
        "Streams of equal randomized responses about one bit.",
        section(
            "One of them.",
            budget_nats=positive_number("Budget epsilon_g, in nats."),
            delta=probability("Budget delta."),
            epsilon_nats=LDP_RESPONSE,
        ),
        [
            {"budget_nats": 1.0, "delta": 0.05, "epsilon_nats": 0.1},
            {"budget_nats": 1.0, "delta": 1e-5, "epsilon_nats": 0.1},
            {"budget_nats": 2.0, "delta": 0.05, "epsilon_nats": 0.5},
        ],
    ),
    runs=count("Streams of random answers.", 100),
    most_answers=count("Where a stream ends at the latest.", 300),
)

KEYS = section(
    'Experiments of Pan, "Actual Knowledge Gain as Privacy Loss in Local Privacy Accounting".',
    composition=COMPOSITION,
    grouping=GROUPING,
    baselines=BASELINES,
    scan=SCAN,
    cost=COST,
    health=HEALTH,
    theory=THEORY,
    interactions=INTERACTIONS,
    largest_filter=LARGEST_FILTER,
    output_dependent=OUTPUT_DEPENDENT,
    survey=SURVEY,
)
