"""Algorithm 6, as printed and repaired, against the certified loss."""

from noiseless.accounting.realized_loss import bound_realized_loss
from noiseless.papers.knowledge import algorithm6


def test_repaired_algorithm_6_agrees_with_the_certified_loss_and_the_printed_one_does_not():
    queries, outputs, box = algorithm6.draw_problem(2, 2, 0, epsilon_nats=0.5, seed=5)
    exact = bound_realized_loss(queries, outputs, box, tolerance=1e-5)
    found = {
        printed: algorithm6.bound_loss(queries, outputs, box, delta=0.01, printed=printed)
        for printed in (True, False)
    }
    assert found[False].finished
    assert exact.lower - 1e-6 <= found[False].bound <= exact.upper + 0.02 + 1e-6
    assert found[True].bound > exact.upper + 0.1


def test_every_parameter_of_a_random_query_is_a_number_of_its_own():
    queries, _, _ = algorithm6.draw_problem(4, 3, 0, epsilon_nats=0.5, seed=5)
    numbers = [number for query in queries for number in (*query.coefficients, query.intercept)]
    assert len(set(numbers)) == 4 * (3 + 1)
    assert max(map(abs, numbers)) <= 5
