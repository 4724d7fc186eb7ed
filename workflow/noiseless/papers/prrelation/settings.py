"""Keys of the section ``prrelation``."""

from noiseless.settings import (
    Schema,
    count,
    grid,
    interval,
    limited,
    many,
    number,
    positive,
    positive_number,
    probabilities,
    probability,
    section,
    whole,
)


def side_knowledge(meaning: str, rho_p: float, rho_c: float, rho_t: float) -> Schema:
    """What an adversary knows beforehand: coefficients from 0, for nothing, to less than 1."""
    return section(
        meaning,
        rho_p=number(
            "Coefficient of the prior, 1 - min P(d_i1)/P(d_i2); 0 is a uniform prior.",
            rho_p,
            at_least=0,
            below=1,
        ),
        rho_c=number("Coefficient of record correlation.", rho_c, at_least=0, below=1),
        rho_t=number("Coefficient of temporal correlation.", rho_t, at_least=0, below=1),
    )


KNOWLEDGE = section(
    "What the adversary knows of a record before the answer, in four steps (Section 5).",
    none=side_knowledge("No side knowledge (Figures 3, 4).", 0, 0, 0),
    prior=side_knowledge("The prior of the record (Figure 5).", 0.2, 0, 0),
    records=side_knowledge("Also correlated records (Figure 6).", 0.2, 0.1, 0),
    time=side_knowledge("Also earlier values (Figure 7).", 0.2, 0.1, 0.1),
)

CURVES = section(
    "Precision against recall (Figures 3a, 4, 5b, 6b, 7b).",
    epsilon_nats=positive("Budgets epsilon, one curve each.", [0.01, 0.1, 0.4, 0.7, 1, 2, 5]),
    delta=probability(
        "Delta of the Gaussian curves of Fig. 4a, of the Gaussian F-scores, and of the chosen"
        " epsilons.",
        1e-05,
    ),
    gaussian_epsilon_nats=positive_number("Budget epsilon of Fig. 4b.", 1),
    deltas=probabilities(
        "Deltas of Fig. 4b and of the comparison of calibrations.",
        [1e-06, 1e-05, 0.0001, 0.001, 0.01],
    ),
    points=whole("Points of each curve.", 401, at_least=2),
)

F_SCORE = section(
    "The adversary's best F-score (Figures 3b, 8).",
    epsilon_nats=grid("Budgets epsilon.", 0.01, 10, 121),
    beta=positive(
        "Weights of recall beside precision; also of Table 1 and of the chosen epsilons.",
        [0.5, 0.6, 0.8, 1, 1.5, 2],
    ),
)

MONTE_CARLO = section(
    "Adversaries who run the test on noisy answers of queries on the survey.",
    answers=whole("Noisy answers in each cell.", 1000000, at_least=1000),
    confidence=probability(
        "Probability that all intervals of a table hold their true values together.", 0.99
    ),
    false_alarm=probabilities(
        "False alarm rates that the adversary sets the threshold for, one marker of a curve each.",
        [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9],
    ),
    weight_range_kg=interval(
        "Public range of weight, in kg. A record outside is an error.", [0, 200]
    ),
)

CALIBRATION = section(
    "Classical, printed and analytic Gaussian side by side.",
    epsilon_nats=positive("Budgets epsilon.", [0.01, 0.1, 0.4, 0.7, 1, 2, 5, 10]),
)

VECTOR = section(
    "Vectors of Laplace answers (Theorem 4).",
    queries=many(
        "Numbers in an answer.",
        limited("integer", at_least=1, at_most=16),
        [1, 2, 3, 4, 8],
        different=True,
    ),
    epsilon_nats=positive("Budgets epsilon of each number.", [0.1, 0.5, 1, 2]),
)

CHOICE = section(
    "The largest epsilon that keeps a bound of the F-score (Table 1, and beyond).",
    f_score=positive(
        "Bounds of the F-score in Table 1; the comparison of mechanisms has them, too.",
        [0.55, 0.58, 0.62, 0.67, 0.76, 0.83, 0.9, 0.95],
    ),
    bounds=grid("More bounds for the comparison of mechanisms.", 0.56, 0.99, 53),
)

MEANING = section(
    "What an epsilon means for a person, by the best adversary of several answers.",
    epsilon_nats=grid("Budgets of each answer, in nats.", 0.01, 10, 31),
    answers=many(
        "Numbers of answers, each with noise of its own.",
        limited("integer", at_least=1, at_most=10000),
        [1, 10, 100],
    ),
    prior=many(
        "Probabilities, before the answers, that the person is in the data.",
        limited("number", above=0, below=1),
        [0.01, 0.1, 0.5],
    ),
)

NOTIONS = section(
    "Enumeration of small databases for the ordering of privacy notions (Theorem 7).",
    prior_parts=whole(
        "Probabilities of two records' joint values are multiples of one over this. 6 is the "
        "first that has both independent and correlated records for which every database is "
        "possible.",
        6,
        at_least=2,
        at_most=8,
    ),
    answer_levels=whole(
        "Number of probabilities that a mechanism can answer yes with; the work grows with "
        "its eighth power.",
        3,
        at_least=2,
        at_most=3,
    ),
)

TESTING = section(
    "Which test is best, and what it says about epsilon (Theorems 2 and 3, Corollary 1, "
    "Sections 5.1 to 5.3.1).",
    optimality=section(
        "Enumeration of all tests of small mechanisms (Theorem 2, Corollary 1).",
        outputs=whole("Outputs of a mechanism.", 3, at_least=2, at_most=4),
        parts=whole(
            "Without correlation, probabilities of the outputs are positive multiples of one over"
            " this.",
            7,
            at_least=3,
            at_most=9,
        ),
        prior_parts=whole(
            "Two records' joint probabilities are positive multiples of one over this.",
            5,
            at_least=4,
            at_most=7,
        ),
        mechanism_parts=whole(
            "With correlation, probabilities of the outputs are positive multiples of one over "
            "this.",
            4,
            at_least=3,
            at_most=5,
        ),
    ),
    bins=whole("Bins of the answer, for the most powerful test of Theorem 3.", 400, at_least=10),
    points=whole(
        "Ends of the intervals that a realistic adversary accepts (Section 5.3.1).", 61, at_least=3
    ),
    coefficient_parts=whole(
        "The coefficients rho are multiples of one over this.", 10, at_least=2, at_most=20
    ),
    joint_parts=whole(
        "Joint probabilities of two records, for Equation 20, are positive multiples of one "
        "over this.",
        12,
        at_least=5,
        at_most=40,
    ),
)

WORTH = section(
    "What knowing the odds is worth in one world, beside what other odds do (Figures 5b to 8).",
    recalls=count("Recalls at which the precision of two adversaries is compared.", 9),
)

APPENDIX = section(
    "The equations of the appendix (26 to 32) against what they are equations of.",
    epsilon_nats=positive("Budgets epsilon.", [0.1, 0.4, 1, 2, 5]),
    sensitivities=positive("Sensitivities Delta Q, in the unit of the answer.", [1, 0.2]),
    points=whole("Thresholds, or answers, at which an equation is tried.", 21, at_least=3),
)

KEYS = section(
    'Experiments of Liu et al., "Investigating Statistical Privacy Frameworks from the '
    'Perspective of Hypothesis Testing".',
    knowledge=KNOWLEDGE,
    curves=CURVES,
    f_score=F_SCORE,
    monte_carlo=MONTE_CARLO,
    calibration=CALIBRATION,
    vector=VECTOR,
    choice=CHOICE,
    meaning=MEANING,
    notions=NOTIONS,
    testing=TESTING,
    appendix=APPENDIX,
    worth=WORTH,
)
