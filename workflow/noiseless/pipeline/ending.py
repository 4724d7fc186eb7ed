"""Messages at the end of a run in which jobs failed, and what to do about each."""

import json
import sys
from pathlib import Path

from noiseless.errors import UserError
from noiseless.pipeline.jobs import MESSAGE_PREFIX

_TRACEBACK = "Traceback (most recent call last):"


def print_failures(logs: str | Path, *, since_s: float) -> None:
    """Print the messages of a run's failed jobs on standard error, each once with its logs.

    Logs from before ``since_s`` (seconds since 1970) are left out.
    """
    logs_by_message: dict[str, list[str]] = {}
    for log in sorted(Path(logs).rglob("*.log")):
        is_fresh = log.is_file() and log.stat().st_mtime >= since_s
        if is_fresh and (message := find_last_message(log)):
            logs_by_message.setdefault(message, []).append(str(log))
    for message, where in logs_by_message.items():
        print(f"\n{message}\n  Log: {', '.join(where)}.", file=sys.stderr)
    if logs_by_message:
        print("Then run the same command again; what is done stays.", file=sys.stderr)


def find_last_message(log: str | Path) -> str | None:
    """Return the error message or traceback that a job's log ends in; None if it ends in none."""
    try:
        text = Path(log).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    start = max(text.rfind(f"\n{each}") + 1 for each in (MESSAGE_PREFIX, _TRACEBACK))
    # Further lines of a message are indented.
    ends = all(line.startswith("  ") for line in text[start:].splitlines()[1:])
    begins = text[start:].startswith((MESSAGE_PREFIX, _TRACEBACK))
    return text[start:].rstrip() if begins and ends else None


def refuse_errors(findings: str | Path) -> None:
    """Refuse the findings of a paper if the check of a statement raised.

    The other statements have their verdicts, and the page says of these that they had an error; but
    a run with one is not complete.
    """
    path = Path(findings)
    failed = [
        f"{found['id']} ({found['module']}.{found['function']}): {found['error']}"
        for found in json.loads(path.read_text(encoding="utf-8"))
        if found["error"]
    ]
    if failed:
        raise UserError(
            f"The run is not complete: the check of {len(failed)} statement(s) had an error, and "
            f"the others have their verdicts. {'; '.join(failed)}. Mend the function; if what "
            f"failed was around it, delete {path} and results/ledger/{path.stem}.parquet, and run "
            "again."
        )
