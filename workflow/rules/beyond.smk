# Every mechanism at the same error, against the adversaries of the public experiments.
ADVERSARIES = config["beyond"]["adversaries"]
COMPARISON = config["beyond"]["comparison"]
COMPARISON_BASE = pick(COMPARISON, "delta", "tolerance")


use rule make_table as beyond_table with:
    group:
        "beyond"


rule beyond:
    input:
        lambda wildcards: results_of("beyond"),


use rule beyond_table as beyond_comparison_homes with:
    input:
        readings=prepared("{homes}"),
    output:
        **tables(
            comparison="beyond/comparison_homes_{homes}",
            calibration="beyond/comparison_calibration_homes_{homes}",
        ),
    pathvars:
        job="beyond_comparison_homes/{homes}",
    resources:
        mem_mb=memory(2000),
    params:
        **call(
            "noiseless.experiments.beyond.comparison_homes.comparison_tables",
            lambda wildcards: {
                **COMPARISON_BASE,
                **COMPARISON["homes"],
                "public_range_kwh": MEMBERSHIP["public_range_kwh"][wildcards.homes],
                **drawn_for(wildcards.homes),
            },
        ),


use rule beyond_table as beyond_comparison_meter with:
    input:
        redd=prepared("redd"),
    output:
        **tables(
            comparison="beyond/comparison_meter",
            calibration="beyond/comparison_calibration_meter",
        ),
    pathvars:
        job="beyond_comparison_meter",
    resources:
        mem_mb=memory(3000),
    params:
        **call(
            "noiseless.experiments.beyond.comparison_meter.comparison_tables",
            **COMPARISON_BASE,
            **COMPARISON["meter"],
            **pick(
                NILM,
                "mains_range_w",
                "period_s",
                "train_before",
                "days",
                "hmm",
                "learned",
                "draws",
            ),
            seed=config["seed"],
        ),


use rule beyond_table as beyond_comparison_trips with:
    input:
        trips=TRIPS_PREPARED[0],
    output:
        **tables(
            comparison="beyond/comparison_trips",
            calibration="beyond/comparison_calibration_trips",
        ),
    pathvars:
        job="beyond_comparison_trips",
    resources:
        mem_mb=memory(2000),
    params:
        **call(
            "noiseless.experiments.beyond.comparison_trips.comparison_tables",
            **COMPARISON_BASE,
            **COMPARISON["trips"],
            **TRIPS_BOX,
            seed=config["seed"],
        ),


# The membership game against adversaries who know the mechanism.
use rule beyond_table as beyond_adversaries with:
    input:
        readings=prepared("{homes}"),
    output:
        **tables(
            adversaries="beyond/adversaries_{homes}",
            repeated="beyond/adversaries_repeated_{homes}",
        ),
    pathvars:
        job="beyond_adversaries/{homes}",
    resources:
        mem_mb=memory(2000),
    params:
        **call(
            "noiseless.experiments.beyond.adversaries.tables",
            lambda wildcards: {
                **membership_release(wildcards.homes),
                **without(ADVERSARIES, "shown_epsilon_bits"),
                **drawn_for(wildcards.homes),
            },
        ),


use rule beyond_table as beyond_custodian with:
    input:
        readings=prepared("{homes}"),
    output:
        **tables(limits="beyond/custodian_limits_{homes}", answers="beyond/custodian_{homes}"),
    pathvars:
        job="beyond_custodian/{homes}",
    resources:
        mem_mb=memory(2000),
    params:
        **call(
            "noiseless.experiments.beyond.custodian.tables",
            lambda wildcards: custodian_settings(wildcards.homes),
        ),


# What a custodian is told to publish: the frontier of usefulness against risk, found on one half of
# the homes and tested on the other.
use rule beyond_table as beyond_recommendation with:
    input:
        readings=prepared("london"),
    output:
        **tables(
            frontier="beyond/recommendation_frontier_london",
            splits="beyond/recommendation_splits_london",
            mechanisms="beyond/recommendation_mechanisms_london",
            facts="beyond/recommendation_facts_london",
        ),
    pathvars:
        job="beyond_recommendation",
    resources:
        mem_mb=memory(2000),
    params:
        **call(
            "noiseless.experiments.beyond.recommendation.tables",
            **recommendation_settings("london"),
        ),


for homes in RESOLUTIONS:
    FIGURES |= {
        f"beyond/adversaries_{homes}": {
            "function": "beyond.adversaries.adversaries",
            "tables": {
                "adversaries": f"beyond/adversaries_{homes}",
                "repeated": f"beyond/adversaries_repeated_{homes}",
            },
            "figure": "adversaries",
            "shows": f"what an adversary knows, {homes}",
            "settings": pick(ADVERSARIES, "known_shares", "shown_epsilon_bits"),
            "says": TAKING_PART["prefer"],
        },
        f"beyond/custodian_{homes}": {
            "function": "beyond.custodian.custodian",
            "tables": {"limits": f"beyond/custodian_limits_{homes}"},
            "figure": "custodian",
            "shows": f"homes and levels, {homes}",
            "settings": pick(config["beyond"]["custodian"], "gains"),
            "says": TAKING_PART["prefer"],
        },
    }


for name, function, question, says in (
    ("homes_ausgrid", "homes", "who is in the aggregate, Ausgrid", TAKING_PART["prefer"]),
    ("homes_london", "homes", "who is in the aggregate, London", TAKING_PART["prefer"]),
    (
        *("meter", "meter", "which appliance is on"),
        TAKING_PART["states"] | {"adversaries": COMPARISON["meter"]["adversaries"]},
    ),
    ("trips", "trips", "whose trip it is", TAKING_PART["link"]),
):
    FIGURES[f"beyond/comparison_{name}"] = {
        "function": f"beyond.comparison.{function}",
        "tables": {
            "comparison": f"beyond/comparison_{name}",
            "calibration": f"beyond/comparison_calibration_{name}",
        },
        "figure": "every mechanism at the same error",
        "shows": question,
        "says": says,
    }


FIGURES["beyond/recommendation_london"] = {
    "function": "beyond.recommendation.recommendation",
    "tables": {
        "frontier": "beyond/recommendation_frontier_london",
        "mechanisms": "beyond/recommendation_mechanisms_london",
    },
    "figure": "recommendation",
    "shows": "what to publish, london",
    "settings": pick(config["beyond"]["recommendation"], "gain"),
    "says": TAKING_PART["prefer"],
}
