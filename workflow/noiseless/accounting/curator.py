"""A curator's ledger: what each object has answered, kept through restarts (SQLite).

The order of events is the guarantee.  In one transaction the ledger reads the object's outputs,
asks its filter, draws the answer and writes it; only after the commit does the answer leave
:meth:`CuratorLedger.answer`.  A crash can therefore lose an answer that nobody saw, but never the
record of one that somebody did.  SQLite lets one writer in at a time, so two processes cannot spend
the same budget.
"""

import dataclasses
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from noiseless.accounting.filters import (
    BasicFilter,
    BayesianFilter,
    PrivacyFilter,
    SimplifiedFilter,
)
from noiseless.accounting.queries import Box, LinearQuery, LogisticQuery, TruncatedLinearQuery
from noiseless.accounting.realized_loss import BoxAccount, LossBounds
from noiseless.errors import ConfigError, DataError, UserError

FILTERS = {"basic": BasicFilter, "simplified": SimplifiedFilter, "bayesian": BayesianFilter}
_QUERIES = {
    "linear": LinearQuery,
    "truncated_linear": TruncatedLinearQuery,
    "logistic": LogisticQuery,
}
_NAMES = {kind: name for name, kind in _QUERIES.items()}

_SCHEMA = """
CREATE TABLE IF NOT EXISTS settings (only INTEGER PRIMARY KEY CHECK (only = 1), json TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS answers (
    object TEXT NOT NULL,
    position INTEGER NOT NULL,
    query TEXT NOT NULL,
    output INTEGER NOT NULL,
    PRIMARY KEY (object, position)
) WITHOUT ROWID;
"""

CACHED_OBJECTS = 64
"""Objects whose filters stay in memory; those of others are made from the file again."""

Regression = LinearQuery | TruncatedLinearQuery | LogisticQuery


class BudgetError(UserError):
    """A query that an object's privacy budget does not allow."""


class CuratorLedger:
    """Answers of many objects under one filter and budget, in a file.

    Parameters
    ----------
    path : path
        The SQLite file; made where it does not exist.
    box : Box
        Public range of every object.
    budget_nats : float
        Privacy budget epsilon_g of each object.
    filter : str
        ``bayesian``, ``simplified`` or ``basic``.
    tolerance : float
        Of the certified losses, in nats.
    wait_s : float
        How long to wait for another writer.

    Raises
    ------
    ConfigError
        If a setting is out of its range, or is not the one that the file was made with.
    DataError
        If the file is not a ledger.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        box: Box,
        budget_nats: float,
        filter: str = "bayesian",
        tolerance: float = 1e-3,
        wait_s: float = 30.0,
    ) -> None:
        if filter not in FILTERS:
            raise ConfigError(f"{filter!r} is not a filter; there are {', '.join(FILTERS)}.")
        self._path, self._box, self._budget = Path(path), box, budget_nats
        self._filter, self._tolerance, self._wait_s = filter, tolerance, wait_s
        self._cache: dict[str, tuple[int, PrivacyFilter]] = {}
        self._new_filter()  # checks the settings
        settings = json.dumps(
            {"lower": box.lower, "upper": box.upper, "budget_nats": budget_nats, "filter": filter}
        )
        with self._transaction() as connection:
            for statement in _SCHEMA.split(";"):
                connection.execute(statement)
            connection.execute("INSERT OR IGNORE INTO settings VALUES (1, ?)", (settings,))
            (stored,) = connection.execute("SELECT json FROM settings").fetchone()
        if json.loads(stored) != json.loads(settings):
            raise ConfigError(
                f"{path} was made with the settings {stored}, not {settings}. What its objects "
                "have answered counts for those: open it with them, or start a new ledger."
            )

    def answer(
        self, object_id: str, value: ArrayLike, query: Regression, rng: np.random.Generator
    ) -> int:
        """Answer a query about an object, or refuse.

        Parameters
        ----------
        object_id : str
        value : array_like, shape (d,)
            The object's value; it is not stored.
        query : LinearQuery, TruncatedLinearQuery or LogisticQuery
        rng : numpy.random.Generator
            Must be unpredictable for whoever sees the answers: ``numpy.random.default_rng()``.

        Returns
        -------
        int
            The output, which has been written to the file.

        Raises
        ------
        BudgetError
            If the filter rejects the query.  Nothing is written.
        DataError
            If the value is not in the box.
        """
        value = np.asarray(value, dtype=float)
        inside = value.shape == (self._box.dimensions,) and np.all(
            (value >= self._box.lower) & (value <= self._box.upper)
        )
        if not inside:
            raise DataError(f"the value {value.tolist()} of {object_id!r} is not in {self._box}.")
        with self._transaction() as connection:
            position, privacy_filter = self._replay(connection, object_id)
            if not privacy_filter.accepts(query):
                raise BudgetError(
                    f"the budget {self._budget:g} of {object_id!r} does not allow this query of "
                    f"epsilon {query.epsilon_nats:g}: after {position} answers its realized "
                    f"loss is {privacy_filter.loss().upper:.4g}."
                )
            output = int(query.mechanism.release(query.response(value[None]), rng)[0])
            connection.execute(
                "INSERT INTO answers VALUES (?, ?, ?, ?)",
                (object_id, position, _to_json(query), output),
            )
        privacy_filter.record(query, output)
        self._keep(object_id, position + 1, privacy_filter)
        return output

    def loss(self, object_id: str) -> LossBounds:
        """The odometer of one object: certified bounds of its realized loss."""
        with self._transaction() as connection:
            return self._replay(connection, object_id)[1].loss()

    def answers(self, object_id: str) -> list[tuple[Regression, int]]:
        """Queries that an object has answered and their outputs, in order."""
        with self._transaction() as connection:
            return list(self._stored(connection, object_id, 0))

    def _replay(self, connection: sqlite3.Connection, object_id: str) -> tuple[int, PrivacyFilter]:
        """The object's filter with all answers in the file; other writers may have added some."""
        position, privacy_filter = self._cache.pop(object_id, None) or (0, self._new_filter())
        for query, output in self._stored(connection, object_id, position):
            privacy_filter.record(query, output)
            position += 1
        self._keep(object_id, position, privacy_filter)
        return position, privacy_filter

    def _keep(self, object_id: str, position: int, privacy_filter: PrivacyFilter) -> None:
        self._cache.pop(object_id, None)
        self._cache[object_id] = (position, privacy_filter)
        if len(self._cache) > CACHED_OBJECTS:
            self._cache.pop(next(iter(self._cache)))  # the one that was used longest ago

    def _stored(
        self, connection: sqlite3.Connection, object_id: str, start: int
    ) -> Iterator[tuple[Regression, int]]:
        rows = connection.execute(
            "SELECT query, output FROM answers WHERE object = ? AND position >= ? "
            "ORDER BY position",
            (object_id, start),
        )
        return ((_from_json(query), output) for query, output in rows)

    def _new_filter(self) -> PrivacyFilter:
        account = BoxAccount(self._box, tolerance=self._tolerance)
        return FILTERS[self._filter](self._budget, account)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """The only writer, until the block ends; committed to disk only if it succeeds."""
        try:
            with closing(
                sqlite3.connect(self._path, timeout=self._wait_s, isolation_level=None)
            ) as connection:
                connection.execute("PRAGMA synchronous = FULL")
                connection.execute("BEGIN IMMEDIATE")
                # Closing without a commit rolls back.
                yield connection
                connection.execute("COMMIT")
        except sqlite3.OperationalError as error:
            raise DataError(
                f"{self._path}: {error}. Another process may hold the ledger, or the folder may "
                "not be writable; no answer was given."
            ) from None
        except sqlite3.DatabaseError as error:
            raise DataError(f"{self._path} is not a curator's ledger ({error}).") from None


def _to_json(query: Regression) -> str:
    if type(query) not in _NAMES:
        raise ConfigError(
            f"a ledger keeps linear and logistic queries, not {type(query).__name__}."
        )
    # Python's JSON keeps every bit of a double.
    return json.dumps({"kind": _NAMES[type(query)], **dataclasses.asdict(query)})


def _from_json(text: str) -> Regression:
    fields = json.loads(text)
    kind = _QUERIES[fields.pop("kind")]
    return kind(**{**fields, "coefficients": tuple(fields["coefficients"])})
