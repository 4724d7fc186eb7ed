"""What this project adds: sets that overlap, other numbers of people, queries of two outputs."""

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from noiseless.papers.deterministic import paper
from noiseless.papers.deterministic.groupings import plane_groupings
from noiseless.papers.deterministic.heights import Heights, heights
from noiseless.papers.deterministic.searches import (
    Bins,
    bins,
)
from noiseless.papers.deterministic.two_outputs import (
    TwoOutputs,
    compute_squared_error,
    pairs_of_quantizers,
)
from noiseless.statements import (
    Finding,
    Limit,
    Margin,
    at_most,
    bounded,
    equals,
    find_some,
    for_all,
    less,
)
from noiseless.theory.intervals import BoxUnion
from noiseless.theory.policies import find_min_cells

_FOUR_DECIMALS = Margin(0.0001, "four decimals")


@paper.adds(
    "Theorem IV.3, Equation 16",
    over=bins,
    limits=(Limit("thm4_3_p1", "a policy's sets are disjoint (Section IV), as its reports are"),),
)
def thm4_3_p1_overlap(bins: list[Bins]) -> Finding:
    """If the sets of Equation 16b might overlap, it would find more than any policy has. For a
    number in [0, 1] that is itself released to within 0.3, [0, 0.6] and [0.4, 1] cover with a
    smallest volume of 0.6; no policy has more than 0.5. Counted for all volumes of a few cells.
    """
    return find_some(at_most(each.cover, each.bound, each) for each in bins)


@paper.adds("Example IV.2, for one person", over=heights)
def ex4_2_one(heights: dict[tuple[int, int], Heights]) -> Finding:
    """For one person an error of at least 10 cm is guaranteed by 7 levels, and not by 8, that is,
    for gamma up to 7/75 = 0.0933. Shown as the smallest error in cm.
    """
    printed = {7: 10.7143, 8: 9.375}
    return equals({q: heights[1, q].error for q in printed}, printed, within=_FOUR_DECIMALS)


@paper.adds("Example IV.2, for three and more people", over=heights)
def ex4_2_more(heights: dict[tuple[int, int], Heights]) -> Finding:
    """For three people an error of at least 10 cm is guaranteed by up to 36 levels, and for more
    people by more: 15 sqrt(n (n - 1)), rounded down. Shown as the smallest error of three and of
    five people for 22 to 30 levels.
    """
    return bounded(
        {f"{n} people, {q} levels": heights[n, q].error for n in (3, 5) for q in range(22, 31)},
        at_least=10,
    )


# Queries of two outputs: "Future work can focus on analysing non-scalar queries" (Section VI). ---


@paper.adds(
    "Section VI, non-scalar queries",
    "Future work can focus on analysing non-scalar queries as well as demonstrating the "
    "performance of the method on publicly available datasets.",
    over=pairs_of_quantizers,
)
def two_outputs_best(pairs: list[TwoOutputs]) -> Finding:
    """For a query of two outputs, no pair of quantizers that is within 1/gamma (Euclidean) of the
    outputs has fewer regions than the pair that the project takes. Checked for every number of
    levels of the first output.
    """
    return for_all(
        less(1, compute_squared_error(each.sides, levels) * each.gamma**2, each)
        for each in pairs
        for levels in each.iterate_fewer()
    )


@paper.adds("Section VI, non-scalar queries, error", over=pairs_of_quantizers)
def two_outputs_error(pairs: list[TwoOutputs]) -> Finding:
    """That pair is within 1/gamma of the outputs; its largest error times gamma, for every range
    and gamma that was tried.
    """
    errors = [
        float(each.gamma) * math.sqrt(compute_squared_error(each.sides, each.levels))
        for each in pairs
    ]
    return bounded(errors, at_most=1, within=Margin(1e-9, "rounding of a floating-point root"))


@paper.adds("Section VI, non-scalar queries, against every policy", over=pairs_of_quantizers)
def two_outputs_ratio(pairs: list[TwoOutputs]) -> Finding:
    """That pair has at most 3 sqrt(3)/4 = 1.30 times as many regions as any policy that is within
    r = 1/gamma of the outputs, times (1 + sqrt(2) r/side) for either side. (The ratio to what no
    policy is below, minus that.)
    """
    found = []
    for each in pairs:
        margins = (1 + math.sqrt(2) / float(each.gamma * side) for side in each.sides)
        limit = math.prod(margins, start=0.75 * math.sqrt(3))
        found.append(each.regions / each.bound - limit)
    return bounded(found, at_most=0)


@paper.adds("Section VI, non-scalar queries, what no policy is below", over=plane_groupings)
def two_outputs_least(groupings: list[tuple[int, int, Mapping[str, Any]]]) -> Finding:
    """No policy of two outputs has fewer regions than max(ceil(A/2r) ceil(B/2r), ceil(A B / (2.598
    r^2))), and two if the rectangle A x B does not fit into a disk of radius r. Checked for every
    grouping of the unit cells of small grids.
    """
    return for_all(at_most(*each) for each in groupings)


@paper.adds("Section VI, non-scalar queries, no pair is optimal")
def two_outputs_boxes() -> Finding:
    """A pair of quantizers, which is the optimum for one output, need not be one for two; on the
    unit square with r^2 = 65/256 three boxes are accurate, of 1 by 1/8 and twice 1/2 by 7/8, and
    every pair of quantizers needs four regions.
    """
    radius_squared = Fraction(65, 256)
    nil, eighth, half, one = Fraction(0), Fraction(1, 8), Fraction(1, 2), Fraction(1)
    boxes = [
        ((nil, one), (nil, eighth)),
        ((nil, half), (eighth, one)),
        ((half, one), (eighth, one)),
    ]
    errors = [compute_squared_error([high - low for low, high in box], (1, 1)) for box in boxes]
    found = {
        "regions": len(boxes),
        "missing area": 1 - BoxUnion.from_boxes(*boxes).measure,
        "beyond the radius": max(errors) - radius_squared,
        "regions of a pair": math.prod(find_min_cells((one, one), radius_squared)),
    }
    zeros = {"missing area": 0, "beyond the radius": 0}
    return equals(found, {"regions": 3, **zeros, "regions of a pair": 4})
