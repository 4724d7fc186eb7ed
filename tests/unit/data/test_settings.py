"""Keys of the public datasets that are refused."""

import pytest

from noiseless.errors import ConfigError
from noiseless.pipeline.configuration import checked, defaults


@pytest.mark.parametrize(
    ("dataset", "change", "message"),
    [
        ("ausgrid", {"year": "2013-2014"}, r"`data.ausgrid.year` is .* must be one of 2010-2011"),
        ("london", {"tarif": "Std"}, r"`data.london.tarif`. Did you mean `tariff`"),
        ("redd", {"house": 0}, r"`data.redd.house` is 0, but"),
        ("nyc_taxi", {"tier": "cloud"}, r"`data.nyc_taxi.tier` is .* one of sample, local"),
        ("town", {"kind": "meters", "path": "m.csv"}, r"`data.town`"),
        ("ausgird", {"tier": "local"}, r"`data.ausgird`. Did you mean `ausgrid`"),
    ],
)
def test_datasets_that_cannot_be(dataset, change, message):
    config = defaults()
    checked(config, source="own.yaml")
    config["data"][dataset] = {**config["data"].get(dataset, {}), **change}
    with pytest.raises(ConfigError, match=message):
        checked(config, source="own.yaml")
