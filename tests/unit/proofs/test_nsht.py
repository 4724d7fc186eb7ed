"""docs/proofs/nsht.md: the arithmetic of the corrections, for all numbers, by z3.

Each inequality is proved by showing that its negation has no solution.  Beside it, the statement as
printed has one, so that the assumptions are not contradictory.
"""

import itertools

import pytest
from z3 import And, If, Ints, Or, Real, Reals

from smt import is_closed


def smaller(one, other):
    return If(one < other, one, other)


@pytest.mark.proves("nsht: Appendix 11")
def test_the_best_test_is_right_at_least_as_often_as_the_variation_says():
    """The test on A = {p0 >= p1}, whose probability is a0 under p0 and a1 under p1."""
    prior, a0, a1 = Reals("prior a0 a1")
    nu, success = a0 - a1, prior * a0 + (1 - prior) * (1 - a1)
    possible = [prior > 0, prior < 1, a1 >= 0, a1 <= a0, a0 <= 1]
    assert is_closed(*possible, success < nu)
    # As printed: no test is right more often than nu.
    assert not is_closed(*possible, success > nu)
    # The pointwise identity behind (1 + nu)/2.
    u, v = Reals("u v")
    larger = If(u > v, u, v)
    distance = If(u > v, u - v, v - u)
    assert is_closed(2 * larger != u + v + distance)


@pytest.mark.proves("nsht: Section 5")
def test_a_more_private_policy_that_proves_as_much_reports_more():
    reports, proving, other_reports, other_proving = Reals("y d yy dd")
    possible = [
        proving > 0,
        proving <= reports,
        other_proving > 0,
        other_proving <= other_reports,
        reports * other_proving > other_reports * proving,  # the first one is more private
    ]
    assert is_closed(*possible, reports <= other_reports, proving >= other_proving)
    assert not is_closed(*possible, proving >= other_proving)


@pytest.mark.proves("nsht: Proposition 1")
def test_leakage_is_at_most_that_of_proposition_1_and_attains_it():
    """Sizes of reports of p0 alone, p1 alone and both; leakage at most (1 + epsilon)/epsilon."""
    a, b, c, epsilon = Reals("a b c epsilon")
    every, decided, least = a + b + c, a + b, smaller(a, b) + c
    private = [a >= 0, b >= 0, c >= 0, decided > 0, epsilon > 0, every >= (1 + epsilon) * decided]
    assert is_closed(*private, every * epsilon > (1 + epsilon) * least)
    # It is attained, so that nothing smaller holds.
    assert not is_closed(*private, every * epsilon == (1 + epsilon) * least)
    # Half of the reports prove p1 (epsilon = 1), and the leakage is log 2, above -log(1 - 1/e).
    assert not is_closed(*private, epsilon == 1, every == 2 * least)


@pytest.mark.proves("nsht: Appendix 13")
def test_the_printed_bound_of_appendix_13_always_breaks():
    """exp(-L0) <= 1 - 1/(2t) for t = exp Priv = every/decided: the printed bound always breaks."""
    a, b, c = Reals("a b c")
    every, decided, least = a + b + c, a + b, smaller(a, b) + c
    sizes = [a >= 0, b >= 0, c >= 0, decided > 0]
    assert is_closed(*sizes, 2 * least > 2 * every - decided)
    assert not is_closed(*sizes, 2 * least == 2 * every - decided)


@pytest.mark.proves("nsht: Figure 8")
def test_the_product_of_figure_8_grows_with_the_number_of_people():
    """n! m^n, which the lowest report's share is one over, grows with n (the step of induction)."""
    n, m, product = Ints("n m product")
    assert is_closed(n >= 1, m >= 1, product >= 1, (n + 1) * m * product <= product)
    # As printed, it would fall.
    assert not is_closed(n >= 1, m >= 1, product >= 1, (n + 1) * m * product > product)


@pytest.mark.proves("nsht: Definition 5 for continuous answers")
def test_definition_5_of_two_moved_intervals():
    """Intervals of one length, one moved: they differ by twice the smaller of move and length."""
    length, move = Reals("length move")
    common = If(length > move, length - move, 0)
    differ = 2 * (length - common)
    assert is_closed(length >= 0, move >= 0, differ != 2 * smaller(length, move))
    # Two points differ by nothing, whatever the move.
    assert is_closed(length == 0, move >= 0, differ != 0)


@pytest.mark.proves("nsht: Remark 1")
def test_the_budget_of_remark_1_needs_a_bound_on_the_others():
    """A band of at most 2m/rho of a range of size M: epsilon rho is at most 2m/(M - 2m/rho)."""
    size, band, others, rho, epsilon = Reals("size band others rho epsilon")
    possible = [rho > 0, others > 0, band >= 0, band * rho <= 2 * others, size * rho > 2 * others]
    budget = epsilon * (size - band) == band  # Theorem 4
    limit = epsilon * rho * (size * rho - 2 * others) > 2 * others * rho
    assert is_closed(*possible, budget, limit)
    # As printed, with a bound that knows the range alone: the others' numbers are unbounded.
    assert not is_closed(rho > 1, size == 8, band < 8, budget, epsilon * rho > 1000)


# Several analysts: a release of the step `coarse`, and a finer one in which a record has its cell
# first, of the step `fine`.  The room below and above the threshold is `below` and `above`.
FINE, COARSE, BELOW, ABOVE, PORTION = Reals("fine coarse below above portion")
CHAIN = [FINE > 0, COARSE >= FINE, BELOW > 0, ABOVE > 0]


def band(step):
    return -smaller(step, BELOW), smaller(step, ABOVE)


@pytest.mark.proves("nsht: Several analysts")
def test_a_cell_is_within_a_step_of_its_records_in_every_coarser_release():
    """A cell is a portion of the band; its records are that portion of the finer source."""
    low, high = band(COARSE)
    report = low + PORTION * (high - low)
    upper, lower = smaller(2 * FINE, ABOVE), smaller(2 * FINE, BELOW)
    inside = [PORTION >= 0, PORTION <= 1]
    for record in (PORTION * upper, PORTION * lower - lower):
        assert is_closed(*CHAIN, *inside, report - record > COARSE)
        assert is_closed(*CHAIN, *inside, record - report > COARSE)
        # No smaller change would do.
        assert not is_closed(
            *CHAIN, *inside, Or(report - record == COARSE, record - report == COARSE)
        )


@pytest.mark.proves("nsht: Several analysts")
def test_so_is_the_upper_end_of_a_line_that_ends_within_the_bound():
    """It has the overlay's report: a step down, or the lower end of the band."""
    (fine_low, fine_high), (low, high) = band(FINE), band(COARSE)
    step_down = ABOVE - FINE
    fine = If(step_down > fine_low, step_down, fine_low)
    report = Real("report")
    same_portion = (fine - fine_low) * (high - low) == (report - low) * (fine_high - fine_low)
    ends = [*CHAIN, ABOVE < 2 * FINE]
    assert is_closed(*ends, fine >= fine_high)
    assert is_closed(*ends, same_portion, ABOVE - report > COARSE)
    assert is_closed(*ends, same_portion, report > ABOVE)


@pytest.mark.proves("nsht: Several analysts")
def test_so_is_the_one_report_where_p0_is_a_point():
    record = Real("record")
    source = [FINE > 0, COARSE >= FINE, BELOW > 0, record <= 0, record >= -smaller(2 * FINE, BELOW)]
    point = -smaller(COARSE, BELOW)
    assert is_closed(*source, Or(record - point > COARSE, point - record > COARSE))


@pytest.mark.proves("nsht: Several analysts")
def test_a_record_without_a_cell_has_no_report_of_the_band():
    """So the finer report tells whether there is a cell, and which."""
    record = Real("record")
    low, high = band(FINE)
    inside = [record >= low, record < high]
    assert is_closed(*CHAIN, *inside, Or(record >= 2 * FINE, record < -2 * FINE))
    assert not is_closed(*CHAIN, *inside)


@pytest.mark.proves("nsht: Several analysts")
def test_cells_must_move_with_the_accuracy():
    """Left where the finer release reports them, they are out of reach beyond both steps."""
    record, report = Reals("record report")
    low, high = band(FINE)
    kept = [*CHAIN, report >= low, report < high, record <= ABOVE, record < 2 * COARSE]
    assert is_closed(*kept, record - report <= COARSE, record >= COARSE + FINE)
    assert not is_closed(*CHAIN, record >= COARSE + FINE, record < 2 * COARSE)


@pytest.mark.proves("nsht: Odds against change")
@pytest.mark.parametrize("fine", [True, False])
def test_the_potential_is_below_what_any_report_pays(fine):
    """For all odds kappa, largest changes R, bands D, records s and reports u or -u."""
    kappa, largest, band, s, u = Reals("kappa R D s u")
    across = band / (1 + kappa)
    possible = [kappa >= 1, band > 0, 2 * largest >= band, largest <= band]
    if fine:
        possible += [kappa > 1, (kappa + 1) * largest >= 2 * band]
        rigid = (band - largest) / (kappa - 1)
        edge, place = largest - rigid, across
    else:
        possible += [(kappa + 1) * largest < 2 * band]
        edge = place = largest - across

    def alpha(u):
        """What a report at u pays if it is on its own side; across it is paid kappa times this."""
        slow = 2 * place / (1 + kappa) + (smaller(u, edge) - place) / kappa
        return slow + If(u > edge, u - edge, 0)

    own = alpha(edge) + s - edge  # what is squeezed
    if fine:
        moved = s + across - kappa * alpha(across)
        least = If(s < across, moved, If(s < edge, alpha(s), own))
        least = If(s < rigid, largest - kappa * alpha(largest - s), least)
    else:
        least = If(s < across, largest - kappa * alpha(largest - s), own)
    distance = If(s > u, s - u, u - s)
    report = [*possible, s >= 0, s < band, u >= 0, u <= largest]
    assert is_closed(*report, alpha(u) < 0)
    assert is_closed(*report, distance <= largest, least > distance + alpha(u))
    assert is_closed(*report, s + u <= largest, least > s + u - kappa * alpha(u))
    # It is attained, so that nothing more can be asked of the reports.
    assert not is_closed(*report, distance <= largest, least == distance + alpha(u))


@pytest.mark.proves("nsht: Odds against change")
def test_a_largest_change_beyond_the_band_is_of_no_use():
    """The price of a report then rises by 1/kappa everywhere."""
    kappa, largest, band, s, u = Reals("kappa R D s u")
    across = band / (1 + kappa)

    def alpha(u):
        return 2 * across / (1 + kappa) + (u - across) / kappa

    least = smaller(alpha(s), s + across - kappa * alpha(across))
    distance = If(s > u, s - u, u - s)
    report = [kappa >= 1, band > 0, largest >= band, s >= 0, s < band, u >= 0, u <= largest]
    assert is_closed(*report, alpha(u) < 0)
    assert is_closed(*report, least > distance + alpha(u))
    assert is_closed(*report, least > s + u - kappa * alpha(u))
    assert not is_closed(*report, least == s + u - kappa * alpha(u))


@pytest.mark.proves("nsht: Two thresholds")
def test_one_report_for_two_thresholds_moves_nobody_too_far():
    """An affine piece moves an end the most.  Pieces from the proof, thresholds 0 and delta."""
    delta, r, eta, x = Reals("delta r eta x")
    below, both, above = (-r, eta - r), (delta - r, r), (delta + r - eta, delta + r)
    near = [r > 0, delta > 0, delta < 2 * r, eta > 0, 2 * eta <= delta]
    pieces = [
        (-2 * r, delta - 2 * r, *below),
        (delta - 2 * r, 0, *both),
        (0, eta, *below),
        (eta, delta - eta, *both),
        (delta - eta, delta, *above),
        (delta, 2 * r, *both),
        (2 * r, delta + 2 * r, *above),
    ]
    room = smaller(2 * r, delta / 2)
    far = [r > 0, delta >= 2 * r]
    overlays = [
        (-2 * r, 0, -r, r),
        (0, room, -r, r),
        (delta - room, delta, delta - r, delta + r),
        (delta, delta + 2 * r, delta - r, delta + r),
    ]
    for possible, moved in ((near, pieces), (far, overlays)):
        for start, stop, to_start, to_stop in moved:
            for change in (to_start - start, to_stop - stop):
                assert is_closed(*possible, Or(change > r, change < -r))
    for one, other in ((below, both), (both, above)):
        assert is_closed(*near, one[1] > other[0])
    assert is_closed(*far, r > delta - r)
    # The records of the pieces are all within two steps, and none is in two.
    for possible, moved in ((near, pieces), (far, overlays)):
        for first, second in itertools.pairwise(moved):
            assert is_closed(*possible, first[0] <= x, x < first[1], second[0] <= x, x < second[1])
    # Slices of more than half of the distance would overlap.
    assert not is_closed(r > 0, delta > 0, delta < 2 * r, eta <= delta, eta > delta - eta)


@pytest.mark.proves("nsht: Two thresholds")
def test_overlays_made_one_by_one_leave_nobody():
    """The reports of two records below and above, if thresholds are two steps apart or more."""
    delta, r, x, mate = Reals("delta r x mate")

    def overlay(x, g):
        inside = [x >= g - 2 * r, x < g + 2 * r]
        return If(And(*inside), If(x < g, x + r, x - r), x)

    same = [overlay(x, 0) == overlay(mate, 0), overlay(x, delta) == overlay(mate, delta)]
    assert is_closed(r > 0, delta >= 2 * r, *same, x < mate)
    assert not is_closed(r > 0, delta > 0, delta < 2 * r, *same, x < mate)
