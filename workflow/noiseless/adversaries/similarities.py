"""Similarity scores of a published series and the readings of a home, compiled."""

import numpy as np

from noiseless.compiled import compile_njit

# A smaller product of two standard deviations is only rounding error.
_CONSTANT = 1e-9


# These options let the compiler reorder sums and fuse multiplications with additions, so that it
# vectorizes them.
@compile_njit(cache=True, nogil=True, error_model="numpy", fastmath={"reassoc", "nsz", "contract"})
def compute_similarities(outputs, candidates, usual, weight, n, scores) -> None:  # noqa: ANN001
    """Fill ``scores``, shape (G, 2, 6), with the similarities of each candidate and the output.

    ``usual`` is the mean of the other homes at each reading, ``weight`` one over the variance of
    the output if homes were independent.  Each series is read twice: for its mean, and for what
    is left of it.
    """
    readings, share = outputs.shape[1], 1 / n
    usual_left, of_others = usual - usual.sum() / readings, usual * (1 - share)
    left, unusual, unexplained, steps = np.empty((4, readings))
    for g in range(len(outputs)):
        y = outputs[g]
        y_mean = y.sum() / readings
        y_step = (y[-1] - y[0]) / (readings - 1)
        yy = unusual_yy = step_yy = 0.0
        for t in range(readings):
            left[t] = y[t] - y_mean
            yy += left[t] * left[t]
            unusual[t] = left[t] - usual_left[t]
            unusual_yy += unusual[t] * unusual[t]
            unexplained[t] = y[t] - of_others[t]
        for t in range(1, readings):
            steps[t] = y[t] - y[t - 1] - y_step
            step_yy += steps[t] * steps[t]
        for c in range(2):
            x = candidates[g, c]
            x_mean = x.sum() / readings
            x_step = (x[-1] - x[0]) / (readings - 1)
            xx = xy = unusual_xx = unusual_xy = step_xx = step_xy = apart = unlikely = 0.0
            common_peaks = 0
            for t in range(readings):
                from_x = x[t] - x_mean
                xx += from_x * from_x
                xy += from_x * left[t]
                unusual_x = from_x - usual_left[t]
                unusual_xx += unusual_x * unusual_x
                unusual_xy += unusual_x * unusual[t]
                error = x[t] - y[t]
                apart += error * error
                error = unexplained[t] - x[t] * share
                unlikely += error * error * weight[t]
            for t in range(1, readings):
                step_x = x[t] - x[t - 1] - x_step
                step_xx += step_x * step_x
                step_xy += step_x * steps[t]
            for t in range(1, readings - 1):
                common_peaks += (
                    (x[t] > x[t - 1]) & (x[t] > x[t + 1]) & (y[t] > y[t - 1]) & (y[t] > y[t + 1])
                )
            row = scores[g, c]
            row[0] = _compute_correlation(xx, xy, yy)
            row[1] = -np.sqrt(apart / readings)
            row[2] = common_peaks / readings
            row[3] = _compute_correlation(unusual_xx, unusual_xy, unusual_yy)
            row[4] = _compute_correlation(step_xx, step_xy, step_yy)
            row[5] = -unlikely / readings


@compile_njit(cache=True, nogil=True, error_model="numpy")
def _compute_correlation(xx, xy, yy):  # noqa: ANN001, ANN202
    """Compute Pearson's correlation from sums of squares and products; 0 for a constant."""
    scale = np.sqrt(xx * yy)
    return xy / scale if scale > _CONSTANT else 0.0
