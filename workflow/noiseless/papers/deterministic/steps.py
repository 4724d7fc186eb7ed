"""Distance of a function to step functions of equal cells (``deterministic``, Section IV)."""

from collections.abc import Sequence
from fractions import Fraction


def compute_squared_distance(steps: int, *, ordered: bool) -> Fraction:
    """Compute the squared distance in L^2([0, 1]) of 1 - y to step functions on equal cells.

    The nearest values are the means of the cells; the nearest nondecreasing (``ordered``) ones
    follow by pooling neighbours that decrease (Ayer et al., 1955).
    """
    means = [1 - Fraction(2 * cell + 1, 2 * steps) for cell in range(steps)]
    values = _fit_nondecreasing(means) if ordered else means
    # Within a cell the mean squared distance to a value is the variance plus that of the mean.
    within = Fraction(1, 12 * steps**2)
    return within + _compute_mean(
        [(mean - value) ** 2 for mean, value in zip(means, values, strict=True)]
    )


def _fit_nondecreasing(means: Sequence[Fraction]) -> list[Fraction]:
    """Fit the nondecreasing numbers nearest to the means, by pooling neighbours that decrease."""
    blocks: list[list[Fraction]] = []
    for mean in means:
        blocks.append([mean])
        while len(blocks) > 1 and _compute_mean(blocks[-2]) > _compute_mean(blocks[-1]):
            last = blocks.pop()
            blocks[-1] += last
    return [_compute_mean(block) for block in blocks for _ in block]


def _compute_mean(block: Sequence[Fraction]) -> Fraction:
    """Compute the mean of fractions, exactly."""
    return sum(block, Fraction(0)) / len(block)
