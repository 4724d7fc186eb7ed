"""k-anonymity against real people (``deterministic``, Section V and Proposition V.1).

1. Quasi-identifiers of the young people survey are generalised by quantizers
   (:func:`generalise`): of all choices of levels, the finest that leaves few people out.  pyCANON
   checks that what is released is k-anonymous.
2. The homogeneity attack (:func:`revealed`) counts the people in a class whose sensitive answers
   are all the same: their answer is known exactly to whoever knows their class.
3. Beside it stands the guarantee of a quantizer on the sensitive answer itself: every report leaves
   at least two answers open, whoever else answered what.
"""

import itertools
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pycanon import anonymity

from noiseless.datasets.young_people import CATEGORIES
from noiseless.errors import ConfigError, DataError
from noiseless.mechanisms.quantizer import Quantizer
from noiseless.tables import tidy

_RELEASE_STATISTICS = ("people", "least_excluded_share", "excluded", "classes", "smallest_class")
_GUARD_STATISTICS = (
    "answers",
    "quantizer_levels",
    "quantizer_epsilon_bits",
    "quantizer_answers_left",
)
_ATTACK_STATISTICS = (
    "released",
    "revealed",
    "revealed_share",
    "revealed_classes",
    "quantizer_revealed",
)


@dataclass(frozen=True)
class Generalisation:
    """A k-anonymous release.

    Attributes
    ----------
    levels : mapping of str to int
        Levels of the quantizer of each numeric quasi-identifier.
    classes : ndarray of int, shape (people,)
        Class of each person; people in the same class are released with the same values.  -1 for
        those who are excluded.
    """

    levels: Mapping[str, int]
    classes: NDArray[np.int64]

    @property
    def released(self) -> NDArray[np.bool_]:
        """Who is not excluded."""
        return self.classes >= 0


def tables(
    survey: pd.DataFrame,
    *,
    k: Sequence[int],
    numeric: Mapping[str, Mapping[str, Any]],
    categorical: Sequence[str],
    sensitive: Sequence[str],
    most_excluded_share: float,
) -> dict[str, pd.DataFrame]:
    """Anonymise the survey for each k and attack it.

    Parameters
    ----------
    survey : DataFrame
        Prepared survey.
    k : sequence of int
        Sizes that a class must have.
    numeric : mapping
        Numeric quasi-identifiers, each with its public ``range`` and the ``levels`` to choose from.
    categorical : sequence of str
        Quasi-identifiers that are released as they are.
    sensitive : sequence of str
        Questions whose answers are attacked; keys of
        :data:`noiseless.datasets.young_people.CATEGORIES`.
    most_excluded_share : float
        Largest share of people that may be excluded.

    Returns
    -------
    dict
        ``release``: cells (k,); statistics ``people``, those who answered all of these questions;
        ``least_excluded_share``, of all choices of levels; ``excluded``; ``classes``;
        ``smallest_class``, by pyCANON; ``levels_<column>``.

        ``attack``: cells (k, sensitive); statistics ``released`` people; ``revealed`` and
        ``revealed_share``, those whose exact answer the homogeneity attack finds;
        ``revealed_classes``; ``answers``, possible ones; and for the quantizer on the answer:
        ``quantizer_levels``, ``quantizer_epsilon_bits``, ``quantizer_answers_left``, the fewest
        answers that a report leaves open, and ``quantizer_revealed``, the attack's count.

        Where no choice of levels leaves few enough people out, there is no release for that k:
        ``least_excluded_share`` is above ``most_excluded_share``, and what a release has is NaN.

    Raises
    ------
    ConfigError
        If a sensitive question is not known.
    DataError
        If nobody answered all questions, or a value lies outside its public range.
    """
    for question in sensitive:
        if question not in CATEGORIES or len(CATEGORIES[question]) < 2:
            raise ConfigError(
                f"{question!r} is not a question with a list of answers. "
                f"Known: {', '.join(CATEGORIES)}."
            )
    people = survey[[*numeric, *categorical, *sensitive]].dropna().reset_index(drop=True)
    if people.empty:
        raise DataError("nobody in the survey answered all questions: is it the right file?")
    candidates = _candidates(people, numeric, categorical)
    release_rows, attack_rows = [], []
    for size in k:
        chosen = generalise(candidates, k=size, most_excluded_share=most_excluded_share)
        release_rows.append(
            {
                "k": size,
                "people": len(people),
                "least_excluded_share": min(_excluded(each, size).mean() for each in candidates),
                **(_release(people, numeric, categorical, chosen, size) if chosen else {}),
            }
        )
        attack_rows += [
            {
                "k": size,
                "sensitive": question,
                **_guard(question),
                **(_attack(people[question], question, chosen) if chosen else {}),
            }
            for question in sensitive
        ]
    release = [*_RELEASE_STATISTICS, *(f"levels_{column}" for column in numeric)]
    attack = [*_GUARD_STATISTICS, *_ATTACK_STATISTICS]
    return {
        "release": tidy(pd.DataFrame(release_rows, columns=["k", *release]), ["k"]),
        "attack": tidy(
            pd.DataFrame(attack_rows, columns=["k", "sensitive", *attack]), ["k", "sensitive"]
        ),
    }


def _candidates(
    people: pd.DataFrame, numeric: Mapping[str, Mapping[str, Any]], categorical: Sequence[str]
) -> list[Generalisation]:
    """Every choice of levels, nobody excluded yet."""
    binned = {
        (column, levels): Quantizer(*map(float, choice["range"]), levels).index(
            people[column].to_numpy(dtype=float)
        )
        for column, choice in numeric.items()
        for levels in choice["levels"]
    }
    candidates = []
    for chosen in itertools.product(*(choice["levels"] for choice in numeric.values())):
        levels = dict(zip(numeric, chosen, strict=True))
        columns = pd.DataFrame({column: binned[column, q] for column, q in levels.items()})
        columns = columns.assign(**{column: people[column] for column in categorical})
        classes = columns.groupby(list(columns.columns), sort=True).ngroup().to_numpy()
        candidates.append(Generalisation(levels, classes))
    return candidates


def _excluded(candidate: Generalisation, k: int) -> NDArray[np.bool_]:
    """Who is in a class of fewer than k people."""
    return np.bincount(candidate.classes)[candidate.classes] < k


def generalise(
    candidates: Sequence[Generalisation], *, k: int, most_excluded_share: float
) -> Generalisation | None:
    """The k-anonymous release with the most classes, and then with the fewest people excluded.

    Parameters
    ----------
    candidates : sequence of Generalisation
        Releases of the same people, before anyone is excluded.
    k : int
        Size that a class must have; people in smaller classes are excluded.
    most_excluded_share : float
        Largest share of people that may be excluded.

    Returns
    -------
    Generalisation or None
        None if every candidate excludes more.
    """
    best: tuple[tuple[int, int], Generalisation] | None = None
    for each in candidates:
        excluded = _excluded(each, k)
        score = (len(np.unique(each.classes[~excluded])), int((~excluded).sum()))
        few = not excluded.all() and excluded.mean() <= most_excluded_share
        if few and (best is None or score > best[0]):
            best = (score, Generalisation(each.levels, np.where(excluded, -1, each.classes)))
    return None if best is None else best[1]


def released_values(
    people: pd.DataFrame,
    numeric: Mapping[str, Mapping[str, Any]],
    categorical: Sequence[str],
    chosen: Generalisation,
) -> pd.DataFrame:
    """The quasi-identifiers as they are released: mid-points of bins, and categories.

    Parameters
    ----------
    people : DataFrame
        Those whom ``chosen`` is about, in the same order.
    numeric, categorical
        As for :func:`tables`.
    chosen : Generalisation

    Returns
    -------
    DataFrame
        One row for each person who is not excluded.
    """
    kept = people.loc[chosen.released, [*numeric, *categorical]].reset_index(drop=True)
    for column, choice in numeric.items():
        quantizer = Quantizer(*map(float, choice["range"]), chosen.levels[column])
        kept[column] = quantizer.release(kept[column].to_numpy(dtype=float))
    return kept


def _release(
    people: pd.DataFrame,
    numeric: Mapping[str, Mapping[str, Any]],
    categorical: Sequence[str],
    chosen: Generalisation,
    k: int,
) -> dict[str, float]:
    values = released_values(people, numeric, categorical, chosen)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of pandas, on pyCANON's use of it
        smallest = anonymity.k_anonymity(values, list(values.columns))
    if smallest < k:
        raise RuntimeError(f"the release for k = {k} is only {smallest}-anonymous")
    return {
        "excluded": (~chosen.released).sum(),
        "classes": len(np.unique(chosen.classes[chosen.released])),
        "smallest_class": smallest,
        **{f"levels_{column}": levels for column, levels in chosen.levels.items()},
    }


def revealed(classes: NDArray[np.int64], possible: Sequence[frozenset[int]]) -> NDArray[np.bool_]:
    """Whose exact answer a release tells: all in their class leave the same single answer open.

    Parameters
    ----------
    classes : ndarray of int, shape (people,)
        Class of each released person.
    possible : sequence of frozenset of int, length people
        Answers that each person's released sensitive value leaves open.

    Returns
    -------
    ndarray of bool, shape (people,)
    """
    open_answers: dict[int, frozenset[int]] = {}
    for each, answers in zip(classes.tolist(), possible, strict=True):
        open_answers[each] = open_answers.get(each, frozenset()) | answers
    return np.array([len(open_answers[each]) == 1 for each in classes.tolist()], dtype=bool)


def _open_answers(question: str) -> tuple[Quantizer, list[frozenset[int]]]:
    """The quantizer on an answer, and the answers that each answer's report leaves open."""
    answers = len(CATEGORIES[question])
    quantizer = Quantizer(0.0, float(answers), max(1, answers // 2))
    # Answers lie in the middle of unit cells, so that bins of width 2 or more hold at least two.
    bins = quantizer.index(np.arange(answers) + 0.5)
    return quantizer, [frozenset(np.flatnonzero(bins == each).tolist()) for each in bins]


def _guard(question: str) -> dict[str, float]:
    """What the quantizer on the answer guarantees, whatever else is released."""
    quantizer, left_open = _open_answers(question)
    return {
        "answers": len(left_open),
        "quantizer_levels": quantizer.levels,
        "quantizer_epsilon_bits": np.log2(quantizer.levels),
        "quantizer_answers_left": min(map(len, left_open)),
    }


def _attack(answers: pd.Series, question: str, release: Generalisation) -> dict[str, float]:
    known = CATEGORIES[question]
    codes = answers[release.released].map({answer: i for i, answer in enumerate(known)})
    codes = codes.to_numpy(dtype=int)
    classes = release.classes[release.released]
    found = revealed(classes, [frozenset([code]) for code in codes.tolist()])
    _, left_open = _open_answers(question)
    found_quantized = revealed(classes, [left_open[code] for code in codes.tolist()])
    return {
        "released": len(codes),
        "revealed": found.sum(),
        "revealed_share": found.mean(),
        "revealed_classes": len(set(classes[found].tolist())),
        "quantizer_revealed": found_quantized.sum(),
    }
