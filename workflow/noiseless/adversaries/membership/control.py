"""Control of the membership game: prefer the candidate with the larger total, without output."""

from noiseless.adversaries.inputs.membership import MembershipView
from noiseless.adversaries.interface import Adversary
from noiseless.arrays import Floats


class LargerTotalControl(Adversary):
    """Control that prefers the candidate with the larger total, whatever the output."""

    name, order = "control", 6
    label = "control (sees no output)"
    is_control = True

    def prefer(self, view: MembershipView) -> Floats:
        """Compute the total reading of candidate 0 less that of candidate 1, in Wh."""
        return (view.sum_readings_wh[:, 0] - view.sum_readings_wh[:, 1]).astype(float)


ADVERSARY = LargerTotalControl
