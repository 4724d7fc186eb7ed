"""What the experiments say of a dataset of the user's: an answer, a table, and a page with both.

The ledger holds what the papers claim; here nothing is claimed, so there is no verdict.  The page
begins with the answer (:mod:`noiseless.custodian.answers`).  Each row of the table is a statement
in plain words with the number that came out.  Adversaries are estimated from games and have an
interval; trips and people are counted, and have none.
"""

import base64
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from noiseless.adversaries import membership
from noiseless.adversaries.labels import labels_of, without_controls
from noiseless.custodian.answers import meters_answer
from noiseless.custodian.people import people_answer
from noiseless.custodian.trips import NO_TIME, trips_answer
from noiseless.custodian.words import Answer, plain
from noiseless.figures.captions import caption_html
from noiseless.figures.labels import in_order, label
from noiseless.files import complete_file
from noiseless.mechanisms.families import mechanism_labels
from noiseless.mechanisms.interface import Identity
from noiseless.mechanisms.policies import policy_labels
from noiseless.papers.nsht.quantities import Quantities
from noiseless.statistics import NOTHING
from noiseless.tables import Provenance, derive_provenance, read_table, write_table

COLUMNS = ("dataset", "statement", "observed", "low", "high", "over", "number", "of")
# Title and meaning of a page, by the kind of the dataset.
KINDS = {
    "meters": (
        "Who is in the aggregate?",
        "Of two homes, whose days the adversary knows, one is in the mean of n homes that is "
        "published. The advantage is what telling which one gains: 0 is a coin toss, 1 certainty.",
    ),
    "trips": (
        "How many trips are like no other?",
        "Each end is told to a cell of a grid. An adversary who knows roughly where a "
        "unique trip began and ended can tell it from all others.",
    ),
    "people": (
        "Who stands alone?",
        "An adversary who knows some columns of a person looks for the rows that fit. If there is "
        "one, it is that person's, and the rest of the row is known.",
    ),
}

_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five"}
_DAY_S = 86400
_SIDES_M = (10_000, 1_000, 100)
_BOTH = "start and end"
# The hour is the finest time that is looked at.
_WITH_HOUR = "start and end, hour"

Tables = Mapping[str, pd.DataFrame]
Row = dict[str, Any]


def summary_table(
    tables: Tables,
    *,
    dataset: str,
    kind: str,
    almost_zero: float,
    aims: Mapping[str, float],
    quantities: Mapping[str, str] | None = None,
) -> pd.DataFrame:
    """The summary of a dataset.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        Tables below ``results/tables/own/<dataset>``, by name.
    dataset : str
        Its name.
    kind : str
        ``meters``, ``trips`` or ``people``.
    almost_zero : float
        Absolute advantage that counts as almost zero.
    aims : mapping
        ``gain`` and ``largest_error_share`` of ``beyond.recommendation``.
    quantities : mapping or None
        Fields of :class:`~noiseless.papers.nsht.quantities.Quantities`; None of other kinds than
        people.

    Returns
    -------
    DataFrame
        ``dataset``; ``statement``; ``observed``; ``low`` and ``high``, the 95 % interval of an
        estimate (of that number alone, as if it had not been chosen among others; NaN of a count),
        and ``over``, what it runs over;
        ``number`` and ``of``: of how many games, homes, trips or people; NaN of a guarantee.

    Raises
    ------
    ValueError
        If there is no such kind.
    """
    match kind:
        case "meters":
            rows = _meters(tables, almost_zero, aims)
        case "trips":
            rows = _trips(tables)
        case "people":
            rows = _people(tables, Quantities(**quantities) if quantities else None)
        case _:
            raise ValueError(f"no kind of dataset: {kind!r}")
    return pd.DataFrame(rows).assign(dataset=dataset)[list(COLUMNS)]


def answer_of(
    tables: Tables,
    *,
    kind: str,
    aims: Mapping[str, float],
    quantities: Mapping[str, str] | None = None,
    publish_time: str = NO_TIME,
) -> Answer:
    """What the user is told to publish; parameters as for :func:`summary_table`.

    ``publish_time`` is what is told of the time of trips, see
    :func:`noiseless.custodian.trips.trips_answer`.

    Raises
    ------
    ValueError
        If there is no such kind.
    """
    match kind:
        case "meters":
            return meters_answer(tables, **aims)
        case "trips":
            return trips_answer(tables, publish_time)
        case "people":
            return people_answer(tables, Quantities(**quantities) if quantities else None)
        case _:
            raise ValueError(f"no kind of dataset: {kind!r}")


def summary_page(
    answer: Answer,
    summary: pd.DataFrame,
    figures: Sequence[tuple[Path, str]],
    *,
    dataset: str,
    kind: str,
    provenance: Provenance,
) -> str:
    """The summary as one self-contained HTML page.

    Parameters
    ----------
    answer : Answer
        From :func:`answer_of`.
    summary : DataFrame
        From :func:`summary_table`.
    figures : sequence of (path, str)
        PNG files with their captions, in reStructuredText.
    dataset, kind
        See :func:`summary_table`.
    provenance : Provenance
        The provenance of the summary; its short form stands at the foot.
    """
    title, meaning = KINDS[kind]
    drawn = [
        {"image": base64.b64encode(image.read_bytes()).decode(), "caption": caption_html(caption)}
        for image, caption in figures
    ]
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["shown"] = plain
    return environment.get_template("summary.html.j2").render(
        dataset=dataset,
        title=title,
        meaning=meaning,
        answer=answer,
        rows=summary.to_dict("records"),
        figures=drawn,
        foot=provenance.short(),
    )


def write_summary(
    tables: Mapping[str, str | Path],
    figures: Sequence[tuple[Path, str]],
    folder: Path,
    *,
    dataset: str,
    kind: str,
    almost_zero: float,
    asked: Mapping[str, Any],
    code: str,
) -> tuple[Answer, Provenance]:
    """Write the summary of a dataset: Parquet, its CSV twin, and the HTML page.

    Parameters
    ----------
    tables : mapping of str to path
        Parquet files below ``results/tables/own/<dataset>``, by name.
    figures
        See :func:`summary_page`.
    folder : path
        Where ``summary.parquet``, ``summary.csv`` and ``summary.html`` go.
    dataset, kind, almost_zero
        See :func:`summary_table`.
    asked : mapping
        The other arguments of :func:`answer_of`.
    code : str
        :func:`noiseless.pipeline.code.source_digest` of this module.

    Returns
    -------
    Answer, Provenance
        What the page says, and what it is made from.
    """
    read = {name: read_table(path) for name, path in tables.items()}
    named = {"dataset": dataset, "kind": kind}
    settings = {**named, "almost_zero": almost_zero, **asked}
    provenance = derive_provenance(settings, code, inputs=[each for _, each in read.values()])
    found = {name: each for name, (each, _) in read.items()}
    aims, quantities = asked["aims"], asked["quantities"]
    table = summary_table(found, **named, almost_zero=almost_zero, aims=aims, quantities=quantities)
    write_table(table, folder / "summary.parquet", provenance)
    answer = answer_of(found, kind=kind, **asked)
    html = summary_page(answer, table, figures, **named, provenance=provenance)
    with complete_file(folder / "summary.html") as partial:
        partial.write_text(html, encoding="utf-8")
    return answer, provenance


def _row(
    statement: str,
    observed: float,
    number: float = np.nan,
    of: str = "",
    *,
    of_interval: pd.Series | None = None,
) -> Row:
    """A row of the table; ``of_interval`` has the ends of an estimate, and what they run over."""
    ends = {"low": np.nan, "high": np.nan, "over": NOTHING}
    if of_interval is not None:
        ends = of_interval[["low", "high", "over"]].to_dict()
    # Ten digits: the others are noise of the arithmetic.
    number, observed = float(number), float(f"{observed:.10g}")
    return {"statement": statement, "observed": observed, **ends, "number": number, "of": of}


def _facts(table: pd.DataFrame, **where: object) -> pd.Series:
    """Values by statistic, of one cell of a tidy table."""
    for column, value in where.items():
        table = table[table[column] == value]
    return table.set_index("statistic")["value"]


# --- Meters -----------------------------------------------------------------------------------


def _meters(tables: Tables, almost_zero: float, aims: Mapping[str, float]) -> Iterator[Row]:
    taken = _facts(tables["taken"])
    yield _row(
        f"Homes with all readings (days: {taken['days']:g}), {_every(taken['interval_s'])}; "
        "the others are excluded.",
        taken["homes"],
        taken["homes_in_file"],
        "homes in the file",
    )
    table = tables["membership"]
    advantage = table[table["statistic"] == "advantage"]
    adversaries = without_controls(advantage["adversary"].unique())
    several = _NUMBERS.get(len(adversaries), str(len(adversaries)))
    simple = advantage[advantage["adversary"].isin(adversaries)]
    # For each n and budget the row with the largest absolute advantage.
    largest_first = simple.sort_values(
        "value", key=lambda values: -values.abs(), kind="stable"
    ).drop_duplicates(["n", "epsilon_bits"])
    strongest = largest_first.sort_values(["n", "epsilon_bits"])
    for _, cell in strongest[~np.isfinite(strongest["epsilon_bits"])].iterrows():
        yield _advantage_row(
            f"The mean of {cell['n']:g} homes is released as it is: advantage of the "
            f"strongest of {several} simple adversaries ({_who(cell)}).",
            cell,
            table,
        )
    for words, cell in (
        ("Smallest", strongest.loc[strongest["value"].abs().idxmin()]),
        ("Largest", strongest.loc[strongest["value"].abs().idxmax()]),
    ):
        yield _advantage_row(
            f"{words} advantage of the strongest of the {several}: {_setting(cell)} "
            f"({_who(cell)}).",
            cell,
            table,
        )
    harmless = simple[["low", "high"]].abs().max(axis=1) <= almost_zero
    cells = harmless.groupby([simple["n"], simple["epsilon_bits"]]).all()
    yield _row(
        f"Pairs of n and budget in which no advantage of the {several} is beyond "
        f"{almost_zero:g}, not even at the far end of its interval.",
        cells.sum(),
        len(cells),
        "pairs",
    )
    control = advantage[advantage["adversary"] == "control"]
    yield _advantage_row(
        "A check: the largest advantage of a control that sees no output, and can only be lucky.",
        control.loc[control["value"].abs().idxmax()],
        table,
    )
    yield from _recommendation(tables, aims)


def _every(interval_s: float) -> str:
    """How often there is a reading."""
    if interval_s == _DAY_S:
        return "one a day"
    if interval_s % _DAY_S == 0:
        return f"one every {interval_s / _DAY_S:g} days"
    return f"one every {interval_s / 60:g} minutes"


def _who(cell: pd.Series) -> str:
    return label(labels_of(membership), cell["adversary"])


def _recommendation(tables: Tables, aims: Mapping[str, float]) -> Iterator[Row]:
    """What is recommended, or the safest useful release, with what was counted."""
    facts = _facts(tables["recommendation_facts"])
    tried = tables["recommendation_frontier"]
    constant = tried.loc[tried["statistic"] == "constant_share", "value"]
    gains = tried.loc[tried["statistic"] == "gain_all", "high"]
    yield _row(
        "Releases (homes, rounding, period) that were tried and are mostly the same number "
        "every time.",
        (constant > 0.5).sum(),
        len(constant),
        "releases",
    )
    chosen = tried[(tried["statistic"] == "chosen") & (tried["value"] == 1)]
    yield _row(
        "Releases that are certain, for as many other homes, to leave the best adversary at "
        f"most {50 + 50 * aims['gain']:.0f} of 100 games.",
        (gains <= aims["gain"]).sum(),
        len(gains),
        "releases",
    )
    release = ["n", "rounding_kwh", "days_per_value"]
    for cell in chosen.itertuples(index=False):
        here = tried.merge(chosen[release]).set_index("statistic")
        name = (
            f"{cell.n:g} homes, rounded to {cell.rounding_kwh:g} kWh, {cell.days_per_value:g} days "
            "a value"
        )
        for statistic, words in (
            ("gain_all", "advantage of the best adversary who sees all values"),
            (
                "insider_all",
                "advantage of an adversary who knows every other home and sees all values",
            ),
            ("error_share", "error of a published mean, as a share of it"),
        ):
            found, says = here.loc[statistic], f"Recommended, {name}: {words}."
            yield _row(says, found["value"], facts["homes"], "homes", of_interval=found)
    others = tables["recommendation_mechanisms"]
    labels = {Identity.name: Identity.label, **mechanism_labels()}
    for other in others[others["statistic"] == "gain_all"].itertuples(index=False):
        words = (
            f"At the same error, means of {other.n:g} homes, {other.days_per_value:g} days a "
            f"value, by {label(labels, other.mechanism)}: advantage of the best adversary who sees "
            "all values."
        )
        yield _row(words, other.value, facts["homes"], "homes")


def _setting(cell: pd.Series) -> str:
    exact = not np.isfinite(cell["epsilon_bits"])
    return f"n = {cell['n']:g}, " + (
        "exact mean" if exact else f"ε = {cell['epsilon_bits']:g} bits"
    )


def _advantage_row(statement: str, cell: pd.Series, table: pd.DataFrame) -> Row:
    where = {key: cell[key] for key in ("adversary", "n", "epsilon_bits")}
    games = _facts(table, **where)["games"]
    return _row(statement, cell["value"], games, "games", of_interval=cell)


# --- Trips ------------------------------------------------------------------------------------


def _trips(tables: Tables) -> Iterator[Row]:
    taken = _facts(tables["taken"])
    reasons = [
        f"{value:,.0f} {name}" for name, value in taken.drop(["rows", "used"]).items() if value > 0
    ]
    why = f" ({', '.join(reasons)} excluded)" if reasons else ""
    yield _row(f"Trips with both ends in the box{why}.", taken["used"], taken["rows"], "rows")
    known = tables["trips_unique"]
    cells = tables["trips_budget"].pivot(index="epsilon_bits", columns="statistic", values="value")
    cells = cells[["cell_height_m", "cell_width_m"]]
    small = [cells[cells.max(axis=1) <= side].head(1) for side in _SIDES_M]
    for epsilon_bits, height, width in pd.concat(small).drop_duplicates().itertuples():
        size = f"{height:,.0f} m by {width:,.0f} m"
        for name, words in ((_BOTH, ""), (_WITH_HOUR, ", and the hour of the start")):
            found = _facts(known, known=name, epsilon_bits=epsilon_bits)
            if found.empty:
                continue
            yield _row(
                f"Share of trips that are unique when each end is told to a cell of {size} "
                f"(ε = {epsilon_bits:g} bits a place){words}.",
                found["portion_below_2"],
                found["trips"],
                "trips",
            )
    half = _facts(tables["trips_unique_half"], known=_BOTH, trips=taken["used"])
    yield _row(
        "Budget of a place, in bits, at which half of the trips are unique"
        + (" (not reached)." if half.empty else f" (cells {half['cell_height_m']:,.0f} m high)."),
        half.get("epsilon_bits", np.nan),
        taken["used"],
        "trips",
    )


# --- People -----------------------------------------------------------------------------------


def _people(tables: Tables, names: Quantities | None) -> Iterator[Row]:
    taken = _facts(tables["taken"])
    people = taken["people"]
    yield _row("People with any value.", people, taken["people_in_file"], "rows")
    risk = tables["people_risk"]
    for known, found in risk[risk["statistic"] == "unique_share"].groupby("known", sort=False):
        words = f"Share of people who stand alone, by {known}."
        yield _row(words, found["value"].iloc[0], people, "people")
    for k, found in tables["people_release"].groupby("k"):
        here, words = _facts(found), _coarsened(k)
        yield _row(f"{words}: smallest number of people alike.", here["smallest_class"])
        yield _row(f"{words}: people left out.", here["excluded"], people, "people")
        yield _row(f"{words}: mean share that is kept of a column.", here["kept"])
    for (k, column), found in tables["people_secrets"].groupby(["k", "column"], sort=False):
        named = f"share of people of whom those alike have one answer to {column}."
        yield _row(f"{_coarsened(k)}: {named}", _facts(found)["told_share"])
    if names:
        yield from _blurred(tables, names)


def _coarsened(k: float) -> str:
    return "The file as it is" if k == 1 else f"Coarsened so that {k:g} are alike"


def _blurred(tables: Tables, names: Quantities) -> Iterator[Row]:
    moved = names.plain(tables["blurring_people"])
    histogram = names.plain(tables["blurring_histogram"])
    budget = names.plain(tables["blurring_budget"])
    people, above = (_facts(moved)[name].iloc[0] for name in ("people", "above"))
    yield _row(
        f"People who have both {names.x1} and {names.x2}.",
        people,
        _facts(tables["taken"])["people"],
        "people",
    )
    yield _row(f"Of them, {names.above}.", above, people, "people")
    rhos = sorted(histogram.loc[np.isfinite(histogram["rho"]), "rho"].unique())[::-1]
    for rho in rhos:
        change = f"{names.x1} is changed by at most {plain(1 / rho)} {names.x1_unit}"
        at = f"At rho = {plain(rho)}/{names.x1_unit} ({change}):"
        yield _row(
            f"{at} privacy budget ε that {_policy('stretch')} earns, for any data in the public "
            "range. The policy as printed hides the same people, and earns 0.",
            np.expm1(_facts(budget, policy="stretch", rho=rho)["privacy_nats"]),
        )
        for policy in in_order(policy_labels(), moved["policy"]):
            found = _facts(moved, policy=policy, rho=rho)
            price = f"mean change {plain(found['mean_change'])} {names.x1_unit}"
            by = f"{at} {_policy(policy)} ({price}):"
            yield _row(
                f"{by} people whose report leaves open on which side of the threshold they are.",
                found["undecided"],
                people,
                "people",
            )
            yield _row(
                f"{by} {names.above} people whose report proves it.",
                found["above_identifiable"],
                above,
                f"{names.above} people",
            )


def _policy(policy: str) -> str:
    return f"the policy “{label(policy_labels(), policy)}”"
