"""Keys of the section ``noiseless``."""

from noiseless.settings import (
    Schema,
    budget_bits,
    budgets_bits,
    choice,
    count,
    counts,
    day,
    group_sizes,
    interval,
    limited,
    lists_of_counts,
    many,
    pair,
    positive,
    positive_number,
    section,
    whole,
)


def _cells(meaning: str, cells: list[tuple[int, float]]) -> Schema:
    """Cells of Figure 3: homes in an aggregate, and a budget in bits."""
    cell = section(
        "A cell of Figure 3.",
        n=whole("Homes in an aggregate.", at_least=2),
        epsilon_bits=budget_bits("Privacy budget, in bits."),
    )
    return many(meaning, cell, [{"n": n, "epsilon_bits": bits} for n, bits in cells])


def _days(meaning: str, days: list[str]) -> Schema:
    """Two days, as YYYY-MM-DD."""
    return pair(meaning, {"type": "string", "format": "date"}, days)


def _shares(meaning: str, shares: list[float], **sizes: int) -> Schema:
    """Different shares of something, above 0."""
    share = limited("number", above=0, at_most=1)
    return many(meaning, share, shares, different=True, **sizes)


MEMBERSHIP = section(
    "The membership game on Ausgrid's and on London's homes (Section V.A, Figure 3).",
    games=count(
        "Games for each n; the same ones for all budgets. The interval of an advantage is "
        "about 2 / sqrt(games) to either side.",
        20000,
    ),
    n=group_sizes(
        "Numbers of homes in an aggregate. There must be one more in the data.",
        [2, 4, 8, 16, 32, 64, 128],
    ),
    epsilon_bits=budgets_bits(
        "Privacy budgets, in bits. The exact mean, without quantizer, is always added.",
        list(range(1, 11)),
    ),
    resolution=choice(
        "Of Ausgrid's readings, days or half-hours; London's are daily.",
        ["days", "half-hours"],
        "days",
    ),
    public_range_kwh=section(
        "Upper end of the public range [0, x_max] of a home's reading of one day, in kWh, for"
        " each dataset; larger readings are clipped, and a half-hour has a 48th of it. Fixed "
        "without a look at the readings.",
        ausgrid=positive_number(
            "180: ten days of an average home of this network, 18.1 kWh a day (Ausgrid, 2010-11).",
            180,
        ),
        london=positive_number(
            "90: ten days of a typical home, 3,300 kWh a year (Ofgem, factsheet 96 of January "
            "2011).",
            90,
        ),
    ),
    main_fuse_kwh=positive_number(
        "The range that is public beyond doubt, in kWh a day, because a main fuse lets no "
        "more through (100 A at 230 V for 24 hours).",
        552,
    ),
    ranges=section(
        "The advantage against the public range, for the cells of `choices`.",
        kwh=positive(
            "Upper ends of the range of a day's reading, in kWh; public_range_kwh and "
            "main_fuse_kwh are added.",
            [20, 30, 45, 65, 130, 180, 270, 400, 800, 1200, 1800, 2700, 4000],
        ),
        games=count("Games for each cell, the same ones for all ranges.", 8000),
    ),
    pairs=section(
        "The advantage where the adversary selects the two homes, as in the paper's game, "
        "beside homes drawn at random, and the risk of each home.",
        cells=_cells(
            "Homes in an aggregate (fewer than half of the data's homes), and the budget of a "
            "day's report, in bits.",
            [(4, 2), (8, 2), (8, 3)],
        ),
        days=counts("Numbers of consecutive daily reports that the adversary sees.", [1, 30, 365]),
        candidates=whole(
            "Homes at most whose readings the adversary knows and selects from; the time grows "
            "with its square.",
            150,
            at_least=2,
        ),
        draws=whole("Draws of the other homes, from either half of the homes.", 60, at_least=2),
    ),
    coverage=section(
        "How often intervals over games and over homes hold the true advantage, where it is known.",
        cases=many(
            "Homes of a dataset, and homes in an aggregate.",
            section(
                "One of them.",
                homes=whole("Homes of the dataset.", at_least=3),
                n=whole("Homes in an aggregate.", at_least=2),
            ),
            [
                *({"homes": 490, "n": n} for n in (4, 8, 32, 64)),
                *({"homes": 245, "n": n} for n in (16, 32)),
            ],
        ),
        games=count("Games in a repetition.", 1000),
        repetitions=count("Datasets that are drawn for each case.", 400),
        resamples=whole("Of the bootstrap.", 100, at_least=2),
    ),
    quantizer_rule=choice(
        "Levels of the quantizer for a budget: n_2^eps (Theorem 8 for the average of n homes)"
        " or 2^eps (as if one home alone reported).",
        ["n_2^eps", "2^eps"],
        "n_2^eps",
    ),
    peaks=choice(
        "What the adversary counts as a peak, a reading above both neighbours (strict), or "
        "not below either and above one (tolerant).",
        ["strict", "tolerant"],
        "strict",
    ),
    choices=section(
        "The advantage under every combination of what the paper leaves open.",
        cells=_cells("The cells (n, epsilon) of Figure 3 to look at.", [(4, 2), (8, 3)]),
        games=count("Games for each cell and combination.", 20000),
        almost_zero=positive_number(
            'The largest absolute advantage that is taken for "almost zero".', 0.05
        ),
        week_start=day(
            "First day of the week that stands against the whole year, as YYYY-MM-DD.", "2013-03-04"
        ),
    ),
    learned=section(
        "The adversary that is trained on games between other homes, for each n that half of the "
        "homes are enough for.",
        games=whole(
            "Games to train on, and as many to be tested on, for each n.", 4000, at_least=20
        ),
        epsilon_bits=budgets_bits(
            "Privacy budgets, in bits. The exact mean is always added.", [1, 2, 3, 4, 6]
        ),
    ),
)

TRIPS = section(
    "Unique taxi trips (Section V-C, Figures 5 and 6). The figures are about the first file.",
    latitude_range_deg=interval(
        "Public range of latitude, in degrees. Trips with an end outside are counted and excluded.",
        [40.49, 40.92],
    ),
    longitude_range_deg=interval("Public range of longitude, in degrees.", [-74.27, -73.68]),
    epsilon_bits=budgets_bits(
        "Budgets of a place, in bits, at most 31; each coordinate gets floor(2^(epsilon/2)) "
        "bins, and a trip costs 2 epsilon.",
        list(range(1, 31)),
    ),
    k=counts(
        "Sizes of groups: the portion of trips that fewer than k share is counted. Must hold "
        "2, for the unique trips.",
        [2, 5, 10, 50],
        contains={"const": 2},
    ),
    numbers=counts(
        "Uniqueness is also counted among this many trips at the head of the file alone.",
        [10000, 31623, 100000, 316228],
    ),
    paper_trips=count(
        "Number of trips that the paper speaks of. Among fewer trips more are unique, so that "
        "less than nine tenths of these bound the portion from above alone.",
        1000000,
    ),
    map_levels=count("Bins of each coordinate of the map of pickups (Fig. 5).", 512),
    shards_epsilon_bits=budgets_bits(
        "Budgets that are counted over all files together, in bounded memory, and on the disk "
        "beyond.",
        [10, 16, 20],
    ),
    shards_partitions=count(
        "Number of jobs that this count is cut into, by report. One is best on one machine; more "
        "share the work on a cluster.",
        1,
    ),
)

NILM = section(
    "What a quantized meter still says about the appliances (Figure 4).",
    epsilon_bits=budgets_bits(
        "Privacy budgets in bits; the mains get floor(2^epsilon) levels. No quantizer is added.",
        list(range(1, 13)),
    ),
    mains_range_w=interval(
        "Public range of the mains, in W. Values outside are moved to its ends, and counted.",
        [0, 12000],
    ),
    period_s=count("Length of the bins in which readings are averaged, in seconds.", 60),
    quantize=choice(
        "Whether readings are quantized before they are averaged in bins, or the means after it.",
        ["before", "after"],
        "before",
    ),
    train_before=day(
        "First local day of the test data; the days before it are for training.", "2011-04-30"
    ),
    days=_days(
        "First and last local day, those of the training data included.",
        ["2011-04-23", "2011-05-21"],
    ),
    hmm=section(
        "The factorial hidden Markov model.",
        on_states=whole("States of each appliance that is on.", 2, at_least=1, at_most=3),
        other_states=whole(
            "States of the load that no sub-meter sees. Time grows with (on_states + "
            "1)^appliances times this.",
            12,
            at_least=1,
            at_most=20,
        ),
    ),
    learned=section(
        "The classifier on windows of released values.",
        radius=whole("Bins on each side of the one in question.", 10, at_least=0),
        trees=count("Number of trees.", 40),
    ),
    trainings=count(
        "Trainings of combinatorial optimisation, each with other random numbers, which "
        "choose between solutions of its clustering.",
        10,
    ),
    draws=whole(
        "Draws of complete days for the intervals, each with one of the trainings.",
        1000,
        at_least=100,
    ),
    choices=section(
        "What the paper leaves open, one choice at a time from the settings above.",
        epsilon_bits=budgets_bits(
            "Privacy budgets in bits; no quantizer is added.", [1, 2, 3, 4, 5, 6, 8, 10, 12]
        ),
        period_s=counts(
            "Other lengths of a bin, in seconds; those finer than the readings are excluded.",
            [3, 600],
        ),
        range_quantiles=_shares(
            "Upper ends of the public range, as shares of the readings of the mains at or below "
            "them; 1 is their maximum.",
            [1, 0.999],
            minItems=0,
        ),
        days=_days("Another first and last day.", ["2011-04-18", "2011-05-24"]),
        seeds=whole(
            "Trainings of combinatorial optimisation, with other random numbers each.",
            10,
            at_least=2,
        ),
    ),
)

GUARANTEES = section(
    'The guarantees of "Noiseless Privacy", checked on every universe up to a size. '
    "Larger sizes take much longer, by a factor of ten or so for each step.",
    theorems=section(
        'Section II-B, Propositions 1 to 3, Theorems 1 to 3 and 5 to 7 of "Noiseless Privacy".',
        universes=lists_of_counts(
            "Universes whose every map from data sets to outputs is tried; each is a list of the "
            "numbers of possible data of the individuals.",
            [[2, 2], [2, 3], [3, 3], [2, 2, 2], [2, 4]],
        ),
        pair_universes=lists_of_counts(
            "Universes of which all pairs of maps are tried.", [[2, 2], [2, 3]]
        ),
        random_universes=lists_of_counts(
            "Larger universes on which random maps are tried.", [[4, 4], [3, 3, 3]]
        ),
        random_maps=count("Number of random maps on each of them.", 2000),
        relations=lists_of_counts(
            "Numbers of inputs and outputs; every relation of these sizes is tried.",
            [[2, 2], [2, 3], [3, 2], [3, 3], [4, 3]],
        ),
    ),
    estimation=section(
        'Theorem 4 of "Noiseless Privacy".',
        cells=counts(
            "Numbers of cells of one person's range; every mechanism and prior on them is tried.",
            [2, 3, 4],
        ),
        other_widths=positive(
            "Widths of another person's range, in the unit of the first one's range.",
            [1, 0.1, 0.01],
        ),
        shares_left=_shares(
            "The part of one person's range that another's data leave open; 1 for unrelated "
            "people.",
            [1, 0.25],
        ),
    ),
    levels=section(
        'Theorem 8 of "Noiseless Privacy".',
        people=counts("Numbers of people whose data are averaged.", [1, 2, 4, 8, 16, 32, 64, 128]),
        epsilon_bits=budgets_bits("Privacy budgets, in bits.", [1, 1.5, 2, 3, 4, 5, 6, 7, 8]),
    ),
)

PREMISES = section(
    'What the statements of "Noiseless Privacy" presuppose without saying so, and what '
    "becomes of them without it.",
    related=section(
        "Theorems 1, 2, 3 and 5 where the individuals' data are related.",
        universes=lists_of_counts(
            "Universes of which every map is tried on every range of data sets; each is a list of"
            " the numbers of possible data of the individuals.",
            [[2, 2], [2, 3]],
        ),
    ),
    units=section(
        "Proposition 1 for a continuous X.",
        cells=counts(
            "Numbers of equal cells of the range of X; every map of the cells is tried.",
            [2, 3, 4, 5, 6, 7],
        ),
    ),
    sensitivity=section(
        "The two forms of the sensitivity in Theorem 8, for the average of people with "
        "finitely many data.",
        data=group_sizes(
            "Numbers of data that a person can have, equally far apart.", [2, 3, 5, 9]
        ),
        people=counts("Numbers of people whose data are averaged.", [1, 2, 4, 8]),
        epsilon_bits=budgets_bits("Privacy budgets, in bits.", [0.5, 1, 1.5, 2, 3]),
    ),
)

KEYS = section(
    'Experiments of Farokhi, "Noiseless Privacy".',
    membership=MEMBERSHIP,
    trips=TRIPS,
    nilm=NILM,
    guarantees=GUARANTEES,
    premises=PREMISES,
)
