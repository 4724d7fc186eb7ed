"""How long a run still takes: a line after each job that ends, below Snakemake's count of steps.

A job counts with the seconds that it took in the last run, which stand beside its log
(:mod:`noiseless.page.run_times`); one without such a record counts as the others on average.  The
rest takes as long, for its share, as what is done: cores, other work on the machine, and a change
of the processor are in it.
"""

import logging
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from noiseless.page.run_times import read_run_time

LEAST_SHARE = 0.05  # of the work, below which nothing can be said
_MINUTE_S, _HOUR_S = 60, 3_600


def print_time_left(
    logger: logging.Logger, logs: Mapping[int, str | None], *, quietness: object = None
) -> None:
    """Let a run say, after each job that ends, about how long the rest takes.

    ``logs`` has each job's log by its number.
    """
    records = {job: Path(log).with_suffix(".tsv") for job, log in logs.items() if log is not None}
    known_s = {job: read_run_time(path) for job, path in records.items()}
    took_s = {job: seconds for job, seconds in known_s.items() if seconds is not None}
    usual_s = sum(took_s.values()) / len(took_s) if took_s else 1.0
    logger.addHandler(
        _TimeLeftHandler(
            {job: took_s.get(job, usual_s) for job in logs},
            lambda text: logger.info(text, extra={"quietness": quietness}),
        )
    )


class _TimeLeftHandler(logging.Handler):
    """Handler of Snakemake's messages that says how long the rest takes."""

    def __init__(
        self,
        expected_s: Mapping[int, float],
        say: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(logging.INFO)
        self._left_s = dict(expected_s)
        self._all_s = sum(expected_s.values())
        self._say, self._clock, self._began = say, clock, clock()

    def emit(self, record: logging.LogRecord) -> None:
        """Count a job that is finished; after a count of steps, say how long the rest takes."""
        event = str(getattr(record, "event", ""))
        if event == "job_finished":
            self._left_s.pop(record.__dict__["job_id"], None)
        elif event == "progress" and self._left_s:
            left_s = sum(self._left_s.values())
            done_s = self._all_s - left_s
            if done_s > LEAST_SHARE * self._all_s:
                spent_s = self._clock() - self._began
                self._say(format_time_left(spent_s * left_s / done_s))


def format_time_left(seconds: float) -> str:
    """Format how long a run still takes, in minutes, or in hours from two on."""
    if seconds < _MINUTE_S:
        return "less than a minute left"
    if seconds < 2 * _HOUR_S:
        minutes = round(seconds / _MINUTE_S)
        return f"about {minutes} minute{'s' if minutes > 1 else ''} left"
    return f"about {round(seconds / _HOUR_S)} hours left"
