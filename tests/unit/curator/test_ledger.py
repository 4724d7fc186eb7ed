"""The curator's ledger in ordinary use: budget, restart, enrolment, dry run, audit."""

import hashlib
import json
import math
import re
import sqlite3
from fractions import Fraction

import numpy as np
import pytest

from noiseless.accounting.queries import (
    Box,
    LinearQuery,
    LogisticQuery,
    TableQuery,
    TruncatedLinearQuery,
)
from noiseless.accounting.realized_loss import BoxAccount
from noiseless.curator import ledger as curator
from noiseless.curator.ledger import BudgetError, CuratorLedger
from noiseless.errors import ConfigError, DataError
from noiseless.mechanisms.families.one_bit import OneBitMechanism
from noiseless.seeds import generator

BOX = Box((-1.0, 0.0), (1.0, 2.0))
VALUE = (0.2, 1.0)
STEEP = LogisticQuery((5000.0, 0.0), 0.0, 0.1)
MIXED = [
    LinearQuery((0.5, 0.1), 0.1, 0.3, -1.0, 1.0),
    TruncatedLinearQuery((2.0, -1.0), 0.3, 0.3, -1.0, 1.0),
    LogisticQuery((1.5, -0.7), 0.1, 0.3),
]
FILTERS = ["basic", "simplified", "bayesian"]


def new_ledger(path, *names, **settings) -> CuratorLedger:
    ledger = CuratorLedger.create(path, **{"box": BOX, "budget_nats": 1.0, **settings})
    return with_values(ledger, *names or ("ada", "bob"))


def reopened(path, *names, **settings) -> CuratorLedger:
    return with_values(CuratorLedger.open(path, **settings), *names or ("ada", "bob"))


def with_values(ledger, *names) -> CuratorLedger:
    for name in names:
        ledger.enroll(name, VALUE)
    return ledger


@pytest.fixture(autouse=True)
def unsynced(monkeypatch):
    """No test here cuts the power, and waiting for the disk takes most of their time."""
    monkeypatch.setattr(curator, "SYNCHRONOUS", "OFF")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "ledger.sqlite"


def test_refuses_when_the_budget_is_gone_and_after_a_restart(path):
    ledger = new_ledger(path, filter="basic")
    for _ in range(10):
        ledger.answer("ada", STEEP)
    for holder in (ledger, reopened(path)):
        with pytest.raises(BudgetError, match="budget 1 of 'ada' does not allow"):
            holder.answer("ada", STEEP)
        assert len(holder.answers("ada")) == 10
    assert ledger.answer("bob", STEEP) in (0, 1)


def test_restart_restores_settings_queries_outputs_and_loss(path):
    ledger = new_ledger(path, filter="simplified", tolerance=1e-4)
    outputs = [ledger.answer("ada", query) for query in MIXED]
    again = reopened(path)
    assert again.settings == ledger.settings
    assert again.answers("ada") == list(zip(MIXED, outputs, strict=True))
    assert again.loss("ada").upper == pytest.approx(ledger.loss("ada").upper, abs=1e-4)
    assert again.loss("nobody").upper == 0


def test_restart_shows_the_same_odometer(path, monkeypatch):
    """Where the search ends early, bounds rest on earlier ones: asked for, or found again."""
    four = Box((-1.0,) * 4, (1.0,) * 4)
    rng = generator(1, "odometer")
    monkeypatch.setattr(OneBitMechanism, "draw", lambda *_: int(rng.integers(2)))
    monkeypatch.setattr(curator, "BoxAccount", lambda box, tolerance: BoxAccount(box, node_limit=3))
    ledger = CuratorLedger.create(path, box=four, budget_nats=6.0)
    ledger.enroll("ada", [0.0] * 4)
    uppers = [0.0]
    for intercept, *slope in rng.uniform(-10, 10, (20, 5)).tolist():
        query = LogisticQuery(slope, intercept, 0.5)
        if ledger.would_answer("ada", query):
            ledger.answer("ada", query)
            uppers.append(ledger.loss("ada").upper)
    assert max(uppers) <= 6 * (1 + 1e-9)
    assert max(np.diff(uppers)) <= 0.5 + 1e-12
    again = CuratorLedger.open(path, head=ledger.head())
    assert again.loss("ada") == ledger.loss("ada")
    assert again.remaining("ada") == ledger.remaining("ada")
    alone = BoxAccount(four, node_limit=3)
    for query, output in again.answers("ada"):
        alone.add(query, output)
    assert alone.bounds().upper > again.loss("ada").upper


def test_object_that_left_the_memory_keeps_its_answers_and_budget(path, monkeypatch):
    monkeypatch.setattr(curator, "CACHED_OBJECTS", 1)
    ledger = new_ledger(path, filter="basic")
    for _ in range(10):
        ledger.answer("ada", STEEP)
        ledger.answer("bob", STEEP)
        assert len(ledger._records) == 1
    for name in ("ada", "bob"):
        assert len(ledger.answers(name)) == 10
        with pytest.raises(BudgetError):
            ledger.answer(name, STEEP)


@pytest.mark.parametrize("kind", FILTERS)
def test_dry_run_says_what_answer_does_and_writes_nothing(path, kind, monkeypatch):
    ledger = new_ledger(path, filter=kind)
    rng = generator(1, "dry run", kind)
    monkeypatch.setattr(OneBitMechanism, "draw", lambda *_: int(rng.integers(2)))
    accepted = []
    for _ in range(25):
        slope = tuple(rng.normal(size=2).tolist())
        query = LogisticQuery(slope, float(rng.normal()), float(rng.uniform(0.05, 0.9)))
        before, head = ledger.answers("ada"), ledger.head()
        accepted.append(ledger.would_answer("ada", query))
        assert (ledger.answers("ada"), ledger.head()) == (before, head)
        if accepted[-1]:
            assert ledger.answer("ada", query) in (0, 1)
        else:
            with pytest.raises(BudgetError):
                ledger.answer("ada", query)
    assert 0 < sum(accepted) < 25


@pytest.mark.parametrize("kind", FILTERS)
def test_prices_of_a_batch_are_what_answers_then_cost(path, kind):
    ledger = new_ledger(path, filter=kind)
    ledger.answer("ada", MIXED[0])
    before = ledger.loss("ada").upper
    prices = ledger.prices("ada", MIXED[1:4])
    assert ledger.loss("ada").upper == before
    for query, price in zip(MIXED[1:4], prices, strict=True):
        assert price.accepted == ledger.would_answer("ada", query)
        assert price.least_nats <= price.most_nats <= price.epsilon_nats + 1e-9
    assert prices[0].accepted
    ledger.answer("ada", MIXED[1])
    added = ledger.loss("ada").upper - before
    assert prices[0].least_nats - 1e-9 <= added <= prices[0].most_nats + 1e-9


def test_a_query_that_is_shrunk_is_answered_and_the_budget_reached(path):
    """One coordinate of [0, 1] under 0.5: after an answer of 0.4, a tenth is left."""
    line = Box([0], [1])
    ledger = CuratorLedger.create(path, box=line, budget_nats=0.5, tolerance=1e-9)
    ledger.enroll("ada", [0.7])
    query = LinearQuery([1.0], 0.0, 0.4, 0.0, 1.0)
    assert ledger.shrink_to_fit("ada", query) == query
    ledger.answer("ada", query)
    with pytest.raises(BudgetError):
        ledger.answer("ada", query)
    last = ledger.shrink_to_fit("ada", query)
    assert last.epsilon_nats == pytest.approx(0.1, abs=1e-6)
    ledger.answer("ada", last)
    assert ledger.loss("ada").upper <= 0.5 * (1 + 1e-9)
    assert len(ledger.answers("ada")) == 2


def test_dry_run_needs_no_value(path):
    ledger = CuratorLedger.create(path, box=BOX, budget_nats=1.0)
    assert ledger.would_answer("nobody enrolled", STEEP)
    with pytest.raises(ConfigError, match="'nobody enrolled' is not enrolled"):
        ledger.answer("nobody enrolled", STEEP)


def test_enrolment_checks_or_clips_the_value_and_never_shows_it(path):
    ledger = CuratorLedger.create(path, box=BOX, budget_nats=1.0)
    bad = [(3.25, 1.0), (0.2, -7.125), (0.0,), (np.nan, 1.0), "no", (1 + 1j, 0.0), (10**400, 0.0)]
    for value in bad:
        with pytest.raises(DataError, match=r"value of 'ada'.*It is not shown") as caught:
            ledger.enroll("ada", value)
        for shown in ("3.25", "7.125", "nan", "1j", "0000"):
            assert shown not in str(caught.value).replace(repr(BOX), "")
    ledger.enroll("ada", (3.25, -7.125), clip=True)
    assert [float(end) for end in ledger._values["ada"]._coordinates] == [1.0, 0.0]
    assert re.search(r"\d", repr(ledger._values["ada"])) is None
    with pytest.raises(DataError):
        ledger.enroll("bob", (np.nan, 1.0), clip=True)
    with pytest.raises(ConfigError, match="'ada' is enrolled already"):
        ledger.enroll("ada", VALUE)


def test_value_is_in_no_byte_of_the_file(path):
    ledger = CuratorLedger.create(path, box=Box((0.0,), (100.0,)), budget_nats=5.0)
    ledger.enroll("ada", (37.4219,))
    for query in (LogisticQuery((0.1,), -3.0, 1.0), LinearQuery((1.0,), 0.0, 1.0, 0.0, 100.0)):
        ledger.answer("ada", query)
    contents = path.read_bytes()
    assert b"37.42" not in contents
    assert np.float64(37.4219).tobytes() not in contents
    assert np.float64(37.4219).byteswap().tobytes() not in contents


@pytest.mark.parametrize("name", ["", 7, None, "\ud800", b"ada"])
def test_names_of_objects_are_text(path, name):
    ledger = CuratorLedger.create(path, box=BOX, budget_nats=1.0)
    for act in (
        lambda: ledger.enroll(name, VALUE),
        lambda: ledger.answer(name, STEEP),
        lambda: ledger.would_answer(name, STEEP),
        lambda: ledger.loss(name),
        lambda: ledger.answers(name),
        lambda: ledger.export(name),
    ):
        with pytest.raises(ConfigError, match="not the name of an object"):
            act()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"filter": "bayes"}, "not a filter"),
        ({"budget_nats": -1.0}, "privacy budget"),
        ({"budget_nats": math.nan}, "privacy budget"),
        ({"budget_nats": "1"}, "privacy budget"),
        ({"budget_nats": 10**400}, "privacy budget"),
        ({"tolerance": 10**400}, "tolerance"),
        ({"tolerance": 5e-324}, "tolerance"),
        ({"wait_s": 10**400}, "wait_s"),
        ({"wait_s": 1e300}, "wait_s"),
        ({"tolerance": 0.0}, "tolerance"),
        ({"tolerance": math.inf}, "tolerance"),
        ({"wait_s": -1.0}, "wait_s"),
        ({"wait_s": math.nan}, "wait_s"),
    ],
)
def test_bad_settings_make_no_file(path, settings, message):
    with pytest.raises(ConfigError, match=message):
        CuratorLedger.create(path, **{"box": BOX, "budget_nats": 1.0, **settings})
    assert not path.exists()


class Liar(LogisticQuery):
    """Says that it costs nothing."""

    epsilon_nats = 0.0

    def __init__(self) -> None:
        pass


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (TableQuery(((0.5,), (0.5,))), "not TableQuery"),
        (Liar(), "not Liar"),
        ("SELECT 1", "not str"),
        (LogisticQuery((1.0,), 0.0, 0.1), "1 coefficients cannot be asked"),
        (LinearQuery((1.0, 1.0), 0.0, 0.1, 0.0, 1.0), "reaches"),
    ],
)
def test_queries_that_a_ledger_does_not_take(path, query, message):
    ledger = new_ledger(path)
    for ask in (ledger.answer, ledger.would_answer):
        with pytest.raises(ConfigError, match=message):
            ask("ada", query)
    assert ledger.answers("ada") == []


def test_numbers_of_any_type_are_stored_as_doubles(path):
    ledger = new_ledger(path, budget_nats=10.0)
    query = TruncatedLinearQuery((np.float32(0.5), np.int64(1)), 0, 1, np.float64(-1.0), 2)
    ledger.answer("ada", query)
    assert reopened(path).answers("ada")[0][0] == TruncatedLinearQuery(
        (0.5, 1.0), 0.0, 1.0, -1.0, 2.0
    )


def test_refusal_says_where_the_limit_of_work_came_first(path, monkeypatch):
    """As the account has a smaller limit here, its bounds stay apart."""
    nine = Box((-1.0,) * 9, (1.0,) * 9)
    rng = generator(3, "refused")
    rows = rng.uniform(-10, 10, (24, 10)).tolist()
    # Real answers come from the system's own randomness, and some keep the bounds together.
    monkeypatch.setattr(OneBitMechanism, "draw", lambda *_: int(rng.integers(2)))
    monkeypatch.setattr(curator, "BoxAccount", lambda box, tolerance: BoxAccount(box, node_limit=3))
    ledger = CuratorLedger.create(path, box=nine, budget_nats=7.0)
    ledger.enroll("ada", [0.0] * 9)
    message = r"certified to be at most \d\.\d+ \(it is at least \d\.\d+; the limit of work came"
    queries = [LogisticQuery(tuple(slope), intercept, 0.5) for intercept, *slope in rows]
    with pytest.raises(BudgetError, match=message):
        [ledger.answer("ada", query) for query in queries]


def test_auditor_recomputes_every_loss_from_an_export_alone(path):
    """Equations 5 and 10 on a grid of the box, and the digests, from plain JSON."""
    ledger = new_ledger(path, budget_nats=6.0, tolerance=1e-4)
    queries = [
        type(query)(**{**vars(query), "epsilon_nats": epsilon_nats})
        for query in MIXED
        for epsilon_nats in (0.3, 1.0)
    ]
    told = []
    for query in queries:
        ledger.answer("ada", query)
        told.append(ledger.loss("ada"))
    record = json.loads(json.dumps(ledger.export("ada")))

    (a, b), (c, d) = zip(record["settings"]["lower"], record["settings"]["upper"], strict=True)
    grid = np.stack(np.meshgrid(np.linspace(a, b, 401), np.linspace(c, d, 401)), axis=-1)
    log_likelihood, digest = np.zeros((401, 401)), record["start_digest"]
    for position, row in enumerate(record["answers"]):
        query = row["query"]
        share = grid @ query["coefficients"] + query["intercept"]
        if query["kind"] == "logistic":
            share = 1 / (1 + np.exp(-share))
        else:
            share = np.clip((share - query["low"]) / (query["high"] - query["low"]), 0, 1)
        e = np.exp(query["epsilon_nats"])
        high = (e - 1) / (e + 1) * share + 1 / (e + 1)
        log_likelihood += np.log(high if row["output"] else 1 - high)
        assert json.loads(row["query_text"]) == query
        link = [digest, record["object"], position, row["query_text"], row["output"]]
        digest = hashlib.sha256(json.dumps(link).encode()).hexdigest()
        assert digest == row["digest"]
        loss = np.ptp(log_likelihood)
        assert told[position].upper - 5e-3 < loss <= told[position].upper
    assert len(record["answers"]) == len(queries)


def test_frequencies_of_answers_follow_equation_5(path):
    """Five kinds of response, 400 objects each; five standard errors."""
    ledger = CuratorLedger.create(path, box=BOX, budget_nats=10.0, filter="basic")
    query = TruncatedLinearQuery((1.0, 0.5), 0.0, 1.5, 0.0, 1.0)
    for number, value in enumerate([(-1.0, 0.0), (0.2, 1.0), (1.0, 2.0)]):
        expected = query.mechanism.probability_high(query.response([value]))[0]
        reports = []
        for turn in range(150):
            name = f"{number} {turn}"
            ledger.enroll(name, value)
            reports.append(ledger.answer(name, query))
        error = math.sqrt(expected * (1 - expected) / len(reports))
        assert abs(np.mean(reports) - expected) < 5 * error


@pytest.mark.parametrize("ends", [(-1e308, 1e308), (0.0, math.inf), (math.nan, 1.0), (1.0, 1.0)])
def test_box_needs_a_width_that_is_a_double(ends):
    with pytest.raises(ConfigError, match="not an interval"):
        Box((ends[0],), (ends[1],))


@pytest.mark.parametrize("epsilon_nats", [0.01, 1.0, 8.0, 30.0])
def test_certified_loss_covers_the_exact_probabilities_of_the_sampler(epsilon_nats):
    """From the integers that the sampler compares with, at points of the box, in fractions."""
    rng = generator(3, "sampler", repr(epsilon_nats))
    box = Box((-1.0,), (2.0,))
    account = BoxAccount(box, tolerance=1e-4)
    points = [Fraction(-1), *map(Fraction, rng.uniform(-1, 2, 60).tolist()), Fraction(2)]
    losses, length = [0.0] * len(points), 5
    for turn in range(length):
        slope, intercept = float(rng.normal()), float(rng.normal())
        ends = sorted((intercept - slope, intercept + 2 * slope))
        query = [
            LinearQuery((slope,), intercept, epsilon_nats, *ends),
            TruncatedLinearQuery((slope,), intercept, epsilon_nats, -0.5, 0.5),
            LogisticQuery((3 * slope,), intercept, epsilon_nats),
        ][turn % 3]
        output = int(rng.integers(2))
        account.add(query, output)
        for place, point in enumerate(points):
            above = query.mechanism.threshold(curator._share(query, [point]))
            losses[place] += math.log(above if output else 2**128 - above)
    bounds = account.bounds()
    assert max(losses) - min(losses) <= bounds.upper + 1e-12
    assert max(losses) - min(losses) <= length * epsilon_nats * (1 + 1e-12)


def test_code_of_the_page_runs(root, tmp_path, monkeypatch, capsys):
    """Its blocks one after the other, as a reader types them, the second after a restart."""
    page = (root / "docs/curator.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    first, second = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    exec(first, {})
    assert len(first.splitlines()) <= 16
    head = capsys.readouterr().out.split()[-1]
    exec(second, {"head": head})
    assert "accepted: " in capsys.readouterr().out


def test_promises_of_the_page_name_tests_that_exist(root):
    page = (root / "docs/curator.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(test_\w+)`", page))
    text = "".join(
        path.read_text(encoding="utf-8") for path in (root / "tests/unit").rglob("test_*.py")
    )
    assert len(named) > 20
    assert named <= set(re.findall(r"^def (test_\w+)\(", text, re.M))


def test_two_records_of_one_object_are_told_apart_by_the_file(path):
    """Its unique key: no position of an object can be written twice."""
    new_ledger(path, filter="basic").answer("ada", STEEP)
    with sqlite3.connect(path) as connection, pytest.raises(sqlite3.IntegrityError):
        connection.execute(
            "INSERT INTO answers SELECT number + 1, object, position, query, output, digest, "
            "ledger_digest FROM answers"
        )
    connection.close()


def test_categories_come_back_from_the_file_and_no_value_lies_between_them(path):
    box = Box((0.0, 0.0), (10.0, 1.0), categories={1: (0.0, 1.0)})
    CuratorLedger.create(path, box=box, budget_nats=1.0)
    ledger = CuratorLedger.open(path)
    assert ledger.settings.box == box
    ledger.enroll("ada", (12.0, 1.0), clip=True)
    for clip in (False, True):
        with pytest.raises(DataError, match="is not in Box"):
            ledger.enroll("bob", (3.0, 0.5), clip=clip)


def test_a_name_too_long_for_a_file_is_no_ledger(tmp_path):
    with pytest.raises(DataError, match="there is no ledger"):
        CuratorLedger.open(tmp_path / ("long" * 100))
