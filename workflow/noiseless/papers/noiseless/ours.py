"""What this project adds: proofs' steps, stronger adversaries, and what budgets come to."""

import itertools
import math

import pandas as pd

from noiseless.papers.noiseless import paper
from noiseless.papers.noiseless.cases import Channel, channels, take_one
from noiseless.papers.noiseless.section_3 import Leaking, leaking
from noiseless.papers.noiseless.section_5 import (
    NEGLIGIBLE,
    PAPERS,
    SAMPLING,
    attacks,
    bound_mean,
    choices,
    find_public_range,
    fuse,
    game,
    is_almost_zero,
    select_local,
    selected,
)
from noiseless.statements import (
    Finding,
    Limit,
    Margin,
    Part,
    all_of,
    at_most,
    bounded,
    equals,
    falls,
    find_some,
    for_all,
    list_estimates,
    rises,
    select,
    table,
    table_of_each,
    within,
)

_FIGURE_3 = "noiseless/fig3_{homes}"
_FIGURE_4 = "noiseless/fig4_{recordings}"
_CAN = "what can be reduced is the bound, and the most that is leaked of anybody"
_LEAD = "who is as good leads by 0; a hundredth is a lead"

learned = table_of_each("noiseless/membership_learned_{homes}", asks=Part.NUMBER)
released = table_of_each("noiseless/nilm_release_{recordings}")
london = table("noiseless/membership_pairs_london")
of_london = table("noiseless/membership_london")
density = table("noiseless/trips_density")
unique = table("noiseless/trips_unique")


# Proposition 2 -----------------------------------------------------------------------------------


@paper.adds("Proposition 2", over=channels)
def prop2_packing(channels: list[Channel]) -> Finding:
    """The steps of a proof of Proposition 2. No code has more words than the fractional packing
    number of the channel to the power of its length, and the largest L0^s over sets of inputs is at
    least the logarithm of that number. Checked on the same channels, in exact fractions.
    (docs/proofs/noiseless.md#proposition-2.)
    """
    packing = [(each, each.packing) for each in channels]
    words = [
        at_most(each.count_words(length), number**length, each)
        for each, number in packing
        for length in (1, 2)
    ]
    bounds = [at_most(number, each.bound, each) for each, number in packing]
    return all_of(for_all(words, sharper=take_one), for_all(bounds, sharper=take_one))


# Section III.E -----------------------------------------------------------------------------------


@paper.adds(
    "Section III.E, person by person",
    over=leaking,
    limits=(Limit("sec3e_minimize", _CAN), Limit("sec1_leakage", _CAN)),
)
def sec3e_minimize_each(leaking: list[Leaking]) -> Finding:
    """What is leaked of one person beside the others' data can be more at the smaller budget. One
    mechanism tells only the second person's datum, one of three (budget log2 3), another only the
    first's, one of two (budget 1). Counted over every two mechanisms of two people. (That it "can"
    be reduced does not promise otherwise: the bound falls, and the most that is leaked of anybody.)
    """
    return find_some(
        at_most(less, more, {"reports": one.reports, "of the larger budget": other.reports})
        for one, other in itertools.product(leaking, repeat=2)
        if one.budget < other.budget
        for less, more in zip(one.leaked, other.leaked, strict=True)
    )


# Figure 3 ----------------------------------------------------------------------------------------


@paper.adds(
    "Fig. 3 and Section V.A",
    NEGLIGIBLE,
    reading="the adversary knows the data of all other individuals, as in Definition 1 and Theorem "
    "3; the two households are drawn; the range is ten days of a typical home",
    over=selected,
    figure="noiseless/fig3_pairs_{homes}",
)
def fig3_informed(selected: pd.DataFrame) -> Finding:
    """With n = 4 and epsilon = 2, and with n = 8 and epsilon = 2 or 3, the advantage is almost
    zero, also of an adversary who knows all other homes, against whom the paper's guarantees are
    stated (Definition 1 fixes the others' data, and Theorem 3 gives them to the adversary).
    """
    beside = {"range_kwh": find_public_range(selected), "choice": "random", "days": 365}
    of = {"statistic": "advantage_over_homes", "adversary": "exact"}
    return is_almost_zero(selected, **of, **beside, n=[4, 8], epsilon_bits=[2, 3])


@paper.adds(
    "Fig. 3 and Section V.A, read with 2^epsilon levels",
    over=fuse,
    figure="noiseless/fig3_ranges_{homes}",
)
def fig3_choices(fuse: pd.DataFrame) -> Finding:
    """Both advantages are almost zero on every public range that was tried, if the levels are
    2^epsilon (local privacy), which the paper does not say of this section, and not the n 2^epsilon
    of Theorem 8. (The ranges are those of `fig3_ranges`; none is excepted.)
    """
    rows = select(fuse, statistic="almost_zero", quantizer_rule="2^eps")
    return equals(rows["value"], 1, within=Margin(0, "a yes or a no"))


@paper.adds(
    "Fig. 3 and Section V.A, where almost zero holds",
    over=fuse,
    figure="noiseless/fig3_ranges_{homes}",
)
def fig3_constant(fuse: pd.DataFrame) -> Finding:
    """Wherever all three advantages are almost zero, with the levels of Theorem 8 or with
    2^epsilon, the release is one and the same bin on all days in most draws, so that it tells its
    reader nothing, either. Shown as the smallest share of such draws among the ranges at which
    almost zero holds.
    """
    shares = select(fuse, statistic="least_constant_share")["value"]
    return bounded(shares, at_least=0.5, within=Margin(0, "most is more than half"))


@paper.adds(
    "Fig. 3 and Section V.A, what gives the printed picture",
    over=choices,
    figure="noiseless/fig3_choices_{homes}",
)
def fig3_local_bin(choices: pd.DataFrame) -> Finding:
    """With 2^epsilon levels over the largest reading or a main fuse the mean is one and the same
    constant in nearly all releases of a year. Shown as the smallest share of such releases.
    """
    shares = select_local(choices, "constant_share", "strongest")
    cells = [select(shares, n=4, epsilon_bits=2), select(shares, n=8, epsilon_bits=3)]
    return bounded([value for each in cells for value in each["value"]], at_least=0.95)


@paper.adds("Fig. 3", over=game, figure=_FIGURE_3)
def fig3_falls_exact(game: pd.DataFrame) -> Finding:
    """Without privacy, the advantage of each adversary falls as n grows. (No sentence of this paper
    says so; it is a finding of those from whom it takes the game.)
    """
    rows = select(game, statistic="advantage", adversary=PAPERS, epsilon_bits=math.inf)
    curves = [each.set_index("n")["value"] for _, each in rows.groupby("adversary")]
    return falls(*curves, strictly=False, within=SAMPLING)


@paper.adds(
    "Fig. 3, larger budgets", needs=("london",), over=of_london, figure="noiseless/fig3_london"
)
def fig3_larger(of_london: pd.DataFrame) -> Finding:
    """From epsilon = 3 on a larger budget changes little in London: from n = 4 on no advantage
    rises by more than 0.05. Shown as the largest rise of each adversary and n.
    """
    rows = select(of_london, statistic="advantage", adversary=PAPERS)
    curves = rows[(rows["n"] >= 4) & (rows["epsilon_bits"] >= 3)].sort_values("epsilon_bits")
    values = curves.groupby(["adversary", "n"])["value"]
    return bounded(values.max() - values.first(), at_most=0.05)


@paper.adds("Fig. 3, with a stronger adversary", over=game, figure=_FIGURE_3)
def fig3_pair(game: pd.DataFrame) -> Finding:
    """Knowing the readings of the two homes and nothing else, as the paper's three adversaries do,
    the pair difference gains more than the best of them, with n = 8 and epsilon = 3. (No verdict on
    a sentence of the paper depends on it.)
    """
    rows = select(game, statistic="lead_on_papers", adversary="pair", n=8, epsilon_bits=3)
    return within(list_estimates(rows), 0.01, math.inf, why=_LEAD)


@paper.adds(
    "Fig. 3, with a stronger adversary",
    over=learned,
    figure="noiseless/fig3_learned_{homes}",
)
def fig3_pair_known(learned: pd.DataFrame) -> Finding:
    """Knowing the mean of other homes, none of them in the game, the same adversary gains more
    still, with n = 16 and epsilon = 3.
    """
    rows = select(learned, statistic="lead_on_pair", adversary="pair_known", n=16, epsilon_bits=3)
    return within(list_estimates(rows), 0.01, math.inf, why=_LEAD)


@paper.adds("Section V.A with Theorem 6", over=london, figure="noiseless/fig3_pairs_london")
def sec5a_budget(london: pd.DataFrame) -> Finding:
    """The epsilon of Fig. 3 is the budget of one report. The adversary of the game sees a year of
    them, which by Theorem 6 costs 365 epsilon together, 730 bits where the figure says 2. (Section
    V.C does count a report of two parts so; this section says nothing of it.)
    """
    of = {"range_kwh": find_public_range(london), "n": 4, "epsilon_bits": 2, "days": 365}
    bits = select(london, statistic="composed_bits", **of)["value"]
    return equals(bits, 730, within=Margin(0, "a product of whole numbers"))


# Figure 4 ----------------------------------------------------------------------------------------


@paper.adds("Section V.B with Theorem 6", over=released)
def sec5b_composition(released: pd.DataFrame) -> Finding:
    """The epsilon of Fig. 4 is the budget of one reading. By Theorem 6, which Section V.C counts
    by, a day of readings at epsilon = 1 costs 1,000 bits or more. (1,440 by the minute; at the
    mains' own rate of one reading a second 86,400. Theorem 6 is exact here, as any sequence of
    readings is possible.)
    """
    return bounded(select(released, epsilon_bits=1)["budget_a_day_bits"], at_least=1000)


@paper.adds("Fig. 4, with stronger adversaries", over=attacks, figure=_FIGURE_4)
def fig4_strong_threat(attacks: pd.DataFrame) -> Finding:
    """Without a quantizer, an adversary who knows how appliances follow each other in time, and one
    who learned from windows, do tell more than a guesser who sees no meter. (Not in the paper,
    whose claim needs an adversary of this kind.)
    """
    return bound_mean(attacks, ["hmm", "learned"], "gain_losses", math.inf, at_least=0)


@paper.adds(
    "Fig. 4, with stronger adversaries",
    presupposes=fig4_strong_threat,
    over=attacks,
    figure=_FIGURE_4,
)
def fig4_strong_falls(attacks: pd.DataFrame) -> Finding:
    """At epsilon = 1 what these two adversaries gain on a guesser who sees no meter is at most half
    of what it is without a quantizer.
    """
    strong, why = ["hmm", "learned"], "as of the paper's own adversary"
    return bound_mean(attacks, strong, "gain_above_half_losses", 1, at_most=0, why=why)


# Figures 5 and 6 ---------------------------------------------------------------------------------


@paper.adds(
    "Fig. 5 and Section V.C",
    "We use the first million trips and focus on trips that begin and end within the New York City "
    "in Figure 5.",
    needs=("nyc_taxi",),
    over=density,
    figure="noiseless/fig5",
)
def fig5_million(density: pd.DataFrame) -> Finding:
    """The box of Fig. 5 holds at least nine of ten of a million trips, so that the data on which
    Fig. 6 is judged are about as many as the paper's.
    """
    return bounded(density["pickups"].sum(), at_least=900000)


@paper.adds(
    "Fig. 6",
    "Figure 6 illustrates the portion of unique start-end points of taxi rides versus the privacy "
    "budget.",
    needs=("nyc_taxi",),
    over=unique,
    figure="noiseless/fig6",
)
def fig6_rises(unique: pd.DataFrame) -> Finding:
    """The portion of unique trips rises with the privacy budget. (What Fig. 6 is drawn to show; no
    sentence says so.)
    """
    curve = select(unique, known="start and end").set_index("epsilon_bits")["portion_below_2"]
    return rises(curve, strictly=False)
