"""Beyond ``deterministic``: the least leakage (P1) of a query of two outputs.

The data are uniform over the outputs' rectangle, so that L0 is the logarithm of the rectangle's
area over the area of the smallest region.

1. :func:`build_regions_table`: three regions of a third of the unit square each, where the best
   pair of quantizers has a fourth.
2. :func:`build_areas_table`: the smallest region of the best pair, and an upper bound for any
   policy.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import pandas as pd

from noiseless.tables import Rows, returns_table
from noiseless.theory.policies import bound_max_area, find_optimal_grid

Box = tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]

RADIUS_SQUARED: Final = Fraction(65, 256)
HALF: Final = Fraction(1, 2)
EDGE: Final = Fraction(7, 8)  # height of the edge between the upper strip and the two regions below
# Width and height of the part of the strip that is below the edge.
NOTCH: Final = (Fraction(25, 36), Fraction(3, 10))


def build_area_tables(*, two_outputs: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """Build both tables of this module, by name, for arguments of the second."""
    return {"areas_regions": build_regions_table(), "areas": build_areas_table(**two_outputs)}


def build_example_regions() -> list[tuple[list[Box], tuple[Fraction, Fraction]]]:
    """Build three regions of the unit square, each a list of boxes and the centre of its disk."""
    nil, one = Fraction(0), Fraction(1)
    width, height = NOTCH
    low, high = HALF - width / 2, HALF + width / 2
    floor = EDGE - height
    above = [((nil, one), (EDGE, one)), ((low, high), (floor, EDGE))]
    left = [((nil, low), (nil, EDGE)), ((low, HALF), (nil, floor))]
    right = [((one - b, one - a), rows) for (a, b), rows in left]
    middle = EDGE / 2
    return [
        (above, (HALF, (1 + EDGE) / 2)),
        (left, (HALF / 2, middle)),
        (right, (1 - HALF / 2, middle)),
    ]


@returns_table("region", "box")
def build_regions_table() -> Rows:
    """Build the table of the boxes of the three regions, with the centres of their disks."""
    for region, (boxes, (middle_1, middle_2)) in enumerate(build_example_regions(), 1):
        for box, ((left, right), (bottom, top)) in enumerate(boxes, 1):
            yield {
                **{"region": region, "box": box, "left": left, "right": right},
                **{"bottom": bottom, "top": top, "middle_1": middle_1, "middle_2": middle_2},
            }


@returns_table("first_side", "second_side", "gamma")
def build_areas_table(*, sides: Sequence[Sequence[float]], accuracy: Sequence[float]) -> Rows:
    """Build the table of the smallest region of the best pair of quantizers and of any policy.

    ``sides`` are the lengths of the ranges of both outputs; policies are off by at most r = 1/gamma
    (Euclidean). Statistics: ``pair_area`` and ``most_area``, of the smallest region;
    ``pair_beyond_most``, the first over the second less 1; ``ratio_minus_limit``, ``most_area``
    over ``pair_area`` above what the proof allows, (1 + pi/2)/2 = 1.285 times (1 + sqrt(2) r/side)
    for either side; ``pair_leakage_nats``, L0.
    """
    for (first, second), gamma in itertools.product(sides, accuracy):
        exact = Fraction(str(gamma))
        lengths = Fraction(str(first)), Fraction(str(second))
        ranges = (0, lengths[0]), (0, lengths[1])
        cells = math.prod(each.levels for each in find_optimal_grid(exact, output_ranges=ranges))
        pair = float(math.prod(lengths) / cells)
        area_bound = bound_max_area(exact, output_ranges=ranges)
        margins = (1 + math.sqrt(2) / (gamma * float(side)) for side in lengths)
        limit = math.prod(margins, start=(1 + math.pi / 2) / 2)
        yield {
            "first_side": float(first),
            "second_side": float(second),
            "gamma": float(gamma),
            "pair_area": pair,
            "most_area": area_bound,
            "pair_beyond_most": pair / area_bound - 1,
            "ratio_minus_limit": area_bound / pair - limit,
            "pair_leakage_nats": math.log(cells),
        }
