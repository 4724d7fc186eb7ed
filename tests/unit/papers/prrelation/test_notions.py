"""Privacy notions of three records, against a plain loop."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from noiseless.papers.prrelation import notions
from noiseless.seeds import make_generator


def loop_epsilons(prior, yes):
    """Every notion of the module, one database and one answer at a time, from the joint law."""
    databases = list(itertools.product((0, 1), repeat=3))
    law = {
        (x, o): prior[k] * (yes[k] if o == 0 else 1 - yes[k])
        for k, x in enumerate(databases)
        for o in (0, 1)
    }
    given = {
        (x, o): yes[k] if o == 0 else 1 - yes[k] for k, x in enumerate(databases) for o in (0, 1)
    }
    possible = {x for k, x in enumerate(databases) if prior[k] > 0}

    def probability(test):
        return sum(p for (x, o), p in law.items() if test(x, o))

    def log_ratio(x, y):
        return max(abs(math.log(given[x, o] / given[y, o])) for o in (0, 1))

    def differ(x, y):
        return {i for i in range(3) if x[i] != y[i]}

    dp = max(log_ratio(x, y) for x in databases for y in databases if len(differ(x, y)) == 1)
    bp = max(log_ratio(x, y) for x in possible for y in possible)
    records, mp_record, midp = [], [], []
    for i in range(3):
        for o in (0, 1):
            posterior = [
                probability(lambda x, out, i=i, v=v, o=o: x[i] == v and out == o)
                / probability(lambda x, out, o=o: out == o)
                for v in (0, 1)
            ]
            before = [probability(lambda x, out, i=i, v=v: x[i] == v) for v in (0, 1)]
            shift = [math.log(p / q) for p, q in zip(posterior, before, strict=True)]
            records.append(abs(shift[0] - shift[1]))
            mp_record += map(abs, shift)
        information = 0.0
        for x in possible:
            twins = [y for y in databases if differ(x, y) <= {i}]
            for o in (0, 1):
                joint = sum(law[y, o] for y in twins) / sum(law[y, 0] + law[y, 1] for y in twins)
                information += law[x, o] * math.log(given[x, o] / joint)
        midp.append(information)
    mp_database = max(
        abs(math.log(given[x, o] / probability(lambda _, out, o=o: out == o)))
        for x in possible
        for o in (0, 1)
    )
    return dp, bp, max(records), max(mp_record), mp_database, max(midp)


def test_notions_equal_a_plain_loop():
    rng = np.random.default_rng(8)
    answers = notions.enumerate_mechanisms(3)
    priors = notions.enumerate_priors(4)
    for prior in priors[:: len(priors) // 6]:
        chosen = rng.integers(len(answers), size=5)
        ours = notions.compute_epsilons(prior, answers[chosen])
        for at, mechanism in enumerate(chosen):
            dp, bp, ip, mp_record, mp_database, midp = loop_epsilons(
                prior, answers[mechanism, :, 0].tolist()
            )
            assert ours["records"]["dp"][at] == pytest.approx(dp)
            assert ours["records"]["bp"][at] == pytest.approx(bp)
            assert ours["records"]["ddp"][at] == pytest.approx(ip, abs=1e-12)
            assert ours["records"]["mp"][at] == pytest.approx(mp_record, abs=1e-12)
            assert ours["databases"]["mp"][at] == pytest.approx(mp_database)
            assert ours["records"]["midp"][at] == pytest.approx(midp, abs=1e-12)


def test_the_examples_of_the_errata_break_theorem_7():
    """Are two fair, independent records equal?  Alone each stays hidden, and together not."""
    equal = notions.DATABASES[:, 0] == notions.DATABASES[:, 1]
    yes = np.where(equal, 0.75, 0.25)
    answers = np.stack([yes, 1 - yes], axis=1)[None]
    ours = notions.compute_epsilons(np.full(8, 1 / 8), answers)
    assert ours["records"]["ddp"][0] == pytest.approx(0, abs=1e-12)
    assert ours["records"]["dp"][0] == pytest.approx(math.log(3))
    assert ours["records"]["mp"][0] == pytest.approx(0, abs=1e-12)
    assert ours["records"]["midp"][0] > 0.1
    assert ours["databases"]["ddp"][0] == pytest.approx(math.log(3))


def test_a_record_hides_from_membership_while_databases_are_told_apart():
    """Dependent privacy of databases is not within twice the membership privacy of one record."""
    sides = notions.compare_notions(np.full(8, 1 / 8), notions.enumerate_mechanisms(3))
    excess = {
        reading: (smaller - larger).max()
        for (reading, relation), (smaller, larger) in sides.items()
        if relation == "DDP <= 2 MP"
    }
    assert excess["definitions"] == pytest.approx(math.log(3))
    assert max(excess["databases"], excess["records"], excess["possible"]) <= 1e-12


def test_every_independent_prior_equals_a_plain_loop():
    rng = make_generator(8, "notions", "family")
    answers = notions.enumerate_mechanisms(3)
    answers = answers[rng.integers(len(answers), size=3)]
    ours = notions._find_max_epsilons(notions._list_independent_priors(2), answers)
    for at in range(len(answers)):
        yes = answers[at, :, 0].tolist()
        # A record that is nearly certain stands for one that is.
        nearly = [1e-9, 0.5, 1 - 1e-9]
        found = []
        for chances in itertools.product(nearly, repeat=3):
            prior = [
                math.prod(p if bit else 1 - p for bit, p in zip(x, chances, strict=True))
                for x in itertools.product((0, 1), repeat=3)
            ]
            found.append(loop_epsilons(prior, yes))
        dp, _, ip, _, _, midp = (max(column) for column in zip(*found, strict=True))
        assert ours["dp"][at] == pytest.approx(dp)
        assert ours["ddp"][at] == pytest.approx(dp)
        assert ours["ip"][at] == pytest.approx(ip, abs=1e-6)
        assert ours["ip"][at] == pytest.approx(dp)
        assert ours["midp"][at] == pytest.approx(midp, abs=1e-6)
        # One uncertain record, the others known: the answer's mean is that of two databases.
        shifts = [
            abs(math.log(2 * side[k] / (side[0] + side[1])))
            for x, y in notions._DATABASE_PAIRS
            if bin(x ^ y).count("1") == 1
            for side in ((yes[x], yes[y]), (1 - yes[x], 1 - yes[y]))
            for k in (0, 1)
        ]
        assert ours["mp"][at] >= max(shifts) - 1e-12


def inferential_and_dependent(law, answer):
    """Ratios of both notions, by their definitions, of a law over tuples of bits.

    A record's correlated ones are those that it is not pairwise independent of.  Returns for every
    record the largest ratio of P(answer | value), the largest ratio of two possible databases that
    differ in it and, perhaps, in those correlated with it, and whether it is independent of all
    others together.
    """
    size = len(next(iter(law)))

    def chance(test):
        return sum((p for x, p in law.items() if test(x)), Fraction(0))

    def apart(i, others):
        return all(
            chance(lambda x, v=v, w=w: x[i] == v and tuple(x[j] for j in others) == w)
            == chance(lambda x, v=v: x[i] == v)
            * chance(lambda x, w=w: tuple(x[j] for j in others) == w)
            for v in (0, 1)
            for w in itertools.product((0, 1), repeat=len(others))
        )

    found = []
    for i in range(size):
        free = [j for j in range(size) if j != i and apart(i, [j])]
        given = [
            sum(p * answer(x) for x, p in law.items() if x[i] == v)
            / sum(p for x, p in law.items() if x[i] == v)
            for v in (0, 1)
        ]
        pairs = [
            answer(x) / answer(y)
            for x in law
            for y in law
            if x[i] != y[i] and all(x[j] == y[j] for j in free)
        ]
        found.append((max(given) / min(given), max(pairs, default=1), apart(i, free)))
    return found


def test_inferential_privacy_needs_a_record_independent_of_the_others_together():
    """Pairwise independence, or independence given the correlated record, is not enough."""
    law = {
        (u1, u2, u1 ^ u2, d): Fraction(3 if d == u1 ^ u2 else 1, 16)
        for u1, u2, d in itertools.product((0, 1), repeat=3)
    }
    inferential, dependent, together = inferential_and_dependent(
        law, lambda x: Fraction(1 + 98 * (x[0] ^ x[1]), 100)
    )[3]
    assert not together
    assert dependent == 1
    assert inferential == Fraction(298, 4) / Fraction(102, 4)

    rng = make_generator(8, "notions", "together")
    checked = 0
    for _ in range(40):
        # Two pairs of records, each pair correlated as it likes, independent of the other pair.
        parts = [[Fraction(int(k)) for k in rng.integers(1, 5, size=4)] for _ in range(2)]
        pairs = list(itertools.product((0, 1), repeat=2))
        law = {
            x + y: parts[0][k] / sum(parts[0]) * parts[1][m] / sum(parts[1])
            for k, x in enumerate(pairs)
            for m, y in enumerate(pairs)
        }
        yes = {x: Fraction(int(rng.integers(1, 5)), 5) for x in law}
        for inferential, dependent, together in inferential_and_dependent(law, yes.__getitem__):
            assert together
            assert inferential <= dependent
            checked += inferential > 1
    assert checked > 100


def test_priors_are_the_whole_lattice_and_are_called_by_their_kind():
    found = notions.enumerate_priors(4)
    counts = [
        each
        for each in itertools.product(range(5), repeat=4)
        if sum(each) == 4
        and min(each[0] + each[1], each[2] + each[3], each[0] + each[2], each[1] + each[3]) > 0
    ]
    assert {tuple(np.rint(each[::2] * 8).astype(int)) for each in found} == set(counts)
    assert len(found) == len(counts)
    assert {notions.classify_prior(each) for each in notions.enumerate_priors(6)} == {
        "constrained",
        "correlated",
        "independent",
        "uniform",
    }


def test_capacity_is_the_largest_information_of_any_prior():
    rng = make_generator(8, "notions", "capacity")
    answers = notions.enumerate_mechanisms(3)
    answers = answers[rng.integers(len(answers), size=4)]
    for ours, mechanism in zip(notions._find_max_capacity(answers), answers, strict=True):
        best = 0.0
        for x, y in notions._DATABASE_PAIRS:
            if bin(x ^ y).count("1") != 1:
                continue
            for weight in np.linspace(0, 1, 2001)[1:-1]:
                mean = weight * mechanism[x] + (1 - weight) * mechanism[y]
                best = max(
                    best,
                    weight * (mechanism[x] * np.log(mechanism[x] / mean)).sum()
                    + (1 - weight) * (mechanism[y] * np.log(mechanism[y] / mean)).sum(),
                )
        assert ours == pytest.approx(best, abs=1e-6)


def test_what_must_be_possible_by_hand():
    """Two bits that are always equal; the answer is, mostly, whether they are."""
    equal = notions.DATABASES[:, 0] == notions.DATABASES[:, 1]
    yes = np.where(equal, 0.75, 0.25)
    answers = np.stack([yes, 1 - yes], axis=1)[None]
    sides = notions.compare_notions(equal / equal.sum(), answers)
    gaps = {name: smaller - larger for name, (smaller, larger) in sides.items()}
    assert gaps["possible", "IP >= DP"][0] == pytest.approx(0, abs=1e-12)
    # Section 6.1's neighbours tell (0, 0) from (0, 1), as differential privacy does.
    assert gaps["possible changes", "DDP >= DP"][0] == pytest.approx(0, abs=1e-12)
    expected = math.log(2) + 0.75 * math.log(0.75) + 0.25 * math.log(0.25)
    assert gaps["any prior", "MIDP <= MP"][0] == pytest.approx(expected)


def test_posteriors_equal_likelihoods_in_fractions():
    rng = make_generator(8, "notions", "Bayes")
    for _ in range(200):
        weights = [int(k) for k in rng.integers(1, 6, size=4)]
        yes = [Fraction(int(k), 10) for k in rng.integers(1, 10, size=4)]
        overall = sum(w * p for w, p in zip(weights, yes, strict=True))
        for x, y in itertools.permutations(range(4), 2):
            posterior = [w * p / overall for w, p in zip(weights, yes, strict=True)]
            shift = posterior[x] / posterior[y] / Fraction(weights[x], weights[y])
            assert shift == yes[x] / yes[y]
