"""`make bench`: each comparison of the modules beside this one, as a ratio measured in one run.

A module `bench_<topic>.py` has a function `comparisons()` that yields :class:`Comparison`.  The
baseline is what a reader would write first; both sides run in turn, after their results have been
compared, and the ratio is the median over the turns.  Name topics to run only those; a run of all
is kept, and `tests/benchmarks/performance.md` written anew.
"""

import importlib
import statistics
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
TURNS = 3


def seconds(function) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def main(topics: list[str]) -> None:
    sys.path[:0] = [str(HERE), str(HERE.parent)]
    from page import write
    from record import keep

    rows = []
    print(f"{'comparison':<75}{'baseline (s)':>14}{'ours (s)':>12}{'ratio':>10}")
    for path in sorted(HERE.glob("bench_*.py")):
        if topics and path.stem.removeprefix("bench_") not in topics:
            continue
        for each in importlib.import_module(path.stem).comparisons():
            each.agree(each.baseline(), each.ours())
            turns = [(seconds(each.baseline), seconds(each.ours)) for _ in range(TURNS)]
            ratio = statistics.median(slow / fast for slow, fast in turns)
            slow, fast = (statistics.median(side) for side in zip(*turns, strict=True))
            print(
                f"{each.name:<75}{slow:>14.4f}{fast:>12.4f}{ratio:>9.{0 if ratio >= 10 else 1}f}x",
                flush=True,
            )
            rows.append(
                {
                    "topic": path.stem.removeprefix("bench_"),
                    "name": each.name,
                    "peer": each.peer.describe(),
                    "baseline_s": slow,
                    "ours_s": fast,
                    "ratio": ratio,
                }
            )
    if not topics:
        keep("comparisons", {"turns": TURNS, "rows": rows})
        write()


if __name__ == "__main__":
    main(sys.argv[1:])
