"""A download that fails, through the whole workflow; one that arrives is in test_real_data.py."""

from misbehaving_server import status

PATH = "/api/v1/datasets/download/miroslavsabo/young-people-survey/responses.csv"
DOWNLOAD = {
    "data": {"young_people": {"tier": "download"}},
    "download": {"attempts": 2, "backoff_s": 0.01},
}


def test_file_that_is_not_there_is_one_readable_error(fresh, kaggle):
    kaggle.routes[PATH] = status(404)
    output = fresh.smoke(
        target="data/prepared/young_people.parquet", config=DOWNLOAD, succeeds=False
    )
    assert "could not be fetched from any mirror" in output
    assert "By hand: Open https://www.kaggle.com/datasets/miroslavsabo" in output
    assert "Traceback" not in output
    assert not list((fresh.path / "data").rglob("*.csv*"))
    fresh.assert_token_is_nowhere(output)
