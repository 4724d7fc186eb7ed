"""Prefers the candidate who consumes more, whatever the output: what a game gives away."""

from noiseless.adversaries.interface import Adversary
from noiseless.adversaries.membership.evidence import Evidence, Floats


class Control(Adversary):
    """Prefers the candidate who consumes more, whatever the output: what a game gives away."""

    name, order = "control", 6
    label = "control (sees no output)"
    is_control = True

    def prefer(self, evidence: Evidence) -> Floats:
        """Prefers the candidate who consumes more, whatever the output: what a game gives away."""
        return (evidence.sum_x[:, 0] - evidence.sum_x[:, 1]).astype(float)


ADVERSARY = Control
