# The workflow, and a file of what its rules that make tables call: for the mutants, which make the same
# calls outside of Snakemake.
import json

from snakemake.io import apply_wildcards
from snakemake.iocontainers import Wildcards


include: "../../Snakefile"


def listed(rule, values):
    """The calls of a rule for some values of its wildcards."""
    wildcards = Wildcards(fromdict=values)
    calls = rule.params["calls"]
    calls = calls(wildcards) if callable(calls) else calls

    def name(path):
        path = apply_wildcards(path, values)
        return path.removeprefix("results/tables/").removesuffix(".parquet")

    outputs = {key: name(path) for key, path in rule.output.items() if path.endswith(".parquet")}
    return [
        {
            "function": call["function"],
            "settings": call["settings"],
            "inputs": {key: name(str(rule.input[key])) for key in call["inputs"]},
            "name": key,
            # A function that returns several tables is called so, and makes those that no other
            # call is named after.
            "outputs": {
                made: path
                for made, path in outputs.items()
                if made == key or call["function"].endswith("_tables") and made not in calls
            },
        }
        for key, call in calls.items()
    ]


CALLS = [
    call
    for rule in workflow.rules
    if str(rule.script).endswith("make_tables.py")
    for values in (
        {"variant": "", **dict(zip(names, each))}
        for names in [sorted(rule.wildcard_names - {"variant"})]
        for each in product(*(WILDCARDS[name] for name in names))
    )
    for call in listed(rule, values)
]
Path("calls.json").write_text(json.dumps(CALLS, indent=1), encoding="utf-8")
