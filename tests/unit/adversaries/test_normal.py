"""Tail and density of the normal distribution, against sums of 400 digits."""

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest

from noiseless.adversaries.normal import tail_and_density


def density_at_0():
    """One over the root of 2 pi, by Machin's formula for pi."""

    def arctangent_of_one_over(x):
        power, total = Decimal(1) / x, Decimal(0)
        for k in range(1, 1200, 2):
            total += power / k * (1 if k % 4 == 1 else -1)
            power /= x * x
        return total

    pi = 16 * arctangent_of_one_over(5) - 4 * arctangent_of_one_over(239)
    return 1 / (2 * pi).sqrt()


def exactly(z):
    """One half less ``density * (z + z^3 / 3 + z^5 / (3 * 5) + ...)``, and the density."""
    with localcontext(prec=400):
        z = Decimal(z)
        density = density_at_0() * (-z * z / 2).exp()
        term, total, k = z, Decimal(0), 1
        while term > Decimal("1e-390"):
            total += term
            k += 2
            term *= z * z / k
        return Decimal("0.5") - density * total, density


@pytest.mark.parametrize("farthest", [3, 40])
def test_tail_and_density_are_those_of_400_digits(farthest):
    """To five units in the last place where most values lie, and to ten far out."""
    rng = np.random.default_rng(4)
    for z in (*rng.uniform(0, farthest, 80), *(0.0, 1e-300, 1e-9, 38.4, 38.5)):
        for found, true in zip(tail_and_density(float(z)), exactly(float(z)), strict=True):
            units = Decimal(math.ulp(float(true)))
            assert abs(Decimal(float(found)) - true) <= (5 if z < 3 else 10) * units, z


def test_ends_are_one_half_and_nothing():
    tail, density = tail_and_density(0.0)
    assert tail == 0.5
    assert density == 1 / math.sqrt(2 * math.pi)
    for far in (38.6, 40.0, 1e300, math.inf):
        assert tail_and_density(far) == (0, 0)


def test_tail_falls():
    z = np.linspace(0, 38.6, 50_000)
    tails = np.array([tail_and_density(each)[0] for each in z])
    assert (np.diff(tails) <= 0).all()
