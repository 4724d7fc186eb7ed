"""What every script of the workflow shares: a log file, and errors without a traceback.

A script maps Snakemake's names onto one function of the package inside ``with job(snakemake):``.
"""

import logging
import signal
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from noiseless.errors import UserError


@contextmanager
def job(snakemake: Any) -> Iterator[logging.Logger]:
    """Run a rule's work with its log.

    The package's log messages go to the rule's log file and to the terminal.  A
    :class:`~noiseless.errors.UserError` ends the job with its message alone, and so does a lack of
    memory; any other error is a defect, and its traceback goes to both as well.

    Yields
    ------
    logging.Logger
        The package's logger.
    """
    # A cancelled job unwinds like a failed one, so that its half-written files go.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    logger = logging.getLogger("noiseless")
    logger.setLevel(logging.INFO)
    logger.addHandler(logging.StreamHandler(sys.stderr))
    logger.addHandler(logging.FileHandler(snakemake.log[0], mode="w", encoding="utf-8"))
    try:
        yield logger
    except UserError as error:
        logger.error("error: %s", error)
        raise SystemExit(1) from None
    except MemoryError as error:
        logger.error(
            "error: out of memory (%s). Use a machine with more memory; on a cluster, ask for more "
            "with --set-resources %s:mem_mb=8000. Or make the grids of the configuration smaller.",
            error,
            snakemake.rule,
        )
        raise SystemExit(1) from None
    except Exception:
        logger.error(traceback.format_exc())
        raise SystemExit(1) from None
    logger.info("%s: done", snakemake.rule)
