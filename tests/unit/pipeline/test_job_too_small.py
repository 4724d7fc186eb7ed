"""What a set of homes is too small for: its table and its figure say so, the others are made."""

import json
from types import SimpleNamespace

import pandas as pd
import pytest
from snakemake.iocontainers import InputFiles, OutputFiles, Params

from noiseless.errors import ConfigError, TooSmallError
from noiseless.figures.style import create_figure, create_text_figure
from noiseless.pipeline.jobs import run_job
from noiseless.tables import REFUSED_COLUMN, Provenance, read_table, write_table

WHY = "n is [4], but there are 3 homes"
TABLE = pd.DataFrame({"statistic": ["games"], "value": [3.0]})


@pytest.fixture
def running(tmp_path):
    """Makes the `snakemake` of a job with some inputs, outputs and parameters."""

    def make(inputs, outputs, **params):
        return SimpleNamespace(
            rule="a_rule",
            log=[str(tmp_path / "job.log")],
            input=InputFiles(fromdict=inputs),
            output=OutputFiles(fromdict=outputs),
            params=Params(fromdict={"code": "c0de" * 4, **params}),
            wildcards={},
            config={"toy": {}},
        )

    return make


@pytest.fixture
def outputs(tmp_path):
    (tmp_path / "toy").mkdir()
    return {name: str(tmp_path / f"toy/{name}.parquet") for name in ("games", "learned")}


def test_what_is_too_small_is_left_out_and_the_rest_is_saved(running, outputs, tmp_path):
    with run_job(running({}, outputs, n=[4])) as this:
        tables = {}
        with this.attempt("games"):
            tables["games"] = TABLE
        with this.attempt("learned"):
            raise TooSmallError(WHY)
        this.save(tables)
    made, provenance = read_table(outputs["games"])
    pd.testing.assert_frame_equal(made, TABLE)
    refused, same = read_table(outputs["learned"])
    assert refused.to_dict("list") == {REFUSED_COLUMN: [WHY]}
    assert json.loads(provenance.settings) == json.loads(same.settings) == [["toy.n", [4]]]
    assert f"Not made: learned. {WHY}" in (tmp_path / "job.log").read_text(encoding="utf-8")


def test_a_job_that_is_too_small_as_a_whole_makes_all_its_tables(running, outputs):
    with run_job(running({}, outputs)):
        raise TooSmallError(WHY)
    for path in outputs.values():
        assert read_table(path)[0][REFUSED_COLUMN].item() == WHY


def test_another_mistake_in_the_configuration_stops_the_job(running, outputs):
    with pytest.raises(SystemExit), run_job(running({}, outputs)) as this, this.attempt("games"):
        raise ConfigError("n is no number")


def test_a_list_of_tables_is_read_in_its_order_and_stands_behind_what_is_made(
    running, outputs, tmp_path
):
    paths = [str(tmp_path / f"{name}.parquet") for name in "ba"]
    for number, path in enumerate(paths):
        write_table(TABLE.assign(value=number), path, Provenance(path, settings="[]"))
    with run_job(running({"several": paths}, outputs)) as this:
        found = this.load_tables("several")
        this.save(dict.fromkeys(outputs, TABLE))
    assert [table["value"].item() for table in found] == [0, 1]
    made = read_table(outputs["games"])[1].config
    with run_job(running({"several": paths}, outputs)) as this:
        this.save(dict.fromkeys(outputs, TABLE))
    alone = read_table(outputs["games"])[1].config
    assert made != alone


def test_a_figure_of_a_table_that_is_not_there_says_why(running, tmp_path):
    path, drawn = str(tmp_path / "games.parquet"), []
    figures = [str(tmp_path / f"fig.{ending}") for ending in ("png", "pdf")]

    def draw(table):
        drawn.append(table)
        return create_figure()[0]

    for table in (pd.DataFrame({REFUSED_COLUMN: [WHY]}), TABLE):
        write_table(table, path, Provenance("c"))
        outputs = dict(zip(("png", "pdf"), figures, strict=True))
        with run_job(running({"games": path}, outputs)) as this:
            this.draw("fig", draw, "games")
    assert len(drawn) == 1
    (text,) = create_text_figure(WHY * 3).axes[0].texts
    assert text.get_text().replace("\n", " ") == " ".join((WHY * 3).split())
