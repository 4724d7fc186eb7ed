"""The curator's ledger under attack: leaks, races, kills, power cuts, damage, bad disks."""

import contextlib
import errno
import hashlib
import json
import math
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from noiseless.accounting.filters import BasicFilter, BayesianFilter
from noiseless.accounting.queries import Box, LinearQuery, LogisticQuery, TruncatedLinearQuery
from noiseless.accounting.realized_loss import BoxAccount
from noiseless.curator import ledger as curator
from noiseless.curator.ledger import BudgetError, CuratorLedger
from noiseless.errors import ConfigError, DataError, UserError
from noiseless.mechanisms.families.one_bit import OneBitMechanism
from noiseless.seeds import generator

BOX = Box((0.0,), (100.0,))
STEEP = LogisticQuery((5000.0,), -250_000.0, 0.1)
FILTERS = ["basic", "simplified", "bayesian"]
SETTINGS = [(curator.SYNCHRONOUS, 4), ("FULL", 3)]  # the ledger's keeps all four answers
# The variable asks for more rounds; 50 take half a minute.
KILL_ROUNDS = int(os.environ.get("NOISELESS_KILL_ROUNDS", "10"))


def new_ledger(path, *names, value=37.4219, **settings) -> CuratorLedger:
    ledger = CuratorLedger.create(path, **{"box": BOX, "budget_nats": 1.0, **settings})
    for name in names or ("alice",):
        ledger.enroll(name, [value])
    return ledger


def reopened(path, *names, value=37.4219, **settings) -> CuratorLedger:
    ledger = CuratorLedger.open(path, **settings)
    for name in names or ("alice",):
        ledger.enroll(name, [value])
    return ledger


def execute(path, *statements) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


@pytest.fixture(autouse=True)
def unsynced(monkeypatch):
    """Only a power cut needs the disk's attention; its tests choose the setting themselves."""
    monkeypatch.setattr(curator, "SYNCHRONOUS", "OFF")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "ledger.sqlite"


# Queries with any numbers


EXTREMES = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([0.0, 5e-324, 2.2e-308, 1e-200, 1e98, 1e99, 1e100, 1e200, 1.7e308]),
    st.integers(-320, 308).map(lambda power: float(f"1e{power}")),
    st.floats(-10, 10),
)


@st.composite
def extreme_queries(draw):
    """Regressions of two coordinates, with numbers from denormal to the largest double."""
    slope, intercept = (draw(EXTREMES), draw(EXTREMES)), draw(EXTREMES)
    epsilon_nats = draw(st.sampled_from([5e-324, 1e-300, 1e-9, 0.1, 2.0, 30.0]))
    kind = draw(st.sampled_from([LogisticQuery, TruncatedLinearQuery, LinearQuery]))
    if kind is LogisticQuery:
        return kind(slope, intercept, epsilon_nats)
    low = draw(EXTREMES)
    high = low + abs(draw(EXTREMES))
    if draw(st.booleans()):  # an interval as short as doubles can tell
        high = math.nextafter(low, math.inf)
    if not (low < high and math.isfinite(high - low)):
        low, high = -8e307, 8e307
    return kind(slope, intercept, epsilon_nats, low, high)


PEOPLE = Box((18.0, 40.0), (99.0, 160.0))
BOXES = [
    PEOPLE,
    Box((0.0, -8e307), (5e-324, 8e307)),
    Box((1e-320, 1e300), (2e-320, 1e301)),
    Box((1.0, 0.0), (math.nextafter(1.0, 2), 1.0), categories={1: [0, 1]}),
]


@pytest.mark.parametrize("kind", FILTERS)
@given(box=st.sampled_from(BOXES), asked=st.lists(extreme_queries(), min_size=1, max_size=4))
@example(box=PEOPLE, asked=[LogisticQuery((1e99, 0.0), 0.0, 1e-9)])
@settings(max_examples=60, deadline=None)
def test_what_is_let_through_can_be_recorded_opened_and_priced(kind, box, asked):
    """A query either fails before anything is written, or does not stop any later one."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "ledger.sqlite")
        ledger = CuratorLedger.create(path, box=box, budget_nats=40.0, filter=kind)
        ledger.enroll("alice", box.lower)
        count = 0
        for query in asked:
            try:
                ledger.answer("alice", query)
            except (ConfigError, BudgetError):
                assert len(ledger.answers("alice")) == count
            else:
                count += 1
            again = CuratorLedger.open(path, head=ledger.head())
            for holder in (ledger, again):
                loss = holder.loss("alice")
                assert 0 <= loss.lower <= loss.upper <= 40 * (1 + 1e-9)
                assert 0 <= holder.remaining("alice") <= 40
                assert len(holder.answers("alice")) == count
                holder.would_answer("alice", LogisticQuery((0.0, 0.0), 0.0, 1e-9))


# What errors tell


@pytest.mark.parametrize("kind", FILTERS)
@pytest.mark.parametrize("value", [37.4219, 0.5])  # outside and inside the query's interval
def test_attack_response_that_leaves_its_interval(path, kind, value):
    """The refusal is the same whatever the value, costs nothing, and locks nothing."""
    ledger = new_ledger(path, value=value, filter=kind)
    for query in (
        LinearQuery((1.0,), 0.0, 0.1, 0.0, 1.0),
        LinearQuery((1e6,), 0.0, 0.1, 0.0, 1.0),
        LinearQuery((1e308,), 0.0, 0.1, 0.0, 1.0),
        TruncatedLinearQuery((1e308,), 0.0, 0.1, 0.0, 1.0),
        TruncatedLinearQuery((1.0,), 0.0, 0.1, 0.0, 1e-310),
        LogisticQuery((1e308,), 0.0, 0.1),
    ):
        with pytest.raises(ConfigError, match=r"of a linear query reaches|too large") as caught:
            ledger.answer("alice", query)
        assert "37.42" not in str(caught.value)
        assert "0.5" not in str(caught.value)
    assert ledger.answers("alice") == []
    assert ledger.loss("alice").upper == 0
    assert ledger.answer("alice", STEEP) in (0, 1)
    assert len(reopened(path).answers("alice")) == 1


@pytest.mark.parametrize("layer", ["filter", "ledger"])
def test_both_the_filter_and_the_ledger_check_the_box(path, monkeypatch, layer):
    """Either is enough: the other is taken away."""
    ledger = new_ledger(path)
    with monkeypatch.context() as patch:
        if layer == "ledger":
            patch.setattr(BoxAccount, "require", lambda *_: None)
        else:
            patch.setattr(CuratorLedger, "_checked", lambda _, name, query: query)
        with pytest.raises(ConfigError, match="of a linear query reaches"):
            ledger.answer("alice", LinearQuery((1.0,), 0.0, 0.1, 0.0, 1.0))
    assert ledger.answers("alice") == []


def hostile_query(rng):
    """Often one that does not fit the box, the interval, or the budget."""
    slope = tuple(
        (rng.normal(size=rng.choice([1, 1, 1, 2])) * 10.0 ** rng.integers(-3, 8)).tolist()
    )
    intercept = float(rng.normal() * 10.0 ** rng.integers(-2, 6))
    epsilon_nats = float(rng.choice([1e-9, 0.01, 0.1, 0.3, 2.0, 29.0]))
    low = float(rng.normal() * 10.0 ** rng.integers(-3, 9))
    high = low + float(10.0 ** rng.integers(-12, 10))
    kind = rng.integers(4)
    if kind == 0:
        return LogisticQuery(slope, intercept, epsilon_nats)
    if kind == 1:
        return TruncatedLinearQuery(slope, intercept, epsilon_nats, low, high)
    if kind == 2 and len(slope) == 1:
        ends = sorted((intercept, 100 * slope[0] + intercept))
        return LinearQuery(slope, intercept, epsilon_nats, *ends)
    return LinearQuery(slope, intercept, epsilon_nats, low, high)


@pytest.mark.parametrize("kind", FILTERS)
def test_attack_tell_values_apart_by_refusals(tmp_path, monkeypatch, kind):
    """With the same outputs drawn, all that a ledger does is the same for every value."""

    def transcript(value):
        outputs = generator(2, "hostile outputs", kind)
        monkeypatch.setattr(OneBitMechanism, "draw", lambda *_: int(outputs.integers(2)))
        path = tmp_path / f"{value}.sqlite"
        ledger = new_ledger(path, value=value, filter=kind, tolerance=0.05)
        rng, lines = generator(1, "hostile"), []
        for _ in range(60):
            try:
                lines.append(str(ledger.answer("alice", hostile_query(rng))))
            except UserError as error:
                lines.append(f"{type(error).__name__}: {error}")
        return lines, ledger.loss("alice"), ledger.export("alice")

    first = transcript(37.4219)
    kinds = {line.split(":")[0] for line in first[0]}
    assert kinds >= {"0", "1", "ConfigError", "BudgetError"}
    for value in (0.0, 99.75, 100.0):
        assert transcript(value) == first


def holds(local, value) -> bool:
    """Whether a local variable is the value, or a list, an array or a text with it."""
    with contextlib.suppress(TypeError, ValueError, OverflowError, KeyboardInterrupt):
        if (abs(np.asarray(local, dtype=float) - value) < 1e-9).any():
            return True
    return str(value) in repr(local)


def frames_of_the_package(error) -> list:
    package, found = str(Path(curator.__file__).parents[1]), []
    while error is not None:
        found += [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
        error = error.__context__
    return [frame for frame in found if frame.f_code.co_filename.startswith(package)]


class Interrupting(float):
    """A value that takes so long to read that somebody stops the program."""

    def __float__(self) -> float:
        raise KeyboardInterrupt


FAILING = {
    "outside the box": lambda ledger, value: ledger.enroll("bob", [value + 100]),
    "another length": lambda ledger, value: ledger.enroll("bob", [value, value]),
    "no number": lambda ledger, value: ledger.enroll("bob", [f"{value}!"]),
    "not a number": lambda ledger, value: ledger.enroll("bob", [math.nan, value]),
    "enrolled already": lambda ledger, value: ledger.enroll("alice", [value]),
    "no name": lambda ledger, value: ledger.enroll("", [value]),
    "interrupted enrolment": lambda ledger, value: ledger.enroll(
        "bob", [value, Interrupting(value)]
    ),
    "refused": lambda ledger, value: ledger.answer("alice", LogisticQuery((1.0,), 0.0, 20.0)),
    "not of every value": lambda ledger, value: ledger.answer(
        "alice", LinearQuery((1.0,), 0.0, 0.1, 0.0, 1.0)
    ),
    "interrupted share": lambda ledger, value: ledger.answer("alice", STEEP),
    "interrupted draw": lambda ledger, value: ledger.answer(
        "alice", LinearQuery((1.0,), 0.0, 0.1, 0.0, 100.0)
    ),
}


@pytest.mark.parametrize("failing", FAILING)
def test_attack_see_the_value_in_a_traceback(path, monkeypatch, failing):
    """No local variable of the package holds it, in a frame of an error that left the package."""
    value = 37.4219
    ledger = new_ledger(path, value=value)

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(curator, "logistic_share", interrupted)
    monkeypatch.setattr("secrets.randbits", interrupted)
    with pytest.raises((UserError, KeyboardInterrupt)) as caught:
        FAILING[failing](ledger, value)
    frames = frames_of_the_package(caught.value)
    assert frames
    for shown in (value, value + 100, value / 100):  # the last is the place in the interval
        for frame in frames:
            for name, local in frame.f_locals.items():
                assert not holds(local, shown), (frame.f_code.co_name, name)
        assert str(shown) not in str(caught.value)


# Randomness


def test_outputs_are_drawn_from_the_operating_system(path, monkeypatch):
    """The smallest number of 128 bits reports the upper end, the largest one the lower end."""
    ledger = new_ledger(path, filter="basic")
    asked = []
    for bits in (0, 2**128 - 1):
        monkeypatch.setattr(
            "secrets.randbits", lambda count, bits=bits: asked.append(count) or bits
        )
        assert ledger.answer("alice", STEEP) == (bits == 0)
    assert asked == [128, 128]


# Threads


@pytest.fixture
def switching():
    """Threads that give way to each other as often as Python can."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def in_threads(*functions) -> list:
    """Results of functions that run at the same time; an error of one is an error here."""
    results, errors = [None] * len(functions), []

    def run(number):
        try:
            results[number] = functions[number]()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(functions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    if errors:
        raise errors[0]
    return results


def loss_of_bits(bits, epsilon_nats=0.1) -> float:
    """k log p + m log (1 - p) is concave in the probability p of a 1, which has two ends."""
    ones, ends = sum(bits), np.array([1, math.exp(epsilon_nats)]) / (1 + math.exp(epsilon_nats))
    best = np.clip(ones / max(len(bits), 1), *ends)
    likely = [ones * np.log(p) + (len(bits) - ones) * np.log(1 - p) for p in (best, *ends)]
    return likely[0] - min(likely)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["basic", "bayesian"])
def test_attack_six_threads_on_one_ledger(tmp_path, switching, kind):
    """What memory says is what the file says, and the true loss stays within the budget."""
    for trial in range(2):
        path = tmp_path / f"{trial}.sqlite"
        ledger = new_ledger(path, filter=kind)

        def spend(name, ledger=ledger):
            rng, got = generator(3, "threads", name), []
            for _ in range(12):
                sign = float(rng.choice([-1, 1]))
                query = LogisticQuery((5000.0 * sign,), -250_000.0 * sign, 0.1)
                with contextlib.suppress(BudgetError):
                    got.append((query, ledger.answer("alice", query)))
            return got

        runs = in_threads(*(lambda name=name: spend(name) for name in range(6)))
        stored = ledger.answers("alice")
        released = [answer for run in runs for answer in run]
        assert sorted(stored, key=repr) == sorted(released, key=repr)
        # A report of the mirrored question is the other report of the first one.
        bits = [o if query.coefficients[0] > 0 else 1 - o for query, o in stored]
        assert len(stored) >= 10
        for count in range(len(stored) + 1):
            spent = loss_of_bits(bits[:count]) if kind == "bayesian" else 0.1 * count
            assert spent <= 1 + 1e-9
        assert ledger.loss("alice").upper == pytest.approx(loss_of_bits(bits), abs=2e-3)
        assert ledger._records["alice"].length == len(stored)


def test_attack_two_ledgers_spend_one_budget(path):
    ledgers = [new_ledger(path, filter="basic"), reopened(path), reopened(path)]

    def spend(ledger):
        got = []
        while True:
            try:
                got.append(ledger.answer("alice", STEEP))
            except BudgetError:
                return got

    runs = in_threads(*(lambda one=one: spend(one) for one in ledgers))
    answered = [output for run in runs for output in run]
    stored = [output for _, output in ledgers[0].answers("alice")]
    assert len(stored) == 10
    assert sorted(stored) == sorted(answered)


class Gate:
    """Holds a filter's decision about one epsilon until it is opened."""

    def __init__(self, monkeypatch, epsilon_nats) -> None:
        self.reached, self.opened = threading.Event(), threading.Event()
        accepts = BayesianFilter.accepts

        def slow(privacy_filter, query):
            answer = accepts(privacy_filter, query)
            if query.epsilon_nats == epsilon_nats:
                self.reached.set()
                assert self.opened.wait(30)
            return answer

        monkeypatch.setattr(BayesianFilter, "accepts", slow)


def test_attack_slow_decision_stalls_nobody_else(path, monkeypatch):
    """While one object's filter thinks, others are answered, by this ledger and by another."""
    gate = Gate(monkeypatch, 0.2)
    ledger = new_ledger(path, "alice", "bob", wait_s=0.2)
    other = reopened(path, "bob", wait_s=0.2)
    slow = threading.Thread(
        target=lambda: ledger.answer("alice", LogisticQuery((1.0,), -50.0, 0.2))
    )
    slow.start()
    assert gate.reached.wait(30)
    start = time.monotonic()
    assert ledger.answer("bob", STEEP) in (0, 1)
    assert other.answer("bob", STEEP) in (0, 1)
    assert ledger.loss("bob").upper > 0
    assert ledger.answers("alice") == []  # does not need the filter
    assert ledger.head().startswith("2:")
    assert time.monotonic() - start < 10
    gate.opened.set()
    slow.join(30)
    assert len(ledger.answers("alice")) == 1


def test_attack_other_process_spends_during_a_decision(path, monkeypatch):
    """A decision that is out of date when the file is locked is made again."""
    gate = Gate(monkeypatch, 0.2)
    ledger, other = new_ledger(path), reopened(path)
    outcome = []

    def ask():
        try:
            outcome.append(ledger.answer("alice", LogisticQuery((5000.0,), -250_000.0, 0.2)))
        except BudgetError as error:
            outcome.append(error)

    slow = threading.Thread(target=ask)
    slow.start()
    assert gate.reached.wait(30)
    monkeypatch.setattr(OneBitMechanism, "draw", lambda *_: 1)
    for _ in range(9):
        other.answer("alice", STEEP)
    gate.opened.set()
    slow.join(30)
    assert isinstance(outcome[0], BudgetError)
    assert len(ledger.answers("alice")) == 9
    assert ledger.loss("alice").upper == pytest.approx(0.9, abs=2e-3)


def test_readers_need_no_write_lock(path):
    ledger = new_ledger(path, wait_s=0.05)
    ledger.answer("alice", STEEP)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        assert len(ledger.answers("alice")) == 1
        assert ledger.loss("alice").upper > 0
        assert ledger.would_answer("alice", STEEP)
        assert len(ledger.export("alice")["answers"]) == 1
        assert ledger.remaining("alice") < 1
        ledger.verify(ledger.head())
        CuratorLedger.open(path, wait_s=0.05)
        with pytest.raises(DataError, match=r"another process has held.*no answer was given"):
            ledger.answer("alice", STEEP)
        writer.execute("ROLLBACK")
    assert len(ledger.answers("alice")) == 1
    ledger.answer("alice", STEEP)
    assert len(ledger.answers("alice")) == 2


def test_interrupt_after_the_commit_loses_no_record(path, monkeypatch):
    """Between the file and the filter: the answer is lost, its cost is not."""
    ledger = new_ledger(path, filter="basic")
    record = BasicFilter.record

    def half_way(privacy_filter, query, output):
        record(privacy_filter, query, output)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(BasicFilter, "record", half_way)
        with pytest.raises(KeyboardInterrupt):
            ledger.answer("alice", STEEP)
    assert len(ledger.answers("alice")) == 1
    assert ledger.remaining("alice") == pytest.approx(0.9)
    for _ in range(9):
        ledger.answer("alice", STEEP)
    with pytest.raises(BudgetError):
        ledger.answer("alice", STEEP)


# Kills

NURSERY = """
import os, sys, threading
from noiseless.curator.ledger import CuratorLedger
from noiseless.accounting.filters import BasicFilter
from noiseless.accounting.queries import Box, LogisticQuery
from noiseless.accounting.realized_loss import BoxAccount
# Compiled here, and not in each child.
account = BoxAccount(Box((0.0,), (100.0,)))
BasicFilter(1.0, account).record(LogisticQuery((1.0,), 0.0, 0.01), 1)
def child(number):
    ledger = CuratorLedger.open(sys.argv[1])
    for name in ("alice", "bob"):
        ledger.enroll(name, [37.4219])
    def spend(thread):
        name, turn = ("alice", "bob")[thread % 2], 0
        while True:
            turn += 1
            intercept = float(f"{number}{thread}.{turn}1")  # no other query has it
            output = ledger.answer(name, LogisticQuery((1.0,), intercept, 0.01))
            os.write(1, f"{name} {intercept!r} {output}\\n".encode())
    threads = [threading.Thread(target=spend, args=(thread,)) for thread in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
for line in sys.stdin:
    children = []
    for number in line.split():
        children.append(os.fork())
        if children[-1] == 0:
            child(number)
    os.write(1, f"children {children[0]} {children[1]}\\n".encode())
    for one in children:
        os.waitpid(one, 0)
    os.write(1, b"dead\\n")
"""


@pytest.mark.slow
def test_attack_kill_processes_with_threads(path, root):
    """Every answer that left is in the file, once; at most one per thread was lost unseen."""
    new_ledger(path, filter="basic", budget_nats=1e6)
    nursery = subprocess.Popen(
        [sys.executable, "-c", NURSERY, str(path)],
        env={**os.environ, "PYTHONPATH": str(root / "workflow")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )
    left, rng = {}, generator(4, "kills")
    with nursery:
        for turn in range(KILL_ROUNDS):
            before = len(left)
            nursery.stdin.write(f"{2 * turn + 1} {2 * turn + 2}\n")
            lines = []  # the first child may answer before the second is there
            while not (line := nursery.stdout.readline()).startswith("children"):
                assert line, "the nursery has ended"
                lines.append(line)
            children = line.split()[1:]
            lines += [nursery.stdout.readline() for _ in range(rng.integers(1, 12))]
            time.sleep(float(rng.uniform(0, 0.1)))
            for child in children:
                os.kill(int(child), signal.SIGKILL)
            lines += iter(nursery.stdout.readline, "dead\n")
            for line in lines:
                name, intercept, output = line.split()
                left[name, float(intercept)] = int(output)
            assert len(left) == before + len(lines) > before
            require_all(path, left, lost=6 * (turn + 1))
        nursery.stdin.close()


def require_all(path, left, *, lost) -> None:
    """The file holds all that left, once, with few others, and accounts for all of them."""
    ledger = CuratorLedger.open(path)  # checks every digest
    stored = {}
    for name in ("alice", "bob"):
        answers = ledger.answers(name)
        stored |= {(name, query.intercept): output for query, output in answers}
        assert 1e6 - ledger.remaining(name) == pytest.approx(0.01 * len(answers), abs=1e-6)
    assert ledger.head().startswith(f"{len(stored)}:")
    assert left.items() <= stored.items()
    assert len(stored) - len(left) <= lost


# Power cuts

SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
/* What a disk holds: a name that was unlinked stays until its folder is synced. */
static char kept[4096], name[4096];
int unlink(const char *path) {
    int (*real)(const char *) = dlsym(RTLD_NEXT, "unlink");
    if (strstr(path, "-journal")) {
        snprintf(name, sizeof name, "%s", path);
        snprintf(kept, sizeof kept, "%s.on-disk", path);
        real(kept);
        if (link(path, kept)) abort();
    }
    return real(path);
}
static void synced(int file) {
    struct stat found;
    int (*real)(const char *) = dlsym(RTLD_NEXT, "unlink");
    if (kept[0] && !fstat(file, &found) && S_ISDIR(found.st_mode)) { real(kept); kept[0] = 0; }
}
int fsync(int file) {
    int (*real)(int) = dlsym(RTLD_NEXT, "fsync");
    int status = real(file);
    synced(file);
    return status;
}
int fdatasync(int file) {
    int (*real)(int) = dlsym(RTLD_NEXT, "fdatasync");
    int status = real(file);
    synced(file);
    return status;
}
"""

FOUR = """
import sys
from noiseless.curator import ledger as curator
from noiseless.accounting.queries import Box, LogisticQuery
for path, curator.SYNCHRONOUS in zip(sys.argv[1::2], sys.argv[2::2]):
    ledger = curator.CuratorLedger.create(path, box=Box((0.0,), (100.0,)), budget_nats=1.0)
    ledger.enroll("alice", [37.4219])
    for _ in range(4):
        ledger.answer("alice", LogisticQuery((1.0,), -50.0, 0.1))
    print(ledger.head())
"""


@pytest.fixture(scope="module")
def cut_ledgers(tmp_path_factory, root) -> dict[str, tuple[Path, str]]:
    """Ledgers of four answers and their heads, on a model of a disk, by SQLite's setting.

    A library keeps what was unlinked until its folder is synced, as a disk does.
    """
    compiler = shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("a power cut on a model of a disk needs Linux and a C compiler (cc)")
    folder = tmp_path_factory.mktemp("cut")
    (folder / "shim.c").write_text(SHIM)
    library = folder / "shim.so"
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-o", library, folder / "shim.c", "-ldl"], check=True
    )
    ledgers = {setting: folder / f"{setting}.sqlite" for setting, _ in SETTINGS}
    run = subprocess.run(
        [sys.executable, "-c", FOUR]
        + [str(word) for setting, path in ledgers.items() for word in (path, setting)],
        env={**os.environ, "PYTHONPATH": str(root / "workflow"), "LD_PRELOAD": str(library)},
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(zip(ledgers, zip(ledgers.values(), run.stdout.split(), strict=True), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize(("synchronous", "kept"), SETTINGS)
def test_attack_power_cut_brings_the_journal_back(cut_ledgers, synchronous, kept):
    """The ledger's setting keeps all four answers; the control shows that the cut is a cut."""
    path, head = cut_ledgers[synchronous]
    on_disk = Path(f"{path}-journal.on-disk")
    assert on_disk.exists() == (kept == 3)
    if on_disk.exists():
        on_disk.rename(f"{path}-journal")
    assert len(CuratorLedger.open(path).answers("alice")) == kept
    if kept == 4:
        CuratorLedger.open(path, head=head)
    else:
        with pytest.raises(DataError, match="answers were removed"):
            CuratorLedger.open(path, head=head)


def mounted(*arguments) -> bool:
    """Whether a mount worked; only root can, and not in every container."""
    return (
        os.geteuid() == 0
        and shutil.which("mount") is not None
        and subprocess.run(["mount", *map(str, arguments)], capture_output=True).returncode == 0
    )


@pytest.fixture
def mount(tmp_path):
    """Mounts something on a folder, and takes it away after the test."""
    folders = []

    def at(name, *arguments) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        if not mounted(*arguments, folder):
            pytest.skip("mounting a file system needs root, and a kernel that lets it")
        folders.append(folder)
        return folder

    yield at
    for folder in folders:
        subprocess.run(["umount", folder], check=True)


@pytest.mark.parametrize(("synchronous", "kept"), SETTINGS)
def test_attack_power_cut_of_a_real_file_system(tmp_path, mount, monkeypatch, synchronous, kept):
    """ext4 on a file: a copy of the file, taken when the answer leaves, is the disk after a cut."""
    if shutil.which("mkfs.ext4") is None:
        pytest.skip("mkfs.ext4 is not here (Debian's package: e2fsprogs)")
    disk, copy = tmp_path / "disk.img", tmp_path / "copy.img"
    with disk.open("wb") as file:
        file.truncate(16 * 2**20)
    subprocess.run(["mkfs.ext4", "-q", disk], check=True)
    monkeypatch.setattr(curator, "SYNCHRONOUS", synchronous)
    folder = mount("before", "-o", "loop,commit=300", disk)
    ledger = new_ledger(folder / "ledger.sqlite")
    for _ in range(4):
        ledger.answer("alice", STEEP)
    shutil.copy(disk, copy)
    after = mount("after", "-o", "loop", copy)
    assert len(CuratorLedger.open(after / "ledger.sqlite").answers("alice")) == kept


# Bad disks


def test_full_disk_stops_answers_and_loses_none(mount):
    folder = mount("full", "-t", "tmpfs", "-o", "size=100k", "tmpfs")
    ledger = new_ledger(folder / "ledger.sqlite", filter="basic", budget_nats=1e6)
    left = []
    with pytest.raises(DataError, match=r"the disk is full.*no answer was given"):
        left.extend(iter(lambda: ledger.answer("alice", STEEP), None))
    assert len(left) > 10
    again = reopened(folder / "ledger.sqlite")
    for holder in (ledger, again):
        assert [output for _, output in holder.answers("alice")] == left
    subprocess.run(["mount", "-o", "remount,size=1M", folder], check=True)
    left.append(ledger.answer("alice", STEEP))
    left.append(again.answer("alice", STEEP))
    assert [output for _, output in ledger.answers("alice")] == left


def test_full_disk_creates_no_ledger(mount):
    folder = mount("full", "-t", "tmpfs", "-o", "size=8k", "tmpfs")
    with pytest.raises(DataError, match="the disk is full"):
        new_ledger(folder / "ledger.sqlite")
    assert list(folder.iterdir()) == []


@pytest.fixture
def read_only(tmp_path, request):
    """Makes a folder read-only: by a mount for root, whom permissions do not stop."""
    undo = []

    def make(folder) -> None:
        if os.geteuid() != 0:
            folder.chmod(0o500)
            for file in folder.iterdir():
                file.chmod(0o400)
            undo.append(lambda: folder.chmod(0o700))
        elif mounted("--bind", folder, folder):
            undo.append(lambda: subprocess.run(["umount", folder], check=True))
            subprocess.run(["mount", "-o", "remount,ro,bind", folder], check=True)
        else:
            pytest.skip("a read-only folder for root needs a mount")

    yield make
    for step in undo:
        step()


def test_read_only_disk_is_read_and_not_answered_from(tmp_path, read_only):
    folder = tmp_path / "here"
    folder.mkdir()
    ledger = new_ledger(folder / "ledger.sqlite")
    ledger.answer("alice", STEEP)
    head = ledger.head()
    read_only(folder)
    with pytest.raises(DataError, match=r"cannot be written.*no answer was given"):
        ledger.answer("alice", STEEP)
    with pytest.raises(DataError, match="cannot be created"):
        new_ledger(folder / "other.sqlite")
    again = reopened(folder / "ledger.sqlite", head=head)
    for holder in (ledger, again):
        assert len(holder.answers("alice")) == 1
        assert holder.loss("alice").upper > 0


# Damage


def filled(path, names=("alice", "bob"), count=4, budget_nats=10.0) -> CuratorLedger:
    ledger = new_ledger(path, *names, budget_nats=budget_nats)
    for _ in range(count):
        for name in names:
            ledger.answer(name, STEEP)
    return ledger


DAMAGES = {
    "gap in an object's answers": "DELETE FROM answers WHERE object = 'alice' AND position = 1",
    "first answer gone": "DELETE FROM answers WHERE number = 1",
    "all answers of an object gone": "DELETE FROM answers WHERE object = 'alice'",
    "last answer of an object gone": "DELETE FROM answers WHERE object='alice' AND position = 3",
    "gap closed up": """DELETE FROM answers WHERE object = 'alice' AND position = 2;
        UPDATE answers SET position = 2 WHERE object = 'alice' AND position = 3""",
    "answer of another object": "UPDATE answers SET object = 'carol' WHERE number = 3",
    "output flipped": "UPDATE answers SET output = 1 - output WHERE number = 5",
    "output of text": "UPDATE answers SET output = 'one' WHERE number = 5",
    "output of 7": "UPDATE answers SET output = 7 WHERE number = 5",
    "output a fraction": "UPDATE answers SET output = 0.5 WHERE number = 5",
    "bad JSON": "UPDATE answers SET query = '{' WHERE number = 2",
    "JSON of another kind": "UPDATE answers SET query = '[]' WHERE number = 2",
    "bytes for a query": "UPDATE answers SET query = x'ff00' WHERE number = 2",
    "no UTF-8": "UPDATE answers SET query = CAST(x'ff00' AS TEXT) WHERE number = 2",
    "unknown kind": "UPDATE answers SET query = replace(query, 'logistic', 'cubic')",
    "field missing": "UPDATE answers SET query = replace(query, 'intercept', 'x')",
    "smaller epsilon": "UPDATE answers SET query = replace(query, '0.1', '0.01')",
    "digest changed": "UPDATE answers SET digest = ledger_digest WHERE number = 4",
    "number changed": "UPDATE answers SET number = 100 WHERE number = 8",
    "table dropped": "DROP TABLE answers",
    "settings dropped": "DROP TABLE settings",
    "settings deleted": "DELETE FROM settings",
    "settings no JSON": "UPDATE settings SET json = 'budget: 1'",
    "settings a list": "UPDATE settings SET json = '[1]'",
    "settings deep": f"UPDATE settings SET json = '{'[' * 100_000}'",
    "settings without a budget": "UPDATE settings SET json = replace(json, 'budget', 'b')",
    "larger budget": "UPDATE settings SET json = replace(json, '10.0', '99.0')",
    "other filter": "UPDATE settings SET json = replace(json, 'bayesian', 'whatever')",
    "other program": "PRAGMA application_id = 7",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_attack_change_inside_the_file(path, damage):
    """One readable error when it is opened, and when it is in use."""
    ledger = filled(path)
    execute(path, *DAMAGES[damage].split(";"))
    with pytest.raises(DataError, match=r"ledger\.sqlite"):
        CuratorLedger.open(path)
    with pytest.raises(DataError, match=r"ledger\.sqlite"):
        ledger.verify()


def uses(ledger) -> tuple:
    """All that reads an object's answers."""
    return ledger.answers, ledger.loss, ledger.export, lambda name: ledger.answer(name, STEEP)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ("gap in an object's answers", "answer 1 of 'alice' is missing"),
        ("first answer gone", "answer 0 of 'alice' is missing"),
        ("output flipped", "answer 2 of 'alice' was changed"),
        ("smaller epsilon", "answer 0 of 'alice' was changed"),
        ("table dropped", "damaged"),
    ],
)
def test_attack_change_between_opening_and_the_first_use(path, damage, message):
    """An object's rows are checked when they are read, not only when the file is opened."""
    filled(path)
    ledger = reopened(path)
    execute(path, DAMAGES[damage])
    for use in uses(ledger):
        with pytest.raises(DataError, match=message):
            use("alice")


FORGERIES = {
    "unknown kind": ("query", "cubic"),
    "no JSON": ("query", "{"),
    "query of other dimensions": (
        "query",
        json.dumps({"kind": "logistic", "coefficients": [1, 1], "intercept": 0, "epsilon_nats": 1}),
    ),
    "epsilon of 800": (
        "query",
        json.dumps({"kind": "logistic", "coefficients": [1], "intercept": 0, "epsilon_nats": 800}),
    ),
    "output of 7": ("output", 7),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_attack_nonsense_with_digests_made_again(path, forgery):
    """Digests need no key: whoever can write can make them.  Nonsense is still one error."""
    filled(path, count=1)
    column, cell = FORGERIES[forgery]
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"UPDATE answers SET {column} = ? WHERE number = 1", (cell,))
        forge(connection)
    ledger = reopened(path)  # the digests fit
    for use in uses(ledger):
        with pytest.raises(DataError, match=r"unreadable|neither 0 nor 1"):
            use("alice")


def forge(connection) -> None:
    """Digests of all rows as they are, with no help of the ledger."""
    ((settings,),) = connection.execute("SELECT json FROM settings")

    def sha(*fields):
        return hashlib.sha256(json.dumps(fields).encode()).hexdigest()

    ends, running = {}, sha(settings)
    for number, name, *fields in connection.execute(
        "SELECT number, object, position, query, output FROM answers ORDER BY number"
    ).fetchall():
        ends[name] = sha(ends.get(name, sha(settings)), name, *fields)
        running = sha(running, ends[name])
        connection.execute(
            "UPDATE answers SET digest = ?, ledger_digest = ? WHERE number = ?",
            (ends[name], running, number),
        )


def test_flipped_bytes_are_an_error_or_change_nothing(path):
    """200 files with one to four bytes changed: never a traceback, never another record."""
    ledger = filled(path, count=3)
    right = {name: ledger.answers(name) for name in ("alice", "bob")}
    whole, rng, found = path.read_bytes(), generator(5, "bytes"), 0
    for turn in range(200):
        damaged = bytearray(whole)
        for place in rng.integers(len(whole), size=rng.integers(1, 5)):
            damaged[place] ^= int(rng.integers(1, 256))
        copy = path.with_name(f"{turn}.sqlite")
        copy.write_bytes(damaged)
        try:
            again = CuratorLedger.open(copy)
            assert {name: again.answers(name) for name in right} == right
            assert again.settings == ledger.settings
        except DataError:
            found += 1
    assert found > 50


def index_of(path) -> tuple[int, int]:
    """Where in the file the page begins by which an object's answers are found, and its size."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_answers_1'"
        ((root,),) = connection.execute(query)
        ((size,),) = connection.execute("PRAGMA page_size")
    return (root - 1) * size, size


def test_a_flipped_bit_of_the_index_forgets_no_answer(path):
    """Answers of an object are found by it, and no digest is about it: all bits of its page."""
    ledger = filled(path, names=("alice",), count=3)
    right, head = ledger.answers("alice"), ledger.head()
    start, size = index_of(path)
    whole = path.read_bytes()
    page = whole[start : start + size]
    # Its head, the places of its three cells, and the cells, which lie at its end.
    used = [*range(14), *range(int.from_bytes(page[5:7], "big"), size)]
    copy, found = path.with_name("copy.sqlite"), 0
    for place in used:
        for bit in range(8):
            damaged = bytearray(whole)
            damaged[start + place] ^= 1 << bit
            copy.write_bytes(damaged)
            try:
                again = CuratorLedger.open(copy, head=head)
                assert again.answers("alice") == right
                assert again.loss("alice") == ledger.loss("alice")
            except DataError:
                found += 1
    assert found > 4 * len(used)


def test_an_index_that_is_damaged_in_use_forgets_no_answer(path):
    """Reads are compared with what was verified when the file was opened."""
    ledger = filled(path, names=("alice",), count=3)
    again = reopened(path)
    start, _ = index_of(path)
    damaged = bytearray(path.read_bytes())
    damaged[start + 4] = 2  # cells of the page: the last answer is not found
    path.write_bytes(damaged)
    for use in (again.loss, again.answers, lambda name: again.answer(name, STEEP), ledger.answers):
        with pytest.raises(DataError, match="is missing"):
            use("alice")


ADDITIONS = {
    "trigger that takes answers away": """CREATE TRIGGER free AFTER INSERT ON answers
        BEGIN DELETE FROM answers WHERE number = NEW.number; END""",
    "view": "CREATE VIEW everything AS SELECT * FROM answers",
    "table": "CREATE TABLE more (x)",
    "index": "CREATE INDEX more ON answers (digest)",
    "column": "ALTER TABLE answers ADD COLUMN more",
}


@pytest.mark.parametrize("addition", ADDITIONS)
def test_attack_more_in_the_file_than_a_ledger(path, addition):
    """Before it is opened, and while it is in use: no answer is given."""
    ledger = filled(path, count=1)
    head = ledger.head()
    execute(path, ADDITIONS[addition])
    for use in (
        lambda: CuratorLedger.open(path, head=head),
        lambda: ledger.verify(head),
        lambda: ledger.answer("alice", STEEP),
    ):
        with pytest.raises(DataError, match="triggers or views"):
            use()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM answers").fetchone() == (2,)


def test_attack_old_copy_while_in_use_with_more_objects_than_are_in_memory(path, monkeypatch):
    monkeypatch.setattr(curator, "CACHED_OBJECTS", 2)
    names = [f"person {number}" for number in range(7)]
    ledger = new_ledger(path, *names, filter="basic")
    copy = path.read_bytes()
    spend = LogisticQuery((1.0,), -50.0, 1.0)
    for name in names:
        ledger.answer(name, spend)
    path.write_bytes(copy)
    for name in names:
        with pytest.raises(DataError, match="changed or replaced while it was in use"):
            ledger.answer(name, spend)


def test_attack_old_copy_after_an_error(path):
    """A time-out makes the ledger read an object again, and forget nothing of the file."""
    ledger = new_ledger(path, filter="basic", wait_s=0.05)
    copy = path.read_bytes()
    spend = LogisticQuery((1.0,), -50.0, 1.0)
    ledger.answer("alice", spend)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN EXCLUSIVE")
        with pytest.raises(DataError, match="another process has held"):
            ledger.loss("alice")
        writer.execute("ROLLBACK")
    path.write_bytes(copy)
    with pytest.raises(DataError, match="changed or replaced while it was in use"):
        ledger.answer("alice", spend)


def test_attack_empty_ledger_of_other_settings_while_in_use(path, tmp_path):
    """It is not written to, although no answer is missing."""
    ledger = new_ledger(path)
    new_ledger(tmp_path / "other.sqlite", budget_nats=9.0)
    path.write_bytes((tmp_path / "other.sqlite").read_bytes())
    with pytest.raises(DataError, match="changed or replaced while it was in use"):
        ledger.answer("alice", STEEP)
    assert CuratorLedger.open(path).head().startswith("0:")


def test_a_new_file_has_its_name_when_it_is_complete(path, monkeypatch):
    """Whoever opens it while it is made finds no ledger, and not an empty one."""
    connect, seen = sqlite3.connect, []

    def watched(*arguments, **settings):
        if not seen:
            seen.append(path.exists())
            with pytest.raises(DataError, match="there is no ledger"):
                CuratorLedger.open(path)
        return connect(*arguments, **settings)

    with monkeypatch.context() as patch:
        patch.setattr("sqlite3.connect", watched)
        new_ledger(path)
    assert seen == [False]
    assert [each.name for each in path.parent.iterdir()] == [path.name]
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.stat().st_nlink == 1


def test_a_file_system_without_links_is_one_message(path, monkeypatch):
    def refused(*_):
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr("os.link", refused)
    with pytest.raises(DataError, match="knows hard links"):
        new_ledger(path)
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize("bad", [None, 7, "a\0b", b"bytes", "\ud800"])
def test_no_path_is_one_message(bad):
    for use in (
        CuratorLedger.open,
        lambda path: CuratorLedger.create(path, box=BOX, budget_nats=1),
    ):
        with pytest.raises(ConfigError, match="is not the path of a file"):
            use(bad)


def test_attack_emptied_deleted_or_mistyped_file_is_no_fresh_budget(path):
    ledger = filled(path)
    missing = path.with_name("legder.sqlite")
    with pytest.raises(DataError, match="there is no ledger"):
        CuratorLedger.open(missing)
    assert not missing.exists()
    copy = path.read_bytes()
    path.write_bytes(b"")
    for use in (lambda: CuratorLedger.open(path), lambda: ledger.answer("alice", STEEP)):
        with pytest.raises(DataError, match="is not a curator's ledger"):
            use()
    path.unlink()
    with pytest.raises(DataError, match="no answer was given"):
        ledger.answer("alice", STEEP)
    assert not path.exists()
    path.write_bytes(copy[: len(copy) // 2])
    with pytest.raises(DataError):
        CuratorLedger.open(path)


def test_attack_foreign_files_are_no_ledgers(path, tmp_path):
    (tmp_path / "text").write_text("no database " * 100)
    execute(tmp_path / "other", "CREATE TABLE answers (x)")
    for file in ("text", "other", ""):
        with pytest.raises(DataError, match=r"not a curator's ledger|cannot be written"):
            CuratorLedger.open(tmp_path / file)


def test_creating_replaces_no_file(path):
    head = filled(path).head()
    with pytest.raises(DataError, match="exists, and a new ledger must not replace it"):
        CuratorLedger.create(path, box=BOX, budget_nats=1.0)
    CuratorLedger.open(path, head=head)
    with pytest.raises(DataError, match="cannot be created"):
        CuratorLedger.create(path.parent / "no folder" / "x.sqlite", box=BOX, budget_nats=1.0)
    stray = path.with_name("new.sqlite-journal")
    stray.write_bytes(b"journal of a ledger that was moved away")
    with pytest.raises(DataError, match="earlier ledger of this name"):
        CuratorLedger.create(path.with_name("new.sqlite"), box=BOX, budget_nats=1.0)
    assert not path.with_name("new.sqlite").exists()


def truncated(path, copy) -> None:
    execute(path, "DELETE FROM answers WHERE number > 5")


def old_copy(path, copy) -> None:
    path.write_bytes(copy)


@pytest.mark.parametrize("attack", [truncated, old_copy])
def test_attack_old_copy_is_seen_with_a_head_and_not_without(path, attack):
    """The limit of digests in the file, and the head that lifts it."""
    ledger = filled(path, count=2)
    early, copy = ledger.head(), path.read_bytes()
    for _ in range(2):
        ledger.answer("bob", STEEP)
        ledger.answer("alice", STEEP)
    late = ledger.head()
    ledger.answer("bob", STEEP)
    for head in (f"0:{ledger._start}", early, late, ledger.head()):
        ledger.verify(head)
        CuratorLedger.open(path, head=head)
    attack(path, copy)
    CuratorLedger.open(path, head=early)
    CuratorLedger.open(path)  # nothing in the file tells
    with pytest.raises(DataError, match="answers were removed"):
        CuratorLedger.open(path, head=late)
    # The ledger that was in use knows better.
    with pytest.raises(DataError, match="changed or replaced while it was in use"):
        ledger.answer("alice", STEEP)


def test_attack_another_ledger_of_the_same_length(path, tmp_path):
    """It fits neither the head, nor a ledger that was in use."""
    ledger, other = filled(path), filled(tmp_path / "other.sqlite", budget_nats=11.0)
    with pytest.raises(DataError, match="another ledger"):
        CuratorLedger.open(path, head=other.head())
    ledger.loss("alice")
    path.write_bytes((tmp_path / "other.sqlite").read_bytes())
    CuratorLedger.open(path)
    with pytest.raises(DataError, match="changed or replaced while it was in use"):
        ledger.loss("alice")


def test_attack_empty_ledger_with_another_budget_is_seen_with_a_head(path):
    head = new_ledger(path).head()
    execute(path, "UPDATE settings SET json = replace(json, '1.0', '9.0')")
    with pytest.raises(DataError, match="answers were removed"):
        CuratorLedger.open(path, head=head)


@pytest.mark.parametrize("head", ["", "5", "5:abc", "x:" + 64 * "0", "1:" + 64 * "G", 7])
def test_bad_head(path, head):
    new_ledger(path)
    with pytest.raises(ConfigError, match="not a ledger's head"):
        CuratorLedger.open(path, head=head)


# Epsilon


@pytest.mark.parametrize("epsilon_nats", [30.000001, 37.5, 710.0, math.inf, math.nan, 0.0, -1.0])
def test_attack_epsilon_that_makes_an_output_impossible(epsilon_nats):
    for query in (
        lambda: LogisticQuery((1.0,), 0.0, epsilon_nats),
        lambda: LinearQuery((1.0,), 0.0, epsilon_nats, 0.0, 100.0),
    ):
        with pytest.raises(ConfigError, match=r"epsilon is .* at most 30"):
            query()


def test_largest_epsilon_is_answered_and_recorded(path):
    ledger = new_ledger(path, budget_nats=100.0)
    query = LinearQuery((1.0,), 0.0, 30.0, 0.0, 100.0)
    ledger.answer("alice", query)
    assert reopened(path).answers("alice")[0][0] == query
    assert 0 < ledger.loss("alice").upper <= 30 * (1 + 1e-9)
