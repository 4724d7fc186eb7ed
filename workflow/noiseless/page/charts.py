"""The charts of the results page, in the order in which a reader is offered them.

A new experiment's chart is one more :class:`~noiseless.page.chart.Chart` in :data:`CHARTS`.  Its
texts may use numbers of the configuration as captions do
(:func:`noiseless.captions.filled_in`): ``{{ snakemake.config... }}``.
"""

from typing import Any

from noiseless.labels import (
    APPLIANCE_ADVERSARIES,
    APPLIANCE_CONTROLS,
    CALIBRATIONS,
    FILTERS,
    HOMES,
    KNOWLEDGE,
    LIKELIHOOD_ADVERSARIES,
    LINKAGE_ADVERSARIES,
    MECHANISMS,
    MEMBERSHIP_ADVERSARIES,
    POLICIES,
    RISK_MECHANISMS,
)
from noiseless.page.chart import Axis, Best, Chart, Choice, Measure, Series, Stronger
from noiseless.page.words import EXACT_MEAN
from noiseless.statistics import CONFIDENCE

_BITS = "privacy budget ε (bits)"
_LEVEL = f"{100 * CONFIDENCE:g} %"  # of the intervals
_KNOWING = {**MEMBERSHIP_ADVERSARIES, **LIKELIHOOD_ADVERSARIES}
_GAMES: dict[str, Any] = {
    "measures": (
        Measure(
            statistic="advantage",
            name="signed advantage",
            label="signed advantage 2 P(correct) − 1",
        ),
    ),
    "x": Axis(column="epsilon_bits", label=_BITS, says="ε = {}", infinite=EXACT_MEAN),
    "series": Series(
        column="adversary", label="Adversaries", names=MEMBERSHIP_ADVERSARIES, controls=("control",)
    ),
    "choices": (
        Choice(column="dataset", label="Homes of", names=HOMES, first="london"),
        Choice(column="n", label="Homes in the mean (n)", first=8),
    ),
    "best": Best(
        baseline=0,
        above="So the published mean does not hide from this adversary who is in it.",
        within="These games do not tell this adversary from one who tosses a coin.",
        below="This adversary is wrong more often than right; whoever knows that turns the guess "
        "around and wins.",
    ),
    "picked": 3,
    # The three adversaries of the paper are not the strongest ones: a reader of this chart alone
    # must hear of those.
    "stronger": Stronger(
        tables={
            "noiseless/membership_learned_ausgrid": {"dataset": "ausgrid"},
            "noiseless/membership_learned_london": {"dataset": "london"},
            "beyond/adversaries_repeated_ausgrid": {"dataset": "ausgrid"},
            "beyond/adversaries_repeated_london": {"dataset": "london"},
        },
        on=("dataset", "n", "epsilon_bits"),
        column="adversary",
        names=_KNOWING,
        longest="days",
        sentence="The strongest adversary that was tried ({stronger}) is right in "
        "{stronger_value:games} of 100 games between such homes.",
    ),
}
_GAMES_SENTENCE = (
    "With {n} homes and {epsilon_bits}, the best of the shown adversaries ({adversary}) names the "
    "right home in {value:games} of 100 games; one who saw nothing would in 50. "
    f"{_LEVEL} interval for "
    "this adversary alone: {low:games} to {high:games} of 100, from {games:count} games"
)
_BETA = Choice(column="beta", label="Weight of recall (β)", first=1)
_SIDE = Choice(column="knowledge", label="The adversary knows", names=KNOWLEDGE, first="none")

_GAIN = (Measure(statistic="gain", name="gain", label="gain of the adversary"),)
_AT_SAME_ERROR = Series(
    column="mechanism",
    label="Mechanisms",
    names=MECHANISMS,
)
_CANNOT = "{mechanism}: no setting of this mechanism makes this error."
_PROTECTED = {"mechanism": ("none",)}

CHARTS = (
    Chart(
        key="membership",
        paper="noiseless",
        title="Who is in the aggregate?",
        about="An adversary knows the readings of two homes, sees the mean of n homes, and says "
        "which of the two is in it. 0 is a coin toss, 1 is certainty. A budget of ε bits publishes "
        f"the mean on n 2^ε levels; “{EXACT_MEAN}” is published as it is. Bars are {_LEVEL} "
        "intervals.",
        tables={
            "noiseless/membership_ausgrid": {"dataset": "ausgrid"},
            "noiseless/membership_london": {"dataset": "london"},
        },
        sentence=_GAMES_SENTENCE + " between {homes:count} homes.",
        **_GAMES,
    ),
    Chart(
        key="membership-learned",
        paper="noiseless",
        title="Who is in the aggregate, for an adversary who has practised?",
        about="A logistic regression, trained on games between half of the homes, beside the "
        "adversaries of the paper; all are tested on the same games between the other half.",
        tables={
            "noiseless/membership_learned_ausgrid": {"dataset": "ausgrid"},
            "noiseless/membership_learned_london": {"dataset": "london"},
        },
        sentence=_GAMES_SENTENCE + " between {homes:count} homes that training has not seen.",
        **_GAMES,
    ),
    Chart(
        key="appliances",
        paper="noiseless",
        title="Which appliance is on?",
        about="A home's meter reports its mains in 2^ε levels of a public range. The f-score says "
        "how well someone who sees the reports tells when an appliance is on: 1 is always right. "
        "The dashed lines see no report at all; only what lies above them is learned from the "
        f"meter. Bars: {_LEVEL} intervals of a bootstrap over the days of one home, and, for "
        "combinatorial optimisation, over its trainings.",
        tables={"noiseless/nilm_attacks": {}},
        measures=(
            Measure(statistic="f_score_losses", name="its mean power in a bin", label="f-score"),
            Measure(
                statistic="f_score_metrics",
                name="every reading in a bin",
                label="f-score",
            ),
        ),
        x=Axis(column="epsilon_bits", label=_BITS, says="ε = {}", infinite="no quantizer"),
        series=Series(
            column="adversary",
            label="Adversaries",
            names={**APPLIANCE_ADVERSARIES, **APPLIANCE_CONTROLS},
            controls=tuple(APPLIANCE_CONTROLS),
            hidden=("always_off", "chance"),
        ),
        choices=(
            Choice(
                column="appliance",
                label="Appliance",
                names={"mean": "mean of all appliances"},
                first="mean",
            ),
            Choice(column="statistic", label="An appliance counts as on by"),
        ),
        picked=3,
        sentence="{adversary}: an f-score of {value:number} at {epsilon_bits} "
        f"({_LEVEL} interval "
        "{low:number} to {high:number}).",
    ),
    Chart(
        key="trips",
        paper="noiseless",
        title="How many taxi trips are like no other?",
        about="Each end of a trip is reported as a cell of a grid of 2^(ε/2) by 2^(ε/2) cells, so "
        "that a place costs ε bits and a trip 2ε bits. Whoever knows roughly where a passenger was "
        "picked up and set down can tell a unique trip from all others.",
        tables={"noiseless/trips_unique": {}},
        join=("noiseless/trips_budget", "epsilon_bits"),
        measures=tuple(
            Measure(
                statistic=f"portion_below_{size}",
                name=name,
                label=f"share of trips in groups of fewer than {size}",
            )
            for size, name in (
                (2, "are like no other"),
                (5, "are in groups of fewer than 5"),
                (10, "are in groups of fewer than 10"),
                (50, "are in groups of fewer than 50"),
            )
        ),
        x=Axis(column="epsilon_bits", label="budget ε of a place (bits)", says="ε = {}"),
        series=Series(
            column="known",
            label="What is released of a trip",
            names={
                "start and end": "start and end",
                "start": "start alone",
                "end": "end alone",
                "start and end, week": "start and end, with the week",
                "start and end, day": "start and end, with the day",
                "start and end, hour": "start and end, with the hour",
            },
            hidden=("start and end, week", "start and end, day", "start and end, hour"),
        ),
        choices=(Choice(column="statistic", label="Trips that …"),),
        picked=16,
        sentence="{known}: {value:percent} of {trips:count} trips {statistic} at {epsilon_bits}, "
        "where a cell is {cell_height_m:number} m high and {cell_width_m:number} m wide.",
    ),
    Chart(
        key="trips-number",
        paper="noiseless",
        title="Do more trips hide each other?",
        about="A trip is unique among the trips that were counted. These are the same curves for "
        "the first trips of the file only: the more trips are released, the fewer are unique.",
        tables={"noiseless/trips_unique_by_number": {}},
        join=("noiseless/trips_budget", "epsilon_bits"),
        measures=(
            Measure(
                statistic="portion_below_2",
                name="are like no other",
                label="share of unique trips",
            ),
        ),
        x=Axis(column="epsilon_bits", label="budget ε of a place (bits)", says="ε = {}"),
        series=Series(column="trips", label="Trips released"),
        picked=16,
        sentence="Of {trips:count} trips, {value:percent} are like no other at {epsilon_bits}, "
        "where a cell is {cell_height_m:number} m high.",
    ),
    Chart(
        key="blurring",
        paper="nsht",
        title="What does blurring a weight earn?",
        about="A weight may be misreported by at most 1/ρ kg, so that a report does not tell who "
        "is obese. Three measures of what this earns: the ε of the paper's Theorem 4; the privacy "
        "(in nats) of a policy under the paper's own Equation 9, which looks at reports and not at "
        "people; and the share of the public range that stays undecided. Computed from formulas.",
        tables={"nsht/blurring_budget": {}},
        measures=(
            Measure(statistic="epsilon", name="ε of Theorem 4", label="ε", log=True),
            Measure(
                statistic="privacy_nats",
                name="privacy under Equation 9",
                label="privacy under Equation 9 (nats)",
            ),
            Measure(
                statistic="undecided_share",
                name="the share of the range that stays undecided",
                label="undecided share of the range",
            ),
        ),
        x=Axis(column="rho_per_kg", label="accuracy ρ (1/kg)", says="ρ = {}/kg", log=True),
        series=Series(column="policy", label="Policies", names=POLICIES),
        choices=(Choice(column="statistic", label="Shown", first="privacy_nats"),),
        picked=0.1,
        sentence="{policy}: {statistic} is {value:number} at {rho_per_kg}.",
    ),
    Chart(
        key="blurring-people",
        paper="nsht",
        title="What does blurring do to people?",
        about="The blurring policies on the young people survey: how many have a report that "
        "differs from their weight, and how many of the obese have one that still proves it.",
        tables={"nsht/blurring_people": {}},
        measures=(
            Measure(
                statistic="obese_identifiable",
                name="obese people who are proven obese by their report",
                label="obese people identifiable",
            ),
            Measure(
                statistic="undecided",
                name="people whose report leaves their side open",
                label="people undecided",
            ),
            Measure(
                statistic="moved",
                name="people whose report differs from their weight",
                label="people moved",
            ),
            Measure(
                statistic="mean_change_kg",
                name="kg, the mean difference of a report from the weight,",
                label="mean change (kg)",
            ),
        ),
        x=Axis(column="rho_per_kg", label="accuracy ρ (1/kg)", says="ρ = {}/kg", log=True),
        series=Series(column="policy", label="Policies", names=POLICIES),
        choices=(Choice(column="statistic", label="Shown"),),
        picked=0.1,
        sentence="{policy}: {value:number} {statistic} at {rho_per_kg}, of {people:count} people, "
        "{obese:count} of them obese.",
    ),
    Chart(
        key="leakage",
        paper="nsht",
        title="How much can an ε-private report say about a hypothesis?",
        about="Upper bounds of the leakage of a hypothesis: as printed, and what holds instead. "
        "Here a larger ε is more private. Computed from formulas.",
        tables={"nsht/leakage_bound": {}},
        measures=(
            Measure(statistic="printed", name="printed", label="bound of the leakage (nats)"),
            Measure(statistic="appendix", name="appendix", label="bound of the leakage (nats)"),
            Measure(statistic="corrected", name="corrected", label="bound of the leakage (nats)"),
        ),
        x=Axis(column="epsilon", label="ε", says="ε = {}", log=True),
        series=Series(
            column="statistic",
            label="Bounds",
            names={
                "printed": "as printed",
                "appendix": "as its appendix prints it",
                "corrected": "what holds",
            },
        ),
        picked=1,
        sentence="{statistic}: at most {value:number} nats at {epsilon}.",
    ),
    Chart(
        key="averaging",
        paper="deterministic",
        title="What does an accurate average tell?",
        about="The average of two numbers in [−2, 2], reported to within 1/γ by the optimal "
        "quantizer: the information in the worst report, and the error that an adversary makes in "
        "the adversary's best case. Exact.",
        tables={"deterministic/policies_averaging": {}},
        measures=(
            Measure(
                statistic="smallest_error",
                name="the adversary's error in their best case",
                label="smallest error (unit of the data)",
            ),
            Measure(statistic="leakage_nats", name="the leakage L₀", label="leakage L₀ (nats)"),
            Measure(
                statistic="maximin_nats",
                name="the maximin information I⋆",
                label="maximin information I⋆ (nats)",
            ),
        ),
        x=Axis(column="gamma", label="accuracy γ (1/unit of the data)", says="γ = {}"),
        choices=(Choice(column="statistic", label="Shown"),),
        picked=2,
        sentence="At {gamma}, with {levels:count} reports, {statistic} is {value:number}.",
    ),
    Chart(
        key="k-anonymity",
        paper="deterministic",
        title="Does k-anonymity hide an answer?",
        about="Age, height and weight of the young people survey, coarsened until everyone shares "
        "theirs with at least k − 1 others. People in groups that all gave the same answer are "
        "revealed to anyone who knows a person's age, height, weight and gender.",
        tables={"deterministic/k_anonymity_homogeneity": {}},
        measures=(
            Measure(
                statistic="revealed_share",
                name="share revealed",
                label="share of people whose answer is revealed",
            ),
        ),
        x=Axis(column="k", label="k (people in the smallest group)", says="k = {}", log=True),
        series=Series(column="sensitive", label="Answers about"),
        picked=5,
        sentence="{sensitive}: {value:percent} of {released:count} people are revealed exactly at "
        "{k}.",
    ),
    Chart(
        key="f-score",
        paper="prrelation",
        title="How well does the best adversary find who is in the data?",
        about="The largest F-score of any test of a noisy answer: of those whom an adversary "
        "names, how many are right (precision), and of those who are there, how many are found "
        "(recall). β weighs recall. Whoever always says “yes” needs no answer at all. Computed "
        "from formulas.",
        tables={"prrelation/curves_f_scores": {}},
        measures=(
            Measure(statistic="f_score", name="bound on F", label="best F-score of any adversary"),
        ),
        x=Axis(column="epsilon_nats", label="privacy budget ε", says="ε = {}", log=True),
        series=Series(
            column="mechanism", label="Noise", names=CALIBRATIONS, hidden=("gaussian_printed",)
        ),
        choices=(_BETA, _SIDE),
        reference=Measure(statistic="floor", name="always says “yes”", label="F-score"),
        picked=1,
        sentence="{mechanism} noise at {epsilon_nats}: no adversary has an F-score above "
        "{value:number}, and one who always says “yes” has {floor:number}.",
    ),
    Chart(
        key="epsilon",
        paper="prrelation",
        title="How large may ε be?",
        about="The inverse: the largest ε for which no adversary has an F-score above a bound. "
        "Where a line is missing, the bound lies below the F-score of always saying “yes”, which "
        "no noise can lower. Computed from formulas.",
        tables={"prrelation/choice": {}},
        measures=(
            Measure(
                statistic="epsilon_nats",
                name="largest ε",
                label="largest privacy budget ε",
                log=True,
            ),
        ),
        x=Axis(column="f_score", label="bound on the adversary's F-score", says="F = {}"),
        series=Series(column="mechanism", label="Noise", names=CALIBRATIONS),
        choices=(_BETA, _SIDE),
        picked=0.9,
        sentence="{mechanism} noise: to keep every adversary at {f_score} or below, ε may be at "
        "most {value:number} (noise of {noise:number} for a sensitivity of 1).",
        empty="No ε keeps every adversary at {f_score} or below: whoever always says “yes” has an "
        "F-score of {floor:number} without any answer, and no noise can lower that.",
    ),
    Chart(
        key="meaning",
        paper="prrelation",
        title="What does this ε mean?",
        about="The best adversary knows everybody else's record and sees answers that have the "
        "same ε. Shown: how likely it thinks that a person is in the data, if the person is; how "
        "often its best guess is right; and the share of those present that it finds, if it may "
        "name few of those absent. The numbers are upper bounds; lower bounds are within the width "
        "of a line. They say nothing about what other people's data give away about a person.",
        tables={"prrelation/choice_meaning": {}},
        measures=(
            Measure(
                statistic="posterior",
                name="belief afterwards",
                label="belief after the answers (95 of 100 cases)",
            ),
            Measure(statistic="accuracy", name="right guesses", label="share of right guesses"),
            Measure(
                statistic="advantage",
                name="advantage",
                label="advantage (true minus false positives)",
            ),
            Measure(
                statistic="true_positives",
                name="found at 1 % false alarms",
                label="share found at 1 % false alarms",
            ),
            Measure(
                statistic="true_positives_rare",
                name="found at 0.1 % false alarms",
                label="share found at 0.1 % false alarms",
            ),
        ),
        x=Axis(
            column="epsilon_nats", label="ε of each answer (nats)", says="ε = {} each", log=True
        ),
        series=Series(
            column="mechanism",
            label="Noise",
            names=RISK_MECHANISMS,
            hidden=("discrete_laplace", "discrete_gaussian", "any"),
        ),
        choices=(
            Choice(column="statistic", label="Shown"),
            Choice(column="answers", label="Answers", first=1),
            Choice(
                column="prior",
                label="Belief beforehand",
                names={0.01: "1 %", 0.1: "10 %", 0.5: "50 %"},
                first=0.1,
            ),
        ),
        picked=1,
        sentence="{mechanism}, {answers:count} answers of {epsilon_nats} "
        "(ε = {epsilon_total_nats:number} by adding up): an adversary who thought it "
        "{prior:percent} likely that a person is in the data, who is, thinks it at most "
        "{posterior:percent} likely afterwards in 95 of 100 cases. Its best guess is right in "
        "{accuracy:percent} of cases; at one false alarm in 100 it finds {true_positives:percent} "
        "of those who are there, and at one in 1,000, {true_positives_rare:percent}.",
    ),
    Chart(
        key="queries",
        paper="knowledge",
        title="How many questions may one person's data answer?",
        about="Each query is ε-private by itself. A filter counts the realized privacy loss and "
        "stops when the next answer might exceed the budget, so that no belief about the person "
        "changes by more than a factor of e to the power of the budget. Bars: from the 10th to the "
        "90th percentile of the runs. Random queries.",
        tables={
            "knowledge/composition_accepted_linear": {},
            "knowledge/composition_accepted_logistic": {},
        },
        measures=(
            Measure(
                statistic="median",
                name="median of accepted queries",
                label="accepted queries (median, 10 % to 90 %)",
                low="p10",
                high="p90",
            ),
        ),
        x=Axis(column="budget_nats", label="budget (nats)", says="a budget of {} nats"),
        series=Series(
            column="filter",
            label="Filters",
            names=FILTERS,
            controls=("basic",),
        ),
        choices=(
            Choice(column="regression", label="Queries"),
            Choice(
                column="group", label="Queries counted in groups of", names={0: "all (no groups)"}
            ),
            Choice(
                column="basis",
                label="Loss",
                names={"certified": "certified upper bound", "possible": "best possible"},
            ),
            Choice(column="runs", label="Runs"),
        ),
        picked=1,
        sentence="{filter}: with {budget_nats}, half of {runs:count} runs accept {value:whole} "
        "queries or more; 8 of 10 runs accept between {low:whole} and {high:whole} queries.",
    ),
    Chart(
        key="health",
        paper="knowledge",
        title="What do four answers about one person's health tell?",
        about="The certified realized loss of each of the 16 possible answers (heart, stroke, "
        "diabetes, hours of sleep). A loss of 2.4 nats means that some belief about the person can "
        "have become e^2.4 = 11 times as strong. Basic composition counts "
        "{{ '%g' | format(4 * snakemake.config.knowledge.health.epsilon_nats) }} nats whatever the "
        "answer. The regressions are those of Table I; no data.",
        tables={"knowledge/health_losses": {}},
        measures=(Measure(statistic="loss", name="realized loss", label="realized loss (nats)"),),
        x=Axis(column="answer", label="answer (heart-stroke-diabetes-sleep)", says="{}"),
        sentence="The answer {answer} (heart disease, stroke, diabetes, hours of sleep) costs "
        "{value:number} nats of the budget.",
    ),
    Chart(
        key="mechanisms-homes",
        paper="beyond",
        title="Homes: which mechanism hides them best at the same error?",
        about="Every mechanism is set so that the published mean of n homes is off by the same "
        "error; then the same adversaries play the membership game against it. 0 is a coin toss, "
        "1 is certainty. Where a mechanism has no point, it cannot make that error. Bars are "
        f"{_LEVEL} intervals.",
        tables={
            "beyond/comparison_homes_ausgrid": {"dataset": "ausgrid"},
            "beyond/comparison_homes_london": {"dataset": "london"},
        },
        measures=_GAIN,
        x=Axis(
            column="target_error_kwh",
            label="error of the daily mean (kWh, RMS)",
            says="an error of {} kWh",
            log=True,
        ),
        series=_AT_SAME_ERROR,
        choices=(
            Choice(column="dataset", label="Homes of", names=HOMES, first="london"),
            Choice(column="n", label="Homes in the mean (n)"),
            Choice(
                column="adversary", label="Adversary", names=MEMBERSHIP_ADVERSARIES, first="learned"
            ),
        ),
        without=_PROTECTED,
        picked=2,
        sentence="{mechanism}, a mean of {n} homes with {target_error_kwh}: this adversary names "
        "the right home in {value:games} of 100 games ({low:games} to {high:games}, from "
        "{games:count} games).",
        empty=_CANNOT,
    ),
    Chart(
        key="mechanisms-meter",
        paper="beyond",
        title="Appliances: which mechanism hides them best at the same error?",
        about="Every mechanism is set so that the energy of an hour is off by the same share of "
        "the mean; then the same adversaries read the meter. The gain is how far their f-score is "
        f"above that of the best guesser who sees nothing. Bars: {_LEVEL} intervals of a bootstrap "
        "over the days of one home.",
        tables={"beyond/comparison_meter": {}},
        measures=(
            Measure(
                statistic="gain",
                name="gain",
                label="f-score above that of a guesser who sees nothing",
            ),
        ),
        x=Axis(
            column="target_error_share",
            label="error of an hour's energy (of its mean)",
            says="an error of {} of the mean",
            log=True,
        ),
        series=_AT_SAME_ERROR,
        choices=(
            Choice(
                column="adversary",
                label="Adversary",
                names={**APPLIANCE_ADVERSARIES, **APPLIANCE_CONTROLS},
                first="learned",
            ),
        ),
        without=_PROTECTED,
        picked=0.1,
        sentence="{mechanism}, with {target_error_share}: a gain of {value:number} "
        f"({_LEVEL} interval "
        "{low:number} to {high:number}).",
        empty=_CANNOT,
    ),
    Chart(
        key="mechanisms-trips",
        paper="beyond",
        title="Trips: which mechanism hides the passenger best at the same error?",
        about="Every mechanism is set so that a reported place is off by the same distance in the "
        "mean. The adversary knows the true trips of N people, sees one report, and says whose it "
        f"is. 0 is a guess, 1 is certainty. Bars are {_LEVEL} intervals.",
        tables={"beyond/comparison_trips": {}},
        measures=_GAIN,
        x=Axis(
            column="target_error_m",
            label="mean distance from the true place (m)",
            says="{} m off in the mean",
            log=True,
        ),
        series=_AT_SAME_ERROR,
        choices=(
            Choice(column="people", label="People the adversary chooses from (N)"),
            Choice(
                column="adversary",
                label="Adversary",
                names=LINKAGE_ADVERSARIES,
            ),
        ),
        without=_PROTECTED,
        picked=1000,
        sentence="{mechanism}, {target_error_m}: among {people} people, the adversary is right "
        "about {won_share:percent} of {reports:count} reports.",
        empty=_CANNOT,
    ),
    Chart(
        key="reports",
        paper="beyond",
        title="What do many reports add up to?",
        about="The membership game over more and more days, for the adversaries of the paper and "
        "for adversaries who know the mechanism. Each day's report costs ε bits. The exact "
        "adversary knows all the other homes; the theory's guarantees are about this adversary.",
        tables={
            "beyond/adversaries_repeated_ausgrid": {"dataset": "ausgrid"},
            "beyond/adversaries_repeated_london": {"dataset": "london"},
        },
        measures=_GAMES["measures"],
        x=Axis(column="days", label="daily reports seen together", says="{} reports", log=True),
        series=Series(
            column="adversary", label="Adversaries", names=_KNOWING, controls=("control",)
        ),
        choices=(
            Choice(column="dataset", label="Homes of", names=HOMES, first="london"),
            Choice(column="n", label="Homes in the mean (n)", first=8),
            Choice(
                column="epsilon_bits",
                label="Budget ε of a day (bits)",
                names={"inf": EXACT_MEAN},
                first=2,
            ),
            Choice(column="known", label="Other homes that the adversary knows"),
        ),
        without={"adversary": ("any",)},
        picked=30,
        sentence="{adversary}: right in {value:games} of 100 games after {days} "
        "({low:games} to {high:games}).",
        empty="{adversary}: did not play with this number of known homes.",
    ),
    Chart(
        key="custodian",
        paper="beyond",
        title="How many homes, and how coarse a scale, are enough?",
        about="The gain of the best of our adversaries over a coin toss, for a mean of n homes on "
        "a given number of levels. Bars are limits for games between these homes. All of them hold "
        "together with a confidence of "
        "{{ '%g' | format(100 * snakemake.config.beyond.custodian.confidence) }} %: the gain is "
        "certified to stay below the upper end for these homes, not for others.",
        tables={
            "beyond/custodian_limits_ausgrid": {"dataset": "ausgrid"},
            "beyond/custodian_limits_london": {"dataset": "london"},
        },
        measures=_GAIN,
        x=Axis(column="n", label="homes in the mean (n)", says="{} homes", log=True),
        series=Series(column="levels", label="Levels of the mean"),
        choices=(
            Choice(column="dataset", label="Homes of", names=HOMES, first="london"),
            Choice(column="knowledge", label="The adversary"),
            Choice(column="days", label="Daily reports", first=30),
        ),
        sentence="{levels} levels of {bin_kwh:number} kWh, {n}: the best adversary "
        "({adversary}) gains {value:number}, and with confidence no more than {high:number}.",
        words={"adversary": _KNOWING},
    ),
)
