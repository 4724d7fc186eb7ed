"""k-anonymous releases of a survey, and attacks (``deterministic``, Section V, Proposition V.1).

1. Quantizers generalise the quasi-identifiers of the young people survey (:func:`generalise`): of
   all choices of levels, the one with the most classes that excludes few people.  pyCANON checks
   that the release is k-anonymous.
2. The homogeneity attack (:func:`find_revealed`) counts the people in classes with only one
   sensitive answer: an adversary who knows their class knows their answer.
3. A quantizer on the sensitive answer itself guarantees more: every report leaves at least two
   answers open, regardless of the answers of other people.
4. Without data: the release that the proof of Proposition V.1 constructs, which need not be
   k-anonymous (:func:`build_proof_release`), and one that is and proves the proposition
   (:func:`release_if_equal`).
"""

import itertools
import warnings
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np
import pandas as pd
from pycanon import anonymity

from noiseless.arrays import Bools, Ints
from noiseless.data.young_people import CATEGORIES
from noiseless.errors import ConfigError, DataError
from noiseless.mechanisms.families.quantizer import Quantizer
from noiseless.mechanisms.interface import Domain
from noiseless.tables import tidy
from noiseless.theory.anonymity import class_numbers, class_sizes
from noiseless.theory.geometry import compute_log_measure
from noiseless.theory.intervals import BoxUnion

_RELEASE_STATISTICS = ("people", "least_excluded_share", "excluded", "classes", "smallest_class")
_ATTACK_STATISTICS = (
    *("answers", "quantizer_levels", "quantizer_epsilon_bits", "quantizer_answers_left"),
    *("released", "revealed", "revealed_share", "revealed_classes", "quantizer_revealed"),
)

# Quasi-identifiers that the release quantizes: public range, and numbers of levels to choose from.
NUMERIC: Final[Mapping[str, Mapping[str, Any]]] = {
    "age_years": {"range": [15, 30], "levels": [1, 3, 5, 15]},
    "height_cm": {"range": [0, 250], "levels": [1, 10, 25, 50]},
    "weight_kg": {"range": [0, 200], "levels": [1, 8, 20, 40]},
}
CATEGORICAL: Final = ("gender",)  # quasi-identifiers that are released unchanged
SENSITIVE: Final = ("Alcohol", "Smoking", "Education", "Left - right handed")  # attacked

Row = Hashable
_SUPPRESSED = "*"


@dataclass(frozen=True)
class Generalisation:
    """k-anonymous release of a survey: levels of its quantizers, and classes of people.

    People in the same class are released with the same values; those who are excluded have -1.
    """

    levels: Mapping[str, int]
    classes: Ints

    @property
    def released(self) -> Bools:
        """Mask of the people who are released (not excluded), shape (people,)."""
        return self.classes >= 0

    @property
    def count(self) -> int:
        """Number of classes of released people."""
        return len(np.unique(self.classes[self.released]))


def build_release_tables(
    survey: pd.DataFrame,
    *,
    k: Sequence[int],
    most_excluded_share: float,
    numeric: Mapping[str, Mapping[str, Any]] = NUMERIC,
    categorical: Sequence[str] = CATEGORICAL,
    sensitive: Sequence[str] = SENSITIVE,
) -> dict[str, pd.DataFrame]:
    """Build the tables of k-anonymous releases of the prepared survey and of attacks on them.

    ``numeric`` quasi-identifiers have a public ``range``, and ``levels`` to choose from;
    ``categorical`` ones are released unchanged.

    ``release``, by k: ``people``, those who answered all of these questions;
    ``least_excluded_share``, of all choices of levels; ``excluded``; ``classes``;
    ``smallest_class``, by pyCANON; ``levels_<column>``. If every choice of levels excludes more
    than ``most_excluded_share`` of the people, there is no release for that k, and its other
    statistics are NaN.

    ``attack``, by k and sensitive question: ``released`` people; ``revealed`` and
    ``revealed_share``, those whose exact answer the homogeneity attack finds; ``revealed_classes``;
    ``answers``, possible ones; and for the quantizer on the answer: ``quantizer_levels``,
    ``quantizer_epsilon_bits``, ``quantizer_answers_left``, the fewest answers that a report leaves
    open, and ``quantizer_revealed``, the attack's count.
    """
    for question in sensitive:
        if question not in CATEGORIES or len(CATEGORIES[question]) < 2:
            raise ConfigError(
                f"{question!r} is not a question with a list of answers. "
                f"Known: {', '.join(CATEGORIES)}."
            )
    people = survey[[*numeric, *categorical, *sensitive]].dropna().reset_index(drop=True)
    if people.empty:
        raise DataError(
            "no respondent of the survey answered all questions. "
            "Check that the file is the young people survey."
        )
    candidates = _enumerate_candidates(people, numeric, categorical)
    release_rows, attack_rows = [], []
    for size in k:
        chosen = generalise(candidates, k=size, most_excluded_share=most_excluded_share)
        row = {
            "k": size,
            "people": len(people),
            "least_excluded_share": min(_find_excluded(each, size).mean() for each in candidates),
        }
        statistics = _describe_release(people, numeric, categorical, chosen, size) if chosen else {}
        release_rows.append(row | statistics)
        for question in sensitive:
            row = {"k": size, "sensitive": question, **_describe_quantizer(question)}
            statistics = _count_revealed(people[question], question, chosen) if chosen else {}
            attack_rows.append(row | statistics)
    release = ["k", *_RELEASE_STATISTICS, *(f"levels_{column}" for column in numeric)]
    attack = ["k", "sensitive", *_ATTACK_STATISTICS]
    return {
        "release": tidy(pd.DataFrame(release_rows, columns=release), ["k"]),
        "attack": tidy(pd.DataFrame(attack_rows, columns=attack), ["k", "sensitive"]),
    }


def _enumerate_candidates(
    people: pd.DataFrame, numeric: Mapping[str, Mapping[str, Any]], categorical: Sequence[str]
) -> list[Generalisation]:
    """Enumerate the releases of every choice of levels, before any person is excluded."""
    candidates = []
    for chosen in itertools.product(*(choice["levels"] for choice in numeric.values())):
        levels = dict(zip(numeric, chosen, strict=True))
        columns = people[[*numeric, *categorical]].assign(
            **{
                column: _build_quantizer(choice, levels[column]).find_bins(
                    people[column].to_numpy(float)
                )
                for column, choice in numeric.items()
            }
        )
        candidates.append(Generalisation(levels, class_numbers(columns)))
    return candidates


def _build_quantizer(choice: Mapping[str, Any], levels: int) -> Quantizer:
    """Build the quantizer of a quasi-identifier's public ``range`` with some levels."""
    low, high = map(float, choice["range"])
    return Quantizer(Domain((low,), (high,)), levels, clip=False)


def _find_excluded(candidate: Generalisation, k: int) -> Bools:
    """Return whether each person is in a class of fewer than k people, shape (people,)."""
    return class_sizes(candidate.classes) < k


def generalise(
    candidates: Sequence[Generalisation], *, k: int, most_excluded_share: float
) -> Generalisation | None:
    """Select the k-anonymous release with the most classes, and then with the most people.

    People in classes of fewer than k are excluded; None if every candidate excludes too many.
    """
    releases = []
    for each in candidates:
        excluded = _find_excluded(each, k)
        if not excluded.all() and excluded.mean() <= most_excluded_share:
            releases.append(Generalisation(each.levels, np.where(excluded, -1, each.classes)))
    return max(releases, key=lambda each: (each.count, each.released.sum()), default=None)


def _describe_release(
    people: pd.DataFrame,
    numeric: Mapping[str, Mapping[str, Any]],
    categorical: Sequence[str],
    chosen: Generalisation,
    k: int,
) -> dict[str, float]:
    """Compute the statistics of a release; raise RuntimeError if pyCANON finds a smaller class.

    A release consists of mid-points of bins and of categories.
    """
    values = people.loc[chosen.released, [*numeric, *categorical]].reset_index(drop=True)
    for column, choice in numeric.items():
        quantizer = _build_quantizer(choice, chosen.levels[column])
        values[column] = quantizer.release(values[column].to_numpy(dtype=float))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # pyCANON calls pandas in a deprecated way
        smallest = anonymity.k_anonymity(values, list(values.columns))
    if smallest < k:
        raise RuntimeError(
            f"the release for k = {k} is only {smallest}-anonymous. "
            "This is a bug in noiseless; please report it."
        )
    return {
        "excluded": (~chosen.released).sum(),
        "classes": chosen.count,
        "smallest_class": smallest,
        **{f"levels_{column}": levels for column, levels in chosen.levels.items()},
    }


def find_revealed(classes: Ints, possible: Sequence[frozenset[int]]) -> Bools:
    """Find the people whose exact answer a release reveals: their class leaves one answer open.

    ``possible`` has the answers that each person's released sensitive value leaves open.
    """
    open_answers: dict[int, set[int]] = defaultdict(set)
    for each, answers in zip(classes.tolist(), possible, strict=True):
        open_answers[each] |= answers
    return np.array([len(open_answers[each]) == 1 for each in classes.tolist()], dtype=bool)


def _find_open_answers(question: str) -> tuple[Quantizer, list[frozenset[int]]]:
    """Build the quantizer on an answer, and the set of answers that each answer's report leaves."""
    answers = len(CATEGORIES[question])
    domain = Domain((0.0,), (float(answers),))
    quantizer = Quantizer(domain, max(1, answers // 2), clip=False)
    # Answers lie in the middle of unit cells, so that bins of width 2 or more hold at least two.
    bins = quantizer.find_bins(np.arange(answers) + 0.5)
    return quantizer, [frozenset(np.flatnonzero(bins == each).tolist()) for each in bins]


def _describe_quantizer(question: str) -> dict[str, float]:
    """Describe a question's quantizer as a mapping: answers, levels, epsilon, fewest left."""
    quantizer, left_open = _find_open_answers(question)
    return {
        "answers": len(left_open),
        "quantizer_levels": quantizer.levels,
        "quantizer_epsilon_bits": np.log2(quantizer.levels),
        "quantizer_answers_left": min(map(len, left_open)),
    }


def _count_revealed(answers: pd.Series, question: str, release: Generalisation) -> dict[str, float]:
    """Count the answers to a question that a release reveals, with and without the quantizer."""
    codes = [CATEGORIES[question].index(answer) for answer in answers[release.released]]
    classes = release.classes[release.released]
    is_revealed = find_revealed(classes, [frozenset([code]) for code in codes])
    _, left_open = _find_open_answers(question)
    is_revealed_quantized = find_revealed(classes, [left_open[code] for code in codes])
    return {
        "released": len(codes),
        "revealed": is_revealed.sum(),
        "revealed_share": is_revealed.mean(),
        "revealed_classes": len(set(classes[is_revealed].tolist())),
        "quantizer_revealed": is_revealed_quantized.sum(),
    }


def release_if_equal(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Return a table's rows unchanged if all of them are equal, and else ``*`` in their place.

    The release is k-anonymous for every k up to the number of rows.
    """
    return tuple(rows) if len(set(rows)) == 1 else (_SUPPRESSED,) * len(rows)


def compute_anonymity(rows: Sequence[Row]) -> int:
    """Compute the largest k for which released rows are k-anonymous: the smallest class's size."""
    return min(Counter(rows).values())


def build_proof_release(classes: Sequence[int], k: int) -> list[Row]:
    """Build the release of Proposition V.1's proof: k rows unchanged, and others as their classes.

    It takes a k-anonymous release of tables whose first k rows are equal, and replaces these rows
    by the data. The rows of a class are released as the same value, and that is never a value of
    the data.
    """
    data: list[Row] = [("data", 0)] * k
    return data + [("class", each) for each in classes[k:]]


def compute_d0(rows: int) -> float:
    """Compute d0, in nats, of :func:`release_if_equal` for tables of some numbers in [0, 1]."""
    half = Fraction(1, 2)
    equal = BoxUnion.from_boxes([(half, half)] * rows)  # the table whose rows are all 1/2
    everything = BoxUnion.from_boxes([(0, 1)] * rows)
    # Tables with all rows equal are a null set, so suppressed rows leave a full measure open.
    return compute_log_measure(min(equal.measure, everything.measure))


def iterate_tables() -> Iterator[tuple[int, list[tuple[int, ...]]]]:
    """Iterate over all tables of 2 or 3 rows, by the number of values of a row."""
    for rows, values in itertools.product((2, 3), (2, 3, 4, 5)):
        yield values, list(itertools.product(range(values), repeat=rows))
