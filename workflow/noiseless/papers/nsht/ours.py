"""What this project adds: what a policy can do at best, what it costs, several analysts."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from noiseless.papers.nsht import blurring_limits, paper, several_thresholds, threshold_shapes
from noiseless.papers.nsht import odds as odds_experiment
from noiseless.papers.nsht import several_analysts as releases
from noiseless.papers.nsht.section_5 import budget, lattices, people, select_curve
from noiseless.statements import (
    Finding,
    Limit,
    Margin,
    bounded,
    equals,
    select,
    table,
    universe,
    widen,
)

_YOUNG_PEOPLE = ("young_people",)
_PRINTED = "the guarantee is that of the policy of Theorem 4"
_SUMS = Margin(1e-9, "rounding of floating-point sums")
_EDGE = Margin(0.001, "an edge of a band of 10 kg between two of the records")

composition = table("nsht/blurring_composition")
odds_of_policies = table("nsht/blurring_odds")
odds_of_people = table("nsht/blurring_odds_people")
analysts = table("nsht/several_analysts")
two_thresholds = table("nsht/several_thresholds")


# Theorem 4 --------------------------------------------------------------------------------------


@paper.adds("Theorem 4, the policy that holds instead", over=lattices)
def thm4_stretch_accuracy(lattices: pd.DataFrame) -> Finding:
    """The stretching policy, too, is rho-accurate; on lattices it changes no record by more than
    1/rho.
    """
    return bounded(select_curve(lattices, "stretch", "largest_change_times_rho"), at_most=1)


# Equations 9 and 10 -----------------------------------------------------------------------------


@paper.adds("Equation 9", over=budget, limits=(Limit("fig4_decreasing", _PRINTED),))
def eq9_infinite(budget: pd.DataFrame) -> Finding:
    """The measure of Equation 9 has no bound; the policy that stretches the band and rounds
    everybody else, on their own side, to steps of 2/rho is rho-accurate, and infinitely private by
    it, for every rho.
    """
    return bounded(select_curve(budget, "round", "privacy_nats"), at_least=1e9)


@paper.adds(
    "Equation 9",
    figure="nsht/fig4",
    over=budget,
    limits=(Limit("fig4_decreasing", _PRINTED),),
)
def eq9_identifies(budget: pd.DataFrame) -> Finding:
    """Under that policy the reports of 90 % of the range or more prove their hypothesis, for
    changes of up to 10 kg.
    """
    chosen = select(budget, policy="round", rho_per_kg=[0.1, 1, 10])
    return bounded(chosen["identifiable_share"], at_least=0.9)


@universe(
    smoke={"lines": ((4, 1), (6, 1), (8, 1), (6, 2)), "grids": ((2, 3), (3, 2), (3, 3))},
    paper={
        "lines": ((4, 1), (6, 1), (8, 1), (10, 1), (6, 2), (7, 2)),
        "grids": ((2, 3), (3, 2), (3, 3), (2, 4), (4, 2), (5, 2)),
    },
    least={"lines": 4, "grids": 3},
)
def all_policies(**sizes: Any) -> pd.DataFrame:
    """Try every policy and threshold on small lattices; from ten points on there are millions."""
    return widen(blurring_limits.build_search_table(**sizes))


@paper.adds("Equation 10", over=all_policies)
def eq10_misleads(all_policies: pd.DataFrame) -> Finding:
    """On small lattices, too, a policy of the largest privacy can prove the hypothesis of more
    records than another of the same accuracy; the number of thresholds where it does.
    """
    return bounded([all_policies["privacy_misleads"].sum()], at_least=20)


@paper.adds("Definition 4, what a policy can do at best", over=all_policies)
def blurring_bound(all_policies: pd.DataFrame) -> Finding:
    """A person whom a rho-accurate policy leaves undecided is within 2/rho of a record of the other
    hypothesis. Checked with every policy and threshold on small lattices, on a line (policies that
    change x_i alone) and in the plane (those that change everything).
    """
    attained = int(all_policies["at_bound"].sum())
    return bounded([all_policies["above_bound"].sum()], at_most=0, sharp=attained, sharp_wanted=50)


# People of the survey ---------------------------------------------------------------------------

RHO = (1, 0.2, 0.1, 0.05)


def _count(people: pd.DataFrame, policy: str, statistic: str, *printed: float) -> Finding:
    """State numbers of people for the four accuracies of Figure 5."""
    found = select(people, policy=policy, rho_per_kg=RHO).set_index("rho_per_kg")[statistic]
    return equals(found, dict(zip(RHO, printed, strict=True)))


@paper.adds(
    "Example 3",
    "Assume that we use the policy (11) for reporting weight and height of individuals so that "
    "potential future insurance agencies cannot test for obesity levels.",
    needs=_YOUNG_PEOPLE,
    figure="nsht/fig5_people",
    over=people,
)
def ex3_protects(people: pd.DataFrame) -> Finding:
    """How many people an insurance agency can still test for obesity; of the 14 with a body mass
    index of 30 or more, 14, 10, 8 and 4 remain provably obese when weights may be off by 1, 5, 10
    and 20 kg. (The paper says what the policy is for, not how far it protects. One of the 14 is an
    entry error of the survey, a height of 62 cm, which we keep; it is among those 4.)
    """
    return _count(people, "collapse", "obese_identifiable", 14, 10, 8, 4)


@paper.adds("Example 3, people", needs=_YOUNG_PEOPLE, figure="nsht/fig5_people", over=people)
def undecided_printed(people: pd.DataFrame) -> Finding:
    """Of 980 people, the printed policy leaves 1, 15, 53 and 257 undecided when weights may be off
    by 1, 5, 10 and 20 kg.
    """
    return _count(people, "collapse", "undecided", 1, 15, 53, 257)


@paper.adds(
    "Example 3, people, weights alone",
    needs=_YOUNG_PEOPLE,
    figure="nsht/fig5_people",
    over=people,
)
def undecided_overlay(people: pd.DataFrame) -> Finding:
    """At most 2, 53, 257 and 962 of them can be left undecided by a policy that changes weights
    alone, and the overlay does.
    """
    return _count(people, "overlay", "undecided", 2, 53, 257, 962)


@paper.adds(
    "Example 3, people, weights and heights",
    needs=_YOUNG_PEOPLE,
    figure="nsht/fig5_people",
    over=people,
)
def undecided_normal(people: pd.DataFrame) -> Finding:
    """At most 5, 111, 633 and 979 of them can be left undecided by a policy that changes weights
    and heights, 1 cm for 1 kg, and moving along normals does.
    """
    return _count(people, "normal", "undecided", 5, 111, 633, 979)


@paper.adds(
    "Definition 4, policies that change x_i alone", figure="nsht/blurring_price", over=people
)
def overlay_attains(people: pd.DataFrame) -> Finding:
    """Laying both sides of the band of 2/rho over each other leaves everybody undecided whom any
    policy of this class can, for every rho; so do thin slices.
    """
    return equals(select(people, policy=["overlay", "slices"])["undecided_minus_bound"], 0)


@paper.adds(
    "Definition 4, policies that change the complete record",
    needs=_YOUNG_PEOPLE,
    figure="nsht/blurring_price",
    over=people,
)
def normal_attains(people: pd.DataFrame) -> Finding:
    """Moving along the normals of the threshold leaves everybody of the survey undecided whom any
    policy can that is rho-accurate in a norm where 1 cm counts as 1 kg.
    """
    chosen = select(people, policy="normal", rho_per_kg=[10, *RHO])
    return equals(chosen["undecided_minus_bound"], 0)


@paper.adds("Definition 4, all policies", over=people)
def policies_accuracy(people: pd.DataFrame) -> Finding:
    """Each of the six policies is rho-accurate; the largest change of a person's record, minus
    1/rho.
    """
    return bounded(people["change_beyond_accuracy_kg"], at_most=0, within=_SUMS)


@paper.adds("Example 3, the price", needs=_YOUNG_PEOPLE, figure="nsht/blurring_price", over=people)
def blurring_price(people: pd.DataFrame) -> Finding:
    """At rho = 0.1 a record changes by 0.35 kg in the mean under the printed policy, and by 0.19
    (stretch), 2.62 (overlay), 1.35 (slices), 6.46 (normal) and 5.12 kg (round) under the others.
    """
    found = select(people, rho_per_kg=0.1).set_index("policy")["mean_change_kg"]
    printed = {"collapse": 0.35, "stretch": 0.19, "overlay": 2.62, "slices": 1.35}
    more = {"normal": 6.46, "round": 5.12}
    return equals(found, printed | more, within=Margin(0.005, "two decimals"))


@paper.adds("Definition 4, the least price", figure="nsht/blurring_price", over=people)
def least_change(people: pd.DataFrame) -> Finding:
    """A person at a distance d from the other hypothesis stays undecided only if their record
    changes by d - 1/rho or more; no policy has a smaller mean change than that, for any rho.
    """
    return bounded(people["mean_change_above_least_kg"], at_least=0, within=_SUMS)


@paper.adds("Section 7, composition", over=composition)
def composition_collapse(composition: pd.DataFrame) -> Finding:
    """Two releases by the printed policy, of whatever accuracies, leave those undecided together
    whom each leaves undecided alone; the number who are lost.
    """
    return equals(select(composition, policy="collapse", second_bmi_kg_m2=30)["lost"], 0)


@paper.adds("Section 7, composition", over=composition)
def composition_others(composition: pd.DataFrame) -> Finding:
    """Two releases of different accuracies by the stretching policy, or by the overlay, leave
    nobody undecided together.
    """
    chosen = select(
        composition, policy=["stretch", "overlay"], second_bmi_kg_m2=30, second_rho_per_kg=0.2
    )
    alone = int(chosen["either_way"].sum())
    return bounded(chosen["together"], at_most=0, sharp=alone, sharp_wanted=10)


# Odds against change ----------------------------------------------------------------------------

_ODDS: Mapping[str, Any] = {"figure": "nsht/blurring_odds", "over": odds_of_policies}


@paper.adds(
    "Section 7, optimal trade-off",
    "Optimal trade-off: We should develop optimal policies for balancing between privacy and "
    "accuracy. Note that the results in Theorems 4 and 5 are only sufficient for ensuring "
    "epsilon-privacy and rho accuracy and may not capture the optimal trade-off between "
    "privacy and accuracy.",
    **_ODDS,
)
def sec7_tradeoff(odds: pd.DataFrame) -> Finding:
    """No policy that changes weights alone has a smaller mean change, over the band that it leaves
    undecided, than the closed form says of its odds and its largest change. Policies run on a line
    with room, odds counted; the printed policy, stretch, the overlay, thin slices and odds of at
    most kappa : 1.
    """
    return bounded(odds["mean_above_least_kg"], at_least=0, within=_EDGE)


@universe()
def lattice_odds() -> pd.DataFrame:
    """Find the least mean change of any policy of a lattice by a linear programme."""
    return widen(odds_experiment.build_lattice_table())


@paper.adds("Section 7, optimal trade-off", over=lattice_odds)
def odds_bound(lattice_odds: pd.DataFrame) -> Finding:
    """No policy of a lattice, random ones included, has a smaller mean change than the closed form,
    for odds of 1 to 9 and bands of one to two largest changes. The least of each lattice is found
    by a linear programme, and on a third of them it is the closed form.
    """
    attained = int(lattice_odds["is_attained"].sum())
    return bounded(
        lattice_odds["lattice_above_least"],
        at_least=0,
        sharp=attained,
        sharp_wanted=18,
        within=_SUMS,
    )


@paper.adds("Section 7, optimal trade-off", **_ODDS)
def odds_attained(odds: pd.DataFrame) -> Finding:
    """The policy with odds of at most kappa : 1 has that least mean change, for every kappa, for
    the band of 2/rho and for that of 1/rho.
    """
    why = "odds are counted to 2 % on cells of reports"
    chosen = select(odds, policy=["odds", "odds_narrow"])
    return bounded(chosen["mean_above_least_kg"], at_most=0, within=Margin(0.01, why))


@paper.adds("Section 7, optimal trade-off", **_ODDS)
def odds_kept(odds: pd.DataFrame) -> Finding:
    """Its largest odds are kappa : 1; counted, over kappa."""
    why = "a cell of reports has 60 records of the rarer side or more"
    chosen = select(odds, policy=["odds", "odds_narrow"])
    return equals(chosen["odds_over_setting"], 1, within=Margin(0.02, why))


@paper.adds("Section 7, optimal trade-off", over=odds_of_policies)
def odds_accuracy(odds: pd.DataFrame) -> Finding:
    """It is rho-accurate; the largest change, minus 1/rho."""
    chosen = select(odds, policy=["odds", "odds_narrow"])
    return bounded(chosen["change_beyond_accuracy_kg"], at_most=0, within=_SUMS)


@paper.adds("Section 7, optimal trade-off", **_ODDS)
def printed_least(odds: pd.DataFrame) -> Finding:
    """Of all policies that leave the band of 1/rho undecided at even odds the printed one has the
    least mean change, and so has stretch; 5 kg for rho = 0.1.
    """
    return equals(
        select(odds, policy=["collapse", "stretch"])["mean_above_least_kg"], 0, within=_EDGE
    )


@paper.adds("Section 7, optimal trade-off", over=odds_of_policies)
def printed_twice(odds: pd.DataFrame) -> Finding:
    """The printed policy's largest change is twice the least that leaves its band undecided, at
    whatever odds; the overlay's is the least for its own band.
    """
    found = select(odds, setting=1).set_index("policy")["largest_over_least"]
    return equals(found, {"collapse": 2, "stretch": 2, "overlay": 1}, within=_EDGE)


@paper.adds("Section 7, optimal trade-off, thin slices", **_ODDS)
def slices_odds(odds: pd.DataFrame) -> Finding:
    """Behind a report of thin slices of thickness t the odds reach (1 - t^2)/t^2 : 1, which is 99 :
    1, 24 : 1 and 3 : 1 for t = 0.1, 0.2 and 0.5.
    """
    found = select(odds, policy="slices").set_index("setting")["worst_odds"]
    why = "a cell of reports has 60 records of the rarer side or more"
    return equals(found, {0.1: 99, 0.2: 24, 0.5: 3}, within=Margin(0.02, why, relative=True))


@paper.adds("Section 7, optimal trade-off, thin slices", **_ODDS)
def slices_dominated(odds: pd.DataFrame) -> Finding:
    """Thin slices of a thickness other than 1/2 change records by 0.4 kg more in the mean, or more,
    than a policy of the same odds must (rho = 0.1; thickness from 0.1 to 0.45).
    """
    thickness = [0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45]
    chosen = select(odds, policy="slices", setting=thickness)
    return bounded(chosen["mean_above_least_kg"], at_least=0.4)


@paper.adds(
    "Section 7, optimal trade-off, people",
    needs=_YOUNG_PEOPLE,
    figure="nsht/blurring_odds",
    over=odds_of_people,
)
def odds_people(people: pd.DataFrame) -> Finding:
    """The 257 people who can stay undecided for changes of up to 10 kg do so at odds of 1, 2, 3, 9
    and 99 : 1 for mean changes of 2.62, 2.03, 1.76, 1.37 and 1.28 kg over all 980.
    """
    found = select(people, policy="odds").set_index("setting")["mean_change_kg"]
    printed = {1: 2.62, 2: 2.03, 3: 1.76, 9: 1.37, 99: 1.28}
    return equals(found, printed, within=Margin(0.0051, "two decimals"))


@paper.adds(
    "Section 7, optimal trade-off, people",
    needs=_YOUNG_PEOPLE,
    figure="nsht/blurring_odds",
    over=odds_of_people,
)
def odds_people_printed(people: pd.DataFrame) -> Finding:
    """The 53 people whom the printed policy leaves undecided for changes of up to 10 kg, and a mean
    change of 0.348 kg over all 980, stay so at odds of 3 : 1 for 0.028 kg.
    """
    (found,) = select(people, policy="odds_narrow", setting=3).to_dict("records")
    printed = {"mean_change_kg": 0.028, "undecided": 53}
    return equals(found, printed, within=Margin(0.0005, "three decimals"))


# Several analysts, who may compare what they got ------------------------------------------------

_ESTABLISH = (
    "To be able to use the proposed non-stochastic notions of privacy in dynamic environments, "
    "such as when training machine learning models using gradient descent algorithm, we need to "
    "establish those results for non-stochastic privacy notions as well."
)
_COMPOSITION = (
    "Many stochastic privacy-preserving policies, such as differential privacy, enjoy useful "
    f"properties, such as composition. {_ESTABLISH}"
)
_ANALYSTS: Mapping[str, Any] = {"figure": "nsht/several_analysts", "over": analysts}


@paper.adds(
    "Section 7, composition for several analysts", _COMPOSITION, needs=_YOUNG_PEOPLE, **_ANALYSTS
)
def several_analysts(analysts: pd.DataFrame) -> Finding:
    """Of 980 people, 962, 257 and 53 are undecided to an analyst whose weights may be off by 20, 10
    and 5 kg, as if each release were the only one, and 257, 53, 53 and 53 to those who compare
    them, which are the numbers of the finest release that a group has. Each release is a function
    of the finer ones.
    """
    found = select(analysts, releases="chain").set_index("seen")["undecided"]
    alone = {"20": 962, "10": 257, "5": 53}
    together = {"20 and 10": 257, "20 and 5": 53, "10 and 5": 53, "20 and 10 and 5": 53}
    return equals(found, alone | together)


@paper.adds("Section 7, composition, what is attained", **_ANALYSTS)
def several_attains(analysts: pd.DataFrame) -> Finding:
    """To every group of analysts, those of the survey are undecided whom the finest release of the
    group can leave undecided under any policy of its accuracy, and nobody else.
    """
    return equals(select(analysts, releases="chain")["undecided_minus_bound"], 0)


@paper.adds(
    "Section 7, splitting the budget",
    "This allows us to split the privacy budget across multiple reports.",
    reading="the budgets of Theorem 4 of all reports add up to what the coarsest would have alone",
    needs=_YOUNG_PEOPLE,
    **_ANALYSTS,
)
def several_split(analysts: pd.DataFrame) -> Finding:
    """To split a budget costs protection, and nothing has to be split.

    To every group of analysts, 48 people or more are decided by the printed policy with a budget
    that is split, and undecided if each release is a function of the finer ones; for the same
    largest changes.
    """
    chosen = select(analysts, releases="collapse_split")
    return bounded(chosen["chain_minus_undecided"], at_least=48)


@paper.adds("Section 7, the printed policy for each analyst", needs=_YOUNG_PEOPLE, **_ANALYSTS)
def several_printed(analysts: pd.DataFrame) -> Finding:
    """The printed policy, which loses nobody if two releases are compared, protects at most as many
    people of each group of analysts, and 705 fewer of the 980 from the analyst whose weights may be
    off by 20 kg.
    """
    return equals(select(analysts, releases="collapse", seen="20")["chain_minus_undecided"], 705)


@universe(
    smoke={"rooms": (0, 0.5, 7, 15, 60), "records": 101},
    paper={"rooms": (0, 0.5, 1, 3, 7, 10, 15, 20, 25, 40, 60), "records": 401},
    least={"rooms": 7, "records": 11},
)
def lines(**sizes: Any) -> pd.DataFrame:
    """Run the releases on lines that end near their threshold; every pair of rooms."""
    return widen(releases.build_ends_table(**sizes))


@paper.adds("Section 7, composition, accuracy", over=lines)
def several_accuracy(lines: pd.DataFrame) -> Finding:
    """Each release is rho-accurate for its own rho, on lines that end anywhere near the threshold;
    the largest change, minus 1/rho.
    """
    return bounded(lines["change_beyond_accuracy"], at_most=0, within=_SUMS)


@paper.adds("Section 7, composition, refinement", over=lines)
def several_refinable(lines: pd.DataFrame) -> Finding:
    """Records with the same report of a release have the same report of each coarser one, to the
    last bit, and on every line those are undecided to a group of analysts whom its finest release
    can leave undecided.
    """
    off = lines["not_refined"].sum() + lines["off_bound"].sum()
    undecided = int(lines["undecided"].sum())
    return bounded([off], at_most=0, sharp=undecided, sharp_wanted=10_000)


def _list_lattices(*pairs: tuple[int, Sequence[int]]) -> list[dict[str, Any]]:
    return [{"points": points, "spans": spans} for points, spans in pairs]


@universe(
    smoke={"lattices": _list_lattices((4, (3, 2)), (6, (4, 2)), (6, (4, 3, 2)))},
    paper={
        "lattices": _list_lattices(
            *((3, (3, 2)), (4, (3, 2)), (5, (4, 2)), (6, (4, 2)), (7, (3, 2)), (8, (4, 2))),
            *((8, (5, 2)), (7, (4, 3, 2)), (8, (4, 3, 2)), (7, (5, 4, 3))),
        )
    },
    least={"lattices": 1},
)
def all_releases(lattices: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """List all releases there are of a few records, with the largest spans of their parts."""
    return widen(releases.build_search_table(lattices=lattices))


@paper.adds("Section 7, composition, what is the most", over=all_releases)
def several_bound(all_releases: pd.DataFrame) -> Finding:
    """No releases of given accuracies leave more records undecided to a group of analysts than its
    finest release can alone, and some chain of releases reaches that for every group at once.
    Checked with all releases there are of a few records, whatever they report.
    """
    off = all_releases["above_bound"].sum() + all_releases["short"].sum()
    return bounded([off], at_most=0, sharp=int(all_releases["above_sum"].sum()), sharp_wanted=7)


# Two analysts, two thresholds -------------------------------------------------------------------


@universe()
def threshold_releases() -> pd.DataFrame:
    """List all releases there are of 7 to 11 records, with every pair of thresholds."""
    return widen(several_thresholds.build_search_table())


@paper.adds("Section 7, composition, two thresholds", _ESTABLISH, over=threshold_releases)
def thresholds_bound(threshold_releases: pd.DataFrame) -> Finding:
    """Of two analysts who compare releases within r, about thresholds g1 < g2, nobody is undecided
    about one further than 2r away, and nobody about both if g2 - g1 >= 2r. If it is less, all
    records within 2r of both can be undecided about both. The most that can be undecided about
    either, summed, are all within 2r but two records, for g2 - g1 < 2r, all but those within 2r of
    both, up to 4r, and all from there on. Checked with all releases there are of 7 to 11 records
    and every pair of thresholds.
    """
    off = threshold_releases[["above_bound", "both_short", "sum_off"]].sum().sum()
    tried = threshold_releases[["both_pairs", "sum_pairs"]].sum().min()
    return bounded([off], at_most=0, sharp=int(tried), sharp_wanted=60)


@universe()
def threshold_lines() -> pd.DataFrame:
    """Run one report for both analysts, and the best for each, on lines."""
    return widen(several_thresholds.build_lines_table())


@paper.adds("Section 7, composition, two thresholds", over=threshold_lines)
def thresholds_attained(threshold_lines: pd.DataFrame) -> Finding:
    """One report for both analysts leaves as many undecided as that on a line, but for two slices
    of a tenth of g2 - g1 where this is less than 2r; it switches at 2r, and loses nothing from 4r
    on. What is found, minus that, in multiples of r.
    """
    joint = select(threshold_lines, releases="joint")
    found = pd.concat([joint["sum_minus_attained"], joint["both_minus_attained"]])
    why = "a record at each end of two intervals on lines of 11"
    return equals(found, 0, within=Margin(0.056, why))


@paper.adds("Section 7, composition, two thresholds", over=threshold_lines)
def thresholds_accuracy(threshold_lines: pd.DataFrame) -> Finding:
    """That report is within r of the record, and nobody is undecided about a threshold that is
    further than 2r.
    """
    joint = select(threshold_lines, releases="joint")
    found = pd.concat([joint["outside_bound"], joint["change_beyond_accuracy"]])
    return bounded(found, at_most=0, within=_SUMS)


@paper.adds("Section 7, composition, two thresholds", over=threshold_lines)
def thresholds_independent(threshold_lines: pd.DataFrame) -> Finding:
    """The best release for each threshold, made by itself, leaves nobody undecided about anything
    to two analysts who compare, if the thresholds are 2r or more apart.
    """
    apart = [2, 2.5, 3, 3.5, 4, 5]
    chosen = select(threshold_lines, releases="independent", distance=apart)
    return equals(chosen["undecided_sum"], 0)


def _count_both(table: pd.DataFrame, releases: str, change_kg: float, *printed: int) -> Finding:
    """State how many people are undecided about overweight, about obesity, and about both."""
    (found,) = select(table, releases=releases, largest_change_kg=change_kg).to_dict("records")
    names = ("undecided_overweight", "undecided_obese", "undecided_both")
    return equals(found, dict(zip(names, printed, strict=True)))


_BOTH: Mapping[str, Any] = {"needs": _YOUNG_PEOPLE, "over": two_thresholds}


@paper.adds("Section 7, composition, two thresholds, people", **_BOTH)
def thresholds_people(table: pd.DataFrame) -> Finding:
    """For weights that may be off by 10 kg, 881 people are undecided about overweight (a body mass
    index of 25) and 225 about obesity (30) to analysts who compare, 218 about both, if both get one
    report.
    """
    return _count_both(table, "joint", 10, 881, 225, 218)


@paper.adds("Section 7, composition, two thresholds, people", **_BOTH)
def thresholds_people_independent(table: pd.DataFrame) -> Finding:
    """If each gets a release that is the best for their own threshold, 129 are undecided about both
    to those who compare, and nobody else is about anything.
    """
    return _count_both(table, "independent", 10, 129, 129, 129)


@paper.adds("Section 7, composition, two thresholds, people", **_BOTH)
def thresholds_apart(table: pd.DataFrame) -> Finding:
    """For weights that may be off by 5 kg, which is less than half of the distance of the
    thresholds for almost everybody, one report leaves 415 undecided about overweight, 35 about
    obesity, and nobody about both.
    """
    return _count_both(table, "joint", 5, 415, 35, 0)


# Every norm -------------------------------------------------------------------------------------


@universe(
    smoke={"cells": (41, 61)},
    paper={"cells": (41, 81, 161)},
    least={"cells": 41},
)
def distances(cells: Sequence[int]) -> pd.DataFrame:
    """Run a policy that gathers records around pairs, in three norms, on squares of records."""
    return widen(threshold_shapes.build_distance_table(cells=cells))


@paper.adds("Definition 4, what a policy can do at best, in every norm", over=distances)
def distance_attained(distances: pd.DataFrame) -> Finding:
    """All records that are nearer than 2/rho to the other hypothesis can stay undecided, in the
    Euclidean, the largest and the sum norm, up to the faces of the range. On lattices that grow,
    the share of records within 2/rho that a policy leaves decided falls like one over the cells.
    """
    why = "five spacings, of 4/(cells - 1) each, are given up at the edges of a band of 0.8"
    return bounded(distances["remaining_share_times_cells"], at_most=26, within=Margin(0, why))


@paper.adds("Definition 4, policies that change the complete record", over=distances)
def distance_accuracy(distances: pd.DataFrame) -> Finding:
    """That policy is rho-accurate in its norm, and leaves nobody undecided beyond 2/rho of the
    other hypothesis.
    """
    found = pd.concat([distances["above_bound"], distances["change_beyond_accuracy"]])
    return bounded(found, at_most=0, within=_SUMS)
