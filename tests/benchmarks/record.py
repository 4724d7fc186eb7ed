"""What was measured and kept: ``performance.md`` is written from it, and from nothing else.

``measured/<part>.json`` holds one part: ``comparisons`` (of ``make bench``), ``rules_<run>`` (of a
run's jobs) and ``versions_<commit>`` (that version and this, in turn).  Each says on which machine.
"""

import contextlib
import json
import os
import platform
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from noiseless.figures.style import PAGE_WIDTH_IN, create_figure, use_style
from noiseless.files import compute_file_sha256

MEASURED = Path(__file__).resolve().parent / "measured"
PICTURES = MEASURED
DIGEST = "Table"  # in a picture's metadata: the SHA-256 of the file that it shows
_PACKAGES = ("numpy", "pandas", "scipy", "numba", "snakemake")


def machine() -> str:
    """The processor, the cores and the versions that times depend on most."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    cores = len(os.sched_getaffinity(0))
    memory_gb = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    versions = ", ".join(f"{name} {version(name)}" for name in _PACKAGES)
    return (
        f"{models[0] if models else platform.processor()}, {cores} cores, {memory_gb:.0f} GB; "
        f"Python {platform.python_version()}, {versions}"
    )


def keep(part: str, measured: Mapping[str, Any]) -> None:
    """Write one part anew, with the machine."""
    text = json.dumps({"machine": machine(), **measured}, indent=1, ensure_ascii=False)
    (MEASURED / f"{part}.json").write_text(f"{text}\n", encoding="utf-8")


def kept(part: str) -> dict[str, Any]:
    """One part as it was kept."""
    return json.loads((MEASURED / f"{part}.json").read_text(encoding="utf-8"))


@contextlib.contextmanager
def picture(part: str, name: str, height_in: float) -> Iterator[Any]:
    """Two axes, side by side, to draw a part in; the first one's legend is that of both."""
    with use_style():
        figure, axes = create_figure(1, 2, width_in=PAGE_WIDTH_IN, height_in=height_in)
        yield axes
        axes[0].legend()
        PICTURES.mkdir(exist_ok=True)
        digest = compute_file_sha256(MEASURED / f"{part}.json")
        figure.savefig(PICTURES / f"{name}.png", metadata={"Software": None, DIGEST: digest})
