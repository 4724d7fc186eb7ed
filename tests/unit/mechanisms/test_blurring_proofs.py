"""What the proofs of ``docs/proofs/nsht.md`` say of blurring, closed by z3 for all real numbers.

A statement holds for every threshold, range, accuracy and record if its negation has no solution.
The affine maps are written without division: with a length L and a portion p of it, 0 <= p < 1.
"""

import pytest
import z3

STEP, BELOW, ABOVE = z3.Reals("step below above")
# p0 holds the threshold itself, so it may have no room above.
ROOMS = [STEP > 0, BELOW > 0, ABOVE >= 0]
TIMEOUT_MS = 20_000


def smaller(one, other):
    return z3.If(one < other, one, other)


def proves(*negation) -> bool:
    solver = z3.Solver()
    solver.set("timeout", TIMEOUT_MS)
    solver.add(*negation)
    answer = solver.check()
    assert answer != z3.unknown
    return answer == z3.unsat


LOW, HIGH = -smaller(STEP, BELOW), smaller(STEP, ABOVE)


def report_at(portion, reach):
    """Of a portion of either side; where p0 is one point, all of the source has its report."""
    point = -smaller((reach - 1) * STEP, BELOW)
    return z3.If(ABOVE == 0, point, LOW + portion * (HIGH - LOW))


@pytest.mark.proves("nsht: What a blurring policy can do at best")
@pytest.mark.parametrize("reach", [1, 2])
def test_no_record_moves_by_more_than_a_step(reach):
    """Theorem 4's class: both ends of either side, and so everything between them."""
    upper, lower = smaller(reach * STEP, ABOVE), smaller(reach * STEP, BELOW)
    portion = z3.Real("portion")
    for start, length in ((0, upper), (-lower, lower)):
        moved = report_at(portion, reach) - (start + portion * length)
        for sign in (1, -1):
            assert proves(*ROOMS, portion >= 0, portion <= 1, sign * moved > STEP)


@pytest.mark.proves("nsht: What a blurring policy can do at best")
@pytest.mark.parametrize("reach", [1, 2])
def test_every_record_of_the_source_has_a_twin(reach):
    """The same portion of the other side, which is a record: p0 holds the threshold, p1 does not.

    A side with room is mapped by its portions p, 0 <= p < 1; without room p0 is the threshold.
    """
    upper, lower = smaller(reach * STEP, ABOVE), smaller(reach * STEP, BELOW)
    portion = z3.Real("portion")
    # Any portion gives the report of the threshold itself, if that is all of p0.
    assert proves(*ROOMS, ABOVE == 0, report_at(portion, reach) != report_at(0, reach))
    p0, p1 = portion * upper, -lower + portion * lower
    inside = [portion >= 0, portion < 1]
    assert proves(*ROOMS, *inside, z3.Or(p0 < 0, p0 > ABOVE, p1 >= 0, p1 < -BELOW))
    # Reports leave the range nowhere.
    report = report_at(portion, reach)
    assert proves(*ROOMS, *inside, z3.Or(report < -BELOW, report > ABOVE))


@pytest.mark.proves("nsht: What a blurring policy can do at best")
def test_the_overlay_covers_the_bound():
    """Every record that the bound allows is the same portion of the source, or its last point."""
    x = z3.Real("x")
    upper, lower = smaller(2 * STEP, ABOVE), smaller(2 * STEP, BELOW)
    inside = [x >= -BELOW, x <= ABOVE]
    p1 = [x < 0, x >= -2 * STEP]
    assert proves(*ROOMS, *inside, *p1, x < -lower)
    p0 = [x >= 0, x < 2 * STEP]
    assert proves(*ROOMS, *inside, *p0, x >= upper, z3.Or(x != upper, upper != ABOVE))


@pytest.mark.proves("nsht: What a blurring policy can do at best")
def test_where_p0_is_one_point_no_other_report_leaves_its_neighbours_undecided():
    """p1 at two steps below shares the one report of p0 just if that is a step below."""
    report = z3.Real("report")
    near = [abs_at_most(report, STEP), abs_at_most(report + 2 * STEP, STEP)]
    assert proves(STEP > 0, *near, report != -STEP)
    assert not proves(STEP > 0, *near)


@pytest.mark.proves("nsht: What a blurring policy can do at best")
def test_mapped_affinely_p1_would_not_share_the_report_of_p0_where_that_is_one_point():
    """But for the lowest record of its source: why the point is needed."""
    portion = z3.Real("portion")
    affine = LOW + portion * (HIGH - LOW)
    assert proves(*ROOMS, ABOVE == 0, portion > 0, portion < 1, affine == LOW)


@pytest.mark.proves("nsht: What a blurring policy can do at best")
def test_a_reach_above_2_is_not_accurate():
    upper = smaller(3 * STEP, ABOVE)
    assert not proves(*ROOMS, upper - HIGH > STEP)


@pytest.mark.proves("nsht: What a blurring policy can do at best")
def test_the_last_point_has_a_report_that_p1_reaches():
    """The end of the upper side: a step down, if that is within the band."""
    upper = smaller(2 * STEP, ABOVE)
    last = z3.If(upper - STEP > LOW, upper - STEP, LOW)
    assert proves(*ROOMS, last < HIGH, z3.Or(upper - last > STEP, last < LOW, last - upper > STEP))
    # Where it is not in the band, no report of p1 is near enough.
    assert proves(*ROOMS, last >= HIGH, upper < 2 * STEP)


@pytest.mark.proves("nsht: What a blurring policy can do at best")
def test_nobody_else_can_be_undecided():
    """Two records with one report, of which one is p0 and the other p1, are within two steps."""
    x, twin, report = z3.Reals("x twin report")
    near = [abs_at_most(x - report, STEP), abs_at_most(twin - report, STEP)]
    assert proves(STEP > 0, *near, x >= 0, twin < 0, x >= 2 * STEP)
    assert proves(STEP > 0, *near, x < 0, twin >= 0, x < -2 * STEP)
    assert not proves(STEP > 0, *near, x < 0, twin >= 0, x == -2 * STEP)


@pytest.mark.proves("nsht: What a blurring policy can do at best")
def test_nobody_stays_undecided_for_less_than_the_distance_beyond_a_step():
    x, twin, report = z3.Reals("x twin report")
    near = [abs_at_most(twin - report, STEP), twin < 0, x >= 0]
    assert proves(STEP > 0, *near, x - STEP > 0, x - report < x - STEP, report <= x)
    assert proves(STEP > 0, *near, report > STEP)


def abs_at_most(value, limit):
    return z3.And(value <= limit, -value <= limit)


@pytest.mark.proves("nsht: What a blurring policy can do at best")
def test_thin_slices_are_accurate_and_leave_no_report_of_the_band_to_one_side():
    """A slice of a portion t <= 1/2 of its side, stretched over the rest of the other side."""
    own, across, t, portion, distance = z3.Reals("own across t portion distance")
    room = [STEP > 0, own > 0, own <= STEP, across > 0, across <= STEP, t > 0, t <= 0.5]
    to_other = -across * (1 - portion * (1 - t)) - portion * t * own
    inside = [portion >= 0, portion <= 1]
    assert proves(*room, *inside, z3.Not(abs_at_most(to_other, STEP)))
    # Those beyond the band move to its edge, and their reports stay within the slice's image.
    report_times_step = own * STEP - t * own * (STEP - (distance - own))
    beyond = [own == STEP, distance >= own, distance < 2 * STEP]
    assert proves(*room, *beyond, distance * STEP - report_times_step > STEP * STEP)
    assert proves(
        *room,
        *beyond,
        z3.Or(report_times_step < t * own * STEP, report_times_step >= own * STEP),
    )


@pytest.mark.proves("nsht: Two releases")
def test_two_stretched_or_overlaid_releases_share_no_twin():
    """Away from the range's ends twins are a step apart, or two; other accuracies, other twins."""
    x, twin, first, second = z3.Reals("x twin first second")
    for reach in (1, 2):

        def report(value, step, reach=reach):
            # The band is 2 steps wide, and a side of the source `reach` steps.
            start = z3.If(value >= 0, 0, -reach * step)
            return -step + (value - start) * 2 / reach

        different = [first > 0, second > 0, first != second]
        inside = [
            z3.And(x >= 0, x < reach * step, twin < 0, -reach * step <= twin)
            for step in (first, second)
        ]
        same = [report(x, step) == report(twin, step) for step in (first, second)]
        assert proves(*different, *inside, *same)
        assert not proves(first > 0, second == first, *inside, *same)


@pytest.mark.proves("nsht: Two releases")
def test_two_collapsed_releases_leave_the_narrower_band():
    x, twin, first, second = z3.Reals("x twin first second")

    def report(value, step):
        return z3.If(abs_at_most(value, step), 0, value)

    steps = [first > 0, second >= first, x >= 0]
    same = z3.And(*(report(x, step) == report(twin, step) for step in (first, second)))
    assert proves(*steps, x > first, twin < 0, same)
    assert proves(*steps, x <= first, twin == -first, z3.Not(same))
