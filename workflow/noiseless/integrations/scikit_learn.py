"""Transformer for scikit-learn that quantizes features (extra ``learn``)."""

from collections.abc import Mapping
from typing import Any, Self, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from noiseless.arrays import Floats
from noiseless.errors import ConfigError
from noiseless.mechanisms.containers import convert_to_array, convert_to_floats
from noiseless.mechanisms.families.quantizer import Quantizer, compute_local_levels
from noiseless.mechanisms.interface import Domain

Ends: TypeAlias = float | ArrayLike | Mapping[str, float] | pd.Series


class BudgetQuantizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Transformer that reports each value as the mid-point of its bin, within a budget.

    The ranges are public and belong to the constructor: :meth:`fit` learns nothing but the number
    and the names of the features, so that no report depends on the value of another person.

    Parameters
    ----------
    epsilon_bits : float
        Budget of each value, in bits, larger than 0: ``floor(2^epsilon_bits)`` levels
        (``noiseless``, Definition 2).
    lower, upper : float, array_like of shape (features,), or mapping or Series of float by name
        Public range, of all features or of each.  Ranges with names are those of the features of
        these names, in whatever order they stand.
    clip : bool
        Whether a value outside its range is moved to the nearer end; else it is an error.

    Attributes
    ----------
    levels_ : int
        Number of bins of each feature.
    guarantee_bits_ : float
        Guarantee to one row: log2 of the number of rows that can be reported.
    clipped_share_ : ndarray, shape (features,)
        Share of each feature's values outside its range, of those that :meth:`fit` was given.  It
        is for the holder of the data, and as little public as they are: no report depends on it.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Names of the features, if the data of :meth:`fit` had names.

    Raises
    ------
    ConfigError
        By :meth:`fit`, if the budget is not positive or a range is empty, or there are not as many
        ranges as features, or not of the same names.

    Examples
    --------
    >>> quantizer = BudgetQuantizer(epsilon_bits=2, lower=[0, 150], upper=[20, 190])
    >>> quantizer.fit_transform([[1.2, 171], [19.5, 154]])
    array([[  2.5, 175. ],
           [ 17.5, 155. ]])
    >>> quantizer.guarantee_bits_, quantizer.clipped_share_.tolist()
    (4.0, [0.0, 0.0])
    """

    def __init__(
        self, epsilon_bits: float = 1.0, *, lower: Ends, upper: Ends, clip: bool = True
    ) -> None:
        self.epsilon_bits = epsilon_bits
        self.lower = lower
        self.upper = upper
        self.clip = clip

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Check the settings against the features, and count the values outside their ranges.

        Nothing is learnt that a report depends on.

        Parameters
        ----------
        X : array_like, shape (rows, features)
            Values, in the units of the ranges.
        y : None
            Not used.
        """
        values = validate_data(self, _require_numbers(X), dtype=np.float64)
        self.levels_ = compute_local_levels(self.epsilon_bits)
        quantizers = self._build_quantizers()
        self.guarantee_bits_ = sum(each.guarantee().bits for each in quantizers)
        low, high = ([getattr(each, end) for each in quantizers] for end in ("lower", "upper"))
        self.clipped_share_ = ((values < low) | (values > high)).mean(axis=0)
        return self

    def transform(self, X: ArrayLike) -> Floats:
        """Quantize the values of each feature to mid-points of bins.

        Parameters
        ----------
        X : array_like, shape (rows, features)
            Values, in the units of the ranges.

        Returns
        -------
        ndarray, shape (rows, features); a table of the kind that ``set_output`` asks for

        Raises
        ------
        DataError
            If a value lies outside its range and ``clip`` is not set, or is masked.
        """
        check_is_fitted(self)
        values = validate_data(self, _require_numbers(X), dtype=np.float64, reset=False)
        columns = zip(self._build_quantizers(), values.T, strict=True)
        return np.stack([quantizer.release(column) for quantizer, column in columns], axis=1)

    def _build_quantizers(self) -> list[Quantizer]:
        """Build the quantizer of each feature."""
        features = self.n_features_in_
        ends = []
        for name in ("lower", "upper"):
            end = convert_to_floats(self._order_by_feature(name), f"`{name}`")
            if end.shape not in ((), (features,)):
                raise ConfigError(
                    f"`{name}` has the shape {end.shape}, but there are {features} features: give "
                    "one number, or one for each."
                )
            ends.append(np.broadcast_to(end, features))
        levels = compute_local_levels(self.epsilon_bits)
        return [
            Quantizer(Domain((low,), (high,)), levels, clip=self.clip)
            for low, high in zip(*ends, strict=True)
        ]

    def _order_by_feature(self, name: str) -> float | ArrayLike:
        """Return one end of the ranges, sorted like the features if it has names."""
        end = getattr(self, name)
        if not isinstance(end, Mapping | pd.Series):
            return end
        names = list(end.keys())
        if isinstance(end, pd.Series) and names == list(range(len(names))):
            return end.to_numpy()  # its index is the default one, so it names no features
        features = list(getattr(self, "feature_names_in_", []))
        if not features:
            raise ConfigError(
                f"`{name}` names its features, but the data have no names: give them as a "
                "DataFrame whose columns have names, or the ranges as a list."
            )
        if sorted(names, key=str) != sorted(features):
            raise ConfigError(
                f"`{name}` has the names {', '.join(map(str, names))}, but the features are "
                f"{', '.join(features)}. Give one number for each feature."
            )
        return [end[feature] for feature in features]


def _require_numbers(values: ArrayLike) -> ArrayLike:
    """Refuse masked arrays, whose masks scikit-learn does not look at; return the values."""
    if isinstance(values, np.ma.MaskedArray):
        convert_to_array(values)
    return values
