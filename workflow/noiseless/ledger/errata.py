"""Errata in words, and the evidence for each of them, for docs/errata.md and the results page."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from noiseless.errors import ConfigError
from noiseless.statements.registry import Correction, Kind, Statement
from noiseless.statements.verdicts import Verdict


@dataclass(frozen=True)
class FavourableCase:
    """Most favourable reading, premise or counter-example for a statement wrong as printed.

    Its kinds: ``reading``, the most favourable other reading, which fails, too; ``premise``, the
    one premise whose addition makes the statement true; ``counter_example``, where there is
    neither, how this meets every premise that the paper states; ``misprint``, where the paper
    itself prints the right form.
    """

    kind: str
    text: str


@dataclass(frozen=True)
class Erratum:
    """Erratum of a statement: what is wrong as printed, and what holds instead.

    ``same_as`` is the statement whose erratum lacks the same hypothesis or has the same slip, so
    that both count as one. ``slip`` says what a slip in a line of a proof does to what is proved
    there, or whose fault it is; it is empty where the statement itself fails.
    """

    wrong: str
    holds: str
    same_as: str = ""
    friendliest: FavourableCase | None = None
    slip: str = ""


def build_erratum(statement: Statement) -> Erratum | None:
    """Build the erratum of a statement from its corrections; None if it has none."""
    correction = _get_correction(statement)
    if correction is None:
        return None
    proof = f" (Proof: docs/proofs/{statement.paper.name}.md#{correction.proof}.)"
    return Erratum(
        wrong=end_sentence(correction.fails),
        holds=end_sentence(correction.holds_instead) + (proof if correction.proof else ""),
        same_as=correction.same_as.id if correction.same_as else "",
        friendliest=_find_favourable_case(statement),
        slip=_describe_slip(correction),
    )


def _get_correction(statement: Statement) -> Correction | None:
    """Return the correction that says what holds instead; None if there is none."""
    return next((each for each in statement.corrections if not each.reading), None)


def _find_favourable_case(statement: Statement) -> FavourableCase | None:
    """Find the most favourable case that was tried: one with a check of its own before others."""
    for each in statement.corrections:
        if each.reading:
            return FavourableCase("reading", each.reading)
    for each in reversed(statement.corrections):
        if each.premise:
            return FavourableCase("premise", each.premise)
        if each.true_if:
            return FavourableCase("reading", each.true_if)
        if each.tried:
            return FavourableCase("counter_example", each.tried)
        if each.right_at:
            return FavourableCase("misprint", f"the right form is printed at {each.right_at}")
        if each.main_clause:
            return FavourableCase("misprint", f"true all the same: {each.main_clause}")
        if each.same_as:
            return _find_favourable_case(each.same_as)
    return None


def _describe_slip(correction: Correction) -> str:
    """Describe what a slip leaves standing, or whose fault it is; "" for any other kind."""
    if correction.kind is Kind.ELSEWHERE and correction.same_as is not None:
        return f"the fault is that of {correction.same_as.where}"
    return correction.cause.stands if correction.kind is Kind.SLIP else ""


def select_errata(statements: Sequence[Statement]) -> list[Statement]:
    """Select the statements that have an erratum, in their order."""
    return [each for each in statements if _get_correction(each)]


def select_supported_errata(
    statements: Sequence[Statement], verdicts: Mapping[str, str]
) -> list[Statement]:
    """Select the statements whose erratum has the verdict ``corrected``, in their order.

    One that stands under an erratum without it is refused.
    """
    shown = [
        each for each in select_errata(statements) if verdicts.get(each.id) == Verdict.CORRECTED
    ]
    ids = {each.id for each in shown}
    for each in shown:
        erratum = build_erratum(each)
        if erratum and erratum.same_as and erratum.same_as not in ids:
            raise ConfigError(
                f"{each.check.__module__}: the erratum of `{each.id}` stands under that of "
                f"`{erratum.same_as}`, whose verdict is not `{Verdict.CORRECTED}`. Give it its own."
            )
    return shown


@dataclass(frozen=True)
class ErratumRow:
    """A statement that was corrected, with its row of the ledger and the correction that holds."""

    statement: Statement
    row: Mapping[str, str]

    @property
    def correction(self) -> Correction:
        """What holds in place of the words."""
        correction = _get_correction(self.statement)
        assert correction is not None
        return correction

    @property
    def kind(self) -> Kind:
        """What is wrong, as it was judged."""
        return Kind(self.row["kind"])


@dataclass(frozen=True)
class ErrataEntry:
    """One entry of the errata: one thing that is wrong, in all statements that it makes wrong.

    The first row says what the others have no words of their own for.
    """

    rows: tuple[ErratumRow, ...]

    @property
    def lead(self) -> ErratumRow:
        """The row that names the entry: the first with words of its own."""
        return next((each for each in self.rows if not each.correction.same_as), self.rows[0])

    @property
    def kind(self) -> Kind:
        """What is wrong: the gravest of its rows."""
        return min((each.kind for each in self.rows), key=list(Kind).index)

    @property
    def is_in_table(self) -> bool:
        """Whether it is a line of the table of misprints and slips."""
        return self.kind in _IN_TABLE

    @property
    def heading(self) -> str:
        """The paper and the places, each once; parts of one place as the place."""
        places = dict.fromkeys(each.statement.where for each in self.rows)
        wholes = Counter(place.partition(",")[0] for place in places)
        places = dict.fromkeys(
            whole if wholes[whole := place.partition(",")[0]] > 1 else place for place in places
        )
        more = len(places) - _MAX_PLACES
        listed = "; ".join(list(places)[:_MAX_PLACES]) + (f" and {more} more" if more > 0 else "")
        return f"{self.lead.statement.paper.name}: {listed}"

    @property
    def anchor(self) -> str:
        """The anchor of its heading, or of that of the table."""
        return build_anchor(IN_TABLE if self.is_in_table else self.heading, Counter())


IN_TABLE = "Misprints and slips"
"""The heading of the table of entries of which the result, or the right form, stands."""
_IN_TABLE = (Kind.MISPRINT, Kind.SLIP, Kind.ASIDE)
_MAX_PLACES = 3  # that a heading names


def group_errata(
    statements: Sequence[Statement], ledger: Mapping[str, Mapping[str, str]]
) -> list[ErrataEntry]:
    """Group the statements that were corrected into entries, in the order of the first ones.

    Readings and parts of one statement are one entry, and so are statements whose corrections have
    one cause; a misprint or slip stands apart from what fails.
    """
    rows = [
        ErratumRow(each, ledger[each.id])
        for each in select_supported_errata(
            statements, {name: row["verdict"] for name, row in ledger.items()}
        )
    ]
    by_id = {each.statement.id: each for each in rows}
    entries: list[list[ErratumRow]] = []
    for row in rows:
        keys = _list_keys(row, by_id)
        joined = [one for one in entries if any(keys & _list_keys(each, by_id) for each in one)]
        entries = [one for one in entries if one not in joined]
        entries.append([*(each for one in joined for each in one), row])
    order = {each.statement.id: place for place, each in enumerate(rows)}
    sorted_rows = [sorted(one, key=lambda each: order[each.statement.id]) for one in entries]
    sorted_rows.sort(key=lambda one: order[one[0].statement.id])
    return [ErrataEntry(tuple(each)) for each in sorted_rows]


def _list_keys(row: ErratumRow, by_id: Mapping[str, ErratumRow]) -> set[tuple[str, bool]]:
    """List what makes a row one entry with another: the statement, and the cause."""
    cause, is_in_table = row, row.kind in _IN_TABLE
    while cause.correction.same_as is not None:
        cause = by_id[cause.correction.same_as.id]
    if row.kind is Kind.ELSEWHERE:
        is_in_table = cause.kind in _IN_TABLE
    return {(row.statement.group, is_in_table), (f"cause {cause.statement.id}", is_in_table)}


def build_anchor(heading: str, used: Counter[str]) -> str:
    """Build the anchor of a heading of a Markdown page, as git hosts and the site do.

    ``used`` counts the headings with each anchor, and this one: the second ``section-4`` is
    ``section-4-1``.
    """
    anchor = re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-")
    used[anchor] += 1
    return anchor if used[anchor] == 1 else f"{anchor}-{used[anchor] - 1}"


_SYMBOLS = frozenset(
    {"alpha", "beta", "gamma", "delta", "epsilon", "eps", "theta", "lambda", "mu", "nu", "rho"}
    | {"sigma", "psi", "phi", "log", "exp", "sup", "inf", "ess", "argmin", "argmax", "min", "max"}
    | {"sqrt", "floor", "ceil"}
)


def end_sentence(text: str) -> str:
    """Return a text with a capital letter and a full stop, unless it ends in a mark."""
    word = re.match(r"([a-z]+)[ ,]", text)
    if word and word[1] not in _SYMBOLS and (len(word[1]) > 1 or word[1] == "a"):
        text = f"{text[0].upper()}{text[1:]}"
    return text if text.endswith((".", "!", "?", ".)")) else f"{text}."
