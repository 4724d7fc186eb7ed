"""Mechanisms of the user's: what they must be, and that ours are all of it."""

import math

import numpy as np
import pytest

from noiseless.errors import ConfigError
from noiseless.mechanisms.families import load_mechanisms
from noiseless.mechanisms.interface import Domain
from noiseless.mechanisms.registry import load_mechanisms_for, load_plugin_mechanisms
from noiseless.plugins import use_plugins
from noiseless.seeds import make_generator

MECHANISM = """
import numpy as np
from noiseless.mechanisms.interface import Mechanism
class M(Mechanism):
    name, kind = "mine", "scale"
    def release(self, values, rng):
        noise = self.parameter * rng.standard_normal(values.shape)
        return values + noise
    def variance(self, values): return self.parameter**2
MECHANISM = M
"""


READING = Domain((0.0,), (5.0,), "kwh", people=3)
RELEASE, FORMULA, LAST = "return values + noise", "return self.parameter**2", "MECHANISM = M\n"


def measured(mechanism):
    """The error at seven places of the range, by the mechanism's formula if it has one."""
    places = np.linspace(mechanism.domain.low, mechanism.domain.high, 7).squeeze()
    is_place = mechanism.domain.coordinates == 2
    formula = mechanism.mean_distance if is_place else mechanism.variance
    if (said := formula(places)) is not None:
        return said if is_place else math.sqrt(said)
    away = mechanism.release(places, np.random.default_rng(1)) - places
    return float(np.sqrt((away**2).mean()))


def used(text, tmp_path):
    """How the mechanism of a file is set for two errors, once it was asked all else."""
    path = tmp_path / "mine.py"
    path.write_text(text, encoding="utf-8")
    with use_plugins([path]):
        mine = load_mechanisms_for(READING)[-1]
    for_two = {"domain": READING, "error": measured, "tolerance": 0.1}
    found = mine.calibrate_to_errors([0.1, 0.2], **for_two)
    made = mine(READING, found[0].parameter)
    made.release(np.zeros((3, 2)), make_generator(1))
    made.guarantee(delta=1e-5)
    return found


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (RELEASE, "values += noise; return values", "read-only.* copy them first"),
        (RELEASE, "return (values + noise)[..., None]", r"of the shape \(\d+, \d+, 1\)"),
        (RELEASE, "return np.nan * values", "some are not finite"),
        (RELEASE, "return values + 0j", "returns complex128"),
        (RELEASE, "return 1.0", "returns float 1.0"),
        (RELEASE, "return None", "returns NoneType None"),
        (RELEASE, "raise SystemExit(3)", "fails in line 8: SystemExit: 3"),
        (RELEASE, "return values + np.random.random(values.shape)", "global random numbers"),
        (RELEASE, "return values + np.random.default_rng().random()", "other numbers"),
        (FORMULA, "return self.parameter", "Correct `variance`"),
        (FORMULA, "return 'small'", "a number of at least 0, or None"),
        (FORMULA, "return np.inf", "makes an error of inf"),
        ('"scale"', '"epsilon"', "must fall with the parameter"),
        (', "scale"', ", None", "'mine' has no `kind`"),
        (LAST, "M.guarantee = lambda self, delta: 2.0\n" + LAST, "BitsOfRange, Nats"),
        (LAST, "M.__init__ = lambda self: None\n" + LAST, "a domain and a parameter"),
        ('"mine"', '"Laplace noise"', "'Laplace noise', which is taken"),
    ],
)
def test_a_mechanism_that_breaks_its_word_is_said(old, new, message, tmp_path):
    assert old in MECHANISM
    with pytest.raises(ConfigError, match=message) as raised:
        used(MECHANISM.replace(old, new), tmp_path)
    assert "mine" in str(raised.value)


def test_a_mechanism_that_keeps_its_word_takes_part(tmp_path):
    """The one that is broken above, whole."""
    found = used(MECHANISM, tmp_path)
    assert [each.parameter for each in found] == pytest.approx([0.1, 0.2])
    assert all(each.is_attainable for each in found)
    labelled = MECHANISM.replace("name, kind", "label, name, kind").replace('"mine"', '"x", "mine"')
    assert used(labelled, tmp_path) == found


@pytest.mark.parametrize(
    ("name", "error"),
    [
        *(("laplace", each) for each in (0.2, 20)),
        *(("gaussian", each) for each in (0.2, 20)),
        *(("quantizer", each) for each in (0.2, 1)),
        ("one_bit", 20),
        *(("planar_laplace", each) for each in (0.2, 20)),
    ],
)
def test_our_mechanisms_keep_the_word_of_a_plugin(name, error, tmp_path):
    """Whatever their kind, however few releases an error is measured on."""
    path = tmp_path / "mine.py"
    path.write_text(
        f"from noiseless.mechanisms.families.{name} import MECHANISM as OURS\n"
        "class M(OURS):\n    name = 'mine'\nMECHANISM = M\n",
        encoding="utf-8",
    )
    ours = load_mechanisms()[name]
    ranges = [READING, Domain((0.0,), (12_000.0,), "w")]
    ranges += [Domain((0.0, 0.0), (30_000.0, 40_000.0), "m", values=2)]
    with use_plugins([path]):
        (mine,) = (each for each in load_plugin_mechanisms() if each.name == "mine")
    for domain in filter(ours.is_for, ranges):
        found = [
            each.calibrate_to_errors([error], domain=domain, error=measured, tolerance=0.5)[0]
            for each in (ours, mine)
        ]
        assert found[0].is_attainable == found[1].is_attainable
