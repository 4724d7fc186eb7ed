"""Order of privacy notions (``prrelation``, Theorem 7, Propositions 1 and 2), by enumeration.

A database has three records of one bit.  The first two have any joint distribution on a lattice;
the third is an independent fair coin.  A mechanism answers yes with a probability that depends on
the database alone.  Every notion's smallest epsilon is computed for every pair of a distribution
and a mechanism.

The paper has several wordings of dependent differential privacy (DDP), inferential privacy (IP) and
membership privacy (MP); each is one reading of :func:`compare_notions`:

``databases``
    The wording of its proof: likelihoods of two databases that are both possible and differ in one
    record and, perhaps, in those correlated with it.  Membership privacy (MP) is about databases,
    too.
``records``
    The definition of IP: posterior against prior odds of one record's value, the others drawn
    given that value.  MP is about the record's value.
``definitions``
    DDP as in ``databases``, and IP and MP as in ``records``, each by its own definition.
``family``
    As ``definitions``, and each notion holds against every prior of a lattice under which the three
    records are independent, including priors that fix some of the records (Proposition 1).

In the first three, Blowfish privacy (BP) compares any two possible databases, and
mutual-information differential privacy (MIDP) is the largest information of a record given the
others, at the prior at hand.

``every``
    As ``definitions``, and each notion holds against every prior.

Others follow the paper's wording of neighbours to the letter:

``possible``
    Everything is about possible databases, differential privacy, too, and inferential privacy is
    about posteriors of databases.
``possible changes``
    DDP compares any two databases that differ in one record or in correlated ones (Section 6.1).
``any prior``
    As ``databases``, and MIDP is the largest over all priors, as in the source that defines it.

The order over all mechanisms, and with the neighbours of the cited sources, is in
:mod:`noiseless.papers.prrelation.orders`.
"""

import itertools
from collections.abc import Iterable, Sequence

import numpy as np

from noiseless.arrays import Bools, Floats

Sides = tuple[Floats, Floats]

DATABASES = np.array(list(itertools.product((0, 1), repeat=3)))
_DATABASE_PAIRS = np.array(list(itertools.combinations(range(8), 2)))
_CHANGED = DATABASES[_DATABASE_PAIRS[:, 0]] != DATABASES[_DATABASE_PAIRS[:, 1]]
_ONE_CHANGED = _CHANGED.sum(axis=1) == 1


def compare_notions(prior: Floats, answers: Floats) -> dict[tuple[str, str], Sides]:
    """Compute both sides of each relation of Theorem 7, in each reading, for every mechanism.

    ``prior`` has the probabilities of :data:`DATABASES`, and ``answers``, shape (m, 8, 2), that of
    each answer on each database, all positive.  By reading and relation: the side that has to be
    smaller, and the larger one, each of shape (m,), in nats; where the relation has an equals sign,
    they have to be equal.
    """
    readings = compute_epsilons(prior, answers)
    databases, records = (readings[reading]["ddp"] for reading in ("databases", "records"))
    found = {
        (reading, relation): sides
        for reading, notions in readings.items()
        for relation, sides in _list_sides(notions).items()
    }
    return found | {
        ("definitions", "DDP = IP"): (databases, records),
        ("definitions", "DDP >= IP"): (records, databases),
        ("definitions", "DDP <= 2 MP"): (databases, 2 * readings["records"]["mp"]),
        **_compare_possible(prior, answers, readings["databases"]),
    }


def compare_families(prior_parts: int, answers: Floats) -> dict[tuple[str, str], Sides]:
    """Compute both sides of relations of notions that hold against every prior of a family.

    In the reading ``family`` of Proposition 1 these are priors under which the records are
    independent.  In the reading ``every prior`` of Theorem 7 these are all.  A prior of two
    databases tells them apart as well as any: the notions are computed against all of these, with
    even chances and, for membership privacy, with 1/1000, too; and against the lattice of
    :func:`enumerate_priors`, which has none that tells more.  The information is the largest over
    all priors.
    """
    family = _find_max_epsilons(_list_independent_priors(prior_parts), answers)
    lattice = [(prior, _select_pairs(prior)[2]) for prior in enumerate_priors(prior_parts)]
    every = _find_max_epsilons([*_list_priors_of_two(), *lattice], answers)
    return {
        ("family", "IP = DP"): (family["ip"], family["dp"]),
        ("family", "DDP <= 2 MP"): (family["ddp"], 2 * family["mp"]),
        ("family", "MIDP <= MP"): (family["midp"], family["mp"]),
        ("every prior", "BP >= DDP"): (every["ddp"], every["bp"]),
        ("every prior", "DDP = IP"): (every["ddp"], every["ip"]),
        ("every prior", "IP >= DP"): (every["dp"], every["ip"]),
        ("every prior", "DDP <= 2 MP"): (every["ddp"], 2 * every["mp"]),
        ("every prior", "MIDP <= MP"): (_find_max_capacity(answers), every["mp"]),
    }


def _list_independent_priors(parts: int) -> list[tuple[Floats, Bools]]:
    """List priors of independent records, 1 with a probability of 0, 1/parts, ..., 1, and pairs.

    The pairs are those that dependent privacy compares.  Some record is uncertain.
    """
    return [
        (np.where(DATABASES == 1, chances, 1 - np.array(chances)).prod(axis=1), _ONE_CHANGED)
        for chances in itertools.product(np.arange(parts + 1) / parts, repeat=3)
        if any(0 < chance < 1 for chance in chances)
    ]


def _list_priors_of_two() -> list[tuple[Floats, Bools]]:
    """List priors of two databases, whose differing records depend on each other, and pairs."""
    return [
        (chance * np.eye(8)[x] + (1 - chance) * np.eye(8)[y], np.ones(len(_CHANGED), dtype=bool))
        for x, y in _DATABASE_PAIRS
        for chance in (0.5, 0.001, 0.999)
    ]


def _find_max_epsilons(
    priors: Iterable[tuple[Floats, Bools]], answers: Floats
) -> dict[str, Floats]:
    """Find each notion's largest epsilon (nats) over priors: MP and IP are of a record's value."""
    ratio = _compute_ratios(answers)
    largest = {name: np.zeros(len(answers)) for name in ("ddp", "ip", "bp", "mp", "midp")}
    for prior, dependent in priors:
        possible = (prior[_DATABASE_PAIRS] > 0).all(axis=1)
        uncertain = np.flatnonzero(np.ptp(DATABASES[prior > 0], axis=0)).tolist()
        ip, mp = _compute_record_epsilons(prior, answers, uncertain)
        found = {
            "ddp": ratio[:, possible & dependent].max(axis=1),
            "ip": ip,
            "bp": ratio[:, possible].max(axis=1),
            "mp": mp,
            "midp": _compute_max_information(prior, answers),
        }
        largest = {name: np.maximum(largest[name], found[name]) for name in largest}
    return {**largest, "dp": ratio[:, _ONE_CHANGED].max(axis=1)}


def _compare_possible(
    prior: Floats, answers: Floats, notions: dict[str, Floats]
) -> dict[tuple[str, str], Sides]:
    """Compute both sides of each relation where databases have to be possible, as printed."""
    ratio = _compute_ratios(answers)
    one, possible, dependent = _select_pairs(prior)
    differential = ratio[:, possible & one].max(axis=1)
    # Bayes' rule, for every database and answer.
    overall = np.einsum("x,mxo->mo", prior, answers)
    at = prior > 0
    with np.errstate(divide="ignore", invalid="ignore"):
        posterior = prior[:, None] * answers / overall[:, None]
        odds = np.where(at[:, None], np.log(posterior) - np.log(prior)[:, None], np.nan)
    shift = np.abs(odds[:, _DATABASE_PAIRS[:, 0]] - odds[:, _DATABASE_PAIRS[:, 1]]).max(axis=2)
    inferential = shift[:, possible & dependent].max(axis=1)
    return {
        ("possible", "BP >= DDP"): (notions["ddp"], notions["bp"]),
        ("possible", "DDP = IP"): (notions["ddp"], inferential),
        ("possible", "IP >= DP"): (differential, inferential),
        ("possible", "DDP = DP"): (notions["ddp"], differential),
        ("possible", "DDP <= 2 MP"): (notions["ddp"], 2 * notions["mp"]),
        ("possible", "MIDP <= MP"): (notions["midp"], notions["mp"]),
        ("possible changes", "DDP >= DP"): (notions["dp"], ratio[:, dependent].max(axis=1)),
        ("any prior", "MIDP <= MP"): (_find_max_capacity(answers), notions["mp"]),
    }


def _find_max_capacity(answers: Floats) -> Floats:
    """Find the largest information of a record over all priors, shape (m,), in nats.

    The information is of one record and the answer, given the other records.  It is the largest
    capacity of two databases that differ in one record: the information of the prior under which
    both are equally far from the mean of the answers.
    """
    p, q = (answers[:, _DATABASE_PAIRS[_ONE_CHANGED, k], 0] for k in (0, 1))
    entropies = [-each * np.log(each) - (1 - each) * np.log(1 - each) for each in (p, q)]
    with np.errstate(invalid="ignore"):
        mean = 1 / (1 + np.exp((entropies[0] - entropies[1]) / (p - q)))
        distance = p * np.log(p / mean) + (1 - p) * np.log((1 - p) / (1 - mean))
    return np.where(p == q, 0.0, distance).max(axis=1)


def _select_pairs(prior: Floats) -> tuple[Bools, Bools, Bools]:
    """Select pairs of databases: with one changed record, both possible, inside one block.

    Each of the three masks has shape (28,).  A block is a set of dependent records.
    """
    independent = classify_prior(prior) in ("independent", "uniform")
    dependent = _ONE_CHANGED if independent else _ONE_CHANGED | ~_CHANGED[:, 2]
    return _ONE_CHANGED, (prior[_DATABASE_PAIRS] > 0).all(axis=1), dependent


def _list_sides(notions: dict[str, Floats]) -> dict[str, Sides]:
    """List the side of each relation that has to be smaller, and the larger one, in nats."""
    return {
        "BP >= DDP": (notions["ddp"], notions["bp"]),
        "BP = DDP": (notions["bp"], notions["ddp"]),
        "BP <= 3 DDP": (notions["bp"], 3 * notions["ddp"]),
        "DDP >= DP": (notions["dp"], notions["ddp"]),
        "DDP <= DP": (notions["ddp"], notions["dp"]),
        "DDP = DP": (notions["dp"], notions["ddp"]),
        "DDP <= 2 MP": (notions["ddp"], 2 * notions["mp"]),
        "MIDP <= MP": (notions["midp"], notions["mp"]),
    }


def enumerate_priors(parts: int) -> list[Floats]:
    """Enumerate the priors on a lattice, and the uniform one, that leave each record uncertain.

    Each has shape (8,).
    """
    distributions = [] if parts % 4 == 0 else [np.full(8, 1 / 8)]
    for cuts in itertools.combinations(range(parts + 3), 3):
        ends = np.array((-1, *cuts, parts + 3))
        joint = (np.diff(ends) - 1).reshape(2, 2) / parts
        if joint.sum(axis=0).min() > 0 and joint.sum(axis=1).min() > 0:
            distributions.append(np.repeat(joint.ravel(), 2) / 2)
    return distributions


def enumerate_mechanisms(levels: int) -> Floats:
    """Enumerate the mechanisms on a lattice: probability of each answer, shape (m, 8, 2).

    Exchanging the two answers of a mechanism does not change its epsilons, so the probability of
    yes on the first database is at most one half.
    """
    grid = (np.arange(levels) + 1) / (levels + 1)
    yes = np.array(list(itertools.product(grid[grid <= 0.5], *[grid] * 7)))
    # Mechanisms are contiguous in memory, because all computations run over them.
    return np.asfortranarray(np.stack([yes, 1 - yes], axis=2))


def classify_prior(prior: Floats) -> str:
    """Classify a prior as ``constrained``, ``uniform``, ``independent`` or ``correlated``."""
    if np.ptp(prior) == 0:
        return "uniform"
    joint = prior.reshape(4, 2).sum(axis=1).reshape(2, 2)
    if (prior == 0).any():
        return "constrained"
    product = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    return "independent" if np.allclose(joint, product, rtol=0, atol=1e-12) else "correlated"


def compute_epsilons(prior: Floats, answers: Floats) -> dict[str, dict[str, Floats]]:
    """Compute the smallest epsilon (nats) of each notion, in both readings, for every mechanism.

    ``databases`` and ``records`` each map ``dp``, ``ddp``, ``bp``, ``mp`` and ``midp`` to an array
    of shape (m,).
    """
    logs = np.log(answers)
    ratio = _compute_ratios(answers)
    one, possible, dependent = _select_pairs(prior)
    overall = np.log(np.einsum("x,mxo->mo", prior, answers))
    dp, bp = ratio[:, one].max(axis=1), ratio[:, possible].max(axis=1)
    midp = _compute_max_information(prior, answers)
    by_database = np.abs(logs[:, prior > 0] - overall[:, None]).max(axis=(1, 2))
    inferential, by_record = _compute_record_epsilons(prior, answers, (0, 1, 2))
    shared = {"dp": dp, "bp": bp, "midp": midp}
    return {
        "databases": {
            **shared,
            "ddp": ratio[:, possible & dependent].max(axis=1),
            "mp": by_database,
        },
        "records": {**shared, "ddp": inferential, "mp": by_record},
    }


def _compute_ratios(answers: Floats) -> Floats:
    """Compute the largest log-ratio of the likelihoods of two databases, shape (m, 28)."""
    logs = np.log(answers)
    return np.abs(logs[:, _DATABASE_PAIRS[:, 0]] - logs[:, _DATABASE_PAIRS[:, 1]]).max(axis=2)


def _compute_record_epsilons(
    prior: Floats, answers: Floats, records: Sequence[int]
) -> tuple[Floats, Floats]:
    """Compute the epsilons (nats) of inferential and membership privacy, each of shape (m,)."""
    overall = np.log(np.einsum("x,mxo->mo", prior, answers))
    given = [
        np.log(np.stack([_condition_answers(prior, answers, record, value) for value in (0, 1)]))
        for record in records
    ]
    inferential = np.max([np.abs(logs[0] - logs[1]).max(axis=1) for logs in given], axis=0)
    membership = np.max([np.abs(logs - overall).max(axis=(0, 2)) for logs in given], axis=0)
    return inferential, membership


def _condition_answers(prior: Floats, answers: Floats, record: int, value: int) -> Floats:
    """Compute P(answer | the record has the value), shape (m, 2)."""
    weights = np.where(DATABASES[:, record] == value, prior, 0.0)
    return np.einsum("x,mxo->mo", weights / weights.sum(), answers)


def _compute_max_information(prior: Floats, answers: Floats) -> Floats:
    """Compute max_i I(record i; answer | the other records), shape (m,), in nats."""
    information = []
    for record in range(3):
        total = np.zeros(len(answers))
        for x in np.flatnonzero(prior):
            y = x ^ (4 >> record)  # the database with the other value of that record
            mixed = (prior[x] * answers[:, x] + prior[y] * answers[:, y]) / (prior[x] + prior[y])
            total += prior[x] * (answers[:, x] * np.log(answers[:, x] / mixed)).sum(axis=1)
        information.append(total)
    return np.max(information, axis=0)
