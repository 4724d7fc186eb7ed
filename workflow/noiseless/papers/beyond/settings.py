"""Keys of the section ``beyond``."""

from noiseless.settings import (
    budgets_bits,
    counts,
    group_sizes,
    limited,
    many,
    number,
    positive,
    probability,
    section,
    whole,
)

COMPARISON = section(
    "The same adversaries against every mechanism, each set so that the user of the data "
    "suffers the same error. A target that a mechanism cannot make is excluded, and "
    "counted.",
    delta=probability(
        "Probability delta for which the epsilon of the Gaussian mechanism is stated.", 1e-05
    ),
    tolerance=number(
        "How far the error of a quantizer, whose levels are whole numbers, may be from a "
        "target, as a share of it.",
        0.1,
        above=0,
        below=1,
    ),
    homes=section(
        "The membership game on the daily energy of Ausgrid's and of London's homes. The "
        "public range is that of noiseless.membership.",
        games=whole(
            "Games for each n, between the half of the homes that training has not seen; the same"
            " ones for all mechanisms.",
            2000,
            at_least=1,
        ),
        training_games=whole(
            "Games between the other half that the learned adversary is trained on, for each "
            "mechanism and error anew.",
            4000,
            at_least=20,
        ),
        n=group_sizes(
            "Numbers of homes in an aggregate. The data must have at least 2 (n + 1) homes.",
            [4, 16],
        ),
        target_error_kwh=positive(
            "Errors (root mean square) of a reader of the mean of n homes on a day, in kWh.",
            [0.1, 0.2, 0.5, 1, 1.5, 2, 2.5, 3, 4, 5],
        ),
    ),
    meter=section(
        "The appliances of a home of REDD. Range, bins, days and models are those of "
        "noiseless.nilm.",
        target_error_share=positive(
            "Errors, root mean squares of what the energy of an hour is off, as shares of the "
            "mean energy of an hour.",
            [0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2],
        ),
        adversaries=many(
            "Such as combinatorial optimisation (co), a hidden Markov model (hmm), trees on "
            "windows (learned). Those of plugins always take part.",
            {"type": "string"},
            ["co", "hmm", "learned"],
            different=True,
        ),
    ),
    trips=section(
        "Linking a report to one of N people whose taxi trips are known. The public box is "
        "that of noiseless.trips.",
        reports=whole("Reports to be linked, each to people of its own.", 10000, at_least=1),
        people=group_sizes(
            "Numbers N of people whose trips the adversary knows, no more than there are trips.",
            [10, 1000],
        ),
        target_error_m=positive(
            "Errors, mean distances of a reported from the true place, in m.",
            [50, 100, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000, 10000, 20000, 50000],
        ),
    ),
)

ADVERSARIES = section(
    "The membership game on days, against adversaries who know the mechanism, and other "
    "homes or what homes are like. Games are played within either half of the homes; the "
    "other half tells what homes are like.",
    games=whole(
        "Games for each n; the same ones for all budgets and numbers of reports. The interval"
        " of an advantage is about 2 / sqrt(games) to either side.",
        1000,
        at_least=2,
    ),
    n=group_sizes(
        "Numbers of homes in an aggregate. Half of the homes in the data must be one more.",
        [4, 8, 32, 128],
    ),
    epsilon_bits=budgets_bits(
        "Privacy budgets of one day's report, in bits. The exact mean, without quantizer, is "
        "always added.",
        [1, 2, 3, 4, 6],
    ),
    days=counts(
        "Numbers of consecutive daily reports that the adversaries see together.", [1, 7, 30, 365]
    ),
    shown_epsilon_bits=number(
        "The figure shows the advantage against the number of reports for the budget nearest "
        "to this, in bits.",
        2,
        above=0,
    ),
    known_shares=many(
        "Shares of the other n - 1 homes whose readings an adversary knows, rounded down to "
        "whole homes. Must hold 0; the adversary who knows all others is always added.",
        limited("number", at_least=0, below=1),
        [0, 0.5, 0.9],
        maxItems=4,
        contains={"const": 0},
        different=True,
    ),
)

KEYS = section(
    "What goes beyond the papers.",
    comparison=COMPARISON,
    adversaries=ADVERSARIES,
)
