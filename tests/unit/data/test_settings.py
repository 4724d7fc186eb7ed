"""Keys of datasets of the user's that are refused."""

import pytest

from noiseless.errors import ConfigError
from noiseless.pipeline.configuration import checked, defaults
from own_meters import NAMES

ENDS = {
    f"{end}_{axis}": f"{end[0]}_{axis}"
    for end in ("pickup", "dropoff")
    for axis in ("latitude", "longitude")
}
SYDNEY = {"latitude_range_deg": [-34, -33], "longitude_range_deg": [151, 152]}
X1 = {"column": "kilos", "unit": "kg", "range": [0, 200]}
X2 = {"column": "waist", "unit": "cm", "range": [50, 150]}


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("town", {"unit": "kwh"}, '`data.town.unit` is "kwh", but it must be one of Wh, kWh, MWh'),
        ("town", {"timezone": "UTC"}, "`data.town.timezone`. Did you mean `time_zone`"),
        ("town", {"first_day": "1.1.2024"}, '`data.town.first_day` is "1.1.2024", .*YYYY-MM-DD'),
        ("town", {"kind": "meter"}, "`data.town.kind` is .* must be one of meters, trips, people"),
        ("town", {"tier": "sample"}, "`data.town.tier` is .* must be one of local"),
        ("town", {"x1": X1}, "unknown key `data.town.x1`"),
        ("taxis", {"latitude_range_deg": [1]}, "latitude_range_deg` is .* at least 2 items"),
        ("taxis", {"latitude_range_deg": None}, "latitude_range_deg` is null, but"),
        ("club", {"treshold": [1]}, "Did you mean `threshold`"),
        ("club", {"x1": {"column": "a", "range": [0, 1]}}, "key `data.club.x1.unit` is missing"),
        ("my town", {"kind": "meters"}, '`data` is "my town", .*letters, digits'),
        ("ausgird", {"tier": "local"}, "`data.ausgird.kind` is missing. .*mean `data.ausgrid`"),
    ],
)
def test_configuration_of_own_data_that_cannot_be(root, name, change, message):
    config = defaults()
    mine = {
        "town": {"kind": "meters", "path": "m.csv", "columns": NAMES, "unit": "Wh"},
        "village": {"kind": "meters", "path": "v.csv", "tier": "local"},
        "taxis": {"kind": "trips", "path": "t.csv", "columns": ENDS, **SYDNEY},
        "club": {"kind": "people", "path": "p.csv", "x1": X1, "x2": X2, "threshold": [0, 1]},
        "nothing": None,
    }
    config["data"] |= mine
    checked(config, source="own.yaml")
    config["data"][name] = {**mine.get(name, {"path": "x.csv"}), **change}
    with pytest.raises(ConfigError, match=message):
        checked(config, source="own.yaml")
