"""Joint ranges, their partitions, and what processing leaves of information (``deterministic``)."""

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from noiseless.papers.deterministic.groupings import describe_reports
from noiseless.papers.deterministic.uncertain_variables import JointRange, enumerate_joint_ranges
from noiseless.seeds import make_generator
from noiseless.statements import universe
from noiseless.theory.enumeration import enumerate_maps, enumerate_relations
from noiseless.theory.finite import Relation

LEAST_CELLS = 5  # number of equal cells of data; all maps and maps of their reports are tried


@dataclass(frozen=True)
class Joint:
    """A joint range, as a case."""

    outcomes: frozenset[Any]

    def list_numbers(self) -> Mapping[str, Any]:
        """List the outcomes."""
        return {"joint range": ", ".join(map(str, sorted(self.outcomes)))}


@universe()
def joint_ranges() -> tuple[list[JointRange], list[JointRange]]:
    """List the joint ranges of two variables of up to four values, and of three of up to three."""
    pairs = ((2, 2), (2, 3), (3, 3), (2, 4), (3, 4))
    triples = ((2, 2, 2), (3, 2, 2), (2, 3, 2), (2, 2, 3))
    two, three = (
        [each for sizes in chosen for each in enumerate_joint_ranges(sizes)]
        for chosen in (pairs, triples)
    )
    return two, three


@universe(smoke={"more": ()}, paper={"more": ((3, 4), (4, 3))})
def relations(more: Sequence[Sequence[int]]) -> list[Relation]:
    """List all joint ranges of 2 and 2, 3 and 3, and more values of X and Y."""
    return [each for sizes in ((2, 2), (3, 3), *more) for each in enumerate_relations(*sizes)]


@universe(
    smoke={"number": 200, "most_values": 12},
    paper={"number": 2000, "most_values": 12},
    least={"number": 1, "most_values": 4},
)
def random_relations(number: int, most_values: int, seed: int) -> list[Relation]:
    """Draw relations of n to 2 n pairs, few enough for several taxicab parts."""
    random = make_generator(seed, "relations", most_values)
    found = []
    for _ in range(number):
        pairs = random.integers(most_values, 2 * most_values, endpoint=True)
        drawn = random.integers(0, most_values, (pairs, 2))
        found.append(Relation(frozenset(map(tuple, drawn.tolist()))))
    return found


@dataclass(frozen=True)
class Partitions:
    """A joint range and its partitions by Definition II.2.

    ``isolated`` is the number of those whose parts no step in one coordinate connects, and
    ``connected`` has those of them whose parts are connected in themselves.
    """

    relation: Relation
    is_whole: bool
    isolated: int
    connected: tuple[frozenset[frozenset[Any]], ...]

    def list_numbers(self) -> Mapping[str, Any]:
        """List the joint range."""
        return Joint(self.relation.pairs).list_numbers()


@universe()
def partitions() -> list[Partitions]:
    """List the joint ranges of up to three values of X and of Y, with every division into parts."""
    return [
        _find_partitions(each)
        for sizes in ((2, 2), (2, 3), (3, 2), (3, 3))
        for each in enumerate_relations(*sizes)
    ]


def _find_partitions(relation: Relation) -> Partitions:
    pairs = sorted(relation.pairs)
    is_linked = find_reachable(pairs)
    couples = list(itertools.combinations(range(len(pairs)), 2))
    links = [(one, other) for one, other in couples if is_linked[pairs[one], pairs[other]]]
    connected, isolated = [], 0
    for labels in enumerate_maps(len(pairs)):
        if any(labels[one] != labels[other] for one, other in links):
            continue
        isolated += 1
        if sum(labels[one] == labels[other] for one, other in couples) == len(links):
            parts: dict[int, set[Any]] = {}
            for pair, part in zip(pairs, labels, strict=True):
                parts.setdefault(part, set()).add(pair)
            connected.append(frozenset(map(frozenset, parts.values())))
    return Partitions(relation, len(links) == len(couples), isolated, tuple(connected))


def find_reachable(pairs: Sequence[Any]) -> dict[tuple[Any, Any], bool]:
    """Find the pairs of points that steps in one coordinate at a time connect (Definition II.2).

    The result, by pair of points, is the transitive closure of single steps.
    """
    step = {(a, b): a[0] == b[0] or a[1] == b[1] for a in pairs for b in pairs}
    for middle, one, other in itertools.product(pairs, repeat=3):
        step[one, other] |= step[one, middle] and step[middle, other]
    return step


class Information(NamedTuple):
    """What a report tells of data: exp L0 and exp I*."""

    leakage: Fraction
    parts: int


@dataclass(frozen=True)
class Processing:
    """A map f of data, and a map g of its values.

    ``before`` is of X and f(X), ``after`` of X and g(f(X)), ``of_answer`` of f(X) and g(f(X)).
    """

    before: Information
    after: Information
    of_answer: Information
    reports: Sequence[int]
    processed: Sequence[int]

    def list_numbers(self) -> Mapping[str, Any]:
        """List f and g of f."""
        return {"f": tuple(self.reports), "g of f": tuple(self.processed)}


@universe(smoke={"most_values": 5}, paper={"most_values": 7}, least={"most_values": 4})
def processings(most_values: int) -> list[Processing]:
    """List every map f of 2 or more values and every map g of its values."""
    found = []
    for size in range(2, most_values + 1):
        for reports in enumerate_maps(size):
            before = _measure_information(Relation.from_outcomes(range(size), reports))
            for processing in enumerate_maps(len(set(reports))):
                processed = [processing[report] for report in reports]
                after = _measure_information(Relation.from_outcomes(range(size), processed))
                # This relation omits the data: it leads from the query's answer Y to the report.
                of_answer = _measure_information(Relation.from_outcomes(reports, processed))
                found.append(Processing(before, after, of_answer, reports, processed))
    return found


def _measure_information(relation: Relation) -> Information:
    return Information(relation.leakage, relation.maximin_count)


def compute_map_leakage(reports: Sequence[int]) -> Fraction:
    """Compute exp L0(X;Y) of a map X to Y by its definition: values over the rarest report's."""
    return Fraction(len(reports), min(Counter(reports).values()))


def iterate_least_measures() -> Iterator[tuple[int, int, Mapping[str, Any]]]:
    """Iterate over the least numbers of equal cells with the same report by f, and by g of f."""
    for reports in enumerate_maps(LEAST_CELLS):
        before = min(Counter(reports).values())
        for processing in enumerate_maps(len(set(reports))):
            processed = [processing[report] for report in reports]
            case = {**describe_reports(reports), "processed": tuple(processed)}
            yield before, min(Counter(processed).values()), case
