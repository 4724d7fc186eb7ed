"""Rounds of changed settings: which values are tried, which together, and what is a fault."""

import json

import pandas as pd

from changed_settings.rounds import find_turned, list_recorded_keys, plan_rounds
from changed_settings.variants import Variant, list_precisions, list_variants
from noiseless.pipeline.configuration import SCHEMA, load_config
from noiseless.settings import find_key_schema, load_schema
from noiseless.tables import Provenance, flatten, write_table


def variants_of(root):
    config = load_config(root / "config/smoke.yaml")
    return dict(flatten(config)), list_variants(config, load_schema(SCHEMA))


def test_numbers_go_to_both_ends_of_the_schema_and_lists_to_one_entry(root):
    config, variants = variants_of(root)
    values = {key: [each.value for each in variants if each.key == key] for key in config}
    assert values["noiseless.membership.games"] == [1, 100_000, 133, 1200]
    assert values["noiseless.membership.n"] == [[2]]
    assert values["noiseless.membership.epsilon_bits"] == [[1], [1, 2, 3, 6, 50]]
    assert values["noiseless.membership.peaks"] == ["tolerant"]
    assert values["knowledge.composition.runs"] == [[5000]]
    untried = [key for key, found in values.items() if not found and config[key] is not None]
    places = ("data.", "download.", "robustness.", "seed", "plugins", "statements")
    left = {key for key in untried if not key.startswith((*places, "homes.", "recordings."))}
    schema = load_schema(SCHEMA)
    one_value = {key for key in left if isinstance(config[key], list) and len(config[key]) == 1}
    assert {find_key_schema(key, schema)[0] for key in left - one_value} <= {"", "count2"}


def test_every_other_value_is_one_that_a_run_takes_and_another(root):
    config, variants = variants_of(root)
    assert all(each.value != config[each.key] for each in variants)
    assert {each.key for each in variants if each.is_precision} <= set(
        list_precisions(load_config(root / "config/smoke.yaml"))
    )


def test_keys_that_a_table_shares_are_changed_in_different_rounds(tmp_path):
    for name, keys in {"a": ["x.n", "x.m"], "b": ["x.m", "y.k"], "c": ["homes.mine.range"]}.items():
        settings = json.dumps([[key, 1] for key in keys])
        path = tmp_path / "tables/toy" / f"{name}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_table(pd.DataFrame({"value": [1.0]}), path, Provenance("c", settings=settings))
    recorded = list_recorded_keys(tmp_path)
    assert recorded == [{"homes.mine.range"}, {"x.m", "x.n"}, {"x.m", "y.k"}]
    keys = ["x.n", "x.n", "x.m", "y.k", "homes.mine.range", "homes.other.range", "z"]
    rounds = plan_rounds([Variant(key, n, False) for n, key in enumerate(keys)], recorded)
    assert [{key: each.value for key, each in changed.items()} for changed in rounds] == [
        {"x.n": 0, "y.k": 3, "homes.mine.range": 4, "z": 6},
        {"x.n": 1},
        {"x.m": 2},
    ]


def test_a_verdict_that_is_turned_or_left_open_without_the_key_is_a_fault():
    def ledger(**verdicts):
        return pd.DataFrame.from_dict(verdicts, orient="index", columns=["verdict", "note"])

    before = ledger(
        same=("differs", ""), turned=("differs", ""), named=("reproduced", ""),
        silent=("corrected", ""), was_open=("inconclusive", ""), gone=("reproduced", ""),
    )  # fmt: skip
    after = ledger(
        same=("differs", "by 2"), turned=("reproduced", "now"), was_open=("differs", ""),
        named=("inconclusive", "The precision of its tables: x.n = 1."),
        silent=("not tested", "x.m = 1"),
    )  # fmt: skip
    assert find_turned(before, after, {"x.n": Variant("x.n", 1, True)}) == [
        "gone: no verdict any more",
        "turned: differs, then reproduced: now",
        "silent: corrected, then not tested, and its note names no key: x.m = 1",
    ]
