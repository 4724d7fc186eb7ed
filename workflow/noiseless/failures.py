"""Failed jobs of a run, told to a person once, at its end.

1. Snakemake says of each failed job that a command failed, which job it was, and what its log
   holds.  :class:`Failures` takes this off the terminal where the job's log ends in a message that
   a person can act on (:func:`noiseless.jobs.job`); the rest stays, tracebacks above all.
   Snakemake's own log file keeps everything.
2. When the run is over, :meth:`Failures.tell` writes each message with the rule and its log.
"""

import atexit
import logging
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

# In the environment of a run that tells its messages at the end, and of the scripts that it starts.
TOLD_AT_THE_END = "NOISELESS_TOLD_AT_THE_END"
MESSAGE = "error: "
# What Snakemake says around the error of a job.
_AROUND = (
    "RuleException:\nCalledProcessError in file",
    "Exiting because a job execution failed.",
    "WorkflowError:\nAt least one job did not complete successfully.",
)


class Failures(logging.Filter):
    """A filter of what Snakemake writes to the terminal, which keeps failed jobs' messages."""

    def __init__(self) -> None:
        super().__init__()
        # Message -> the jobs that ended in it: a rule and its log.
        self._told: dict[str, dict[str, str]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record goes to the terminal."""
        words = vars(record)
        if "job_error_info" in words:
            return not self._take(words["job_error_info"])
        if "rule_name" in words and str(words.get("event", "")).lower().endswith("job_error"):
            return not self._take([words])
        return not record.getMessage().startswith(_AROUND)

    def _take(self, jobs: Iterable[Mapping[str, Any]]) -> bool:
        """Keep the messages of failed jobs; whether there are any."""
        found = {}
        for failed in jobs:
            for log in failed["log"]:
                if message := last_message(log):
                    found[message] = (failed["rule_name"], log)
        for message, (rule, log) in found.items():
            self._told.setdefault(message, {})[log] = rule
        return bool(found)

    def tell(self) -> None:
        """Write every message once, with the logs of the jobs that ended in it."""
        for message, jobs in self._told.items():
            where = ", ".join(f"{rule} ({log})" for log, rule in jobs.items())
            print(f"\n{message}\n  Rule and log: {where}.", file=sys.stderr)
        if self._told:
            print("Then run the same command again; what is done stays.", file=sys.stderr)


def last_message(log: str | Path) -> str | None:
    """The message that a job's log ends in, if it is one that a person can act on."""
    try:
        text = Path(log).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    start = text.rfind(f"\n{MESSAGE}") + 1
    # Further lines of a message are indented.
    ends = all(line.startswith("  ") for line in text[start:].splitlines()[1:])
    return text[start:].rstrip() if text[start:].startswith(MESSAGE) and ends else None


def tell_failures_at_the_end(logger: logging.Logger) -> None:
    """Have a run of Snakemake tell its failed jobs at its end.

    Parameters
    ----------
    logger : logging.Logger
        Snakemake's.
    """
    failures = Failures()
    for handler in logger.handlers:
        if isinstance(handler, logging.StreamHandler) and not hasattr(handler, "baseFilename"):
            handler.addFilter(failures)
            os.environ[TOLD_AT_THE_END] = "1"
            atexit.register(failures.tell)
