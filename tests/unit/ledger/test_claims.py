"""Claims files: what they hold, bad ones, and those of the project."""

import pytest

from noiseless.errors import ConfigError
from noiseless.ledger.bridge import load_all_claims
from noiseless.ledger.claims import Tolerance, load_claims
from toy_claims import FAILS, PASSES, claims_file, entry, erratum


def with_erratum(**more):
    """The erratum of a claim, with more keys."""
    return {"erratum": {**erratum(PASSES), **more}}


def test_claims_are_read_in_order(tmp_path):
    claims_file(tmp_path, entry(PASSES), entry(FAILS, id="toy-2", figure="toy/f"))
    folder = claims_file(tmp_path, entry(PASSES, id="bar-1"), paper="bar")
    claims = load_claims(folder)
    assert [claim.id for claim in claims] == ["bar-1", "toy-1", "toy-2"]
    assert claims[0].title == "Doe, A bar paper"
    assert claims[2].figure == "toy/f"
    assert claims[2].check.tolerance == Tolerance(absolute=0.01, why="exact")


def test_a_paper_says_once_what_it_presumes_and_what_may_be_anything(tmp_path):
    presumes, sizes = {"toy.k": 1, "toy.box.side_cm": [0, 2]}, ["toy.n"]
    folder = claims_file(
        tmp_path, entry(PASSES), entry(FAILS, id="toy-2"), presumes=presumes, sizes=sizes
    )
    for claim in load_claims(folder):
        assert claim.presumes == presumes
        assert claim.sizes == {"toy.n", "seed", "half"}
    with pytest.raises(ConfigError, match=r"toy/claims.yaml: unknown key `presume`"):
        load_claims(claims_file(tmp_path, entry(PASSES), presume=presumes))


def test_wrapped_text_becomes_one_line(tmp_path):
    claims = load_claims(claims_file(tmp_path, entry(PASSES, claim="It is\n  so.\n")))
    assert claims[0].claim == "It is so."


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"locater": "Fig. 1"}, "unknown key `claims.0.locater`. Did you mean `locator`?"),
        ({"needs": "ausgrid"}, '`claims.0.needs` is "ausgrid"'),
        ({"id": "Toy 1"}, "claims.0.id"),
        ({"id": "other-1"}, "must begin with the paper's key, `toy`"),
        ({"figure": "f.png"}, "claims.0.figure"),
        ({"category": "theirs"}, "it must be one of paper, own"),
        ({"needs": ["london"]}, "`data` of this file does not say which files of london"),
        ({"erratum": {"wrong": "w", "holds": "h"}}, "`claims.0.erratum.check` is missing"),
        (
            {"quote": "It [...] so.", "cut": ["is", "not"]},
            "`cut` has 2 texts, but the quote 1 times",
        ),
        ({"cut": ["is"]}, "`cut` has 1 texts, but the quote 0 times"),
        (
            with_erratum(friendliest={}),
            "exactly one of reading, premise, counter_example; this one",
        ),
        (with_erratum(friendliest={"reading": "r", "premise": "p"}), "has reading, premise"),
        (with_erratum(friendliest={"reading": "r"}), "needs a `check`: the number by which"),
        (
            {**with_erratum(friendliest={"reading": "so  it is"}), "reading": "so it is"},
            "is the claim's own. Name another one",
        ),
        (
            with_erratum(friendliest={"premise": "p"}, slip="s"),
            "`slip`, which is for a line of a proof, does not go with `friendliest`",
        ),
    ],
)
def test_a_claim_with_a_wrong_field_is_one_error_with_its_name(tmp_path, change, says):
    claim = {**entry(PASSES), **change}
    with pytest.raises(ConfigError) as error:
        load_claims(claims_file(tmp_path, claim))
    assert says in str(error.value)
    assert "toy/claims.yaml" in str(error.value)
    assert f"claim `{claim['id']}`" in str(error.value)


def test_a_claim_without_id_is_an_error(tmp_path):
    claim = entry(PASSES)
    del claim["id"]
    with pytest.raises(ConfigError, match=r"`claims.0.id` is missing.*claim `without id`"):
        load_claims(claims_file(tmp_path, claim))


@pytest.mark.parametrize(
    ("check", "says"),
    [
        ("{where: {n: 4}}", "this one has none"),
        ("{at_most: 1, at_least: 0}", "this one has at_most, at_least"),
        ("{equals: 1}", "`equals` needs a `tolerance`"),
        ("{equals: 1, tolerance: {absolute: 1}}", "check.tolerance.why` is missing"),
        ("{equals: 1, tolerance: {why: w}}", "one of `absolute` and `relative`"),
        ("{equals: 1, tolerance: {absolute: 1, relative: 0.1, why: w}}", "not both"),
        ("{equals: 1, tolerance: {absolute: -1, why: w}}", "at least 0"),
        ("{equals: 1, tolerance: {absolute: .inf, why: w}}", "must be finite"),
        ("{equals: 1, tolerance: {absolute: .nan, why: w}}", "must be finite"),
        ("{equals: 1, tolerance: {relative: 1, why: w}}", "smaller than 1"),
        ("{equals: 1, tolerance: {absolute: 1e-5, why: w}}", "write 1.0e-5"),
        ("{equals: .nan, tolerance: {absolute: 1, why: w}}", "NaN"),
        ("{equals: {1: 2}, tolerance: {absolute: 1, why: w}}", "name their column in `by`"),
        ("{equals: 1, by: n, tolerance: {absolute: 1, why: w}}", "`by` does not go with"),
        (
            "{equals: {1: 2}, by: n, reduce: all, tolerance: {absolute: 1, why: w}}",
            "`reduce` does not go with",
        ),
        ("{equals: {}, by: n, tolerance: {absolute: 1, why: w}}", "claims.0.check.equals"),
        ("{between: [2, 1]}", "the first number must be the smaller"),
        ("{between: [1]}", "at least 2 items"),
        ("{at_most: '3'}", 'is "3", but it must be of type number'),
        ("{reduce: median, at_most: 3}", "value, all, max, min, sum, mean, count"),
        ("{reduce: max, at_most: 3, interval: true}", "`interval` does not go with `reduce: max`"),
        ("{increasing: {along: eps}, reduce: max}", "`reduce` does not go with this `increasing`"),
        ("{increasing: {along: eps}, interval: true}", "`interval` does not go with"),
        ("{increasing: {along: eps}, tolerance: {absolute: 1, why: w}}", "say `nondecreasing`"),
        ("{decreasing: {along: eps}, tolerance: {absolute: 1, why: w}}", "say `nonincreasing`"),
        ("{nondecreasing: {along: eps}, tolerance: {relative: 0.1, why: w}}", "must be `absolute`"),
        ("{increasing: {by: eps}}", "claims.0.check.increasing"),
        ("{where: {n: []}, at_most: 1}", "at least 1 items"),
        ("{where: {n: {a: 1}}, at_most: 1}", "claims.0.check.where.n"),
        ("{reduce: all, at_most: 1, interval: {confidence: 0.9}}", "interval.together` is missing"),
        ("{reduce: all, at_most: 1, interval: {confidence: 1, together: true}}", "smaller than 1"),
        ("{where: {n: 4}, at_most: 1, demands: {cases: 1}}", "name this one in `where`"),
        ("{where: {statistic: s}, at_most: 1, demands: {}}", "claims.0.check.demands"),
        ("{where: {n: 4}, at_most: 1, demands_each: {a: {cases: 1}}}", "name this one in `where`"),
        (
            "{where: {statistic: s, statement: [b]}, at_most: 1, demands_each: {a: {cases: 1}}}",
            "names the statement `a`, which the check does not select",
        ),
        ("{tabel: toy/t, at_most: 1}", "Did you mean `table`?"),
        ("{table: t, at_most: 1}", "claims.0.check.table"),
    ],
)
def test_a_check_that_makes_no_sense_is_one_error_with_its_claim(tmp_path, check, says):
    with pytest.raises(ConfigError) as error:
        load_claims(claims_file(tmp_path, entry(check)))
    assert says in str(error.value)
    assert "toy/claims.yaml" in str(error.value)
    assert "claim `toy-1`" in str(error.value)


def test_files_of_claims_that_contradict_each_other_are_refused(tmp_path):
    with pytest.raises(ConfigError, match="no claims file"):
        load_claims(tmp_path)
    with pytest.raises(ConfigError, match="the id `toy-1` is taken"):
        load_claims(claims_file(tmp_path, entry(PASSES), entry(FAILS)))
    folder = claims_file(tmp_path, entry(PASSES))
    (folder / "toy").rename(folder / "other")
    with pytest.raises(ConfigError, match="`paper` is `toy`, but the folder's name says `other`"):
        load_claims(folder)
    (folder / "other/claims.yaml").write_text("paper: other\nclaims: []\n", "utf-8")
    with pytest.raises(ConfigError, match=r"other/claims\.yaml"):
        load_claims(folder)
    (folder / "other/claims.yaml").write_text("", "utf-8")
    with pytest.raises(ConfigError, match=r"other/claims\.yaml"):
        load_claims(folder)


@pytest.mark.parametrize(
    ("others", "lacks"),
    [
        ([("a", 4), ("a", 8), ("b", 4)], "on n 8 in another reading, but not in the reading `b`"),
        ([("a", 4), ("a", 8), ("b", 4), ("b", 8)], ""),
        ([("a", 4), ("a", 8), ("b", [4, 8])], ""),
        ([("", 4), ("a", 8), ("b", 4)], "on n 8 in another reading, but not in the reading `b`"),
        ([("", 4), ("a", 8), ("b", 8)], ""),
        ([("a", 4), ("b", 8)], ""),  # a reading may look at other rows, if each looks at one
        ([("a", 4), ("a", 8)], ""),
    ],
)
def test_readings_on_other_cells_are_refused(tmp_path, others, lacks):
    rows = [
        entry(
            f"{{where: {{n: {n}}}, reduce: all, at_most: 1}}",
            id=f"toy-{k}",
            statement="toy-s",
            **({"reading": reading} if reading else {}),
        )
        for k, (reading, n) in enumerate(others)
    ]
    folder = claims_file(tmp_path, *rows)
    if not lacks:
        assert len(load_claims(folder)) == len(others)
        return
    with pytest.raises(ConfigError) as error:
        load_claims(folder)
    assert "the statement `toy-s` is judged " + lacks in str(error.value)


def test_a_stand_in_is_apart_from_the_papers_data(tmp_path):
    check = "{{where: {{n: {}}}, reduce: all, at_most: 1}}".format
    same = {"statement": "toy-s", "reading": "a"}
    rows = [
        entry(check(4), id="toy-1", **same),
        entry(check(8), id="toy-2", **same),
        entry(check(4), id="toy-3", needs=["ausgrid"], **same),
        entry(check(4), id="toy-4", needs=["ausgrid"], **{**same, "reading": "b"}),
    ]
    assert len(load_claims(claims_file(tmp_path, *rows))) == 4


@pytest.fixture(scope="module")
def claims(root):
    return load_all_claims(root / "workflow/noiseless/papers")


def test_every_correction_and_every_experiments_claim_quotes_the_paper(claims):
    figures = ("noiseless-fig3-", "noiseless-fig4-", "noiseless-fig6-")
    for claim in claims:
        if claim.category == "paper" and (claim.erratum or claim.id.startswith(figures)):
            assert claim.quote, claim.id


def test_every_enumeration_demands_cases_that_could_have_failed(claims):
    for claim in claims:
        for check in claim.checks:
            if check.where.get("statistic") == ("violations",) and check.relation.high == 0:
                assert check.demands.get("cases", 0) > 0, claim.id


def test_readings_have_a_place_of_their_own(claims):
    """Claims of one locator that are readings of it are told apart by their readings."""
    readings = [(each.paper, each.locator, each.reading, each.claim) for each in claims]
    assert len(set(readings)) == len(claims)


def row_of_sets(**more):
    base = entry(PASSES, needs=["{homes}"], homes=["ausgrid", "redd"], figure="toy/f_{homes}")
    return base | more


SAID = {
    "ausgrid": {"paper": ["all.csv"], "stand_in": "other homes"},
    "redd": {"paper": [], "stand_in": "another home", "said": "on a home"},
}


def test_a_row_that_lists_sets_of_homes_is_a_claim_on_each(tmp_path):
    check = entry("{table: 'toy/t_{homes}', where: {range_kwh: '{public_range_kwh}'}, at_most: 1}")
    presumes = {"homes.ausgrid.public_range_kwh": 180, "homes.redd.public_range_kwh": 9}
    row = row_of_sets(check=check["check"])
    theirs, other = load_claims(claims_file(tmp_path, row, data=SAID, presumes=presumes))
    assert (theirs.id, theirs.locator, theirs.stand_in) == ("toy-1", "Fig. 1", "")
    assert theirs.statement == other.statement == "toy-1"  # one statement on both sets
    assert (other.id, other.locator, other.stand_in) == ("toy-1-redd", "Fig. 1, on a home", "redd")
    for claim, homes, range_kwh in ((theirs, "ausgrid", 180), (other, "redd", 9)):
        assert (claim.data_set, claim.needs, claim.figure) == (homes, (homes,), f"toy/f_{homes}")
        assert (claim.check.table, claim.check.where["range_kwh"]) == (
            f"toy/t_{homes}",
            (range_kwh,),
        )
    assert theirs.family != other.family


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"homes": []}, "must have at least 1 items"),
        ({"homes": ["ausgrid", "ausgrid"]}, "must differ from each other"),
        ({"homes": ["Ausgrid"]}, "homes.0"),
        ({"needs": []}, 'it lists `homes`, but its `needs` lack "{homes}"'),
        ({"homes": ["london"]}, "`data` of this file does not say which files of london"),
    ],
)
def test_a_wrong_row_of_sets_is_one_error(tmp_path, change, says):
    with pytest.raises(ConfigError) as error:
        load_claims(claims_file(tmp_path, row_of_sets(**change), data=SAID))
    assert says in str(error.value)


def test_a_set_needs_what_its_claims_say_of_it_and_a_row_its_sets(tmp_path):
    silent = {**SAID, "redd": {"paper": [], "stand_in": "another home"}}
    with pytest.raises(ConfigError, match=r"claim `toy-1`: `data.redd` lacks `said`"):
        load_claims(claims_file(tmp_path, row_of_sets(), data=silent))
    row = row_of_sets()
    del row["homes"]
    with pytest.raises(ConfigError, match=r"\{homes\} stands in it, but it lists no `homes`"):
        load_claims(claims_file(tmp_path, row, data=SAID))
