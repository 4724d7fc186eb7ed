"""Section 2: uncertain variables."""

from noiseless.papers.nsht import paper
from noiseless.statements import Finding, equals
from noiseless.theory.finite import Relation


@paper.states(
    "Example 1",
    "Also, the conditional range of X given Y is [X|yes] = {2, 4, 6} and [X|no] = {1, 3, 5}.",
)
def ex1() -> Finding:
    """The unfair dice has six values and six pairs with their parity; each parity leaves three
    values.
    """
    dice = Relation.from_outcomes(range(1, 7), (value % 2 == 0 for value in range(1, 7)))
    sizes = {
        "values": len(dice.x_range),
        "pairs": len(dice.pairs),
        "values if even": len(dice.x_given_y[True]),
        "values if odd": len(dice.x_given_y[False]),
    }
    return equals(sizes, {"values": 6, "pairs": 6, "values if even": 3, "values if odd": 3})
