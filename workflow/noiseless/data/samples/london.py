"""Synthetic sample of the daily files of the smart meters in London."""

from pathlib import Path

import numpy as np
import pandas as pd

from noiseless.files import write_atomically
from noiseless.seeds import make_generator

HOMES_PER_BLOCK = 50
_COLUMNS = ("median", "mean", "max", "count", "std", "sum", "min")


def write_london(path: str | Path, *, blocks: int, seed: int) -> None:
    """Write a synthetic ``informations_households.csv``, and the blocks of its homes.

    ``daily_dataset/block_N.csv`` are written beside it.
    """
    write_households(path, blocks=blocks, seed=seed)
    for block in range(blocks):
        daily = Path(path).parent / "daily_dataset" / f"block_{block}.csv"
        write_block(daily, block=block, seed=seed)


def write_households(path: str | Path, *, blocks: int, seed: int) -> None:
    """Write a synthetic ``informations_households.csv``; about one home in five has tariff ToU."""
    rng = make_generator(seed, "sample", "london", "households")
    lines = ["LCLid,stdorToU,Acorn,Acorn_grouped,file"]
    for block in range(blocks):
        lines += [
            f"{home},{rng.choice(['Std', 'ToU'], p=[0.8, 0.2])},ACORN-E,Affluent,block_{block}"
            for home in _list_homes(block)
        ]
    with write_atomically(path) as partial:
        partial.write_bytes(("\r\n".join(lines) + "\r\n").encode())


def write_block(path: str | Path, *, block: int, seed: int) -> None:
    """Write a synthetic ``block_N.csv`` with the daily energy of 50 homes, 2012 to 2014.

    Homes join during 2012 and stay until the end of February 2014. As in the original, a home here
    and there misses days, the first and last day of a home are not complete, and floating-point
    sums are written with all their digits.
    """
    # All blocks share the weather.
    calendar = pd.date_range("2012-01-01", "2014-02-28")
    common = make_generator(seed, "sample", "london", "weather").standard_normal(len(calendar))
    season = np.cos(2 * np.pi * (calendar.dayofyear.to_numpy() - 15) / 365)
    rng = make_generator(seed, "sample", "london", "block", block)
    lines = ["LCLid,day," + ",".join(f"energy_{name}" for name in _COLUMNS)]
    for home in _list_homes(block):
        joins = int(rng.integers(0, 340))
        level = 10.5 * np.exp(0.6 * rng.standard_normal() - 0.18)
        daily = level * (1 + rng.uniform(0, 0.4) * season) * np.exp(0.05 * common)
        daily = daily * np.exp(0.3 * rng.standard_normal(len(calendar)))
        missing = rng.random() < 0.1
        for k in range(joins, len(calendar)):
            if missing and rng.random() < 0.01:
                continue
            count = 24 if k in (joins, len(calendar) - 1) else 48
            mean = round(daily[k] / 48, 3)
            total = sum([mean] * count)  # a sum of floats, because the original has its digits
            lines.append(
                f"{home},{calendar[k]:%Y-%m-%d},{mean},{mean},{2 * mean},{count},0.1,{total},0.0"
            )
    with write_atomically(path) as partial:
        partial.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _list_homes(block: int) -> list[str]:
    """List the LCLids of the 50 homes of a block."""
    first = block * HOMES_PER_BLOCK + 2
    return [f"MAC{number:06d}" for number in range(first, first + HOMES_PER_BLOCK)]
