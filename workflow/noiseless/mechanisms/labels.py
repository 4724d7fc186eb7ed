"""Labels of noise calibrations, by their keys in tables.

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
