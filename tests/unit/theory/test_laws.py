"""Laws of dependent records: structured ones against their tables, and against closed forms."""

import itertools
import math

import numpy as np
import pytest

from noiseless.errors import ConfigError
from noiseless.theory.laws import (
    BlockLaw,
    ChainLaw,
    ExchangeableLaw,
    TableLaw,
    collect,
    group_equal,
)


def list_laws(random):
    """List a chain, an exchangeable law and blocks of both, drawn."""
    chain = ChainLaw(
        (0, 1), random.dirichlet((1, 1)), random.dirichlet((1, 1), 2), int(random.integers(1, 5))
    )
    bits = ExchangeableLaw(random.dirichlet(np.ones(int(random.integers(2, 5)))))
    ternary = ChainLaw((0, 0.1, 0.3), random.dirichlet([1] * 3), random.dirichlet([1] * 3, 3), 3)
    return [chain, bits, ternary, BlockLaw([chain, bits]), BlockLaw([bits, ternary])]


def test_structured_laws_are_their_tables():
    random = np.random.default_rng(10)
    for law in itertools.chain.from_iterable(list_laws(random) for _ in range(15)):
        table, record = law.build_table(), int(random.integers(law.records))
        assert (law.records, law.span) == (table.records, pytest.approx(table.span))
        assert law.is_positive == table.is_positive
        for value in np.unique(table.databases[:, record]):
            assert law.compute_chance(record, value) == pytest.approx(
                table.compute_chance(record, value)
            )
            (a, p), (b, q) = (each.compute_sums(record, value) for each in (law, table))
            assert a == pytest.approx(b, abs=1e-12)
            assert p == pytest.approx(q, abs=1e-12)
            assert law.compute_log_mean(record, value, 0.7) == pytest.approx(
                math.log(np.exp(0.7 * b) @ q)
            )


def test_a_table_is_what_it_lists():
    """A loop over two bits, and a constraint."""
    law = TableLaw({(0, 0): 1, (0, 1): 2, (1, 1): 5, (1, 0): 0})
    assert law.compute_chance(0, 1) == 5 / 8
    points, chances = law.compute_sums(0, 0)
    assert points.tolist() == [0, 1]
    assert chances == pytest.approx([1 / 3, 2 / 3])
    kept = law.keep(lambda x: x[1] == 1)
    assert kept.compute_chance(0, 1) == 5 / 7
    seen = TableLaw.build_from_rows([(1, 1), (0, 1), (1, 1)])
    assert seen.compute_chance(0, 1) == pytest.approx(2 / 3)
    chances = [0.1, 0.7, 0.4]
    independent = TableLaw.build_independent(chances)
    for x, p in zip(independent.databases.tolist(), independent.chances, strict=True):
        each = (q if bit else 1 - q for q, bit in zip(chances, x, strict=True))
        assert p == pytest.approx(math.prod(each))


def test_positive_dependence_is_that_of_its_definition():
    random = np.random.default_rng(3)
    seen = set()
    for _ in range(60):
        weights = random.dirichlet(np.ones(8)) if random.random() < 0.5 else None
        every = list(itertools.product((0, 1), repeat=3))
        if weights is None:
            weights = [math.exp(2 * (x[0] * x[1] + x[1] * x[2])) for x in every]
        law = dict(zip(every, weights, strict=True))
        expected = all(
            law[tuple(map(min, x, y))] * law[tuple(map(max, x, y))] >= law[x] * law[y] * (1 - 1e-9)
            for x, y in itertools.product(every, repeat=2)
        )
        seen.add(expected)
        assert TableLaw(law).is_positive == expected
    assert seen == {True, False}


def test_equal_sums_are_merged_in_any_unit():
    tenths = np.array([0.1 + 0.2, 0.3, 0.7, 0.1 * 7, 0.3 + 1e-9])
    for unit in (1e-12, 1.0, 1e9):
        groups, group = group_equal(tenths * unit)
        assert group.tolist() == [0, 0, 2, 2, 1]
        assert len(groups) == 3
    points, weights = collect(np.array([2.0, 1.0, 2.0]), np.array([1.0, 0.0, 3.0]))
    assert (points.tolist(), weights.tolist()) == ([2.0], [4.0])


def test_correlations_are_those_that_were_given():
    chances, r = [0.3, 0.5, 0.6], np.array([[1, 0.4, 0.1], [0.4, 1, 0.3], [0.1, 0.3, 1]])
    law = TableLaw.build_from_correlations(chances, r)
    x, p = law.databases, law.chances
    mean = p @ x
    covariance = (p[:, None] * (x - mean)).T @ (x - mean)
    deviations = np.sqrt(np.diag(covariance))
    assert mean == pytest.approx(chances, abs=1e-7)
    assert covariance / np.outer(deviations, deviations) == pytest.approx(r, abs=1e-6)
    # Of largest entropy: no interaction of three bits, which a Lagrange multiplier would be.
    signs = np.where(x.sum(axis=1) % 2, 1, -1)
    assert signs @ np.log(p) == pytest.approx(0, abs=1e-7)


def test_laws_at_the_ends_of_their_ranges():
    """Certain bits, weights whose sum overflows, and copies in a table of many records."""
    assert ExchangeableLaw.build_mixed(3, 0, alike=0.5).counts.tolist() == [1, 0, 0, 0]
    assert ExchangeableLaw.build_mixed(3, 1, alike=0.5).counts.tolist() == [0, 0, 0, 1]
    assert TableLaw({(0,): 1e308, (1,): 1e308}).chances.tolist() == [0.5, 0.5]
    assert ExchangeableLaw([1e308, 1e308]).counts.tolist() == [0.5, 0.5]
    copies = TableLaw({(0,) * 40: 1, (1,) * 40: 1})
    assert copies.is_positive
    assert copies.compute_log_mean(0, 1, 0.5) == pytest.approx(20)


@pytest.mark.parametrize(
    ("build", "says"),
    [
        (lambda: TableLaw({}), "`weights` must map"),
        (lambda: TableLaw.build_independent([1.5]), "`chances` must be"),
        (lambda: TableLaw({(0,): 1}).keep(lambda x: False), "`constraint` must allow"),
        (lambda: TableLaw({(0,): 1}).keep(3), "`constraint` must be a function"),
        (lambda: ExchangeableLaw.build_copies(0, 0.5), "`records` must be"),
        (lambda: ExchangeableLaw.build_copies(2, 1.5), "`chance` must be"),
        (lambda: ExchangeableLaw.build_mixed(2, 0.5, alike=2), "`alike` must be"),
        (lambda: ChainLaw.build_symmetric(1.5, 3), "`stay` must be"),
        (lambda: ExchangeableLaw([1] * 20_001).build_table(), "got 2.20000 or more"),
        (lambda: ExchangeableLaw([1, 1]).compute_chance(1, 1), "records 0 to 0"),
        (lambda: ExchangeableLaw([1, 1]).compute_sums(0, 0.5), "the law excludes"),
        (lambda: ChainLaw.build_symmetric(0.5, 3).compute_sums(-1, 1), "`record` must be"),
        (lambda: ChainLaw.build_symmetric(0.5, 3).compute_log_mean(0, 2, 1.0), "excludes"),
        (lambda: BlockLaw([ExchangeableLaw([1, 1])]).compute_chance(1, 1), "records 0 to 0"),
        (lambda: TableLaw({(0,): 1, (1,): 1}).compute_sums(-1, 1), "`record` must be"),
        (lambda: TableLaw({(0,): 1, (0, 1): 1}), "of 2 lengths"),
        (
            lambda: TableLaw({(0,): 1, (1,): -1}),
            r"weights\[\(1,\)\]` must be .* at least 0, got -1",
        ),
        (lambda: TableLaw({(0,): 1, (1,): math.nan}), "got nan"),
        (lambda: TableLaw({(k,): 1 for k in range(20_000)}), "got 20,000"),
        (lambda: ChainLaw((0, 0), (0.5, 0.5), np.eye(2), 2), "different numbers"),
        (lambda: ChainLaw((0, 1), (0.5, 0.6), np.eye(2), 2), "the sums"),
        (lambda: ChainLaw.build_symmetric(0.5, 15).build_table(), "got 32,768"),
        (lambda: ExchangeableLaw([1]), "`counts` must be two"),
        (lambda: ExchangeableLaw([2, -1]), "at least 0, got -1"),
        (lambda: BlockLaw([]), "one or more laws"),
        (lambda: TableLaw.build_from_correlations([0.5] * 3, -0.9 + 1.9 * np.eye(3)), "Lower"),
        (lambda: TableLaw.build_from_correlations([0.5] * 2, np.eye(3)), "square"),
        (lambda: TableLaw.build_from_correlations([0.5] * 2, [[1, 0.1], [0.2, 1]]), "symmetric"),
    ],
)
def test_what_is_no_law_is_refused(build, says):
    with pytest.raises(ConfigError, match=says):
        build()
