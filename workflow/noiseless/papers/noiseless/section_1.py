"""Abstract and Section I: what noiseless privacy offers."""

from noiseless.papers.noiseless import paper
from noiseless.papers.noiseless.cases import (
    Beside,
    Processed,
    mechanisms,
    processings,
    take_one,
)
from noiseless.statements import Finding, Kind, at_most, corrects, for_all, less


@paper.states(
    "Abstract",
    "Therefore, the output of the mechanism is not fully informative of the data of the "
    "individuals in the dataset.",
    over=mechanisms,
)
def abstract_informative(mechanisms: list[Beside]) -> Finding:
    """No output tells a person's datum to who knows all others'. Checked as the number of data that
    the outputs tell apart, of every mechanism over small universes, which is to be smaller than
    that of the data.
    """
    return for_all(
        less(len(set(each.outputs)), len(each.outputs), each, times=each.times)
        for each in mechanisms
    )


@corrects(
    abstract_informative,
    Kind.PREMISE,
    fails="data 0 and 1 and a budget of 1 bit: the output may be the datum",
    premise='the budget is below the logarithm of the number of data ("only a few values")',
    mend="add the premise",
    rests="nothing",
    proof="section-i",
)
def abstract_informative_few(mechanisms: list[Beside]) -> Finding:
    """With 2^epsilon below the number of data, some two data have the same output."""
    return abstract_informative.check([e for e in mechanisms if e.budget < len(e.outputs)])


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
    shown_by="thm7",
    proof="section-i",
)
def sec1_processing_decreased(processings: list[Processed]) -> Finding:
    """Post-processing never raises the budget (Theorem 7, which says this correctly)."""
    return for_all(
        (at_most(each.kept, each.budget, each) for each in processings), sharper=take_one
    )
