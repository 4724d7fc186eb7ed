"""Keys of the section ``data``: the public datasets."""

from noiseless.settings import (
    choice,
    key,
    many,
    path,
    section,
    whole,
)

TIER = choice(
    "sample (synthetic, no network), local (a file you have) or download.",
    ["sample", "local", "download"],
    "download",
)
PATH = path(
    "Tier local only: the file, or the folder that holds it; relative to the working folder.", None
)

YOUNG_PEOPLE = section(
    "The young people survey (weight and height of 980 people).",
    tier=TIER,
    path=PATH,
    sample_rows=whole("Number of respondents of the synthetic survey.", 1010, at_least=50),
)

AUSGRID = section(
    "Ausgrid's solar home electricity data (300 homes, half-hours, three years).",
    tier=TIER,
    path=PATH,
    year=choice(
        "The year to take, 1 July to 30 June. Each year is a file.",
        ["2010-2011", "2011-2012", "2012-2013"],
        "2012-2013",
    ),
    sample_homes=whole("Number of homes of the synthetic year.", 300, at_least=4),
)

LONDON = section(
    "Smart meters in London (5,566 homes, days).",
    tier=TIER,
    path=path(
        "Tier local only: the folder that holds informations_households.csv and, in it or in "
        "its folder daily_dataset, any number of block_N.csv or block_N.csv.gz.",
        None,
    ),
    year=whole(
        "The calendar year to take. Only homes with a reading on each of its days are taken, "
        "and most joined during 2012.",
        2013,
        at_least=2011,
        at_most=2014,
    ),
    tariff=choice(
        "The tariff of the homes to take, standard (Std) or time of use (ToU).",
        ["Std", "ToU"],
        "Std",
    ),
    sample_blocks=whole("Number of synthetic files of 50 homes each.", 8, at_least=1),
)

NYC_TAXI = section(
    "New York City taxi trips with coordinates. Each file is one shard of the work.",
    tier=TIER,
    path=path(
        "Tier local only: a file (CSV, also in gzip or zip, or Parquet), or a folder that "
        "holds nothing else; the files are taken in the order of their names.",
        None,
    ),
    files=many(
        "Tier download only: names of files in sources.yaml. No more is transferred than the "
        "rows that are wanted.",
        {"type": "string"},
        ["nyc_taxi_data_2014.csv"],
        different=True,
    ),
    rows=key(
        "Rows taken of each file, from its beginning; null for all. Rows outside the public "
        "box are among them.",
        1000000,
        type=["integer", "null"],
        minimum=1,
    ),
    sample_rows=whole("Rows of each synthetic file.", 1000000, at_least=1000),
    sample_files=whole("Number of synthetic files.", 1, at_least=1),
)

REDD = section(
    "REDD, the mains and the appliances of a home.",
    tier=TIER,
    path=path(
        "Tier local only: redd.h5, the CSV of minutes of house 1, or the original low_freq "
        "folder; relative to the working folder.",
        None,
    ),
    file=choice(
        "Tier download only: house1_minutes.csv (means of a minute; three of the paper's five"
        " appliances; its digest is known) or redd.h5 (all five; no digest is known, so "
        "claims get no verdict).",
        ["house1_minutes.csv", "redd.h5"],
        "house1_minutes.csv",
    ),
    house=whole("Number of the home, in redd.h5 or low_freq. The paper's is 1.", 1, at_least=1),
    sample_days=whole(
        "Days of the synthetic home, half of them before 30 April 2011.", 24, at_least=6
    ),
    sample_period_s=whole(
        "Seconds between two readings of an appliance of the synthetic home; its mains have a"
        " third of it.",
        6,
        at_least=3,
    ),
)

KEYS = section(
    "Where each dataset comes from.",
    young_people=YOUNG_PEOPLE,
    ausgrid=AUSGRID,
    london=LONDON,
    nyc_taxi=NYC_TAXI,
    redd=REDD,
)
