"""The made-up files: each is described as it is."""

import pytest

from noiseless.custodian.demo import write_demo
from noiseless.custodian.reading.meters import read_meters
from noiseless.custodian.reading.people import read_people
from noiseless.custodian.reading.trips import read_trips
from noiseless.pipeline.configuration import load_config

READERS = {"meters": read_meters, "trips": read_trips, "people": read_people}


@pytest.mark.slow
@pytest.mark.parametrize("kind", READERS)
def test_a_made_up_file_is_read_as_its_configuration_says(kind, tmp_path):
    """The broken lines of the taxis' sample are left out: of a user's file each is an error."""
    path = write_demo(kind, tmp_path)
    assert path == tmp_path / f"demo-{kind}" / "own.yaml"
    keys = load_config(path)["data"][f"demo-{kind}"]
    assert keys.pop("kind") == kind
    found = READERS[kind](**keys)
    assert len(found["table"]) > 900
    assert not found["table"].empty
