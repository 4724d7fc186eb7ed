"""Whose lines the charts beyond the papers show."""

from drawn import tidy
from noiseless.papers.beyond.figures.charts import CHARTS


def test_what_is_no_mechanism_and_no_single_adversary_is_no_line():
    rows = tidy("gain", mechanism=["none", "laplace"], adversary=["any", "mse"])
    kept = {chart.key: chart.prepare(rows) for chart in CHARTS if chart.prepare}
    assert set(kept["mechanisms-homes"]["mechanism"]) == {"laplace"}
    assert set(kept["mechanisms-homes"]["adversary"]) == {"any", "mse"}
    assert set(kept["reports"]["adversary"]) == {"mse"}
    assert set(kept["reports"]["mechanism"]) == {"none", "laplace"}
