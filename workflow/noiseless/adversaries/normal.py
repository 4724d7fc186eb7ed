"""The tail and the density of the standard normal distribution, for loops over many values.

Compiled code that calls ``erfc`` and ``exp`` takes one value after the other.
:func:`tail_and_density` has no branch and calls nothing, so that the compiler takes several rounds
of a loop around it at once; and it needs one exponential for both numbers.  Every processor gives
the same floats, within ten units in the last place of the true numbers (one, on average), also far
out, down to the numbers below the smallest normal float.

- ``exp(-z**2 / 2)``: the square is a sum of two floats, without a rounding error; a multiple of
  log(2) leaves an argument of at most log(2) / 2, of which a polynomial is the exponential, as in
  most libraries.
- The tail is that times Mills' ratio, as a quotient of two polynomials, which W. J. Cody introduced
  for the error function ("Rational Chebyshev approximations for the error function", Mathematics of
  Computation 23 (1969), 631-637).  He has three of them for three ranges.  The one here holds
  wherever the tail is not 0; its coefficients are all positive, so that nothing cancels.

The coefficients were computed with 90 digits.  The quotient goes through the true function at the
22 Chebyshev points of (z - 4) / (z + 4) for z from 0 to 40, the polynomial at ten of [-0.347,
0.347].  With rounded coefficients, their relative errors are below 5e-17.
"""

import numpy as np

from noiseless.adversaries.compiled import njit

_FARTHEST = 40.0  # there both numbers are 0 in floats
_SPLIT = 2.0**27 + 1
_ONE_OVER_LOG_2 = 1.4426950408889634
# The first part has so few digits that its multiples are floats.
_LOG_2, _REST_OF_LOG_2 = 0.6931471803691238, 1.9082149292705877e-10
_NEAREST_INTEGER = 1.5 * 2.0**52  # after its addition, the last bits are those of the integer
_DENSITY_AT_0 = 0.3989422804014327


@njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def tail_and_density(z):  # noqa: ANN001, ANN201
    """Probability of more than z >= 0, which may be infinite, and density at z."""
    x = min(z, _FARTHEST)
    high = x * _SPLIT
    high -= high - x
    exponent = 0.5 * high * high
    shifted = np.float64(exponent * _ONE_OVER_LOG_2 + _NEAREST_INTEGER)
    halvings = shifted - _NEAREST_INTEGER
    r = halvings * _LOG_2 - exponent
    r += halvings * _REST_OF_LOG_2 - 0.5 * (x - high) * (x + high)
    e = 2.5100424157005067e-08
    e = e * r + 2.7620138719733994e-07
    e = e * r + 2.7557268378684192e-06
    e = e * r + 2.480152119021773e-05
    e = e * r + 0.00019841269863105968
    e = e * r + 0.0013888888917281794
    e = e * r + 0.008333333333330051
    e = e * r + 0.04166666666662399
    e = e * r + 0.16666666666666669
    e = e * r + 0.5
    e = 1.0 + (r + r * r * e)
    # In two steps: one would leave the exponents that floats have.
    count = shifted.view(np.int64) & 0xFFF
    half = count >> 1
    e *= np.int64((1023 - half) << 52).view(np.float64)
    p = 2.206141608820233e-07
    p = p * x + 6.888404471046805e-06
    p = p * x + 0.00010550308358398394
    p = p * x + 0.0010313590966463827
    p = p * x + 0.007077350580471882
    p = p * x + 0.03548940042984599
    p = p * x + 0.13154403773894913
    p = p * x + 0.3563636068023978
    p = p * x + 0.6783918019176626
    p = p * x + 0.8271826026699026
    p = p * x + 0.5
    q = 5.529976934507568e-07
    q = q * x + 1.7266669414247877e-05
    q = q * x + 0.0002650100100628648
    q = q * x + 0.002602500542560113
    q = q * x + 0.018003638082759107
    q = q * x + 0.0915094353867671
    q = q * x + 0.34694890025332376
    q = q * x + 0.9772321662020906
    q = q * x + 1.9973289481605838
    q = q * x + 2.8133958314729957
    q = q * x + 2.4522497661426708
    q = q * x + 1.0
    rest = np.int64((1023 - (count - half)) << 52).view(np.float64)
    return (e * (p / q)) * rest, (e * _DENSITY_AT_0) * rest
