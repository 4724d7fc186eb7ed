"""Takes all people for equally likely: what one in N wins."""

import numpy as np

from noiseless.adversaries.interface import Adversary
from noiseless.adversaries.linkage.evidence import Floats, LinkageEvidence


class Control(Adversary):
    """Takes all people for equally likely, whatever the report."""

    name, order = "control", 2
    label = "control (sees no report)"
    is_control = True

    def link(self, evidence: LinkageEvidence) -> Floats:
        """The same for everybody."""
        return np.zeros(evidence.people_m.shape[:2])


ADVERSARY = Control
