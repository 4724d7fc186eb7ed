"""A plugin of pytest: what needs an extra that is not installed is skipped, and says so.

Only where the test itself, or a part of the package that the install does not promise, asks for it:
``installs.py`` imports before all that it does promise.  ``scikit-learn`` is asked for late, by the
adversaries that are trained.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

LIBRARY = {"mechanisms", "adversaries", "games", "theory", "accounting"}
LATE = "sklearn"


def find_missing(error: BaseException | None, where: Path) -> str | None:
    """Return the package that is missing, if its absence is no fault of the library.

    Parameters
    ----------
    error : exception or None
    where : path
        The file that asked for it.
    """
    if not isinstance(error, ModuleNotFoundError) or error.name is None:
        return None
    package = error.name.partition(".")[0]
    if package == "noiseless":
        return None
    parts = where.parts
    asks = parts[parts.index("noiseless") + 1] if "noiseless" in parts else ""
    return package if asks not in LIBRARY or package == LATE else None


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    """Skip a test file that cannot be imported without another extra."""
    report = yield
    error = getattr(report, "call", None) and report.call.excinfo
    if report.failed and error is not None:
        while isinstance(error.value, Exception) and error.value.__cause__ is not None:
            error = pytest.ExceptionInfo.from_exception(error.value.__cause__)
        if package := find_missing(error.value, Path(error.traceback[-1].path)):
            report.outcome = "skipped"
            report.longrepr = (str(collector.path), 0, f"Skipped: needs {package}")
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo) -> Iterator[None]:
    """Skip a test that asks for another extra while it runs."""
    report = yield
    if report.failed and call.excinfo is not None:
        where = Path(call.excinfo.traceback[-1].path)
        if package := find_missing(call.excinfo.value, where):
            report.outcome = "skipped"
            report.longrepr = (str(item.path), item.location[1], f"Skipped: needs {package}")
    return report
