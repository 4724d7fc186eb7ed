"""The curator's ledger: survives restarts and kills, and never forgets an answer that left."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading

import numpy as np
import pytest

from noiseless.accounting import curator
from noiseless.accounting.curator import BudgetError, CuratorLedger
from noiseless.accounting.queries import Box, LinearQuery, LogisticQuery, TruncatedLinearQuery
from noiseless.errors import ConfigError, DataError
from noiseless.seeds import generator

BOX = Box((-1.0, 0.0), (1.0, 2.0))
VALUE = (0.2, 1.0)
STEEP = LogisticQuery((5000.0, 0.0), 0.0, 0.1)
MIXED = [
    LinearQuery((0.5, 0.1), 0.1, 0.3, -1.0, 1.0),
    TruncatedLinearQuery((2.0, -1.0), 0.3, 0.3, -1.0, 1.0),
    LogisticQuery((1.5, -0.7), 0.1, 0.3),
]


def open_ledger(path, **settings) -> CuratorLedger:
    return CuratorLedger(path, **{"box": BOX, "budget_nats": 1.0, **settings})


def test_refuses_when_the_budget_is_gone_and_after_a_restart(tmp_path):
    path, rng = tmp_path / "ledger.sqlite", generator(1, "curator")
    ledger = open_ledger(path, filter="basic")
    for _ in range(10):
        ledger.answer("ada", VALUE, STEEP, rng)
    for each in (ledger, open_ledger(path, filter="basic")):
        with pytest.raises(BudgetError, match="budget 1 of 'ada' does not allow"):
            each.answer("ada", VALUE, STEEP, rng)
        assert len(each.answers("ada")) == 10
    assert ledger.answer("bob", VALUE, STEEP, rng) in (0, 1)


def test_restart_restores_queries_outputs_and_loss_bit_for_bit(tmp_path):
    path, rng = tmp_path / "ledger.sqlite", generator(2, "curator")
    ledger = open_ledger(path)
    outputs = [ledger.answer("ada", VALUE, query, rng) for query in MIXED]
    again = open_ledger(path)
    assert again.answers("ada") == list(zip(MIXED, outputs, strict=True))
    assert again.loss("ada").upper == pytest.approx(ledger.loss("ada").upper, abs=1e-3)
    assert again.loss("nobody").upper == 0


def test_object_that_left_the_memory_keeps_its_answers_and_budget(tmp_path, monkeypatch):
    monkeypatch.setattr(curator, "CACHED_OBJECTS", 1)
    rng = generator(6, "curator")
    ledger = open_ledger(tmp_path / "ledger.sqlite", filter="basic")
    for _ in range(10):
        ledger.answer("ada", VALUE, STEEP, rng)
        ledger.answer("bob", VALUE, STEEP, rng)
        assert len(ledger._cache) == 1
    for name in ("ada", "bob"):
        assert len(ledger.answers(name)) == 10
        with pytest.raises(BudgetError):
            ledger.answer(name, VALUE, STEEP, rng)


def test_two_open_ledgers_spend_one_budget(tmp_path):
    path = tmp_path / "ledger.sqlite"
    answered = []

    def spend(name):
        ledger, rng = open_ledger(path, filter="basic"), generator(3, name)
        for _ in range(10):
            try:
                answered.append(ledger.answer("ada", VALUE, STEEP, rng))
            except BudgetError:
                return

    threads = [threading.Thread(target=spend, args=(name,)) for name in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stored = [output for _, output in open_ledger(path, filter="basic").answers("ada")]
    assert len(stored) == 10
    assert sorted(stored) == sorted(answered)


CHILD = """
import sys
from noiseless.accounting.curator import BudgetError, CuratorLedger
from noiseless.accounting.queries import Box, LogisticQuery
from noiseless.seeds import generator
ledger = CuratorLedger(sys.argv[1], box=Box((-1.0, 0.0), (1.0, 2.0)), budget=1000.0, filter="basic")
rng = generator(4, "child", int(sys.argv[2]))
query = LogisticQuery((1.0, 1.0), 0.0, 0.1)
while True:
    print(ledger.answer("ada", (0.2, 1.0), query, rng), flush=True)
"""


def test_killed_in_the_middle_it_has_every_answer_that_left(tmp_path, root):
    path, seen = tmp_path / "ledger.sqlite", []
    for turn, stop_after in enumerate((1, 23)):
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD, str(path), str(turn)],
            env={**os.environ, "PYTHONPATH": str(root / "workflow")},
            stdout=subprocess.PIPE,
            text=True,
        )
        with child:
            lines = [child.stdout.readline() for _ in range(stop_after)]
            child.send_signal(signal.SIGKILL)
            lines += child.stdout.readlines()
        seen.append([int(line) for line in lines])
        ledger = CuratorLedger(path, box=BOX, budget_nats=1000.0, filter="basic")
        stored = [output for _, output in ledger.answers("ada")]
        # What was stored before this turn, then what left, then at most one that did not get out.
        before = sum(map(len, seen[:-1])) + (len(stored) - sum(map(len, seen)))
        assert 0 <= len(stored) - sum(map(len, seen)) <= turn + 1
        start = next(k for k in range(before + 1) if stored[k : k + len(seen[-1])] == seen[-1])
        assert start >= sum(map(len, seen[:-1]))


def test_nothing_leaves_when_it_cannot_be_written(tmp_path):
    path, rng = tmp_path / "ledger.sqlite", generator(5, "curator")
    ledger = open_ledger(path, wait_s=0.05)
    ledger.answer("ada", VALUE, MIXED[0], rng)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(DataError, match="no answer was given"):
        ledger.answer("ada", VALUE, MIXED[1], rng)
    other.execute("ROLLBACK")
    other.close()
    assert len(ledger.answers("ada")) == 1
    ledger.answer("ada", VALUE, MIXED[1], rng)
    assert [query for query, _ in ledger.answers("ada")] == MIXED[:2]


def test_other_settings_another_file_and_bad_values_are_errors(tmp_path):
    path = tmp_path / "ledger.sqlite"
    ledger = open_ledger(path)
    with pytest.raises(ConfigError, match="was made with the settings"):
        open_ledger(path, budget_nats=2.0)
    with pytest.raises(ConfigError, match="not a filter"):
        open_ledger(path, filter="bayes")
    with pytest.raises(ConfigError, match="privacy budget"):
        open_ledger(tmp_path / "none.sqlite", budget_nats=-1.0)
    assert not (tmp_path / "none.sqlite").exists()
    rng = np.random.default_rng(0)
    for value in ((3.0, 1.0), (0.0,), (np.nan, 1.0)):
        with pytest.raises(DataError, match="is not in"):
            ledger.answer("ada", value, STEEP, rng)
    (tmp_path / "text.sqlite").write_text("no database " * 100)
    with pytest.raises(DataError, match="not a curator's ledger"):
        open_ledger(tmp_path / "text.sqlite")
