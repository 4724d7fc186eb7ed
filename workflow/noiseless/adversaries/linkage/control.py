"""Control of the linkage game: all people are equally likely, so it wins one game in N."""

import numpy as np

from noiseless.adversaries.inputs.linkage import LinkageView
from noiseless.adversaries.interface import Adversary
from noiseless.arrays import Floats


class UniformControl(Adversary):
    """Control that takes all people for equally likely, whatever the report."""

    name, order = "control", 2
    label = "control (sees no report)"
    is_control = True

    def link(self, view: LinkageView) -> Floats:
        """Return the score 0 for every person, shape (G, N)."""
        return np.zeros(view.people_m.shape[:2])


ADVERSARY = UniformControl
