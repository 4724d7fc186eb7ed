"""Keys of the section ``data``: the public datasets, and those of the user's."""

from noiseless.settings import (
    OPTIONAL,
    REQUIRED,
    Schema,
    choice,
    flag,
    grid,
    interval,
    key,
    limited,
    many,
    number,
    optional,
    pair,
    path,
    positive,
    section,
    text,
    text_or_none,
    whole,
)
from noiseless.settings import day as calendar_day

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

TIME_FORMAT = text_or_none(
    "How times are written: unix_s for seconds since 1970, or a format such as %d/%m/%Y %H:%M. "
    "The default is ISO 8601, such as 2013-01-31 00:30, 2013-01-31T00:30:00Z or 2013-01-31.",
    OPTIONAL,
)
# How a CSV file is written.
_FORM = {
    "separator": text(
        "What stands between two cells of CSV. The default is a comma.",
        OPTIONAL,
        format="separator",
    ),
    "decimal": choice(
        "What stands before the decimals of a number in CSV. The default is a point.",
        [".", ","],
        OPTIONAL,
    ),
    "encoding": choice(
        "How the letters of a CSV file are written. The default is utf-8.",
        ["utf-8", "windows-1252"],
        OPTIONAL,
    ),
}


def own_number(meaning: str) -> Schema:
    """A number of each person."""
    return section(
        meaning,
        column=text("What the file calls it."),
        unit=text("Its unit, for the names of columns and the labels of axes.", minLength=1),
        range=interval("Its public range. A number outside is an error."),
    )


OWN_METERS = section(
    "Readings of meters for the membership game.",
    columns=optional(
        section(
            "What the file calls its columns. NEM12 files need none.",
            home=text(
                "Which home or meter. Without it, each file of a folder is a home.", OPTIONAL
            ),
            time=text(
                "When the interval begins (or ends); the day alone if `time_of_day` or `period` is "
                "given, or in a wide file.",
                OPTIONAL,
            ),
            time_of_day=text(
                "The hour (0 to 24, HH:MM or HHMM), where it stands in a column of its own beside "
                "the date.",
                OPTIONAL,
            ),
            period=text(
                "The number of the interval in its day, from 1, such as a settlement period from 1 "
                "to 48; beside the date, in place of `time_of_day`.",
                OPTIONAL,
            ),
            value=text(
                "The reading; in a wide file a pattern of the columns of readings, such as HH*.",
                OPTIONAL,
            ),
        )
    ),
    layout=choice(
        "How the readings stand: long (a row for each home and interval, the default), wide "
        "(a row for each home and day, a column for each interval) or nem12, which is recognised.",
        ["long", "wide", "nem12"],
        OPTIONAL,
    ),
    register=flag(
        "Whether the values are those of a meter's display, so that differences are taken (no"
        " unit of its own). The default is false.",
        OPTIONAL,
    ),
    repeated_rows=choice(
        "What becomes of a second row for the same home and time. refuse (the default) is an "
        "error; drop_identical drops rows with the same reading, and counts them.",
        ["refuse", "drop_identical"],
        OPTIONAL,
    ),
    keep=key(
        "Rows to keep, as lists of wanted texts by the name of a column. By default all.",
        OPTIONAL,
        type="object",
        additionalProperties={"type": "array", "minItems": 1, "items": {"type": "string"}},
    ),
    sheet=text("Sheet of a workbook. By default the only one that has something in it.", OPTIONAL),
    unit=choice(
        "Unit of the readings, which NEM12 files state: Wh, kWh or MWh in "
        "the interval; or W, kW or MW, the mean power in it.",
        ["Wh", "kWh", "MWh", "W", "kW", "MW"],
        OPTIONAL,
    ),
    time_zone=text_or_none(
        "The homes' time zone, such as Europe/Paris. By default times are those of a clock "
        "that is never changed.",
        OPTIONAL,
    ),
    time_format=TIME_FORMAT,
    time_marks=choice(
        "Whether a time is the start (the default) or the end of its interval.",
        ["start", "end"],
        OPTIONAL,
    ),
    first_day=calendar_day(
        "First day to take, as YYYY-MM-DD. By default the first day that is complete for more"
        " than half of the homes.",
        OPTIONAL,
    ),
    last_day=calendar_day(
        "Last day to take, as YYYY-MM-DD. By default the last day that is complete for more "
        "than half of the homes.",
        OPTIONAL,
    ),
    largest_power_kw=number(
        "A reading of a larger mean power is an error, in kW. The default is 100.",
        OPTIONAL,
        above=0,
    ),
    public_range_kwh=number(
        "Upper end of the public range of a home's reading of one day, in kWh; larger "
        "readings are clipped. Fix it before you look at the readings. The default is "
        "noiseless.membership.main_fuse_kwh, which clips no home; a typical home's bound makes"
        " finer bins.",
        OPTIONAL,
        above=0,
    ),
    **_FORM,
)

OWN_TRIPS = section(
    "Trips for the count of unique ones, one row per trip.",
    columns=section(
        "What the file calls its columns; coordinates are in degrees.",
        pickup_latitude=text("Latitude of the start."),
        pickup_longitude=text("Longitude of the start."),
        dropoff_latitude=text("Latitude of the end."),
        dropoff_longitude=text("Longitude of the end."),
        pickup_time=text_or_none(
            "When the trip began. Without it, nothing is said about knowing the time.", OPTIONAL
        ),
    ),
    latitude_range_deg=interval(
        "Public range of latitude, in degrees. Trips with an end outside are counted and excluded."
    ),
    longitude_range_deg=interval("Public range of longitude, in degrees."),
    publish_time=choice(
        "What is told of the start's time beside the cells. The default is no time.",
        ["no time", "hour of the week", "hour"],
        OPTIONAL,
    ),
    time_format=TIME_FORMAT,
    **_FORM,
)

OWN_PEOPLE = section(
    "People, one row for each; with x1, x2 and threshold also the blurring of one number, so that "
    "reports do not tell on which side of a threshold it lies.",
    identifying=many(
        "Columns that an adversary may know of a person, such as age, sex and place. The default "
        "is those of x1 and x2. A column that is given nowhere is not published.",
        {"type": "string"},
        OPTIONAL,
        different=True,
    ),
    sensitive=many(
        "Columns that an adversary may not learn, which are published as they are. The default is "
        "none.",
        {"type": "string"},
        OPTIONAL,
        different=True,
        minItems=0,
    ),
    k=whole(
        "How many people at least are alike in what is published. The default is 5.",
        OPTIONAL,
        at_least=2,
    ),
    diversity=whole(
        "How many values of each sensitive column they have at least. The default is 2.",
        OPTIONAL,
        at_least=1,
    ),
    x1=optional(own_number("The number that is blurred.")),
    x2=optional(own_number("The number that the threshold depends on.")),
    threshold=many(
        "Coefficients c0, c1, c2, ...: a person is above the threshold if x1 >= c0 + c1 x2 + "
        "c2 x2^2 + ..., in the units given. It must stay in the range of x1.",
        limited("number"),
        OPTIONAL,
    ),
    above=text(
        'An adjective for people above the threshold, for figures; by default "above-threshold".',
        OPTIONAL,
        minLength=1,
    ),
    rho=optional(
        grid(
            "Accuracies rho of the curves, in one over the unit of x1; by default those of "
            "nsht.blurring, in portions of the public range.",
            REQUIRED,
            REQUIRED,
            REQUIRED,
        )
    ),
    histogram_rho=positive("Accuracies rho of the histograms, likewise.", OPTIONAL),
    histogram_bin=pair(
        "Sizes of a histogram's bin, of x1 and of x2; likewise.",
        limited("number", above=0),
        OPTIONAL,
    ),
    **_FORM,
)

# What every dataset of the user's has; the kind decides about the other keys.
OWN = section(
    "A dataset of yours, under a name that you choose (docs/own-data.md); null for none.",
    kind=choice(
        "What the file holds: meters, trips or people; this decides about the experiments, and "
        "the other keys.",
        ["meters", "trips", "people"],
    ),
    tier=choice("Data of yours is always local, so this may be omitted.", ["local"], OPTIONAL),
    path=path(
        "A CSV file (with a header; also gzipped), a Parquet file or a workbook, relative "
        "to the working folder; of meters, also NEM12 or a folder of files.",
        or_none=False,
    ),
)
OWN_KINDS = {"meters": OWN_METERS, "trips": OWN_TRIPS, "people": OWN_PEOPLE}


def _own_dataset() -> Schema:
    """The schema of a dataset of the user's: that of its kind, once the kind is known."""
    cases = []
    for kind, keys in OWN_KINDS.items():
        whole_entry = {
            **keys,
            "properties": {**OWN["properties"], **keys["properties"]},
            "required": [*OWN["required"], *keys["required"]],
        }
        known = {"type": "object", "required": ["kind"], "properties": {"kind": {"const": kind}}}
        cases.append({"if": known, "then": whole_entry})
    return {
        "description": OWN["description"],
        "type": ["object", "null"],
        "properties": OWN["properties"],
        "required": OWN["required"],
        "allOf": cases,
    }


KEYS = {
    **section(
        "Where each dataset comes from, and the datasets of yours.",
        young_people=YOUNG_PEOPLE,
        ausgrid=AUSGRID,
        london=LONDON,
        nyc_taxi=NYC_TAXI,
        redd=REDD,
    ),
    "propertyNames": {
        "description": "A dataset's name has letters, digits, - and _ alone.",
        "pattern": "^[A-Za-z0-9][A-Za-z0-9_-]*$",
    },
    "additionalProperties": _own_dataset(),
}
