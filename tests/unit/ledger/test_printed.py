"""Numbers that a paper prints."""

import json
import math

from noiseless.ledger.printed import build_printed_table
from noiseless.statements import Drawn, Paper, draw, table
from noiseless.statements.registry import load_sections


def test_a_statement_says_which_numbers_are_drawn():
    paper, regions = Paper("toy", "A toy"), table("toy/regions")

    @paper.states(
        "Theorem 1", figure="toy/f", draws=draw(regions, "lower", "x", {1: -2, 2: 0}, query="mean")
    )
    def thm1():
        """Two numbers."""

    @paper.states("Theorem 2", prints="at most 1")
    def thm2():
        """A number that no figure draws."""

    thm1.draws = (*thm1.draws, Drawn(regions, "share", {}, 0.6, True))
    made = build_printed_table(paper.statements)
    assert set(made["figure"]) == {"toy/f"}
    found = [
        (row.claim, row.table, json.loads(row.where), row.statistic, row.low)
        for row in made.itertuples()
    ]
    assert found == [
        ("toy-thm1", "toy/regions", {"query": ["mean"], "x": [1]}, "lower", -2),
        ("toy-thm1", "toy/regions", {"query": ["mean"], "x": [2]}, "lower", 0),
        ("toy-thm1", "toy/regions", {}, "share", -math.inf),
    ]


def test_the_papers_numbers_are_those_that_were_read():
    """How many each paper has, counted in it: Table 1 has 33, and Figure 3a a line at 1/2."""
    wanted = {"deterministic": 44, "knowledge": 25, "prrelation": 34, "noiseless": 0}
    found = {name: len(build_printed_table(load_sections(name).statements)) for name in wanted}
    assert found == wanted
