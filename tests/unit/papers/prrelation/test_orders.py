"""Notions of privacy by linear programmes, against plain loops, by hand, and in fractions."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from noiseless.papers.prrelation import orders
from noiseless.seeds import make_generator

# By hand: e^epsilon of DP, DDP, any and minimal Blowfish, IP of a record, MP of databases and
# of a record.
BY_HAND = {
    "equal, fair": (3, 3, 3, 3, 1, 2, 1),
    "equal, always equal": (3, 1, 1, 1, 1, 1, 1),
    "equal, one of two": (3, 1, 1, 1, 1, 1, 1),
    "two of four": (3, 4, 4, 2, Fraction(8, 5), Fraction(13, 6), Fraction(13, 10)),
    "two of four, ends likelier": (3, 4, 4, 2, 3, Fraction(12, 5), 2),
    "ones, mostly equal": (2, 4, 4, 2, 3, Fraction(12, 5), 2),
    "implication": (3, 4, 4, 2, Fraction(10, 3), Fraction(11, 4), Fraction(11, 4)),
    "three fair": (2, 2, 8, 2, 2, Fraction(27, 8), Fraction(3, 2)),
    "three correlated": (2, 8, 8, 2, Fraction(7, 2), Fraction(27, 7), Fraction(9, 4)),
    "one stands out": (4, 4, 4, 4, Fraction(11, 5), 2, Fraction(8, 5)),
    "one record": (4, 4, 4, 4, 4, 2, 2),
}
NAMES = ("DP", "DDP", "BP any", "BP minimal", "IP record", "MP databases", "MP record")


@pytest.mark.parametrize("example", BY_HAND)
def test_ratios_of_the_examples_are_those_computed_by_hand(example):
    table = orders.build_examples_table()
    found = table[table["example"] == example].set_index("notion")["value"]
    for notion, ratio in zip(NAMES, BY_HAND[example], strict=True):
        assert found[notion] == pytest.approx(float(ratio), rel=1e-15), notion


def random_prior(rng, records):
    while True:
        weights = rng.integers(0, 4, size=2**records)
        if (weights > 0).sum() > 1:
            every = itertools.product((0, 1), repeat=records)
            return {x: int(w) for x, w in zip(every, weights, strict=True) if w}


def plain_blocks(prior):
    """The finest partition whose groups are independent, of all partitions."""
    records = len(next(iter(prior)))
    total = sum(prior.values())

    def partitions(items):
        if not items:
            yield []
            return
        for rest in partitions(items[1:]):
            yield [[items[0]], *rest]
            for k in range(len(rest)):
                yield [*rest[:k], [items[0], *rest[k]], *rest[k + 1 :]]

    def is_product(partition):
        for x in itertools.product((0, 1), repeat=records):
            expected = Fraction(1)
            for group in partition:
                expected *= Fraction(
                    sum(w for y, w in prior.items() if all(y[i] == x[i] for i in group)), total
                )
            if Fraction(prior.get(x, 0), total) != expected:
                return False
        return True

    return max(filter(is_product, partitions(list(range(records)))), key=len)


def plain_ratio(prior, yes, notion):
    """e^epsilon by the definitions, one pair and one answer at a time."""
    records = len(next(iter(prior)))
    every, possible = list(itertools.product((0, 1), repeat=records)), list(prior)
    total = sum(prior.values())
    blocks = plain_blocks(prior)
    worst = Fraction(1)
    for answer in (yes, {x: 1 - p for x, p in yes.items()}):

        def given(test, answer=answer):
            weight = sum(w for x, w in prior.items() if test(x))
            return sum(w * answer[x] for x, w in prior.items() if test(x)) / Fraction(weight)

        overall = given(lambda x: True)
        for i in range(records):
            values = [given(lambda x, v=v, i=i: x[i] == v) for v in {x[i] for x in possible}]
            if len(values) == 2 and notion == "IP record":
                worst = max(worst, values[0] / values[1], values[1] / values[0])
            if len(values) == 2 and notion == "MP record":
                worst = max(worst, *(v / overall for v in values), *(overall / v for v in values))
        if notion == "MP databases":
            worst = max(worst, *(max(answer[x] / overall, overall / answer[x]) for x in possible))
        for x, y in itertools.permutations(every, 2):
            apart = {i for i in range(records) if x[i] != y[i]}
            both = x in prior and y in prior
            inside = any(apart <= set(block) for block in blocks)
            between = any(
                z not in (x, y) and all(z[i] in (x[i], y[i]) for i in range(records))
                for z in possible
            )
            if {
                "DP": len(apart) == 1,
                "DP possible": both and len(apart) == 1,
                "DDP 6.1": inside,
                "DDP": both and inside,
                "BP any": both,
                "BP minimal": both and not between,
            }.get(notion):
                worst = max(worst, answer[x] / answer[y])
    assert total > 0
    return worst


def test_conditions_equal_the_definitions():
    rng = make_generator(8, "orders", "definitions")
    larger = dict.fromkeys(orders.NOTIONS, 0)
    for _ in range(60):
        prior = random_prior(rng, int(rng.integers(1, 4)))
        records = len(next(iter(prior)))
        yes = {x: Fraction(int(rng.integers(1, 9)), 9) for x in orders.enumerate_databases(records)}
        for notion in orders.NOTIONS:
            ours = orders.find_ratio(orders.list_conditions(prior, notion), yes)
            assert ours == plain_ratio(prior, yes, notion), (notion, prior)
            larger[notion] += ours > 1
        assert sorted(map(sorted, orders.find_blocks(prior))) == sorted(
            map(sorted, plain_blocks(prior))
        )
    assert min(larger.values()) > 20


def test_programmes_of_pairs_equal_the_distances():
    """The optimum over a cone of mechanisms, and a walk along a graph."""
    rng = make_generator(8, "orders", "distances")
    found = []
    for _ in range(25):
        prior = random_prior(rng, 3)
        for notion, than in itertools.permutations(orders.PAIR_NOTIONS, 2):
            pairs, kept = (orders.list_pairs(prior, each) for each in (notion, than))
            if not pairs:
                continue
            multiple = orders.find_multiple(
                orders.list_conditions(prior, notion), orders.list_conditions(prior, than)
            )
            steps = orders.find_all_steps(kept, {x for x, _ in pairs})
            distance = orders.find_farthest(pairs, steps)[0]
            assert multiple == pytest.approx(distance, abs=1e-6)
            found.append(distance)
    assert {1.0, 2.0, 3.0, math.inf} <= set(found)


def compute_ratios(conditions, every, yes):
    """e^epsilon of many mechanisms, one a row of probabilities, in floating point."""
    if not conditions:
        return np.ones(len(yes))
    above, below = (
        np.array([[prior.get(x, 0) / sum(prior.values()) for x in every] for prior in side])
        for side in zip(*conditions, strict=True)
    )
    ratios = [(each @ above.T) / (each @ below.T) for each in (yes, 1 - yes)]
    return np.concatenate(ratios, axis=1).max(axis=1)


def test_no_random_mechanism_has_more_than_the_programmes():
    rng = make_generator(8, "orders", "mechanisms")
    near = 0
    shares = np.linspace(0, 1, 12)[:, None]
    every = orders.enumerate_databases(2)
    for _ in range(6):
        prior = random_prior(rng, 2)
        for notion, than in itertools.permutations(orders.NOTIONS, 2):
            conditions, kept = (orders.list_conditions(prior, each) for each in (notion, than))
            largest = orders.find_multiple(conditions, kept)
            if not math.isfinite(largest):
                continue
            for trial in range(40):
                # Mechanisms that keep the budget: moved towards one that tells nothing.
                f = rng.uniform(0.02, 1, size=4)
                mixed = (1 - shares) * f + shares * f.mean()
                first = int(np.argmax(compute_ratios(kept, every, mixed) <= 2))
                (ratio,) = compute_ratios(conditions, every, mixed[[first]])
                if trial == 0:
                    yes = {
                        x: Fraction(p) for x, p in zip(every, mixed[first].tolist(), strict=True)
                    }
                    assert orders.find_ratio(kept, yes) <= 2
                    exact = orders.find_ratio(conditions, yes)
                    assert ratio == pytest.approx(float(exact), rel=1e-12)
                assert ratio <= 2**largest * (1 + 1e-9)
                near += ratio > 2 ** (largest / 2)
    assert near > 100


def test_programmes_without_a_bound_are_not_called_infeasible():
    """A presolve may say so; what is kept from above alone never bounds from below."""
    for prior in orders.list_priors():
        kept = [({x: 1}, prior) for x in prior]
        for notion in ("DP", "DDP", "IP record"):
            assert orders.find_multiple(orders.list_conditions(prior, notion), kept) == math.inf


def test_membership_of_fair_bits_in_closed_form():
    """MP of databases is at most n log((1 + e^DP)/2) for n fair bits, and reaches it."""
    for records in (1, 2, 3):
        prior = dict.fromkeys(orders.enumerate_databases(records), 1)
        multiple = orders.find_multiple(
            orders.list_conditions(prior, "MP databases"), orders.list_conditions(prior, "DP")
        )
        assert multiple == pytest.approx(records * math.log(1.5) / math.log(2), abs=1e-6)


def test_the_last_bit_is_likelier_to_be_one_of_more_ones():
    """The step of the proof for public counts: Newton's inequality, in fractions."""
    rng = make_generator(8, "orders", "coupling")
    for _ in range(50):
        odds = [Fraction(int(a), int(b)) for a, b in rng.integers(1, 50, size=(5, 2))]

        def weight(ones, bits, odds=odds):
            return sum(math.prod(chosen) for chosen in itertools.combinations(odds[:bits], ones))

        chances = []
        for ones in range(6):
            with_it = odds[4] * weight(ones - 1, 4) if ones else Fraction(0)
            chances.append(with_it / weight(ones, 5))
        assert chances == sorted(chances)
        assert (chances[0], chances[-1]) == (0, 1)


def test_detection_of_a_record_equals_a_search_of_mechanisms():
    """Randomised response is best where a record is all there is."""
    prior = {(0,): 1, (1,): 2}
    for notion in ("DP", "DDP", "BP any", "BP minimal", "IP record"):
        found = orders._detect_records(prior, orders.list_conditions(prior, notion))
        assert found == pytest.approx([0.5])  # twice a quarter
    # Membership: P(1) <= 2 (P(0) + 2 P(1))/3 and so on, with P(0) = 1/4, of yes and of no.
    best = max(
        p
        for p in np.linspace(0.25, 1, 3001)
        for mean, no in [((0.25 + 2 * p) / 3, (0.75 + 2 * (1 - p)) / 3)]
        if mean <= 0.5 and no <= 2 * (1 - p) + 1e-12 and 2 * no >= 0.75
    )
    found = orders._detect_records(prior, orders.list_conditions(prior, "MP databases"))
    assert found == pytest.approx([best], abs=1e-3)


def test_neighbours_are_as_many_as_counted_by_hand():
    table = orders.build_neighbours_table().pivot(
        index="records", columns="statistic", values="value"
    )
    # Of two records, all 11 sets of two or more databases: pairs 6 x 2 + 4 x 6 + 12.
    assert table.loc[2, "constraints"] == 11
    assert table.loc[2, "pairs"] == 6 * 2 + 4 * 6 + 12
    # (0,0) and (1,1), or (0,1) and (1,0), have one between them in 4 and in 1 of these sets.
    assert table.loc[2, "apart"] == 4 * 2 + 2 * 2
    assert (table["never"] == 0).all()


def test_a_prior_is_of_the_kind_that_its_weights_show():
    kinds = {orders.classify_prior(prior) for prior in orders.list_priors()}
    assert kinds == {"uniform", "independent", "correlated", "count", "constrained"}
    assert orders.classify_prior({(0, 1): 1, (1, 0): 5}) == "count"
    assert orders.classify_prior({(0, 0): 1, (1, 1): 5}) == "constrained"
    assert orders.classify_prior({(0, 0): 1, (0, 1): 2, (1, 0): 2, (1, 1): 4}) == "independent"


@pytest.mark.parametrize(
    ("constraint", "records", "holds", "any_order"),
    [
        ("implication", 2, lambda x: x[0] <= x[1], False),
        ("range", 3, lambda x: sum(x) in (1, 2), True),
        ("none", 3, lambda x: True, True),
    ],
)
def test_constraints_are_tried_on_independent_records_of_all_odds(
    constraint, records, holds, any_order
):
    every = list(itertools.product((0, 1), repeat=records))
    places = list(itertools.permutations(range(records))) if any_order else [tuple(range(records))]

    def sort_weights(prior):
        return min(sorted((tuple(x[k] for k in p), w) for x, w in prior.items()) for p in places)

    expected = [
        {x: math.prod(o**bit for o, bit in zip(odds, x, strict=True)) for x in every if holds(x)}
        for odds in itertools.product((1, 5, 1000), repeat=records)
    ]
    found = [sort_weights(prior) for prior in orders._build_constrained_priors()[constraint]]
    assert sorted(found) == [
        each for each, _ in itertools.groupby(sorted(map(sort_weights, expected)))
    ]
