"""All mechanisms of the comparisons by one interface: likelihoods, moments, grids, guarantees."""

import math
from pathlib import Path

import numpy as np
import pytest

from noiseless.errors import ConfigError
from noiseless.mechanisms import families
from noiseless.mechanisms.families import (
    load_mechanism_labels,
    load_mechanisms,
)
from noiseless.mechanisms.families.gaussian import GaussianMechanism
from noiseless.mechanisms.families.laplace import LaplaceMechanism
from noiseless.mechanisms.families.one_bit import OneBitMechanism
from noiseless.mechanisms.interface import (
    UNBOUNDED_DOMAIN,
    BitsOfRange,
    CommonRandomNumbers,
    Domain,
    Identity,
    Mechanism,
    NatsOfDifferentialPrivacy,
    add_last_axis,
)
from noiseless.mechanisms.registry import load_mechanisms_for
from noiseless.seeds import make_generator

READING = Domain((2.0,), (7.0,), "kwh")
PLACE = Domain((0.0, 0.0), (40.0, 30.0), "m", values=2)
PARAMETERS = {
    **{"quantizer": 6, "planar_laplace": 0.2, "laplace": 1.5, "gaussian": 2.0, "one_bit": 0.7}
}
CASES = [
    (name, domain)
    for domain in (READING, PLACE)
    for name in PARAMETERS
    if load_mechanisms()[name].is_for(domain)
]


def make(name, domain):
    return load_mechanisms()[name](domain, PARAMETERS[name])


def values_in(domain, count=4):
    shares = make_generator(2, "values").random((count, domain.coordinates))
    return np.squeeze(domain.low + shares * domain.width)


def test_every_mechanism_has_a_module_and_a_label():
    modules = {path.stem for path in Path(families.__file__).parent.glob("*.py")} - {"__init__"}
    assert modules == set(load_mechanism_labels()) >= set(PARAMETERS)
    assert all(load_mechanism_labels().values())
    ours = ["quantizer", "laplace", "gaussian", "one_bit"]
    assert [each.name for each in load_mechanisms_for(READING) if each.name in PARAMETERS] == ours


@pytest.mark.parametrize(("name", "domain"), CASES)
def test_moments_are_those_of_many_releases(name, domain):
    mechanism, values = make(name, domain), values_in(domain)
    many = np.repeat(values[None], 40_000, axis=0)
    away = mechanism.release(many, make_generator(3, name)) - many
    if domain.coordinates == 2:
        expected, found = mechanism.mean_distance(values), np.hypot(*np.moveaxis(away, -1, 0))
    else:
        expected, found = mechanism.variance(values), away**2
    if mechanism.is_deterministic:
        assert expected is None
        assert (np.ptp(away, axis=0) == 0).all()
    else:
        assert found.mean() == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize(("name", "domain"), CASES)
def test_parameters_share_noise_as_if_each_had_drawn_it(name, domain):
    """The noise is drawn once for both parameters, and again for values of another shape."""
    asked = []

    def stream(called):
        asked.append(called)
        return make_generator(6, called)

    values = np.repeat(values_in(domain)[None], 30, axis=0)
    noise, family = CommonRandomNumbers(stream), load_mechanisms()[name]
    made = [family(domain, PARAMETERS[name] * factor) for factor in (1, 2)]
    for some in (values, values[:7]):
        for mechanism in made:
            expected = mechanism.release(some, make_generator(6, name))
            np.testing.assert_array_equal(noise.release(mechanism, some), expected)
    assert asked == [name] * (4 if name == "quantizer" else 2)


@pytest.mark.parametrize("name", ["laplace", "gaussian"])
def test_noise_of_a_size_is_that_of_the_mechanism_alone(name):
    """Standard noise times its size, bit for bit what the mechanism itself adds."""
    values = np.linspace(2, 7, 5_000)
    alone = {
        "laplace": LaplaceMechanism(UNBOUNDED_DOMAIN, 1.5),
        "gaussian": GaussianMechanism(UNBOUNDED_DOMAIN, 2.0),
    }[name]
    np.testing.assert_array_equal(
        make(name, READING).release(values, make_generator(7)),
        alone.release(values, make_generator(7)),
    )


def test_two_numbers_are_released_with_their_probability():
    mechanism, values = make("one_bit", READING), np.linspace(1, 8, 1_000)
    offset, step = mechanism.grid
    (uniform,) = mechanism.noise(values.shape, make_generator(8))
    is_high = uniform < mechanism.compute_probability_high(values)
    released = mechanism.release(values, make_generator(8))
    np.testing.assert_allclose(released, offset + step * is_high, rtol=1e-12)
    assert 0 < is_high.mean() < 1


def test_terms_are_added_along_the_last_axis():
    terms = make_generator(9).random((4, 3, 2)) - 0.5
    for some in (terms, terms[0], terms[0, 0], terms.swapaxes(0, 2)):
        np.testing.assert_allclose(add_last_axis(some), some.sum(axis=-1), rtol=1e-12)


@pytest.mark.parametrize(("name", "domain"), CASES)
def test_likelihood_ratio_predicts_the_ratio_of_releases(name, domain):
    """E over releases of u of p(. | v) / p(. | u) is 1, unless v never makes an output of u."""
    mechanism = make(name, domain)
    first, near, far = (
        np.squeeze(domain.low + share * np.array(domain.width)) for share in (0.2, 0.23, 0.8)
    )
    if mechanism.is_deterministic:
        output = mechanism.release(first, make_generator(1))
        assert mechanism.log_likelihood(output, first) == 0
        assert mechanism.log_likelihood(output, far) == -math.inf
        return
    outputs = mechanism.release(np.repeat(first[None], 200_000, axis=0), make_generator(4, name))
    ratio = mechanism.log_likelihood(outputs, near) - mechanism.log_likelihood(outputs, first)
    assert ratio.shape == (200_000,)
    assert np.exp(ratio).mean() == pytest.approx(1, abs=0.02)
    # No ratio of two values exceeds what differential privacy grants a person's values.
    guarantee = mechanism.guarantee(delta=1e-5)
    assert isinstance(guarantee, NatsOfDifferentialPrivacy)
    if not guarantee.delta:
        assert domain.values * np.abs(ratio).max() <= guarantee.epsilon_nats * (1 + 1e-9)


@pytest.mark.parametrize("name", ["quantizer", "one_bit"])
def test_outputs_lie_on_the_grid(name):
    mechanism = make(name, READING)
    offset, step = mechanism.grid
    k = (mechanism.release(np.linspace(2, 7, 50), make_generator(5)) - offset) / step
    np.testing.assert_allclose(k, np.rint(k), atol=1e-9)
    assert len(np.unique(np.rint(k))) == (6 if name == "quantizer" else 2)


def test_values_lie_in_the_cells_of_their_outputs():
    mechanism, values = make("quantizer", READING), np.array([1.0, 2.0, 3.1, 6.9, 9.0])
    low, high = mechanism.cells(mechanism.release(values))
    assert ((low <= values) & (values <= high)).all()
    assert low[0] == -math.inf
    assert high[-1] == math.inf
    assert high[2] - low[2] == pytest.approx(5 / 6)
    assert make("laplace", READING).cells(values) is None


def test_guarantees_are_of_two_kinds():
    """Eight levels of both coordinates of two places are 12 bits; half a nat of each, 2 nats."""
    eight = load_mechanisms()["quantizer"](PLACE, 8)
    assert eight.guarantee(delta=1e-5) == BitsOfRange(12.0)
    half = load_mechanisms()["one_bit"](PLACE, 0.5)
    assert half.guarantee(delta=1e-5) == NatsOfDifferentialPrivacy(2.0)
    assert half.get_parameter_name(PLACE) == "epsilon_per_coordinate"
    # One of four homes moves the mean by a fourth of the range: two cells of eight and a rest.
    mean = Domain((0.0,), (7.0,), "kwh", people=4)
    assert load_mechanisms()["quantizer"](mean, 8).guarantee(delta=0) == BitsOfRange(math.log2(3))
    assert load_mechanisms()["laplace"](mean, 0.5).guarantee(delta=0).epsilon_nats == 7 / 4 / 0.5
    assert (
        load_mechanisms()["gaussian"](mean, 9.0).guarantee(delta=1e-5).statistics["delta"] == 1e-5
    )


def test_no_mechanism_releases_and_tells_everything():
    identity, values = Identity(READING), np.array([1.0, 3.0])
    assert (identity.release(values, make_generator(1)) == values).all()
    assert identity.guarantee(delta=1e-5) is None
    assert identity.log_likelihood(values, values[::-1]).tolist() == [-math.inf, -math.inf]
    pair = np.array([[1.0, 2.0], [1.0, 3.0]])
    assert Identity(PLACE).log_likelihood(pair[:1], pair).tolist() == [0.0, -math.inf]


@pytest.mark.parametrize("epsilon_nats", [0.2, 1.0, 6.0])
def test_the_variance_of_one_bit_is_that_of_its_two_reports(epsilon_nats):
    """Over the two reports of each value: sum of probability times squared distance."""
    values = np.array([2.0, 2.5, 4.0, 7.0])
    mechanism = OneBitMechanism(Domain((2,), (7,)), epsilon_nats)
    high = mechanism.compute_probability_high(values)
    estimates = mechanism.estimate_values([0, 1])
    mean = (1 - high) * estimates[0] + high * estimates[1]
    np.testing.assert_allclose(mean, values)
    brute = (1 - high) * (estimates[0] - values) ** 2 + high * (estimates[1] - values) ** 2
    assert mechanism.variance(values) == pytest.approx(brute.mean(), rel=1e-12)
    assert mechanism.estimate_mean([0, 1, 1]) == pytest.approx(
        mechanism.estimate_values([0, 1, 1]).mean()
    )


def test_one_bit_of_infinite_epsilon_varies_still():
    """With infinite epsilon an end of the interval is still drawn: share (1 - share)."""
    limit, values = (
        load_mechanisms()["one_bit"].create_limited(Domain((0,), (10,)), math.inf),
        np.array([1.0]),
    )
    assert limit.variance(values) == pytest.approx(9)
    with pytest.raises(ConfigError, match="epsilon is inf, but it must be"):
        limit.release(values, make_generator(1))


class Grid(Mechanism):
    """Multiples of a width, which cannot be 0."""

    name, kind, finest = "grid", "scale", 1e-6

    def release(self, values, rng):
        return self.parameter * np.rint(values / self.parameter)


def test_the_finest_parameter_makes_the_smallest_error():
    """Where the limit itself has no error, as a grid of no width."""
    found = Grid.calibrate_to_errors(
        [1e-9, 2.0], domain=READING, error=lambda grid: 1 / (1 / grid.parameter), tolerance=0.1
    )
    assert [each.smallest_error for each in found] == pytest.approx([1e-6] * 2)
    assert [each.parameter for each in found] == pytest.approx([math.nan, 2], nan_ok=True)


class Plain(Mechanism):
    """What its author says the least of: at no parameter that is tried may it be divided by 0."""

    name = "plain"
    kind = "scale"

    def release(self, values, rng):
        return self.parameter * np.round(values / self.parameter)


class OfPlaces(Plain):
    name = "plain of places"

    def log_likelihood(self, outputs, values):
        return -add_last_axis(np.abs(outputs - values))


def test_defaults_promise_no_more_than_the_author_wrote():
    assert [each.is_for(READING) for each in (Plain, OfPlaces)] == [True, True]
    assert [each.is_for(PLACE) for each in (Plain, OfPlaces)] == [False, True]
    asked = []

    def error(mechanism):
        asked.append(mechanism.parameter)
        return mechanism.parameter

    finest = {"scale": 5 * 2.0**-20, "epsilon": 30.0, "levels": 2**20}
    for kind, at in finest.items():
        family = type("Kind", (Plain,), {"kind": kind})
        assert family.get_finest_parameter(READING) == at
        assert family.compute_min_error(READING, error) == at
    assert Plain.create_limited(READING, 1e-9).parameter == finest["scale"]
    assert type("Kind", (Plain,), {"kind": "epsilon"}).create_limited(READING, 99.0).parameter == 30
    assert type("Named", (Plain,), {"finest": 0.5}).compute_min_error(READING, error) == 0.5
    for name in ("laplace", "gaussian", "quantizer"):  # whose smallest error is known
        assert load_mechanisms()[name].create_limited(READING, 2).parameter == 2
    assert load_mechanisms()["laplace"].create_limited(READING, 1e-12).parameter == 1e-12


@pytest.mark.parametrize("value", [0, -1, math.nan, math.inf, "1", None])
@pytest.mark.parametrize("family", [*load_mechanisms().values(), Plain])
def test_a_parameter_out_of_its_range_is_one_error(family, value):
    domain = READING if family.is_for(READING) else PLACE
    with pytest.raises(ConfigError, match="|".join([r"larger than 0", r"levels", "a number"])):
        family(domain, value)


@pytest.mark.parametrize("family", [*load_mechanisms().values(), Plain])
def test_what_is_no_domain_is_one_error_that_says_what_to_give(family):
    for given in (1.0, (0, 20), None):
        with pytest.raises(ConfigError, match=r"Give noiseless\.Domain\(\(0\.0,\), \(20\.0,\)"):
            family(given, 1.0)
