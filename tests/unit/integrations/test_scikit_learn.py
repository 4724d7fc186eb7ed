"""The quantizer as a transformer of scikit-learn."""

import doctest
import warnings
from collections import Counter
from importlib import import_module

import numpy as np
import pandas as pd
import pytest

import noiseless as nl
from noiseless.seeds import make_generator


def test_transformer_is_one_of_scikit_learn():
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    module = import_module("noiseless.integrations.scikit_learn")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a check that is skipped
        results = checks.check_estimator(module.BudgetQuantizer(lower=-1, upper=1))
    assert Counter(each["status"] for each in results).keys() <= {"passed", "skipped"}
    assert doctest.testmod(module) == (0, 3)


def test_transformer_learns_no_range():
    module = pytest.importorskip("noiseless.integrations.scikit_learn")
    rng = make_generator(1, "transformer")
    quantizer = module.BudgetQuantizer(2, lower=0, upper=[10, 20])
    one, other = (quantizer.fit(rng.uniform(0, high, (9, 2))) for high in (1, 1000))
    values = rng.uniform(0, 10, (5, 2))
    expected = [
        nl.Quantizer(nl.Domain((0,), (top,)), 4).release(values[:, i])
        for i, top in enumerate((10, 20))
    ]
    np.testing.assert_array_equal(one.transform(values), np.stack(expected, axis=1))
    np.testing.assert_array_equal(one.transform(values), other.transform(values))
    named = quantizer.set_output(transform="pandas").fit_transform(
        pd.DataFrame(values, columns=["a", "b"], index=list("vwxyz"))
    )
    assert list(named.columns) == ["a", "b"]
    assert list(named.index) == list("vwxyz")
    with pytest.raises(nl.UserError, match="give one number, or one for each"):
        module.BudgetQuantizer(lower=[0, 0, 0], upper=1).fit(values)
    with pytest.raises(nl.UserError, match="outside the public range"):
        module.BudgetQuantizer(lower=0, upper=1, clip=False).fit(values).transform(values)


@pytest.mark.parametrize("kind", [pd.Series, dict])
def test_named_ranges_are_those_of_the_features_of_these_names(kind):
    module = pytest.importorskip("noiseless.integrations.scikit_learn")
    people = pd.DataFrame({"h": [170.0, 150.0, 250.0], "w": [81.0, 64.0, 200.0]})
    lower, upper = kind({"w": 30, "h": 140}), kind({"w": 130, "h": 210})
    named = module.BudgetQuantizer(3, lower=lower, upper=upper)
    listed = module.BudgetQuantizer(3, lower=[140, 30], upper=[210, 130])
    released = named.fit_transform(people)
    np.testing.assert_array_equal(released, listed.fit_transform(people.to_numpy()))
    assert np.abs(released[:2] - people[:2]).to_numpy().max() <= 100 / 16
    # Names that are not those of the features, or features without names.
    for wrong in ({"w": 30}, {"w": 30, "h": 140, "x": 1}, {"w": 30, "H": 140}):
        with pytest.raises(
            nl.UserError, match=r"`lower` has the names w.*, but the features are h, w"
        ):
            module.BudgetQuantizer(3, lower=kind(wrong), upper=upper).fit(people)
    with pytest.raises(nl.UserError, match="the data have no names"):
        named.fit(people.to_numpy())
    unnamed = module.BudgetQuantizer(3, lower=pd.Series([140, 30]), upper=pd.Series([210, 130]))
    np.testing.assert_array_equal(unnamed.fit_transform(people), released)


def test_the_range_is_asked_for_and_the_clipped_share_is_told():
    module = pytest.importorskip("noiseless.integrations.scikit_learn")
    with pytest.raises(TypeError, match="'lower' and 'upper'"):
        module.BudgetQuantizer(2)
    values = [[1.0, 170.0], [0.5, 150.0], [-3.0, 160.0], [7.0, 1.5]]
    quantizer = module.BudgetQuantizer(2, lower=0, upper=1).fit(values)
    np.testing.assert_array_equal(quantizer.clipped_share_, [0.5, 1])
