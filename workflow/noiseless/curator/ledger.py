"""A curator's ledger: what each object has answered, kept through restarts (SQLite).

1. The curator creates a file with public settings (:meth:`CuratorLedger.create`), and opens it
   again after a restart (:meth:`CuratorLedger.open`).
2. The curator enrols an object with its value (:meth:`CuratorLedger.enroll`).  The value is checked
   there, and stays in memory: the file never holds it.
3. An analyst's query (:meth:`CuratorLedger.answer`) is checked against the public box, then by the
   object's filter against the record.  Neither sees the value, so that a refusal tells nothing
   about it.  This may take long, and holds no lock of the file.
4. In one transaction the ledger makes sure that no other process has added to the object's record
   (else it decides again), draws the answer and writes it.  Only after the commit does the answer
   leave :meth:`CuratorLedger.answer`.  A crash can therefore lose an answer that no analyst saw,
   but never the record of one that was given.
5. Each row carries two digests, of all earlier rows of its object and of the ledger.
   :meth:`CuratorLedger.head` is the last one: kept elsewhere, it shows whether the file has lost
   rows since.  A ledger in use keeps the last one, and the end of each object's record, in memory:
   every transaction begins by finding them in the file again.

``docs/curator.md`` says what is promised, and what is not.
"""

import dataclasses
import hashlib
import json
import math
import os
import re
import sqlite3
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from traceback import clear_frames
from typing import Any, NamedTuple, Self, cast

import numpy as np
from numpy.typing import ArrayLike

from noiseless.accounting.filters import FILTERS, LossFilter, Price
from noiseless.accounting.queries import (
    Box,
    LinearQuery,
    LogisticQuery,
    TruncatedLinearQuery,
    is_finite,
)
from noiseless.accounting.realized_loss import BoxAccount, LossBounds
from noiseless.errors import ConfigError, DataError, UserError
from noiseless.mechanisms.families.one_bit import logistic_share

_QUERIES = {
    "linear": LinearQuery,
    "truncated_linear": TruncatedLinearQuery,
    "logistic": LogisticQuery,
}
_NAMES = {kind: name for name, kind in _QUERIES.items()}

Regression = LinearQuery | TruncatedLinearQuery | LogisticQuery

CACHED_OBJECTS = 64
"""Objects whose filters stay in memory; those of others are made from the file again."""

LONGEST_WAIT_S = 1e6
"""Longest time to wait for another process, in seconds; SQLite counts milliseconds in 31 bits."""

SYNCHRONOUS = "EXTRA"
"""SQLite's setting for a commit that a power cut cannot undo.

With a rollback journal, deleting the journal is the commit.  FULL does not sync the folder
afterwards, so that a power cut can bring the journal back, and with it the state before the commit;
EXTRA does.  (The alternative, a write-ahead log with FULL, is as durable, but makes the ledger two
files: a copy without its log would lack answers.)
"""

_APPLICATION_ID = 0x4E4C4331  # "NLC1": a ledger of this format
_SCHEMA = f"""
PRAGMA application_id = {_APPLICATION_ID};
CREATE TABLE settings (row INTEGER PRIMARY KEY CHECK (row = 1), json TEXT NOT NULL);
CREATE TABLE answers (
    number INTEGER PRIMARY KEY,  -- from 1, over all objects
    object TEXT NOT NULL,
    position INTEGER NOT NULL,  -- from 0, of the object's answers
    query TEXT NOT NULL,
    output INTEGER NOT NULL,
    digest TEXT NOT NULL,  -- of the object's answers so far
    ledger_digest TEXT NOT NULL,  -- of all answers so far
    UNIQUE (object, position)
);
"""


class BudgetError(UserError):
    """A query that an object's privacy budget does not allow."""


@dataclass(frozen=True)
class LedgerSettings:
    """What is public about a ledger, and fixed when it is created.

    Attributes
    ----------
    box : Box
        Range of the value of every object.
    budget_nats : float
        Privacy budget epsilon_g of each object, in nats.
    filter : str
        ``bayesian``, ``simplified`` or ``basic``.
    tolerance : float
        Largest distance of the certified bounds of a loss, in nats, where the solver can.

    Raises
    ------
    ConfigError
        If a setting is out of its range.
    """

    box: Box
    budget_nats: float
    filter: str = "bayesian"
    tolerance: float = 1e-3

    def __post_init__(self) -> None:
        if self.filter not in FILTERS:
            raise ConfigError(f"{self.filter!r} is not a filter; there are {', '.join(FILTERS)}.")
        for name, number in (("budget_nats", self.budget_nats), ("tolerance", self.tolerance)):
            if not (isinstance(number, int | float) and is_finite(number) and number > 0):
                raise ConfigError(
                    f"the privacy {name} must be a number that is larger than 0, and no larger "
                    "than a double can be."
                )
        self.new_filter()

    def new_filter(self) -> LossFilter:
        """The filter of an object that has answered nothing."""
        return FILTERS[self.filter](
            self.budget_nats, BoxAccount(self.box, tolerance=self.tolerance)
        )

    def to_json(self) -> str:
        """The settings as the file keeps them."""
        return json.dumps(
            {
                "lower": [float(end) for end in self.box.lower],
                "upper": [float(end) for end in self.box.upper],
                "categories": [[index, list(values)] for index, values in self.box.categorical],
                "budget_nats": float(self.budget_nats),
                "filter": self.filter,
                "tolerance": float(self.tolerance),
            }
        )

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The settings that :meth:`to_json` wrote."""
        fields = json.loads(text)
        box = Box(
            tuple(fields.pop("lower")),
            tuple(fields.pop("upper")),
            categories={index: tuple(values) for index, values in fields.pop("categories")},
        )
        return cls(box=box, **fields)


class CuratorLedger:
    """Answers of many objects under one filter and budget, in a file.

    Made by :meth:`create` or :meth:`open`.  One ledger may serve many threads, and many processes
    may have the same file open.

    Examples
    --------
    >>> import tempfile
    >>> from noiseless.accounting.queries import Box, LinearQuery
    >>> path = f"{tempfile.mkdtemp()}/ledger.sqlite"
    >>> ledger = CuratorLedger.create(path, box=Box([0, 0], [1, 1]), budget_nats=1.0)
    >>> ledger.enroll("anna", [0.3, 0.6])
    >>> query = LinearQuery([0.5, 0.5], 0, epsilon_nats=0.4, low=0, high=1)
    >>> ledger.answer("anna", query) in (0, 1)
    True
    >>> round(ledger.loss("anna").upper, 3), round(ledger.remaining("anna"), 3)
    (0.4, 0.6)
    """

    def __init__(self, path: Path, settings: LedgerSettings, wait_s: float) -> None:
        self.settings = settings
        self._path, self._wait_s = path, wait_s
        self._start = _digest(settings.to_json())
        self._lock = threading.Lock()  # of what follows
        # What every transaction must find: the last answer, and the end of each object's record.
        self._last: _End = (0, self._start)
        self._ends: dict[str, _End] = {}
        self._values: dict[str, _Value] = {}
        self._records: dict[str, _Record] = {}

    @classmethod
    def create(
        cls,
        path: str | Path,
        *,
        box: Box,
        budget_nats: float,
        filter: str = "bayesian",
        tolerance: float = 1e-3,
        wait_s: float = 30.0,
    ) -> Self:
        """Create the file of a new ledger, in which no object has answered anything.

        Parameters
        ----------
        path : path
            Must not exist.
        box, budget_nats, filter, tolerance
            The settings (:class:`LedgerSettings`); they cannot be changed later.
        wait_s : float
            Longest time to wait for another process that writes, in seconds.

        Raises
        ------
        ConfigError
            If a setting is out of its range.
        DataError
            If the file exists, or cannot be written.

        Notes
        -----
        The file is made complete under another name, and then gets its own: no other process sees
        half of it.
        """
        settings = LedgerSettings(box, budget_nats, filter, tolerance)
        settings = LedgerSettings.from_json(settings.to_json())  # as it will be read
        path, wait_s = _checked_path(path), _checked_wait(wait_s)
        for old in (f"{path}-journal", f"{path}-wal"):
            if _exists(Path(old)):
                raise DataError(
                    f"{old} belongs to an earlier ledger of this name, and would be played into "
                    "the new one. Move it away with that ledger, or choose another name."
                )
        try:
            handle, name = tempfile.mkstemp(prefix=".ledger-", dir=path.parent)
            os.close(handle)
        except OSError as error:
            raise DataError(f"{path} cannot be created: {error.strerror}.") from None
        new = Path(name)
        try:
            with _transaction(new, wait_s, write=True, shown=path) as connection:
                _make_tables(connection)
                connection.execute("INSERT INTO settings VALUES (1, ?)", (settings.to_json(),))
            os.link(new, path)  # unlike a move, it replaces nothing
        except FileExistsError:
            raise DataError(
                f"{path} exists, and a new ledger must not replace it: what its objects have "
                "answered would be forgotten. Open it, or choose another name."
            ) from None
        except OSError as error:
            raise DataError(
                f"{path} cannot be created: {error.strerror}. Choose a local disk whose file "
                "system knows hard links (FAT does not)."
            ) from None
        finally:
            new.unlink()
        return cls(path, settings, wait_s)

    @classmethod
    def open(cls, path: str | Path, *, head: str | None = None, wait_s: float = 30.0) -> Self:
        """Open the file of a ledger, and check its pages, its index and all of its digests.

        Parameters
        ----------
        path : path
        head : str, optional
            A :meth:`head` of this ledger, from a place that the holder of the file cannot change.
            The file must contain everything that it stands for.
        wait_s : float
            Longest time to wait for another process that writes, in seconds.

        Raises
        ------
        ConfigError
            If the head is none.
        DataError
            If the file is missing, is not a ledger, is damaged, or lacks what the head stands for.
        """
        path, wait_s = _checked_path(path), _checked_wait(wait_s)
        if not _exists(path):
            raise DataError(
                f"there is no ledger {path}. Check the path, or bring the file back from a copy; "
                "a new one forgets what all objects have answered."
            )
        with _transaction(path, wait_s) as connection:
            ledger = cls(path, _parsed_settings(path, _settings_text(path, connection)), wait_s)
            ledger._last, ledger._ends = ledger._verify(connection, head)
        return ledger

    def enroll(self, object_id: str, value: ArrayLike, *, clip: bool = False) -> None:
        """Give the ledger the value of an object, for as long as this process lives.

        After a restart each object must be enrolled again, with the same value: its record counts
        what all answers together tell about one value.

        Parameters
        ----------
        object_id : str
        value : array_like, shape (d,)
            It is never written anywhere.
        clip : bool
            Whether a value outside the box is moved to the nearest one inside, in place of an
            error.

        Raises
        ------
        ConfigError
            If the object is enrolled already, or its name is no text.
        DataError
            If the value is not in the box.

        Notes
        -----
        No message tells the value, and no local variable of this package that a traceback can show.
        """
        try:
            with _clearing_frames():
                held = _Value.of(self.settings.box, value, clip=clip)
        finally:
            del value
        _require_name(object_id)
        if isinstance(held, str):
            raise DataError(f"the value of {object_id!r} {held}")
        with self._lock:
            if object_id in self._values:
                raise ConfigError(
                    f"{object_id!r} is enrolled already; the value of an object cannot change."
                )
            self._values[object_id] = held

    def answer(self, object_id: str, query: Regression) -> int:
        """Answer a query about an enrolled object, or refuse.

        Parameters
        ----------
        object_id : str
        query : LinearQuery, TruncatedLinearQuery or LogisticQuery

        Returns
        -------
        int
            The output, which has been written to the disk.  It was drawn from the operating
            system's generator (:meth:`noiseless.mechanisms.families.one_bit.OneBitMechanism.draw`).

        Raises
        ------
        BudgetError
            If the filter rejects the query.  Nothing is written.
        ConfigError
            If the object is not enrolled, or the query cannot be asked of every value of the box.
        DataError
            If the file is damaged or cannot be written.

        Notes
        -----
        All errors depend on the settings, the query, the record and the disk; none on the value.
        """
        query = self._checked(object_id, query)
        with self._lock:
            value = self._values.get(object_id)
        if value is None:
            raise ConfigError(f"{object_id!r} is not enrolled: give the ledger its value first.")
        with self._current(object_id) as record:
            while True:
                if not record.filter.accepts(query):
                    loss = record.filter.loss()
                    told = f"is {loss.upper:.4g}"
                    if not loss.converged:
                        told = (
                            f"is certified to be at most {loss.upper:.4g} (it is at least "
                            f"{loss.lower:.4g}; the limit of work came before a closer bound)"
                        )
                    raise BudgetError(
                        f"the budget {self.settings.budget_nats:g} of {object_id!r} does not allow "
                        f"this query of epsilon {query.epsilon_nats:g}: after {record.length} "
                        f"answers its realized loss {told}, and "
                        f"{record.filter.remaining():.4g} of the budget remains."
                    )
                with self._view(object_id, write=True) as view:
                    is_current = view.end == record.end
                    if is_current:
                        output = value.draw(query)
                        row = self._insert(view, object_id, query, output)
                if is_current:
                    self._remember([row])
                    record.add(query, output, row.digest)
                    return output
                # Another process was faster.  This ends: each of its answers spends budget.
                self._catch_up(object_id, record)

    def would_answer(self, object_id: str, query: Regression) -> bool:
        """Whether a query would be answered now: a dry run, which depends on the record alone.

        Raises
        ------
        ConfigError
            If the query cannot be asked of every value of the box.
        """
        query = self._checked(object_id, query)
        with self._current(object_id) as record:
            return record.filter.accepts(query)

    def shrink_to_fit(self, object_id: str, query: Regression) -> Regression | None:
        """The query with the largest epsilon, up to its own, that would be answered now.

        A dry run, which depends on the record alone: :meth:`answer` asks the query.  With it, a
        stream can use what :meth:`answer` leaves of a budget.

        Returns
        -------
        LinearQuery, TruncatedLinearQuery, LogisticQuery or None
            None where nothing is left (see
            :meth:`~noiseless.accounting.filters.BayesianFilter.shrink_to_fit`).

        Raises
        ------
        ConfigError
            If the query cannot be asked of every value of the box.
        """
        query = self._checked(object_id, query)
        with self._current(object_id) as record:
            return cast("Regression | None", record.filter.shrink_to_fit(query))

    def prices(self, object_id: str, queries: Sequence[Regression]) -> list[Price]:
        """What each query of a batch would cost an object now: a dry run of all of them.

        Parameters
        ----------
        object_id : str
        queries : sequence of regressions
            In the order in which they are to be asked.

        Returns
        -------
        list of :class:`~noiseless.accounting.filters.Price`

        Raises
        ------
        ConfigError
            If a query cannot be asked of every value of the box.
        """
        checked = [self._checked(object_id, query) for query in queries]
        with self._current(object_id) as record:
            return record.filter.prices(checked)

    def loss(self, object_id: str) -> LossBounds:
        """The odometer of one object: certified bounds of its realized loss, in nats."""
        with self._current(object_id) as record:
            return record.filter.loss()

    def remaining(self, object_id: str) -> float:
        """Budget that is left, in nats: a query of no more epsilon is accepted for certain.

        It is what is above the certified loss, or, with a basic filter, above the sum of epsilons.
        """
        with self._current(object_id) as record:
            return record.filter.remaining()

    def answers(self, object_id: str) -> list[tuple[Regression, int]]:
        """Queries that an object has answered and their outputs, in order."""
        return [(query, output) for query, output, _, _ in self._read_all(object_id)]

    def export(self, object_id: str) -> dict[str, Any]:
        """The record of an object for an auditor, who needs no part of this package.

        Returns
        -------
        dict
            Plain values that JSON can hold: ``settings``, ``object``, ``start_digest`` and
            ``answers``, a list of ``query`` (its ``kind`` and parameters), ``query_text`` (the same
            as it is stored), ``output`` (1 for the upper end of the response's interval) and
            ``digest``: the SHA-256 of the JSON list
            ``[previous digest, object, position, query_text, output]``.
        """
        _require_name(object_id)
        return {
            "settings": json.loads(self.settings.to_json()),
            "object": object_id,
            "start_digest": self._start,
            "answers": [
                {
                    "query": json.loads(text),
                    "query_text": text,
                    "output": output,
                    "digest": digest,
                }
                for _, output, digest, text in self._read_all(object_id)
            ],
        }

    def head(self) -> str:
        """A short text that stands for everything in the ledger now.

        Kept where the holder of the file cannot change it, and given to :meth:`open` or
        :meth:`verify` later, it shows whether the file has lost answers, or is an old copy.
        """
        with self._view() as view:
            number, digest = view.last
        return f"{number}:{digest}"

    def verify(self, head: str | None = None) -> None:
        """Check the file as :meth:`open` does, and that it contains what a head stands for.

        Raises
        ------
        ConfigError
            If the head is none.
        DataError
            If the file is damaged or lacks what the head stands for.
        """
        with self._view() as view:
            self._verify(view.connection, head)

    def _checked(self, object_id: str, query: Regression) -> Regression:
        """The query as it will be stored, if it can be asked of every value of the box."""
        _require_name(object_id)
        query = _from_json(_to_json(query))
        query.require(self.settings.box)
        return query

    @contextmanager
    def _current(self, object_id: str) -> Iterator["_Record"]:
        """The object's record with all answers in the file, for one thread at a time."""
        _require_name(object_id)
        with self._lock:
            record = self._records.pop(object_id, None) or _Record(self.settings, self._start)
            self._records[object_id] = record
            if len(self._records) > CACHED_OBJECTS:
                self._records.pop(next(iter(self._records)))  # used longest ago
        with record.lock:
            try:
                self._catch_up(object_id, record)
                yield record
            except BudgetError:
                raise
            except BaseException:
                # It may have come between the file's commit and the filter: read the file again.
                record.clear()
                raise

    def _catch_up(self, object_id: str, record: "_Record") -> None:
        """Add the answers that other ledgers have written.

        Raises
        ------
        DataError
            If the file has lost or changed answers.
        """
        last = record.length - 1
        with self._view(object_id) as view:
            rows = _rows(view.connection, object_id, max(last, 0))
        if record.length:
            if not rows or (rows[0][0], rows[0][3]) != (last, record.digest):
                raise self._damage(
                    f"answer {last} of {object_id!r}, which was there before, is missing or "
                    "different: the file was changed or replaced while it was in use"
                )
            rows = rows[1:]
        for query, output, digest, _ in self._checked_rows(object_id, rows, record.end, view.end):
            record.add(query, output, digest)

    def _read_all(self, object_id: str) -> list[tuple[Regression, int, str, str]]:
        """All checked answers of an object: query, output and both digests."""
        _require_name(object_id)
        with self._view(object_id) as view:
            rows = _rows(view.connection, object_id, 0)
        return list(self._checked_rows(object_id, rows, (0, self._start), view.end))

    def _checked_rows(
        self, object_id: str, rows: Sequence[tuple], start: "_End", end: "_End"
    ) -> Iterator[tuple[Regression, int, str, str]]:
        """Query, output, digest and text of rows that lead from one end of a record to another."""
        position, digest = start
        for found, text, output, stored in rows:
            if found != position:
                raise self._damage(f"answer {position} of {object_id!r} is missing")
            digest = _row_digest(digest, object_id, position, text, output)
            if digest != stored:
                raise self._damage(f"answer {position} of {object_id!r} was changed")
            try:
                query = _from_json(text)
                query.require(self.settings.box)
            except _UNREADABLE:
                raise self._damage(f"the query {position} of {object_id!r} is unreadable") from None
            if output not in (0, 1):
                raise self._damage(f"the output {position} of {object_id!r} is neither 0 nor 1")
            yield query, output, digest, text
            position += 1
        if (position, digest) != end:
            raise self._damage(
                f"answer {position} of {object_id!r} is missing, or not the one that was there "
                "when the file was opened"
            )

    @contextmanager
    def _view(self, object_id: str | None = None, *, write: bool = False) -> Iterator["_View"]:
        """A transaction that has found in the file all that was known of it, and what came since.

        Raises
        ------
        DataError
            If the file was changed or replaced, whatever object that concerns.
        """
        with self._lock:
            last, end = self._last, self._ends.get(object_id or "", (0, self._start))
        with _transaction(self._path, self._wait_s, write=write) as connection:
            if _digest(_settings_text(self._path, connection)) != self._start:
                raise self._damage(
                    "its settings are not those that were there before: the file was changed or "
                    "replaced while it was in use"
                )
            rows = self._since(connection, last)
            for row in rows:
                last = row.number, row.ledger_digest
                if row.object_id == object_id:
                    end = row.position + 1, row.digest
            self._remember(rows)
            yield _View(connection, last, end)

    def _since(self, connection: sqlite3.Connection, last: "_End") -> list["_Row"]:
        """The rows after the last known one, which must still be there."""
        number, ledger_digest = last
        found = map(
            _Row._make,
            connection.execute(
                "SELECT number, object, position, digest, ledger_digest FROM answers "
                "WHERE number >= ? ORDER BY number",
                (number,),
            ),
        )
        if number:
            known = next(found, None)
            if known is None or (known.number, known.ledger_digest) != last:
                raise self._damage(
                    f"row {number}, which was there before, is missing or different: the file was "
                    "changed or replaced while it was in use"
                )
        rows = list(found)
        for row in rows:
            number += 1
            is_typed = isinstance(row.position, int) and isinstance(row.digest, str)
            ledger_digest = _digest(ledger_digest, row.digest) if is_typed else ""
            if (row.number, row.ledger_digest) != (number, ledger_digest):
                raise self._damage(f"row {number} is missing or was changed")
        return rows

    def _remember(self, rows: "Iterable[_Row]") -> None:
        """Keep where the ledger and its objects' records end after some committed rows."""
        with self._lock:
            for row in rows:
                if row.number > self._last[0]:
                    self._ends[row.object_id] = row.position + 1, row.digest
                    self._last = row.number, row.ledger_digest

    def _insert(self, view: "_View", object_id: str, query: Regression, output: int) -> "_Row":
        """Write the next answer of an object."""
        text, (position, last_digest) = _to_json(query), view.end
        digest = _row_digest(last_digest, object_id, position, text, output)
        number, ledger_digest = view.last[0] + 1, _digest(view.last[1], digest)
        view.connection.execute(
            "INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?)",
            (number, object_id, position, text, output, digest, ledger_digest),
        )
        return _Row(number, object_id, position, digest, ledger_digest)

    def _verify(
        self, connection: sqlite3.Connection, head: str | None
    ) -> tuple["_End", dict[str, "_End"]]:
        """Where the ledger and the record of each object end, if all of the file is right."""
        wanted = None if head is None else _parsed_head(head)
        if _digest(_settings_text(self._path, connection)) != self._start:
            raise self._damage("its settings were changed")
        # The digests are of the table; the answers of one object are found by the index.
        ((finding,),) = connection.execute("PRAGMA integrity_check(1)").fetchall()
        if finding != "ok":
            raise self._damage(f"it is damaged ({finding})")
        number, ledger_digest = 0, self._start
        ends: dict[str, _End] = {}
        is_there = wanted in (None, (number, ledger_digest))
        for row in connection.execute(
            "SELECT number, object, position, query, output, digest, ledger_digest FROM answers "
            "ORDER BY number"
        ):
            number += 1
            found, object_id, position, text, output, stored, stored_ledger = row
            length, digest = ends.get(object_id, (0, self._start))
            digest = _row_digest(digest, object_id, length, text, output)
            ledger_digest = _digest(ledger_digest, digest)
            if (number, length, digest, ledger_digest) != (found, position, stored, stored_ledger):
                raise self._damage(f"row {number} is missing or was changed")
            ends[object_id] = length + 1, digest
            is_there = is_there or wanted == (number, ledger_digest)
        if not is_there:
            raise self._damage(
                f"it has {number} answers, and not those that the head {head} stands for: answers "
                "were removed, or it is an old copy or another ledger"
            )
        return (number, ledger_digest), ends

    def _damage(self, what: str) -> DataError:
        """The error of a damaged file, with its remedy."""
        return DataError(
            f"{self._path} cannot be used: {what}. Bring back a copy that verifies against the "
            "last head that you kept; a copy without the latest answers spends their budget twice."
        )


_End = tuple[int, str]
"""Number of rows, and the digest of them all: of an object, or of the ledger."""


class _Row(NamedTuple):
    """What stands in a row of answers, but for the answer."""

    number: int
    object_id: str
    position: int
    digest: str
    ledger_digest: str


class _View(NamedTuple):
    """A transaction; the last row of the ledger in it, and the end of an object's record."""

    connection: sqlite3.Connection
    last: _End
    end: _End


class _Value:
    """The value of an object, in a holder that never shows it."""

    __slots__ = ("_coordinates",)

    def __init__(self, coordinates: Sequence[float]) -> None:
        self._coordinates = tuple(map(Fraction, coordinates))

    @classmethod
    def of(cls, box: Box, value: ArrayLike, *, clip: bool) -> "_Value | str":
        """The value as a point of the box; or what is wrong with it, without telling it."""
        try:
            point = np.asarray(value, dtype=float)
        except (TypeError, ValueError, OverflowError):
            point = np.array(math.nan)
        if point.shape != (box.dimensions,) or np.isnan(point).any():
            return (
                f"is not a list of {box.dimensions} numbers. It is not shown, since it is private."
            )
        cut = np.clip(point, box.lower, box.upper)
        if (not clip and (cut != point).any()) or not box.contains(cut):
            return (
                f"is not in {box}. It is not shown, since it is private. Correct it, or enrol it "
                "with clip=True, which moves a number to the nearest end of its interval, and no "
                "category."
            )
        return cls(cut.tolist())

    def __repr__(self) -> str:
        return "<the value of an object>"

    def draw(self, query: Regression) -> int:
        """An output of a query that can be asked of every value of the box."""
        with _clearing_frames():
            return query.mechanism.draw(_share(query, self._coordinates))


@contextmanager
def _clearing_frames() -> Iterator[None]:
    """Lets an error, or Ctrl-C, keep its lines and no local variable of the functions it ended."""
    try:
        yield
    except BaseException as error:
        clear_frames(error.__traceback__)
        raise


def _share(query: Regression, coordinates: Sequence[Fraction]) -> Fraction:
    """Place of a value's response in the interval, between 0 and 1.

    It is computed in fractions, so that the probability of an output is that of the formula whose
    loss the account certifies, but for the 2^-82 nats of :meth:`OneBitMechanism.threshold`.  A
    linear response leaves its interval by as little as :meth:`LinearQuery.require` allows; it is
    cut there, as the account cuts it.
    """
    response = Fraction(query.intercept)
    for coefficient, coordinate in zip(query.coefficients, coordinates, strict=True):
        response += Fraction(coefficient) * coordinate
    if isinstance(query, LogisticQuery):
        return logistic_share(response)
    low, high = Fraction(query.low), Fraction(query.high)
    return (min(max(response, low), high) - low) / (high - low)


class _Record:
    """What is in memory of an object's record: always the first answers of the file."""

    def __init__(self, settings: LedgerSettings, start: str) -> None:
        self.lock = threading.Lock()
        self._settings, self._start = settings, start
        self.clear()

    def clear(self) -> None:
        """Know nothing, so that all answers are read again."""
        self.filter = self._settings.new_filter()
        self.length, self.digest = 0, self._start

    @property
    def end(self) -> _End:
        """Number of answers, and the digest of them all."""
        return self.length, self.digest

    def add(self, query: Regression, output: int, digest: str) -> None:
        """Tell the filter of the next answer."""
        self.filter.record(query, output)
        self.length, self.digest = self.length + 1, digest


@contextmanager
def _transaction(
    path: Path, wait_s: float, *, write: bool = False, shown: Path | None = None
) -> Iterator[sqlite3.Connection]:
    """A view of the file, or the only writer; committed to the disk only if the block succeeds.

    An error names the file that is ``shown``, or this one.
    """
    try:
        # Never create the file: an emptied ledger would be a fresh budget.
        uri = f"{path.absolute().as_uri()}?mode=rw"
        with closing(
            sqlite3.connect(uri, uri=True, timeout=wait_s, isolation_level=None)
        ) as connection:
            connection.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
            connection.execute("PRAGMA fullfsync = 1")  # macOS: through the disk's own memory
            connection.execute("BEGIN IMMEDIATE" if write else "BEGIN")
            # Closing without a commit rolls back.
            yield connection
            connection.execute("COMMIT")
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # the latter of a damaged schema
        raise DataError(
            f"{shown or path}: {_explained(error, wait_s)}; no answer was given."
        ) from None


def _explained(error: Exception, wait_s: float) -> str:
    """What an error of SQLite means, and what to do."""
    match getattr(error, "sqlite_errorcode", 0) & 0xFF:  # the byte that names the kind of error
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return f"another process has held the ledger for {wait_s:g} s; try again"
        case sqlite3.SQLITE_FULL:
            return "the disk is full; make room"
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return f"the file or its folder cannot be written ({error}); check their permissions"
        case sqlite3.SQLITE_IOERR:
            return f"the disk fails ({error})"
        case _:
            return f"the file is not a curator's ledger, or is damaged ({error})"


def _make_tables(connection: sqlite3.Connection) -> None:
    """Create the tables of a ledger."""
    for statement in _SCHEMA.split(";\n"):
        connection.execute(statement)


def _tables(connection: sqlite3.Connection) -> list[tuple]:
    """All that a file defines: tables and indices, and triggers and views, if there are any."""
    return connection.execute(
        "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
    ).fetchall()


@cache
def _right_tables() -> list[tuple]:
    """The tables that a ledger's file has, and no others."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        _make_tables(connection)
        return _tables(connection)


def _settings_text(path: Path, connection: sqlite3.Connection) -> str:
    """The settings as the file keeps them, if it is a ledger and nothing else."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != _APPLICATION_ID:
        raise DataError(
            f"{path} is not a curator's ledger: it is empty, of an older format, or another "
            "program's. Check the path, or bring the file back from a copy; a new ledger forgets "
            "what all objects have answered."
        )
    if _tables(connection) != _right_tables():
        raise DataError(
            f"{path} is damaged or was changed: its tables and indices are not those of a ledger, "
            "or there are triggers or views, which could take answers away. Bring it back from a "
            "copy."
        )
    rows = connection.execute("SELECT json FROM settings").fetchall()
    if len(rows) != 1 or not isinstance(rows[0][0], str):
        raise _unreadable_settings(path)
    return rows[0][0]


def _parsed_settings(path: Path, text: str) -> LedgerSettings:
    """Settings of a file, or the error that they are unreadable."""
    try:
        return LedgerSettings.from_json(text)
    except _UNREADABLE:
        raise _unreadable_settings(path) from None


def _unreadable_settings(path: Path) -> DataError:
    """The error of unreadable settings."""
    return DataError(f"{path} is damaged: its settings are unreadable. Bring it back from a copy.")


def _rows(connection: sqlite3.Connection, object_id: str, start: int) -> list[tuple]:
    """Position, query, output and digest of an object's answers from a position on."""
    return connection.execute(
        "SELECT position, query, output, digest FROM answers WHERE object = ? AND position >= ? "
        "ORDER BY position",
        (object_id, start),
    ).fetchall()


def _digest(*fields: str | int) -> str:
    """SHA-256 of some fields."""
    return hashlib.sha256(json.dumps(fields).encode()).hexdigest()


def _row_digest(previous: str, object_id: str, position: int, text: object, output: object) -> str:
    """Digest of a row; for what else a damaged cell may hold, one that was never stored."""
    if not (isinstance(text, str) and isinstance(output, int)):
        return ""
    return _digest(previous, object_id, position, text, output)


_HEAD = re.compile(r"(\d+):([0-9a-f]{64})")


def _parsed_head(head: str) -> tuple[int, str]:
    """Number of answers and digest of a head."""
    match = _HEAD.fullmatch(head) if isinstance(head, str) else None
    if match is None:
        raise ConfigError(
            f"{head!r} is not a ledger's head: a number, a colon and 64 hexadecimal digits."
        )
    return int(match[1]), match[2]


def _require_name(object_id: str) -> None:
    """An error unless this can be the name of an object."""
    try:
        is_name = isinstance(object_id, str) and object_id != "" and bool(object_id.encode())
    except UnicodeEncodeError:
        is_name = False
    if not is_name:
        raise ConfigError(f"{object_id!r} is not the name of an object: give a text.")


def _exists(path: Path) -> bool:
    """Whether a file is there, as far as its folder can be read."""
    try:
        return path.exists()
    except OSError:  # a folder that cannot be read
        return False


def _checked_path(path: str | Path) -> Path:
    """The path, or the error that it is none."""
    try:
        if b"\0" not in os.fsencode(path):
            return Path(path)
    except (TypeError, ValueError):  # no path, bytes, or no text of this system
        pass
    raise ConfigError(f"{path!r} is not the path of a file: give a text or a Path.")


def _checked_wait(wait_s: float) -> float:
    """The seconds to wait, or the error that they are none."""
    if not (isinstance(wait_s, int | float) and 0 <= wait_s <= LONGEST_WAIT_S):
        raise ConfigError(f"wait_s must be a number of seconds, at most {LONGEST_WAIT_S:g}.")
    return float(wait_s)


_UNREADABLE = (
    ValueError,
    TypeError,
    KeyError,
    AttributeError,
    OverflowError,
    RecursionError,
)


def _to_json(query: Regression) -> str:
    """A query as the file keeps it: plain numbers, with every bit of a double."""
    if type(query) not in _NAMES:
        raise ConfigError(
            f"a ledger keeps linear and logistic queries, not {type(query).__name__}."
        )
    fields: dict[str, Any] = {"kind": _NAMES[type(query)]}
    try:
        for field in dataclasses.fields(query):
            number = getattr(query, field.name)
            is_list = field.name == "coefficients"
            fields[field.name] = [float(each) for each in number] if is_list else float(number)
    except (TypeError, ValueError, OverflowError):
        raise ConfigError(f"the parameters of {query!r} are not numbers.") from None
    return json.dumps(fields)


def _from_json(text: str) -> Regression:
    """A query from its record in the file."""
    fields = json.loads(text)
    kind = _QUERIES[fields.pop("kind")]
    return kind(**{**fields, "coefficients": tuple(fields["coefficients"])})
