# What a custodian is told to publish: the frontier of usefulness against risk, found on one half of
# the homes and tested on the other. For a public dataset, and for the user's.
def recommendation_settings(homes):
    """The releases that are tried, and what is good enough."""
    return {
        **config["beyond"]["recommendation"],
        "public_range_kwh": MEMBERSHIP["public_range_kwh"][homes],
        "tolerance": config["beyond"]["comparison"]["tolerance"],
        "factors": config["beyond"]["adversaries"]["factors"],
        **drawn_for(homes),
    }


def recommendation_tables(folder, ending):
    """The tables of the experiment, by the names of its results."""
    names = ("frontier", "splits", "mechanisms", "facts")
    return tables(**{name: f"{folder}/recommendation_{name}{ending}" for name in names})


use rule make_table as beyond_recommendation with:
    input:
        readings=prepared("london"),
    output:
        **recommendation_tables("beyond", "_london"),
    pathvars:
        job="beyond_recommendation",
    group:
        "beyond"
    resources:
        mem_mb=memory(2000),
    params:
        **call(
            "noiseless.experiments.beyond.recommendation.tables",
            recommendation_settings("london"),
        ),


use rule make_table as own_recommendation with:
    input:
        readings=prepared("own/{dataset}"),
    output:
        **recommendation_tables("own/{dataset}", ""),
    pathvars:
        job="own_recommendation/{dataset}",
    wildcard_constraints:
        dataset=own_of("meters"),
    group:
        "own"
    resources:
        mem_mb=memory(2000),
    params:
        **call(
            "noiseless.experiments.beyond.recommendation.tables",
            own_settings(recommendation_settings("london"), skip_impossible=True),
        ),


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
