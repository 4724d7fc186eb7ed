"""What was found, written and read back; why a statement was not tested; what stops a run."""

import math

import pandas as pd
import pytest

from noiseless.errors import ConfigError
from noiseless.statements import (
    DataUse,
    Estimate,
    Paper,
    at_most,
    bounded,
    equals,
    for_all,
    running,
    select,
    table,
    universe,
    within,
    words,
)
from noiseless.statements.registry import Run, Sizes
from noiseless.statements.running import Lack, Missing, check_paper, read_findings, run_statement
from noiseless.statements.verdicts import DataKind, judge
from noiseless.tables import Provenance, Source, write_table

cells = table("toy/cells")
REAL = Source("people", "local", "ab" * 32, "registered", "all.csv")
SAMPLE = Source("people", "sample", "ab" * 32, "other")
OTHER_FILE = Source("people", "local", "ab" * 32, "registered", "others.csv")
CHANGED = Source("people", "local", "cd" * 32, "other", "all.csv")


@universe(smoke={"largest": 3})
def numbers(largest):
    return range(1, largest + 1)


@pytest.fixture
def paper():
    made = Paper(
        "toy",
        "A toy",
        data={"people": DataUse(("all.csv",), "others for all")},
        presumes={"toy.range": 5},
        limits={"toy.cells": (100, math.inf)},
        sizes=["toy.points"],
    )

    @made.states("Theorem 1", "n <= 2", over=numbers)
    def thm1(numbers):
        """Each number."""
        return for_all(at_most(n, 2, {"n": n}) for n in numbers)

    @made.states("Table 1", "a 1", needs=("people",), over=cells)
    def table1(cells):
        """The cell of a."""
        return equals(select(cells, name="a")["size"], 1)

    @made.states("Fig. 1", "0 to 1")
    def fig1():
        """An estimate."""
        return within([Estimate(0.5, 0.4, 0.6, "all")], 0, 1)

    @made.states("Fig. 2", "1 at most")
    def fig2():
        """Nothing that runs."""
        return bounded([1 / 0], at_most=1)

    return made


@pytest.fixture
def made(tmp_path):
    """A function that writes the table, and returns a run with it."""

    def write(*sources, name="a", settings="[]"):
        path = tmp_path / "cells.parquet"
        frame = pd.DataFrame([{"name": name, "statistic": "size", "value": 1.0}])
        write_table(frame, path, Provenance("c", sources, settings=settings))
        return Run(Sizes.SMOKE, 1, {"toy/cells": path})

    return write


def test_findings_are_read_as_they_were_written(paper, made, tmp_path, monkeypatch):
    monkeypatch.setattr(running, "load_sections", lambda name: paper)
    for run in (made(REAL), made(SAMPLE), Run(Sizes.SMOKE, 1)):
        wrote = check_paper("toy", run, tmp_path / "toy.json", cores=2)
        assert read_findings(tmp_path / "toy.json") == wrote
    assert [each.id for each in wrote] == [each.id for each in paper.statements]
    assert wrote[0].printed.example.numbers == {"n": 3}
    assert wrote[3].error == "ZeroDivisionError: division by zero"
    assert (wrote[0].module, wrote[0].function) == (__name__, "thm1")


@pytest.mark.parametrize(
    ("sources", "more", "missing", "kind"),
    [
        ([REAL], {}, (), DataKind.THE_PAPERS),
        ([OTHER_FILE], {}, (), DataKind.STAND_IN),
        ([SAMPLE], {}, (Missing(Lack.REAL_DATA, "toy/cells", "people"),), DataKind.SAMPLE),
        (
            [CHANGED],
            {},
            (Missing(Lack.PUBLIC_DATA, "toy/cells", "people", "cd" * 32),),
            DataKind.OTHER,
        ),
        ([], {}, (Missing(Lack.DATA, "toy/cells", "people"),), DataKind.NO_DATA),
        ([REAL], {"settings": '[["toy.points", 3], ["seed", 1]]'}, (), DataKind.THE_PAPERS),
        (
            [REAL],
            {"settings": '[["toy.range", 6]]'},
            (Missing(Lack.SETTING, "toy/cells", "toy.range", "6", "5"),),
            DataKind.THE_PAPERS,
        ),
        (
            [REAL],
            {"settings": '[["toy.cells", 99]]'},
            (Missing(Lack.PRECISION, "toy/cells", "toy.cells", "99", "[100, Infinity]"),),
            DataKind.THE_PAPERS,
        ),
        ([REAL], {"settings": '[["toy.cells", [100, 300]]]'}, (), DataKind.THE_PAPERS),
        (
            [REAL],
            {"settings": '[["toy.new", 6]]'},
            (Missing(Lack.UNKNOWN_SETTING, "toy/cells", "toy.new"),),
            DataKind.THE_PAPERS,
        ),
    ],
)
def test_what_a_statement_on_data_lacks(paper, made, sources, more, missing, kind):
    statement = paper.statements[1]
    tested = run_statement(statement, made(*sources, **more))
    assert tested.missing == missing
    [entry] = judge([statement], {statement.id: tested})
    assert entry.data_kinds == [kind]
    assert entry.stands_in == (kind is DataKind.STAND_IN)
    assert entry.verdict == ("not tested" if missing else "reproduced")
    said = words.describe_missing(statement, missing)
    assert bool(said) == bool(missing)
    assert "{" not in said


def test_a_table_that_is_not_there_and_a_cell_that_it_lacks(paper, made):
    statement = paper.statements[1]
    tested = run_statement(statement, Run(Sizes.SMOKE, 1))
    assert tested.missing == (Missing(Lack.TABLE, "toy/cells"),)
    assert judge([statement], {statement.id: tested})[0].data_kinds == [DataKind.NO_TABLE]
    left_out = Run(Sizes.SMOKE, 1, left_out={"toy/cells": "people"})
    missing = run_statement(statement, left_out).missing
    assert missing == (Missing(Lack.LEFT_OUT, "toy/cells", "people"),)
    assert words.describe_missing(statement, missing) == (
        "The data of people were left out. To test it: make paper TARGET=toy DATA=FOLDER, where "
        "FOLDER holds people/all.csv; or make paper TARGET=toy, which downloads (data/README.md)."
    )
    [missing] = run_statement(statement, made(REAL, name="b")).missing
    assert missing.lack is Lack.CELL
    assert "no row has name = a" in missing.found


def test_a_statement_can_presume_more_than_its_paper(paper, made):
    statement = paper.statements[1]
    run = made(REAL, settings='[["toy.points", 3]]')
    statement.presumes = {"toy.points": 4}
    wanted = Missing(Lack.SETTING, "toy/cells", "toy.points", "3", "4")
    assert run_statement(statement, run).missing == (wanted,)


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"number": {"largest": 4}}, r"`statements.toy.number`. Did you mean `numbers`"),
        ({"numbers": {"largst": 4}}, r"`statements.toy.numbers.largst`. Did you mean `largest`"),
        (
            {"numbers": {"largest": 10**9}},
            r"`numbers.largest` is 1000000000, and must reach \d or less",
        ),
    ],
)
def test_misspelt_sizes_are_one_message(paper, overrides, message, tmp_path, monkeypatch):
    monkeypatch.setattr(running, "load_sections", lambda name: paper)
    with pytest.raises(ConfigError, match=message):
        check_paper("toy", Run(Sizes.SMOKE, 1, overrides=overrides), tmp_path / "toy.json")
    assert not list(tmp_path.iterdir())
