"""Section 2: uncertain variables."""

from noiseless.papers.nsht import paper
from noiseless.papers.nsht.cases import conditioned
from noiseless.statements import Finding, Kind, corrects, equal, equals, for_all
from noiseless.theory.enumeration import Conditioned
from noiseless.theory.finite import Relation


@paper.states(
    "Section 2",
    "Conditional range of an uncertain variable X, conditioned on the realization of uncertain "
    "variable Y(w) in Y subset of [[Y]], is [[X|Y]] := {X(w) : exists w in Omega such that Y(w) in "
    "Y} subset of [[X]].",
    over=conditioned,
)
def sec2_conditional(conditioned: list[Conditioned]) -> Finding:
    """The conditional range has the values of X at those outcomes at which Y is in the set."""
    return for_all(equal(each.printed, each.meant, each) for each in conditioned)


@corrects(
    sec2_conditional,
    Kind.MISPRINT,
    fails="(X, Y) is (0, 1) or (1, 0): of Y = 0 the formula leaves both, its outcome is its own",
    mend="{X(w) : w in Omega, Y(w) in Y}",
    right_at="Example 1",
    shown_by="ex1",
    rests="nothing: it is nowhere used as it is written (nor is [H|[X|y]] of Section 3, the same)",
    proof="single-sentences",
)
def sec2_conditional_same(conditioned: list[Conditioned]) -> Finding:
    """The values of X at those outcomes are the union of [[X|y]] over the set."""
    return for_all(equal(each.united, each.meant, each) for each in conditioned)


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
