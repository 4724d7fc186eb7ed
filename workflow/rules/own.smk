# Data of the user's, in place of the public ones (docs/own-data.md). Only the parts that are
# configured have rules, and are imported.
try:
    if "meters" in OWN:
        from noiseless.datasets.own.times import find_zone

        find_zone(OWN["meters"].get("time_zone"), section="own.meters")
    if "trips" in OWN:
        from noiseless.datasets.own.trips import public_box

        OWN_BOX = {key: OWN["trips"][key] for key in TRIPS_BOX}
        public_box(**OWN_BOX)
    if "people" in OWN:
        from noiseless.experiments.own.people import people_settings

        OWN_PEOPLE = people_settings(OWN["people"], BLURRING)
        OWN_QUANTITIES = {"quantities": OWN_PEOPLE["quantities"]}
except UserError as error:
    raise WorkflowError(str(error)) from None


if "meters" in OWN:

    rule prepare_own_meters:
        input:
            path=OWN_PATHS["meters"],
        output:
            table="data/prepared/own_meters.parquet",
            taken=table("own/meters_taken"),
        log:
            "logs/prepare_own_meters.log",
        benchmark:
            "benchmarks/prepare_own_meters.tsv"
        group:
            "own"
        conda:
            ENVIRONMENT
        resources:
            mem_mb=memory(4000),
        params:
            dataset="own_meters",
            tier="own",
            registered={},
            file="",
            content=content_digests({"path": OWN_PATHS["meters"]}),
