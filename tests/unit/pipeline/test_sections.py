"""What the rules read of a paper's sections is what importing them gives."""

import importlib

import pytest

from noiseless.errors import ConfigError
from noiseless.pipeline.sections import (
    list_experiments,
    list_paper_tables,
    list_papers,
    load_data,
    refuse_unknown_papers,
)
from noiseless.statements.registry import describe_stand_in, load_sections


def test_tables_are_those_that_statements_take():
    for paper in list_papers():
        statements = load_sections(paper).statements
        taken = {table.name for each in statements for table in each.tables}
        assert set(list_paper_tables(paper)) == taken
        sets = {(table.name, each.data_set) for each in statements for table in each.tables}
        assert {each for each in list_paper_tables(paper).items() if each[1]} <= sets


def test_experiments_are_the_modules_without_statements():
    sections = importlib.import_module("noiseless.papers.nsht").SECTIONS
    found = list_experiments("nsht")
    assert "papers/nsht/blurring.py" in found
    assert not {f"papers/nsht/{name}.py" for name in sections} & set(found)
    assert "papers/beyond/__init__.py" in list_experiments("beyond")


def test_papers_and_their_data_are_those_of_the_packages():
    for name in list_papers():
        paper = importlib.import_module(f"noiseless.papers.{name}").paper
        assert paper.name == name
        assert {key: (use.paper, use.stand_in) for key, use in paper.data.items()} == {
            key: (tuple(use["paper"]), describe_stand_in(use))
            for key, use in load_data(name).items()
        }


def test_a_misspelt_paper_is_one_message():
    refuse_unknown_papers(list_papers())
    with pytest.raises(ConfigError, match=r"unknown key `statements.nhst`. Did you mean `nsht`?"):
        refuse_unknown_papers(["nhst"])
