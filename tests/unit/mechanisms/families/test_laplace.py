"""The Laplace mechanism against a peer library."""

import opendp.prelude as dp
import pytest

from noiseless.mechanisms.families.laplace import LaplaceMechanism
from noiseless.mechanisms.interface import Domain
from opendp_space import SPACE


@pytest.mark.parametrize(("sensitivity", "epsilon_nats"), [(1.0, 0.1), (3.0, 2.0), (0.2, 5.0)])
def test_laplace_scale_has_the_budget_that_opendp_proves(sensitivity, epsilon_nats):
    answers = Domain((0.0,), (sensitivity,))
    scale = LaplaceMechanism.from_budget(answers, epsilon_nats=epsilon_nats).scale
    proven = dp.m.make_laplace(*SPACE, scale=scale).map(d_in=sensitivity)
    assert proven == pytest.approx(epsilon_nats, rel=1e-6)
