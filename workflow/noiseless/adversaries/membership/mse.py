"""Adversary that prefers the candidate with the smaller mean square error from the output."""

import numpy as np

from noiseless.adversaries.interface import Adversary
from noiseless.adversaries.membership.evidence import RELATIVE_TIE, Evidence
from noiseless.arrays import Floats


class MeanSquareError(Adversary):
    """Adversary that prefers the candidate with the smaller mean square error from the output."""

    name, order = "mse", 2
    label = "mean square error"

    def prefer(self, evidence: Evidence) -> Floats:
        """Compute candidate 1's squared error less candidate 0's, in Wh^2; 0 for a tie."""
        t, step = evidence.readings, evidence.step_wh
        start = (evidence.offset_wh + step * evidence.first)[:, None]  # y_0
        sum_xy = start * evidence.sum_x + step * evidence.sum_xk
        sum_yy = (
            t * start**2
            + (step * (2 * start[:, 0] * evidence.sum_k + step * evidence.sum_kk))[:, None]
        )
        error = evidence.sum_xx - 2 * sum_xy + sum_yy
        preference = error[:, 1] - error[:, 0]
        scale = error[:, 0] + error[:, 1]
        return np.where(np.abs(preference) > RELATIVE_TIE * scale, preference, 0)


ADVERSARY = MeanSquareError
