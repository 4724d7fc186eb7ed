"""Adversary that prefers the candidate with the smaller mean square error from the output."""

import numpy as np

from noiseless.adversaries.inputs.membership import RELATIVE_TIE, MembershipView
from noiseless.adversaries.interface import Adversary
from noiseless.arrays import Floats


class MeanSquareError(Adversary):
    """Adversary that prefers the candidate with the smaller mean square error from the output."""

    name, order = "mse", 2
    label = "mean square error"

    def prefer(self, view: MembershipView) -> Floats:
        """Compute candidate 1's squared error less candidate 0's, in Wh^2; 0 for a tie."""
        t, step = view.n_readings, view.step_wh
        start = (view.offset_wh + step * view.first_bin)[:, None]  # y_0
        sum_xy = start * view.sum_readings_wh + step * view.sum_products
        sum_yy = (
            t * start**2
            + (step * (2 * start[:, 0] * view.sum_bins + step * view.sum_squared_bins))[:, None]
        )
        error = view.sum_squared_readings - 2 * sum_xy + sum_yy
        preference = error[:, 1] - error[:, 0]
        scale = error[:, 0] + error[:, 1]
        return np.where(np.abs(preference) > RELATIVE_TIE * scale, preference, 0)


ADVERSARY = MeanSquareError
