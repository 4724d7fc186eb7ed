"""Tables as the rules' calls make them."""

import numpy as np
import pandas as pd
import pytest

from noiseless.errors import UserError
from noiseless.pipeline.results import make_tables
from noiseless.tables import Provenance, read_provenance, read_table, write_table

DRAW = {"function": "toy_claims.toy_draw", "settings": {"seed": 2}, "inputs": [], "code": "c0de"}
COUNT = {"function": "toy_claims.toy_count", "settings": {}, "inputs": ["readings"], "code": "c0de"}


@pytest.fixture
def readings(tmp_path):
    """A table of six homes."""
    table = pd.DataFrame({"home": [f"h{k}" for k in range(6)], "energy_kwh": [0, 0, 0, 9, 9, 9]})
    write_table(table, tmp_path / "p.parquet", Provenance("c"))
    return {"readings": str(tmp_path / "p.parquet"), "compiled": "not a table"}


@pytest.fixture
def make(readings, tmp_path):
    """Makes the tables of some calls; their paths by name."""

    def made(calls, *names, variant=""):
        (tmp_path / variant).mkdir(exist_ok=True)
        paths = {name: str(tmp_path / variant / f"{name}.parquet") for name in names}
        make_tables(calls, inputs=readings, outputs=paths, variant=variant, seed=1)
        return paths

    return made


def test_a_rule_makes_the_tables_of_several_calls(make):
    paths = make({"t": DRAW, "both": COUNT}, "t", "count", "mean")
    assert read_table(paths["t"])[0]["value"].tolist() == [0.1, 0.2, 0.3]
    assert read_table(paths["count"])[0]["value"].item() == 6


def test_other_tables_than_the_rule_names_are_an_error(make):
    for names in (["t"], ["t", "count", "mean", "more"]):
        with pytest.raises(ValueError, match="the rule makes"):
            make({"t": DRAW, "both": COUNT}, *names)


def test_a_variant_changes_the_seed_of_what_has_one_and_the_homes_of_what_has_any(make):
    calls, names = {"t": DRAW, "both": COUNT}, ("t", "count", "mean")
    base, seed, half = (make(calls, *names, variant=each) for each in ("", "seed_3/", "half_1/"))
    assert read_table(seed["t"])[0]["value"].tolist() == [1.1, 1.2, 1.3]
    assert read_table(half["count"])[0]["value"].item() == 3
    made = {
        key: [read_provenance(paths[name]).config for name in names]
        for key, paths in (("base", base), ("seed", seed), ("half", half))
    }
    same = {key: np.equal(made["base"], made[key]).tolist() for key in ("seed", "half")}
    assert same == {"seed": [False, True, True], "half": [True, False, False]}


def test_an_experiment_that_refuses_stops_a_run_but_not_a_half(make, readings):
    few = pd.DataFrame({"home": ["a", "b"], "energy_kwh": [1.0, 2.0]})
    write_table(few, readings["readings"], Provenance("c"))
    with pytest.raises(UserError, match="2 homes are too few"):
        make({"both": COUNT}, "count", "mean")
    paths = make({"t": DRAW, "both": COUNT}, "t", "count", "mean", variant="half_1/")
    assert read_table(paths["count"])[0]["refused"].item() == "1 homes are too few."
    assert len(read_table(paths["t"])[0]) == 3
