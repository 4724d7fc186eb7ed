"""A processor of 2008, as far as libraries can be told to make do with its instructions.

``python tests/processors.py FILE`` writes the tables of :func:`tables` there; with :func:`older` in
its environment, they are those of the older processor.
"""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd

DIGITS = 9
ZERO = 1e-12  # what is as near to 0 has no digits to agree on
_OLD = ("SSE", "SSSE", "POPCNT", "CX16", "LAHF", "X86_V2")


def older() -> dict[str, str]:
    """Variables under which OpenBLAS, numba and numpy keep to the instructions of 2008."""
    from numpy._core import _multiarray_umath as core

    newer = [
        name
        for name in core.__cpu_dispatch__
        if core.__cpu_features__.get(name) and not name.startswith(_OLD)
    ]
    return {
        "OPENBLAS_CORETYPE": "Nehalem",
        "NUMBA_CPU_NAME": "nehalem",
        "NUMBA_CPU_FEATURES": "",  # else numba adds those of the processor that is there
        "NPY_DISABLE_CPU_FEATURES": " ".join(newer),
    }


def differences(one: pd.DataFrame, other: pd.DataFrame) -> list[str]:
    """Columns that two tables do not agree on: numbers to nine digits, and the rest exactly."""
    if list(one.columns) != list(other.columns) or len(one) != len(other):
        return ["rows or columns"]
    found = []
    for name in one.columns:
        a, b = one[name], other[name]
        if a.dtype.kind == "f" and b.dtype.kind == "f":
            same = np.allclose(a, b, rtol=10.0**-DIGITS, atol=ZERO, equal_nan=True)
        else:
            same = a.equals(b)
        if not same:
            found.append(name)
    return found


def tables() -> dict[str, pd.DataFrame]:
    """Tables that use exponentials and products of matrices."""
    from noiseless.papers.prrelation.curves import build_threshold_table
    from noiseless.seeds import make_generator

    rng = make_generator(1, "processors")
    values = rng.normal(size=(60, 40))
    # numpy's exponential and OpenBLAS's product have kernels of their own for each processor.
    product = np.exp(values) @ np.exp(values.T)
    return {
        "thresholds": build_threshold_table(
            epsilon_nats=[0.01, 0.4, 1, 5], false_alarm=[0.01, 0.1, 0.25, 0.5, 0.9]
        ),
        "product": pd.DataFrame({"value": product.ravel()}),
    }


def tables_elsewhere(folder: Path) -> dict[str, pd.DataFrame]:
    """:func:`tables` on the older processor."""
    path = folder / "tables.pickle"
    tests = Path(__file__).resolve().parent
    subprocess.run(
        [sys.executable, str(tests / "processors.py"), str(path)],
        env={**os.environ, **older(), "PYTHONPATH": str(tests.parent / "workflow")},
        check=True,
        timeout=300,
    )
    return pickle.loads(path.read_bytes())


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(pickle.dumps(tables()))
