"""F. Farokhi, "Noiseless Privacy" (``noiseless``)."""

from collections.abc import Mapping
from typing import Any

from noiseless.statements import Paper, parse_data

TITLE = 'F. Farokhi, "Noiseless Privacy"'
SECTIONS = (
    "section_1",
    "section_2",
    "section_3",
    "section_4",
    "section_5",
    "appendix",
    "ours",
    "hiding",
)
# What the paper used, and each set that stands in for it: what it lacks of what statements ask,
# what is odd about it, which is said wherever it is, and the settings that verdicts presume.
DATA: Mapping[str, Any] = {
    "ausgrid": {
        "paper": ["solar_home_2012-2013.csv"],
        "stand_in": "another year of the 300 Ausgrid homes",
        "sets": "homes",
        "presumes": {
            "resolution": "half-hours",
            "public_range_kwh": 180,
            "week_start": "2013-03-04",
        },
    },
    "london": {
        "paper": [],
        "stand_in": "homes in London, 2013, for the 300 Ausgrid homes of 2012-2013",
        "sets": "homes",
        "said": "on London's homes",
        "lacks": ["people", "days"],
        "presumes": {"resolution": "days", "public_range_kwh": 90, "week_start": "2013-03-04"},
    },
    "ausgrid-2010": {
        "paper": [],
        "stand_in": "the 300 Ausgrid homes in 2010-2011, days, without controlled load, for "
        "2012-2013 with it",
        "sets": "homes",
        "said": "on the 300 homes of 2010-2011",
        "lacks": ["days", "week"],
        "presumes": {"resolution": "days", "public_range_kwh": 180},
    },
    "ausgrid-16": {
        "paper": [],
        "stand_in": "16 of the 300 Ausgrid homes on 113 days of 2010, without controlled load, for "
        "all of 2012-2013 with it",
        "sets": "homes",
        "said": "on 16 of the 300 homes",
        "lacks": ["days", "week", "number"],
        "presumes": {"resolution": "days", "public_range_kwh": 180},
    },
    "network": {
        "paper": [],
        "stand_in": "45 other homes of Ausgrid's network on 310 days of 2012-2013, for the 300 on "
        "all days",
        "odd": ["four of the 45 have no controlled load"],
        "sets": "homes",
        "said": "on other homes of Ausgrid's network",
        "lacks": ["people", "days", "week", "number"],
        "presumes": {"resolution": "days", "public_range_kwh": 180},
    },
    "network-half-hours": {
        "paper": [],
        "stand_in": "8 homes of Ausgrid's network, half-hours of 2013 without controlled load, for "
        "the 300 with it",
        "odd": [
            "the homes are of two files, both in standard time by when people rise and eat",
            "the clock of the five homes of one of them is the less certain",
        ],
        "sets": "homes",
        "said": "on 8 homes of Ausgrid's network, half-hours",
        "lacks": ["people", "days", "week", "number"],
        "presumes": {
            "resolution": "half-hours",
            "public_range_kwh": 180,
            "days": ["2013-01-01", "2013-12-31"],
        },
    },
    "swiss": {
        "paper": [],
        "stand_in": "350 homes in Switzerland, 49 days, for the 300 Ausgrid homes of 2012-2013",
        "sets": "homes",
        "said": "on Swiss homes",
        "lacks": ["people", "days", "week"],
        "presumes": {"resolution": "days", "public_range_kwh": 320},
    },
    "redd": {
        "paper": ["redd.h5", "low_freq.tar.bz2"],
        "stand_in": "another form of REDD",
        "sets": "recordings",
        "presumes": {
            "house": 1,
            "mains_range_w": [0, 12000],
            "days": ["2011-04-23", "2011-05-21"],
            "train_before": "2011-04-30",
        },
    },
    "april-5": {
        "paper": [],
        "stand_in": "REDD's house 1 by the minute on 23 to 30 April 2011, the mains and all five "
        "appliances, for all readings on 23 April to 21 May",
        "odd": [
            "sockets and light are largest values of a minute, all else means",
            "which of the home's circuits of sockets and lights they are is not known",
            "all of 29 April but its last hour is missing",
            "it is tested on four days, two of them not whole",
        ],
        "sets": "recordings",
        "said": "by the minute, five appliances, 23 to 30 April",
        "lacks": ["days", "readings"],
        "presumes": {
            "house": 1,
            "mains_range_w": [0, 12000],
            "days": ["2011-04-23", "2011-04-30"],
            "train_before": "2011-04-27",
        },
    },
    "minutes-3": {
        "paper": [],
        "stand_in": "means of a minute of REDD's house 1 with three of the paper's five "
        "appliances, and mains with gaps, for all readings of all five",
        "sets": "recordings",
        "said": "by the minute, three appliances",
        "lacks": ["appliances", "readings"],
        "presumes": {
            "house": 1,
            "mains_range_w": [0, 12000],
            "days": ["2011-04-23", "2011-05-21"],
            "train_before": "2011-04-30",
        },
    },
    "minutes-5": {
        "paper": [],
        "stand_in": "maxima of a minute of REDD's house 1 on 13 to 23 May 2011, all five "
        "appliances, and the sum of the sub-meters for the mains, for all readings on 23 April to "
        "21 May",
        "sets": "recordings",
        "said": "by the minute, five appliances, 13 to 23 May",
        "lacks": ["days", "readings"],
        "presumes": {
            "house": 1,
            "mains_range_w": [0, 12000],
            "days": ["2011-05-13", "2011-05-23"],
            "train_before": "2011-05-18",
        },
    },
    "nyc_taxi": {
        "paper": ["nyc_taxi_data_2014.csv"],
        "stand_in": "a 1-in-1000 sample of the trips of 2009-2016, or of those of 2014, or a "
        "million of the city's own table, of all of 2014, for the first million of 2014",
    },
}

paper = Paper(
    "noiseless",
    TITLE,
    data=parse_data(DATA),
    presumes={
        "noiseless.membership.resolution": "days",
        "noiseless.membership.quantizer_rule": "n_2^eps",
        "noiseless.membership.peaks": "strict",
        "noiseless.nilm.period_s": 60,
        "noiseless.nilm.quantize": "before",
        "noiseless.nilm.hmm.on_states": 2,
        "noiseless.nilm.learned.radius": 10,
        "data.ausgrid.year": "2012-2013",
        "data.london.year": 2013,
        "data.london.tariff": "Std",
        "data.nyc_taxi.latitude_range_deg": [40.49, 40.92],
        "data.nyc_taxi.longitude_range_deg": [-74.27, -73.68],
    },
    limits={  # an adversary with fewer is a weaker one
        "noiseless.nilm.hmm.other_states": (4, float("inf")),
        "noiseless.nilm.learned.trees": (10, float("inf")),
        "noiseless.nilm.trainings": (3, float("inf")),
    },
    sizes=(  # statements name the cells and the adversaries that they are about
        "noiseless.membership.games",
        "noiseless.membership.n",
        "noiseless.membership.epsilon_bits",
        "noiseless.readings.games",
        "noiseless.readings.epsilon_bits",
        "noiseless.ranges.kwh",
        "noiseless.ranges.games",
        "noiseless.learned.games",
        "noiseless.learned.epsilon_bits",
        "noiseless.hiding.games",
        "noiseless.hiding.n",
        "noiseless.hiding.days",
        "noiseless.hiding.epsilon_bits",
        "noiseless.choices.games",
        "noiseless.pairs.days",
        "noiseless.pairs.candidates",
        "noiseless.pairs.draws",
        "noiseless.nilm.epsilon_bits",
        "noiseless.nilm.draws",
        "noiseless.trips.numbers",
        "noiseless.trips.map_levels",
        "noiseless.guarantees.levels.people",
        "noiseless.guarantees.levels.epsilon_bits",
        "data.nyc_taxi.rows",
        "plugins",
    ),
)
