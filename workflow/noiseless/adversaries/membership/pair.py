"""Adversary by the difference of the two candidates, who knows nothing else."""

from noiseless.adversaries.inputs.membership import MembershipView, get_series
from noiseless.adversaries.interface import Adversary
from noiseless.arrays import Floats


class PairDifferenceAdversary(Adversary):
    """Adversary by the difference of the two candidates, who knows nothing but their readings.

    It is the likelihood-ratio test between them, if the changes of all others were normal and
    stationary; it takes their spectrum from the release
    (:mod:`noiseless.adversaries.pair_difference`).
    """

    name, order = "pair", 7
    label = "pair difference"
    sees_series = True

    def prefer(self, view: MembershipView) -> Floats:
        """Compute the log-likelihood ratio of candidate 0, shape (G,)."""
        # Imported here, as this module is also imported for its label alone.
        from noiseless.adversaries.pair_difference import compare_pair

        return compare_pair(get_series(view), view.step_wh)


ADVERSARY = PairDifferenceAdversary
