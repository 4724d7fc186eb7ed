"""Surroundings without a person's own settings, for the tests of downloads."""

import pytest


@pytest.fixture
def own_surroundings(monkeypatch, tmp_path_factory):
    """No proxy, no credentials and no files of the person who runs the tests."""
    monkeypatch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")
    for name in ("KAGGLE_USERNAME", "KAGGLE_KEY", "KAGGLE_API_TOKEN", "KAGGLE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
