"""The cases that several sections look at: joint ranges, channels, and mechanisms.

Statements depend on a mechanism and a query only by the map from data sets to outputs that both
make together; so all maps cover all mechanisms of all queries.  Numbers of values stand for the
logarithms, 2^I* for I*, so that all is exact.
"""

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import Any, NamedTuple

from noiseless.seeds import draw_different, make_generator
from noiseless.statements import universe
from noiseless.statements.findings import Exact
from noiseless.theory.capacity import compute_fractional_packing_number, find_max_code_size
from noiseless.theory.enumeration import enumerate_maps, enumerate_relations, rename_values
from noiseless.theory.finite import Relation

Map = tuple[int, ...]
Sizes = Sequence[Sequence[int]]
PRIOR_WEIGHTS = (1, 2, 3)
_RELATIONS = ((2, 2), (2, 3), (3, 2), (3, 3), (4, 3))


def take_one(values: Exact) -> Exact:
    """Take one of several values away; one value alone says nothing, and stays."""
    return max(1, values - 1)


# Joint ranges and channels -----------------------------------------------------------------------


@universe(smoke={"sizes": ((2, 2), (3, 3))}, paper={"sizes": _RELATIONS}, least={"sizes": 2})
def relations(sizes: Sizes) -> dict[tuple[int, int], list[Relation]]:
    """Enumerate the joint ranges with some numbers of values of X and Y, by these."""
    return {(xs, ys): list(enumerate_relations(xs, ys)) for xs, ys in sizes}


@universe()
def small_relations() -> dict[tuple[int, int], list[Relation]]:
    """Enumerate the joint ranges with two or three values of X and of Y, by these numbers."""
    sizes = itertools.product((2, 3), repeat=2)
    return {(xs, ys): list(enumerate_relations(xs, ys)) for xs, ys in sizes}


class Channel(NamedTuple):
    """A channel, and the largest 2^(L0^s) over its sets of inputs."""

    relation: Relation
    bound: Fraction

    def list_numbers(self) -> Mapping[str, Any]:
        """List the possible pairs of input and output."""
        return self.relation.list_numbers()

    @property
    def packing(self) -> Fraction:
        """The fractional packing number."""
        return compute_fractional_packing_number(self.relation)

    def count_words(self, length: int) -> int:
        """Count the words of a largest zero-error code."""
        return find_max_code_size(self.relation, length)


@universe(smoke={"sizes": ((2, 2), (3, 3))}, paper={"sizes": _RELATIONS}, least={"sizes": 2})
def channels(sizes: Sizes) -> list[Channel]:
    """Enumerate the channels with some numbers of inputs and outputs, and the pentagon.

    The pentagon is the smallest channel whose longer codes beat repeated short ones.
    """
    pentagon = Relation(frozenset((x, (x + step) % 5) for x in range(5) for step in (0, 1)))
    every = itertools.chain(*itertools.starmap(enumerate_relations, sizes), [pentagon])
    return [Channel(each, compute_max_leakage(each)) for each in every]


def compute_max_leakage(channel: Relation) -> Fraction:
    """Compute ``exp2`` of the largest L0^s over all sets of inputs (Proposition 2, right side)."""
    inputs = sorted(channel.x_range, key=repr)
    return max(
        Relation(frozenset(pair for pair in channel.pairs if pair[0] in chosen)).symmetric_leakage
        for size in range(1, len(inputs) + 1)
        for chosen in map(set, itertools.combinations(inputs, size))
    )


# Mechanisms --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Beside:
    """The map from a person's data to outputs beside fixed data of all others."""

    outputs: Map  # for each datum
    budget: int  # 2^epsilon of the mechanism, the smallest that Definition 1 allows
    times: int  # how many mechanisms, people and others' data make it

    def list_numbers(self) -> Mapping[str, Any]:
        """List the outputs and 2^epsilon."""
        return {"outputs of a person's data": self.outputs, "2^epsilon": self.budget}

    @cached_property
    def relation(self) -> Relation:
        """The joint range of the person's data and the output."""
        return Relation.from_outcomes(range(len(self.outputs)), self.outputs)


@universe(
    smoke={
        "universes": ((2, 2), (2, 3), (2, 2, 2)),
        "random_universes": ((4, 4), (3, 3, 3)),
        "random_maps": 100,
    },
    paper={
        "universes": ((2, 2), (2, 3), (3, 3), (2, 2, 2), (2, 4)),
        "random_universes": ((4, 4), (3, 3, 3)),
        "random_maps": 2000,
    },
    least={"universes": 1},
)
def mechanisms(
    universes: Sizes, random_universes: Sizes, random_maps: int, seed: int
) -> list[Beside]:
    """Try every map on some universes, and random ones on larger: numbers of data of each person.

    What each person's data map to is counted over all of them.
    """
    counts: Counter[tuple[Map, int]] = Counter()
    for sizes in universes:
        counts += count_conditional_maps(sizes, enumerate_maps(math.prod(sizes)))
    for sizes in random_universes:
        counts += count_conditional_maps(sizes, draw_maps(sizes, random_maps, seed))
    ordered = sorted(counts.items(), key=lambda each: (len(each[0][0]), each[0]))
    return [Beside(one_map, budget, times) for (one_map, budget), times in ordered]


def draw_maps(sizes: Sequence[int], count: int, seed: int) -> Iterator[Map]:
    """Draw ``count`` different random maps from a universe's data sets to numbers of outputs."""
    random = make_generator(seed, "guarantees", " x ".join(map(str, sizes)))
    size = math.prod(sizes)

    def draw() -> Map:
        """Draw a map."""
        return tuple(random.integers(0, random.integers(1, size, endpoint=True), size).tolist())

    yield from draw_different(draw, count)


def count_conditional_maps(sizes: Sequence[int], maps: Iterable[Map]) -> Counter[tuple[Map, int]]:
    """Count how often each conditional map occurs in mechanisms of each ``2^epsilon``."""
    counts: Counter[tuple[Map, int]] = Counter()
    for outputs in maps:
        conditional = list_conditional_maps(sizes, outputs)
        budget = max(len(set(each)) for each in conditional)
        counts.update((each, budget) for each in conditional)
    return counts


@cache
def list_slices(sizes: tuple[int, ...]) -> list[list[int]]:
    """List the groups of data sets (positions) that differ in one individual's data alone."""
    data_sets = list(itertools.product(*map(range, sizes)))
    return [line for i in range(len(sizes)) for line in list_lines(data_sets, i)]


def list_lines(data_sets: Sequence[tuple[int, ...]], i: int) -> list[list[int]]:
    """List the groups of data sets (positions) that differ in individual ``i``'s data alone."""
    lines: dict[tuple, list[int]] = defaultdict(list)
    for k, data in enumerate(data_sets):
        lines[data[:i], data[i + 1 :]].append(k)
    return list(lines.values())


def list_conditional_maps(sizes: Sequence[int], outputs: Map) -> list[Map]:
    """List the maps from an individual's data to outputs, for all individuals and others' data."""
    return [rename_values([outputs[k] for k in held]) for held in list_slices(tuple(sizes))]


def compute_exp2_epsilon(sizes: Sequence[int], outputs: Map) -> int:
    """Compute ``2^epsilon`` of a map, for the smallest budget epsilon that Definition 1 allows.

    ``sizes`` are the numbers of data of the individuals, whose data sets are in product order.
    """
    return max(len(set(each)) for each in list_conditional_maps(sizes, outputs))


def build_channel(one_map: Map) -> list[list[Fraction]]:
    """Build the channel matrix of a map: probability (0 or 1) of each output, given each datum."""
    return [[Fraction(y == output) for output in sorted(set(one_map))] for y in one_map]


class Processed(NamedTuple):
    """A mechanism, a processing of its outputs, and 2^epsilon of it before and after."""

    outputs: Map
    processing: Map
    budget: int
    kept: int

    def list_numbers(self) -> Mapping[str, Any]:
        """List the outputs of the data sets, and what each output becomes."""
        return {"outputs of the data": self.outputs, "processed to": self.processing}


@universe(
    smoke={"pair_universes": ((2, 2),)},
    paper={"pair_universes": ((2, 2), (2, 3))},
    least={"pair_universes": 1},
)
def processings(pair_universes: Sizes) -> list[Processed]:
    """Process the outputs of every mechanism on small universes by every map."""
    return [
        Processed(
            outputs,
            processing,
            compute_exp2_epsilon(sizes, outputs),
            compute_exp2_epsilon(sizes, tuple(processing[output] for output in outputs)),
        )
        for sizes in pair_universes
        for outputs in enumerate_maps(math.prod(sizes))
        for processing in enumerate_maps(len(set(outputs)))
    ]
