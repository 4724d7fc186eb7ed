"""Section I: what noiseless privacy offers."""

from noiseless.papers.noiseless import paper
from noiseless.papers.noiseless.cases import Processed, processings, take_one
from noiseless.statements import Finding, Kind, at_most, corrects, for_all


@paper.states(
    "Section I",
    "Post-processing of noiselessly-private mechanisms does not weaken their privacy guarantees, "
    "i.e., the privacy budget can only be increased by post-processing.",
    over=processings,
)
def sec1_processing(processings: list[Processed]) -> Finding:
    """Post-processing does not weaken the guarantees; the privacy budget can only be increased by
    it. Checked on every mechanism and processing over small universes, as the number of
    processings after which the budget is smaller.
    """
    return for_all(at_most(each.budget, each.kept, each) for each in processings)


@corrects(
    sec1_processing,
    Kind.MISPRINT,
    fails="a processed output takes at most as many values as the output itself: the budget can "
    "only fall, and a small one is the strong guarantee",
    right_at="Theorem 7",
    proof="section-i",
)
def sec1_processing_decreased(processings: list[Processed]) -> Finding:
    """Post-processing never raises the budget (Theorem 7, which says this correctly)."""
    return for_all(
        (at_most(each.kept, each.budget, each) for each in processings), sharper=take_one
    )
