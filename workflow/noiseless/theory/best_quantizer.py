"""The best quantizer for a function of your own (``deterministic``, Theorem IV.3).

1. The data are spread evenly over a public box.  A lattice of points stands for them.
2. The function's outputs at these points are counted in cells of the public output range.
3. :func:`noiseless.theory.policies.least_leaking_quantizer` chooses bins of complete cells, none
   longer than the accuracy allows, so that the report that tells most tells as little as it can.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import ConfigError, DataError
from noiseless.mechanisms.containers import floats, numbers, python_number, require_positive
from noiseless.mechanisms.families.quantizer import CutQuantizer, Number, Quantizer, finite_range
from noiseless.theory.policies import least_leaking_quantizer, levels_for_accuracy

Floats = NDArray[np.float64]

_CELLS_PER_REPORT = 8


@dataclass(frozen=True)
class BestQuantizer:
    """The least leaking quantizer of a function's output.

    Attributes
    ----------
    quantizer : CutQuantizer
        Apply it to the function's output.
    leakage_bits : float
        L0 in bits: log2 of one over the share of the data that the most telling report leaves open.
    least_leakage_bits : float
        No policy of this accuracy and of any kind has less.
    fewest_reports : int
        Number of reports that every policy of this accuracy needs.
    """

    quantizer: CutQuantizer
    leakage_bits: float
    least_leakage_bits: float
    fewest_reports: int


def best_quantizer(
    function: Callable[[Floats], Floats],
    accuracy: float,
    *,
    ranges: Sequence[tuple[float, float]],
    output_range: tuple[Number, Number],
    points: int = 100_000,
    cells: int = 1_000,
) -> BestQuantizer:
    """The bins of a function's output that leak least at a given accuracy.

    Parameters
    ----------
    function : callable
        Takes data of shape (N, d) and gives outputs of shape (N,).
    accuracy : float
        gamma, larger than 0: a report is within 1/gamma of the output.
    ranges : sequence of d tuples
        Public range (low, high) of each coordinate of the data.
    output_range : tuple
        Public range (low, high) of the output.
    points : int
        About the number of lattice points that stand for the data.  Leakages are shares of these
        points: give more where the bins must be finer.
    cells : int
        Cells of the output range, whose edges the bins may have; more where the accuracy needs
        more.

    Returns
    -------
    BestQuantizer

    Raises
    ------
    ConfigError
        If a range is empty, the accuracy is not positive, there are fewer than two points on an
        axis, or the outputs leave a gap that is longer than a report may be.
    DataError
        If the function does not give a number in the output range for each point.

    Examples
    --------
    The mean of two numbers in [0, 1], told to within a fifth.  Its extreme values are rare, so that
    the outer bins are as long as the accuracy allows.

    >>> best = best_quantizer(
    ...     lambda data: data.mean(axis=1), 5, ranges=[(0, 1), (0, 1)], output_range=(0, 1))
    >>> best.quantizer.edges
    (0.0, 0.399, 0.6, 1.0)
    >>> best.fewest_reports, round(best.leakage_bits, 2)
    (3, 1.65)
    """
    accuracy = python_number(accuracy)
    require_positive("accuracy", accuracy)
    output_range = finite_range(output_range)
    fewest = levels_for_accuracy(accuracy, output_range=output_range)
    low, high = map(float, output_range)
    outputs = _outputs(function, _lattice(ranges, points), low, high)
    count = max(cells, _CELLS_PER_REPORT * fewest)
    volumes = np.bincount(Quantizer(low, high, count).index(outputs), minlength=count)
    found = least_leaking_quantizer(accuracy, output_range=output_range, volumes=volumes.tolist())
    if not found.share:
        raise ConfigError(
            f"no output lies in a part of {list(output_range)} that is longer than 2/accuracy, so "
            "that a bin there holds no data. Narrow the output range, lower the accuracy, or give "
            "more points."
        )
    return BestQuantizer(
        quantizer=found.quantizers[0],
        leakage_bits=-math.log2(found.share),
        least_leakage_bits=-math.log2(found.bound),
        fewest_reports=fewest,
    )


def _lattice(ranges: Sequence[tuple[float, float]], points: int) -> Floats:
    """Mid-points of equal boxes of the data's range, shape (N, d)."""
    ends = [numbers(each, "the ends of a coordinate's range", count=2) for each in ranges]
    for pair in ends:
        if not (math.isfinite(pair[1] - pair[0]) and pair[0] < pair[1]):
            raise ConfigError(f"{pair} is not the range of a coordinate: give (low, high).")
    on_axis = math.floor(points ** (1 / len(ends)) + 1e-9) if ends else 0
    if on_axis < 2:
        raise ConfigError(
            f"{points} points are too few for {len(ends)} coordinates: give at least "
            f"{2 ** max(1, len(ends))}."
        )
    steps = (np.arange(on_axis) + 0.5) / on_axis
    axes = [low + (high - low) * steps for low, high in ends]
    return np.stack([axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")], axis=1)


def _outputs(function: Callable[[Floats], Floats], data: Floats, low: float, high: float) -> Floats:
    """Outputs of the function at some data, in their range."""
    outputs = floats(function(data), "the outputs of the function")
    if outputs.shape != (len(data),):
        raise DataError(
            f"the function gives outputs of shape {outputs.shape} for {len(data)} points of shape "
            f"{data.shape}: it must give one number for each."
        )
    slack = 1e-9 * (high - low)  # of rounding at the ends of the range
    inside = (outputs >= low - slack) & (outputs <= high + slack)
    if not inside.all():
        first = int(np.argmin(inside))
        raise DataError(
            f"the function gives {outputs[first]} at {data[first].tolist()}, outside the output "
            f"range [{low}, {high}]. Widen the range."
        )
    return np.clip(outputs, low, high)
