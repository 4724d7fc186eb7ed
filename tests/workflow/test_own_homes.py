"""A set of homes of the user's goes through the papers' games by configuration alone."""

import pandas as pd
import pytest

from noiseless.seeds import make_generator
from noiseless.tables import read_provenance, read_table

pytestmark = pytest.mark.slow

HOMES, N = 9, [2, 4]
SET = {
    **{"path": "mine.csv", "resolution": "hours", "public_range_kwh": 60},
    **{"largest_reading_kwh": 90, "allow_identical": True},
}
SMALL = {"games": 50, "n": [*N, 16], "epsilon_bits": [3]}


def hourly_homes():
    """Hourly readings with a copy, a day that is not there, a home of zeros and a column more."""
    rng = make_generator(1, "homes of one's own, hourly")
    times = pd.date_range("2024-03-01", periods=24 * 20, freq="h")
    times = times[times.normalize() != pd.Timestamp("2024-03-12")]
    rows = pd.MultiIndex.from_product([[f"h{k}" for k in range(HOMES - 1)], times])
    table = rows.to_frame(index=False, name=["home", "time"])
    table = table.assign(energy_kwh=rng.gamma(2, 0.3, len(table)).round(3), tariff="Std")
    table.loc[table["home"] == "h5", "energy_kwh"] = 0
    return pd.concat([table, table[table["home"] == "h1"].assign(home="twin")])


def test_hourly_homes_play_the_game_and_no_claim_is_about_them(make_checkout):
    checkout = make_checkout("own_homes")
    hourly_homes().to_csv(checkout.path / "mine.csv", index=False)
    tables, figure = "results/tables/noiseless", "results/figures/noiseless/fig3_mine.png"
    checkout.smoke(
        *(f"{tables}/membership_{name}mine.parquet" for name in ("ranges_", "learned_")),
        target=figure,
        config={"homes": {"mine": SET}, "noiseless": {"membership": SMALL}},
    )
    assert (checkout.path / figure).is_file()
    log = (checkout.path / "logs/prepare_homes/mine.log").read_text("utf-8")
    assert f"{HOMES} homes, {24 * 19} hours from 2024-03-01 to 2024-03-20" in log
    assert "days between them that are not in the file: 1; homes whose readings never" in log
    assert "never change: 1 (h5); columns that are not read: tariff" in log
    assert "2 homes have the same readings as another one: h1, twin." in log
    played, provenance = read_table(checkout.path / f"{tables}/membership_mine.parquet")
    assert sorted(played["n"].unique()) == N
    assert [source.tier for source in provenance.sources] == ["own"]
    log = (checkout.path / "logs/results/noiseless_membership/mine.log").read_text("utf-8")
    assert "noiseless.membership.n: skipping 16, because there are 9 homes" in log
    learned = read_provenance(checkout.path / f"{tables}/membership_learned_mine.parquet")
    assert learned.dataset == "own_mine"
    assert not any(source.is_public for source in learned.sources)
