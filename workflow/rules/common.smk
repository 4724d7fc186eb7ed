# Names shared by all rules. No rule is defined here.
import os
from pathlib import Path

from noiseless.code import source_digest
from noiseless.datasets.download import load_sources, mirrors, registered_sha256
from noiseless.errors import ConfigError, UserError
from noiseless.grids import log_grid
from noiseless.ledger.claims import load_claims
from noiseless.schema import validate
from snakemake.exceptions import WorkflowError

ENVIRONMENT = "../envs/noiseless.yaml"
LEDGER = Path(os.path.relpath(PACKAGE)) / "noiseless/ledger"


def raw_file(dataset, file):
    """Where a raw file of a dataset is, by the dataset's tier."""
    source = config["data"][dataset]
    if source["tier"] != "local":
        return f"data/raw/{dataset}/{source['tier']}/{file}"
    path = Path(source["path"] or "")
    path = path / file if path.is_dir() else path
    if source["path"] is None or not path.is_file():
        raise ConfigError(
            f"data.{dataset}: tier is local, but path is {source['path']!r}, which is neither "
            f"{file} nor a folder that holds it. Set it to the file you have, or choose another "
            "tier (data/README.md)."
        )
    return str(path)


def trip_files():
    """Files of taxi trips, by the name of the shard that each becomes."""
    source = config["data"]["nyc_taxi"]
    if source["tier"] == "sample":
        numbers = range(1, source["sample_files"] + 1)
        files = [f"data/raw/nyc_taxi/sample/trips_{number}.csv" for number in numbers]
    elif source["tier"] == "download":
        files = source["files"]
        for file in files:
            mirrors(SOURCES, dataset="nyc_taxi", file=file)
    else:
        path = Path(source["path"] or "")
        inside = sorted(path.iterdir()) if source["path"] and path.is_dir() else [path]
        files = [str(file) for file in inside if file.is_file() and file.name[0] != "."]
        if not files:
            raise ConfigError(
                f"data.nyc_taxi: tier is local, but path is {source['path']!r}, which is neither a "
                "file nor a folder of files. Set it to the trips you have, or choose another tier "
                "(data/README.md)."
            )
    return {f"{position:04d}": file for position, file in enumerate(files)}


def table(name):
    """The table <paper>/<name>; its CSV twin lies beside it."""
    return f"results/tables/{name}.parquet"


def outputs_of(kind):
    """Outputs of all rules so far below results/<kind>, where kind is figures, tables/nsht, ..."""
    outputs = [str(each) for rule in workflow.rules for each in rule.output]
    return [output for output in outputs if output.startswith(f"results/{kind}/")]


def names_of(kind, ending):
    """Names <paper>/<name> of the tables or figures with this ending of all rules so far."""
    prefix = f"results/{kind}/"
    return [
        path.removeprefix(prefix).removesuffix(ending)
        for path in outputs_of(kind)
        if path.endswith(ending)
    ]


try:
    validate(config, "config", source="the configuration")
    SOURCES = load_sources("config/sources.yaml")
    load_claims(LEDGER / "claims")
    YOUNG_PEOPLE = raw_file("young_people", "responses.csv")
    TRIP_FILES = trip_files()
except UserError as error:
    raise WorkflowError(str(error)) from None
