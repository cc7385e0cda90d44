"""Targets that no formula survives are refused in words; large ones are standardized."""

import warnings

import numpy as np
import pytest

from kernelwise import LSSVMRegressor
from kernelwise.tables.targets import coded_targets, read_labels, read_quantities


@pytest.mark.parametrize(
    ("size", "message"),
    [(np.finfo(float).max, "too large: rescale it"), (1e-310, "no value beyond 1e-310: rescale")],
)
def test_quantities_near_the_ends_of_doubles_are_refused(size, message):
    X = np.arange(12.0)[:, None]
    y = np.where(np.arange(12) % 2, -1.0, 1.0) * size
    with pytest.raises(ValueError, match=message):
        LSSVMRegressor("gaussian", "loo").fit(X, y)
    with pytest.raises(ValueError, match=message):
        read_quantities(np.column_stack([np.ones(12), y]), 12, None)


def test_zeros_are_quantities_of_their_size():
    np.testing.assert_array_equal(read_quantities(np.zeros(4), 4, None), np.zeros(4))


@pytest.mark.filterwarnings("error")
def test_large_quantities_are_standardized_without_overflow():
    y = np.random.default_rng(0).normal(size=20)
    plain, large = (coded_targets(y * size, 20, "regression", None) for size in (1.0, 1e280))
    np.testing.assert_allclose(large.values, plain.values, atol=1e-12)
    assert plain.values.mean() == pytest.approx(0, abs=1e-12)
    assert plain.values.std() == pytest.approx(1)


def test_many_classes_are_no_matter_for_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        labels, classes = read_labels(np.arange(30) % 20, 30)
    assert len(labels) == 30 and len(classes) == 20
