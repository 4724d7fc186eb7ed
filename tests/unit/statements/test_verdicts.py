"""Statements of a made-up paper, from their functions to verdicts."""

import json

import pytest

from noiseless.errors import ConfigError
from noiseless.statements import (
    Estimate,
    Kind,
    Margin,
    Paper,
    PrintedTable,
    as_printed,
    bounded,
    corrects,
    falls,
    hold,
    parse_data,
    running,
    table_of_each,
    universe,
    within,
    words,
)
from noiseless.statements.findings import MissingCellError
from noiseless.statements.intervals import compute_widening, widen_interval
from noiseless.statements.registry import Run, Sizes, load_sections
from noiseless.statements.running import group_statements, run_statement
from noiseless.statements.verdicts import Verdict, build_ledger, judge
from noiseless.statements.words import describe_data, describe_margin, describe_wanted


@pytest.fixture
def paper():
    return Paper("toy", "A toy")


def verdicts(paper, **settings):
    run = Run(Sizes.SMOKE, 1, **settings)
    tested = {each.id: run_statement(each, run) for each in paper.statements}
    entries = judge(paper.statements, tested)
    return {each.statement.id: each for each in entries}


@universe(smoke={"largest": 3}, paper={"largest": 9})
def numbers(largest, seed):
    return [*range(1, largest + 1), seed]


def test_sizes_are_those_of_the_run_unless_the_configuration_says_otherwise():
    assert numbers.load(Run(Sizes.SMOKE, 7)) == [1, 2, 3, 7]
    assert len(numbers.load(Run(Sizes.PAPER, 7))) == 10
    assert numbers.load(Run(Sizes.PAPER, 7, overrides={"numbers": {"largest": 1}})) == [1, 7]


def test_a_statement_is_corrected_where_it_fails_and_its_correction_holds(paper):
    @paper.states("Theorem 1", "x <= 2", over=numbers)
    def thm1(numbers):
        """The largest number."""
        return bounded([max(numbers)], at_most=2)

    @corrects(thm1, Kind.MISPRINT, "A 3 is printed as 2.", right_at="Theorem 2", right_words="x")
    def thm1_three(numbers):
        """X <= 3."""
        return bounded([max(numbers)], at_most=3)

    entry = verdicts(paper)["toy-thm1"]
    assert (entry.verdict, entry.kind) == (Verdict.CORRECTED, Kind.MISPRINT)
    assert verdicts(paper, overrides={"numbers": {"largest": 9}})["toy-thm1"].verdict == "differs"
    ledger = build_ledger([entry]).set_index("id")
    assert ledger.loc["toy-thm1", "found_high"] == 3
    assert ledger.loc["toy-thm1-three", "corrects"] == "toy-thm1"


@pytest.mark.parametrize(
    ("printed", "wanted", "kind"),
    [(3, 3, Kind.SLIP), (3, 2, Kind.FAILS)],
)
def test_a_slip_whose_result_fails_is_none(paper, printed, wanted, kind):
    @paper.states("Theorem 2")
    def thm2():
        """A number."""
        return bounded([printed], at_most=wanted)

    @paper.states("Proof of Theorem 2", aside="")
    def thm2_proof():
        """Another."""
        return bounded([1], at_most=0)

    @corrects(thm2_proof, Kind.SLIP, stands="Theorem 2", shown_by="thm2")
    def thm2_mended():
        """It is 1."""
        return bounded([1], at_most=1)

    found = verdicts(paper)
    assert found["toy-thm2-proof"].kind == kind
    assert words.describe_kind(found["toy-thm2-proof"]) == (
        "what stands: Theorem 2" if kind is Kind.SLIP else ""
    )


def test_a_reading_that_the_paper_excludes_is_an_aside(paper):
    @paper.states("Table 1", aside="its entries exclude it")
    def table1():
        """A number."""
        return bounded([2], at_most=1)

    [entry] = verdicts(paper).values()
    assert (entry.verdict, entry.kind) == (Verdict.DIFFERS, Kind.ASIDE)
    assert words.describe_kind(entry).endswith("that the paper excludes: its entries exclude it")


def test_a_statement_that_raises_is_an_error_of_its_own(paper):
    @paper.states("Theorem 1")
    def thm1():
        """Nothing."""
        raise RuntimeError("oh")

    @paper.states("Theorem 2")
    def thm2():
        """One."""
        return bounded([1], at_most=1)

    found = verdicts(paper)
    assert found["toy-thm1"].verdict is Verdict.ERROR
    assert found["toy-thm1"].tested.error == "RuntimeError: oh"
    assert found["toy-thm2"].verdict is Verdict.REPRODUCED


def test_intervals_of_a_paper_are_widened_together(paper):
    def states(name, estimate, low, high):
        def check():
            """An estimate."""
            return within([estimate], low, high)

        check.__name__ = name
        paper.states(name)(check)

    apart = Estimate(0.5, 0.4, 0.6)
    ends = widen_interval(0.5, 0.4, 0.6, compute_widening(3, 0.95))
    states("outside", apart, 0.9, 1)
    states("inside", apart, 0, 1)
    states("open", apart, 0.39, 1)  # the interval is inside by itself, the wide one is not
    assert ends[0] < 0.39 < 0.4
    found = {name: each.verdict for name, each in verdicts(paper).items()}
    assert found == {
        "toy-outside": "differs",
        "toy-inside": "reproduced",
        "toy-open": "inconclusive",
    }
    assert sum(each.chance for each in verdicts(paper).values()) == pytest.approx(0.05)


def test_statements_that_share_a_universe_run_together(paper):
    for name in ("one", "two", "three"):

        def check(*_):
            """Nothing."""

        check.__name__ = name
        paper.states(name, over=() if name == "two" else numbers)(check)
    groups = [[each.id for each in group] for group in group_statements(paper.statements)]
    assert groups == [["toy-one", "toy-three"], ["toy-two"]]


def test_names_are_unique_and_say_what_is_computed(paper):
    def check():
        """Something."""

    paper.states("Theorem 1")(check)
    with pytest.raises(ConfigError, match="another statement is called toy-check"):
        paper.states("Theorem 2")(check)
    with pytest.raises(ConfigError, match="say in a docstring"):
        paper.states("Theorem 3")(lambda: None)


def test_intervals_of_a_set_that_stands_in_are_a_family_of_their_own():
    """A stand-in widens no interval on the paper's data; what holds together is not widened."""
    sets = {
        "ours": {"paper": ["a.csv"], "stand_in": "another year", "sets": "homes"},
        "town": {"paper": [], "stand_in": "a town", "sets": "homes", "said": "in a town"},
    }
    paper = Paper("toy", "A toy", data=parse_data(sets))
    apart = Estimate(0.5, 0.4, 0.6)

    @paper.states("Figure 3", over=table_of_each("toy/games_{homes}"))
    def fig3(games):
        """Two estimates."""
        return within([apart] * games, 0, 1)

    @paper.states("Figure 4")
    def fig4():
        """One."""
        return within([apart], 0, 1)

    @paper.states("Figure 5")
    def fig5():
        """Two of twenty that hold together."""
        return within([apart] * 2, 0.4, 0.6, confidence=0.999, together=20, why="as read")

    run = Run(Sizes.SMOKE, 1)
    tested = {
        each.id: running.Tested(each.id, "", "", each.check(*([2] if each.data_set else [])))
        for each in paper.statements
    }
    tested["toy-fig3"] = run_statement(fig3, run)  # its table is not there
    chances = {each.statement.id: each.chance for each in judge(paper.statements, tested)}
    assert chances == {
        "toy-fig3": 0,
        "toy-fig3-town": pytest.approx(0.05),
        "toy-fig4": pytest.approx(0.05),
        "toy-fig5": pytest.approx(0.001 * 2 / 20),
    }
    entries = {each.statement.id: each for each in judge(paper.statements, tested)}
    assert entries["toy-fig5"].verdict is Verdict.REPRODUCED  # it is not widened
    assert entries["toy-fig3"].verdict is Verdict.NOT_TESTED
    assert [entries[name].stands_in for name in ("toy-fig3", "toy-fig3-town")] == [False, True]
    assert describe_data(entries["toy-fig3-town"]) == "stand-in: a town"
    assert describe_margin(tested["toy-fig5"].printed.within) == "0 (as read)"


def test_a_curve_may_rise_within_a_margin():
    margin = Margin(0.02, "sampling error")
    assert falls({1: 0.5, 2: 0.51, 3: 0.52}, strictly=False, within=margin).holds
    assert not falls({1: 0.5, 2: 0.51, 3: 0.521}, strictly=False, within=margin).holds
    assert falls({1: 0.5, 2: 0.4}, strictly=False, within=margin).within == margin


def test_each_printed_cell_has_a_row_and_its_verdict(paper):
    @paper.states("Table 1", "1 and 2")
    def table1():
        """Both cells."""
        printed = PrintedTable.parse(" 1 2\n1 1 2", rows="r", columns="c", decimals=0)
        return as_printed({(1, 1): 1, (1, 2): 4}, printed)

    ledger = build_ledger(verdicts(paper).values()).set_index("id")
    assert ledger["verdict"].to_dict() == {
        "toy-table1": "differs",
        "toy-table1-r1-c1": "reproduced",
        "toy-table1-r1-c2": "differs",
    }
    assert (ledger["cell_of"] == ["", "toy-table1", "toy-table1"]).all()
    assert json.loads(ledger.loc["toy-table1-r1-c2", "found"]) == [4]


def test_intervals_that_hold_together_are_judged_as_they_are(paper):
    close, wide = Estimate(0.5, 0.1, 0.9), Estimate(0.5, 0.4, 0.6)

    @paper.states("Fig. 1", "0")
    def fig1():
        """Some that hold together."""
        return within([close] * 2, 0, 0, confidence=0.99, together=8)

    @paper.states("Fig. 2", "0 to 1")
    def fig2():
        """Others that do not."""
        return within([wide], 0, 1)

    found = verdicts(paper)
    assert found["toy-fig1"].verdict == Verdict.DIFFERS
    assert found["toy-fig1"].chance == pytest.approx(0.01 * 2 / 8)
    assert found["toy-fig2"].chance == pytest.approx(0.05)


@pytest.mark.parametrize(
    ("interval", "printed", "margin", "verdict"),
    [
        ((4.2, 5.1), 5, 0.5, "reproduced"),
        ((4.2, 4.9), 5, 0.1, "reproduced"),  # the interval ends at the edge of what is near
        ((4.2, 4.89), 5, 0.1, "inconclusive"),  # the wide interval alone is near
        ((3.1, 3.5), 5, 0.5, "differs"),
    ],
)
def test_a_printed_number_lies_in_the_narrow_interval_or_near_it(
    paper, interval, printed, margin, verdict
):
    @paper.states("Section 1")
    def one():
        """A number, and another one that is certain."""
        estimates = [Estimate(sum(interval) / 2, *interval, "a"), Estimate(2, 2, 2, "b")]
        return hold(estimates, {"a": printed, "b": 2}, within=Margin(margin, "one digit"))

    entry = verdicts(paper)["toy-one"]
    assert entry.verdict == verdict
    assert entry.tested.printed.printed == (printed, 2)
    assert describe_wanted(entry.tested.printed) == f"a: {printed}; b: 2"


def test_one_printed_number_is_that_of_all_estimates(paper):
    found = hold([Estimate(1, 0.9, 1.1, "a"), Estimate(1, 1, 1.4, "b")], 1)
    assert found.printed == (1, 1)
    assert describe_wanted(found) == "1"
    with pytest.raises(MissingCellError, match="no estimate"):
        hold([], 1)
    with pytest.raises(MissingCellError, match="no estimate of b"):
        hold([Estimate(1, 0.9, 1.1, "a")], {"a": 1, "b": 1})


def test_what_may_be_garbled_in_the_copy_says_so(paper):
    @paper.states("Equation 1", transcribed=True)
    def eq1():
        """A number."""
        return bounded([2], at_most=1)

    @corrects(eq1, Kind.MISPRINT, "A sign.", right_at="Equation 2", right_words="x")
    def eq1_mended():
        """The other sign."""
        return bounded([1], at_most=1)

    [entry] = verdicts(paper).values()
    assert words.describe_kind(entry) == f"printed right in Equation 2; {words.TRANSCRIBED}"


def test_the_formulas_that_may_be_garbled_are_named():
    """Nine equations of `prrelation`, what is printed about some of them, and a footnote."""
    named = {each.id for each in load_sections("prrelation").statements if each.transcribed}
    equations = {f"prrelation-eq{n}" for n in (9, 18, 24, 26, 27, 28, 31, 32)}  # 10 with 9
    functions = {f"prrelation-eq{n}-function" for n in (26, 27, 30, 32)}
    others = {f"prrelation-{name}" for name in ("eq20-chain", "eq23-chain", "thm3-footnote")}
    assert named == equations | functions | others
