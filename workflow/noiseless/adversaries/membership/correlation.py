"""Adversary that prefers the candidate with the larger correlation with the output."""

import numpy as np

from noiseless.adversaries.inputs.membership import RELATIVE_TIE, MembershipView
from noiseless.adversaries.interface import Adversary
from noiseless.arrays import Floats


class Correlation(Adversary):
    """Adversary that prefers the candidate with the larger Pearson correlation with the output."""

    name, order = "correlation", 1
    label = "correlation"

    def prefer(self, view: MembershipView) -> Floats:
        """Compute candidate 0's correlation with the output less candidate 1's; 0 for a tie."""
        t, sum_bins = view.n_readings, view.sum_bins[:, None]
        covariance = view.sum_products - view.sum_readings_wh * (sum_bins / t)
        variance_x = view.sum_squared_readings - view.sum_readings_wh * (view.sum_readings_wh / t)
        variance_bins = view.sum_squared_bins[:, None] - sum_bins * (sum_bins / t)
        # Whole numbers that are not all equal have a variance sum of at least 1 - 1/T.
        defined = (variance_bins > 0.25) & (variance_x > 0.25)
        scale = np.sqrt(np.where(defined, variance_x * variance_bins, 1))
        score = covariance / scale
        preference = score[:, 0] - score[:, 1]
        defined = defined[:, 0] & defined[:, 1]
        return np.where(defined & (np.abs(preference) > RELATIVE_TIE), preference, 0)


ADVERSARY = Correlation
