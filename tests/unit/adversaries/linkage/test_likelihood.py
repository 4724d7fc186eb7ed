"""Who knows the mechanism: densities in a plain loop, and people in the same cells."""

import math

import numpy as np
import pytest
from scipy import stats

from noiseless.adversaries.inputs.linkage import LinkageTraining, LinkageView
from noiseless.adversaries.linkage.likelihood import LikelihoodAdversary
from noiseless.data import plane
from noiseless.games import linkage
from noiseless.mechanisms.families import load_mechanisms
from noiseless.mechanisms.families.quantizer import Quantizer
from noiseless.mechanisms.interface import Domain
from noiseless.papers.beyond import comparison_trips
from noiseless.seeds import make_generator
from toy_trips import BOX, make_trips

PLANE = plane.Plane(**BOX)
BOX_M = comparison_trips.build_trip_domain(PLANE)
PARAMETERS = {"planar_laplace": 0.002, "laplace": 900.0, "gaussian": 1200.0, "one_bit": 1.5}


@pytest.fixture(scope="module")
def places():
    return PLANE.project_trips_m(make_trips())


def log_likelihood(mechanism, report, person):
    """Of a report of one person's trip, coordinate by coordinate or place by place."""
    height, width = PLANE.size_m
    total = 0.0
    for end in range(2):
        away = report[end] - person[end]
        match mechanism.name:
            case "planar_laplace":
                epsilon_nats = mechanism.parameter
                total += math.log(epsilon_nats**2 / (2 * math.pi)) - epsilon_nats * math.hypot(
                    *away
                )
            case "laplace":
                total += stats.laplace(scale=mechanism.parameter).logpdf(away).sum()
            case "gaussian":
                total += stats.norm(scale=mechanism.parameter).logpdf(away).sum()
            case "one_bit":
                for axis, length in enumerate((height, width)):
                    share = person[end, axis] / length
                    odds = math.exp(mechanism.parameter)
                    high = (odds - 1) / (odds + 1) * share + 1 / (odds + 1)
                    total += math.log(high if report[end, axis] > length / 2 else 1 - high)
    return total


def scores_of(mechanism, reports, people):
    """What the adversary who knows the mechanism says of each person."""
    adversary = LikelihoodAdversary().fit(LinkageTraining(mechanism, people[0, :, 0]))
    return linkage.ask_scores(adversary, LinkageView(reports, people))


@pytest.mark.parametrize("name", sorted(PARAMETERS))
def test_scores_are_the_log_likelihood(places, name):
    mechanism = load_mechanisms()[name](BOX_M, PARAMETERS[name])
    people = places[np.arange(12).reshape(3, 4)]
    reports = mechanism.release(people[:, 0], make_generator(1, "reports"))
    scores = scores_of(mechanism, reports, people)
    slow = [
        [log_likelihood(mechanism, report, each) for each in known]
        for report, known in zip(reports, people, strict=True)
    ]
    scores, slow = scores - scores[:, :1], np.array(slow) - np.array(slow)[:, :1]
    np.testing.assert_allclose(scores, slow, rtol=1e-9, atol=1e-9)


def test_quantizer_is_linked_to_all_in_the_same_cells(places):
    """Counting equal cells, and winning one in so many."""
    mechanism = load_mechanisms()["quantizer"](BOX_M, 6)
    height, width = PLANE.size_m
    levels = int(mechanism.parameter)
    rows = Quantizer(Domain((0,), (height,)), levels).find_bins(places[..., 0])
    columns = Quantizer(Domain((0,), (width,)), levels).find_bins(places[..., 1])
    people = np.arange(60).reshape(2, 30)
    reports = mechanism.release(places[people[:, 0]], make_generator(1))
    scores = scores_of(mechanism, reports, places[people])
    for g in range(2):
        me = people[g, 0]
        for k, other in enumerate(people[g]):
            same = (rows[me] == rows[other]).all() and (columns[me] == columns[other]).all()
            assert scores[g, k] == (0 if same else -math.inf)


@pytest.mark.parametrize("name", ["planar_laplace", "laplace"])
def test_guarantee_bounds_the_likelihood_ratio_of_the_farthest_trips(name):
    mechanism = load_mechanisms()[name](BOX_M, PARAMETERS[name])
    epsilon_nats = mechanism.guarantee(delta=1e-5).epsilon_nats
    height, width = PLANE.size_m
    corner, other = np.zeros((2, 2)), np.array([[height, width]] * 2)
    ratio = log_likelihood(mechanism, corner, corner) - log_likelihood(mechanism, corner, other)
    assert ratio == pytest.approx(epsilon_nats, rel=1e-9)
