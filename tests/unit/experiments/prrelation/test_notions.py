"""Privacy notions of three records, against a plain loop."""

import itertools
import math

import numpy as np
import pytest

from noiseless.experiments.prrelation import notions


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
    answers = notions.mechanisms(3)
    priors = notions.priors(4)
    for prior in priors[:: len(priors) // 6]:
        chosen = rng.integers(len(answers), size=5)
        ours = notions.epsilons(prior, answers[chosen])
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


def test_the_errata_examples_of_theorem_7():
    """Are two fair, independent records equal?  Alone each stays hidden, and together not."""
    equal = notions.DATABASES[:, 0] == notions.DATABASES[:, 1]
    yes = np.where(equal, 0.75, 0.25)
    answers = np.stack([yes, 1 - yes], axis=1)[None]
    ours = notions.epsilons(np.full(8, 1 / 8), answers)
    assert ours["records"]["ddp"][0] == pytest.approx(0, abs=1e-12)
    assert ours["records"]["dp"][0] == pytest.approx(math.log(3))
    assert ours["records"]["mp"][0] == pytest.approx(0, abs=1e-12)
    assert ours["records"]["midp"][0] > 0.1
    assert ours["databases"]["ddp"][0] == pytest.approx(math.log(3))


def test_priors_are_the_whole_lattice_and_are_called_by_their_kind():
    found = notions.priors(4)
    counts = [
        each
        for each in itertools.product(range(5), repeat=4)
        if sum(each) == 4
        and min(each[0] + each[1], each[2] + each[3], each[0] + each[2], each[1] + each[3]) > 0
    ]
    assert {tuple(np.rint(each[::2] * 8).astype(int)) for each in found} == set(counts)
    assert len(found) == len(counts)
    assert {notions.kind_of(each) for each in notions.priors(6)} == {
        "constrained",
        "correlated",
        "independent",
        "uniform",
    }
