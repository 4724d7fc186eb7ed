"""What mechanisms are called, for people to read.

The keys are those of tables; their order is that of tables and figures.
"""

from typing import Final

CALIBRATIONS: Final = {
    "laplace": "Laplace noise",
    "gaussian_classical": "Gaussian noise, classical",
    "gaussian_analytic": "Gaussian noise, analytic",
    "gaussian_printed": "Gaussian noise, as printed",
}
"""Noise and how its scale follows from epsilon and delta (``prrelation``)."""

POLICIES: Final = {
    "collapse": "collapse (as printed)",
    "stretch": "stretch",
    "overlay": "overlay (most undecided by x₁ alone)",
    "slices": "thin slices (least change for that)",
    "normal": "along normals (both numbers change)",
    "round": "stretch and round (fools Equation 9)",
}
"""Blurring policies."""
