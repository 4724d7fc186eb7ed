"""The quantizer as a transformer of scikit-learn (extra ``learn``)."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from noiseless.errors import ConfigError
from noiseless.mechanisms.quantizer import Quantizer, local_levels


class BudgetQuantizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Reports each value as the mid-point of its bin; as many bins as a budget allows.

    The ranges are public and belong to the constructor: :meth:`fit` learns nothing but the number
    and the names of the features, so that no report depends on anybody else's value.

    Parameters
    ----------
    epsilon_bits : float
        Budget of each value, in bits, larger than 0: ``floor(2^epsilon_bits)`` levels
        (``noiseless``, Definition 2).
    lower, upper : float or array_like, shape (features,)
        Public range, of all features or of each.
    clip : bool
        Whether a value outside its range is moved to the nearer end; else it is an error.

    Attributes
    ----------
    levels_ : int
        Number of bins of each feature.
    guarantee_bits_ : float
        What one row is guaranteed: log2 of the number of rows that can be reported.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Where :meth:`fit` was given names.

    Raises
    ------
    ConfigError
        By :meth:`fit`, if the budget is not positive or a range is empty, or there are not as many
        ranges as features.

    Examples
    --------
    >>> quantizer = BudgetQuantizer(epsilon_bits=2, lower=[0, 150], upper=[20, 190])
    >>> quantizer.fit_transform([[1.2, 171], [19.5, 154]])
    array([[  2.5, 175. ],
           [ 17.5, 155. ]])
    >>> quantizer.guarantee_bits_
    4.0
    """

    def __init__(
        self,
        epsilon_bits: float = 1.0,
        *,
        lower: float | ArrayLike = 0.0,
        upper: float | ArrayLike = 1.0,
        clip: bool = True,
    ) -> None:
        self.epsilon_bits = epsilon_bits
        self.lower = lower
        self.upper = upper
        self.clip = clip

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Check the settings against the number of features; nothing else is learnt.

        Parameters
        ----------
        X : array_like, shape (rows, features)
        y : None
            Not used.
        """
        validate_data(self, X, dtype=np.float64)
        self.levels_ = local_levels(self.epsilon_bits)
        self.guarantee_bits_ = sum(each.guarantee().bits for each in self._quantizers())
        return self

    def transform(self, X: ArrayLike) -> NDArray[np.float64]:
        """Reports of the values.

        Parameters
        ----------
        X : array_like, shape (rows, features)

        Returns
        -------
        ndarray, shape (rows, features); a table of the kind that ``set_output`` asks for

        Raises
        ------
        DataError
            If a value lies outside its range and ``clip`` is not set.
        """
        check_is_fitted(self)
        values = validate_data(self, X, dtype=np.float64, reset=False)
        columns = zip(self._quantizers(), values.T, strict=True)
        return np.stack([quantizer.release(column) for quantizer, column in columns], axis=1)

    def _quantizers(self) -> list[Quantizer]:
        """The quantizer of each feature."""
        features = self.n_features_in_
        ends = []
        for name in ("lower", "upper"):
            end = np.asarray(getattr(self, name), dtype=float)
            if end.shape not in ((), (features,)):
                raise ConfigError(
                    f"`{name}` has the shape {end.shape}, but there are {features} features: give "
                    "one number, or one for each."
                )
            ends.append(np.broadcast_to(end, features))
        levels = local_levels(self.epsilon_bits)
        return [
            Quantizer(low, high, levels, clip=self.clip) for low, high in zip(*ends, strict=True)
        ]
