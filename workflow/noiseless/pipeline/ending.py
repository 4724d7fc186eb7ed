"""What a run says at its end where jobs failed, and what to do."""

import sys
from pathlib import Path

from noiseless.pipeline.jobs import MESSAGE

_TRACEBACK = "Traceback (most recent call last):"


def print_failures(logs: str | Path, *, since_s: float) -> None:
    """Write on standard error what the failed jobs of a run say, each message once.

    Parameters
    ----------
    logs : path
        The folder of the jobs' logs (:func:`noiseless.pipeline.jobs.job`).
    since_s : float
        When the run began, in seconds since 1970: older logs are not told.
    """
    told: dict[str, list[str]] = {}
    for log in sorted(Path(logs).rglob("*.log")):
        if _is_fresh(log, since_s) and (message := last_message(log)):
            told.setdefault(message, []).append(str(log))
    for message, where in told.items():
        print(f"\n{message}\n  Log: {', '.join(where)}.", file=sys.stderr)
    if told:
        print("Then run the same command again; what is done stays.", file=sys.stderr)


def last_message(log: str | Path) -> str | None:
    """The message or the traceback that a job's log ends in, if it ends in one."""
    try:
        text = Path(log).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    start = max(text.rfind(f"\n{each}") + 1 for each in (MESSAGE, _TRACEBACK))
    # Further lines of a message are indented.
    ends = all(line.startswith("  ") for line in text[start:].splitlines()[1:])
    begins = text[start:].startswith((MESSAGE, _TRACEBACK))
    return text[start:].rstrip() if begins and ends else None


def _is_fresh(path: Path, since_s: float) -> bool:
    """Whether a file was written since a time."""
    return path.is_file() and path.stat().st_mtime >= since_s
