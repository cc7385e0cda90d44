"""Columns: a row of weight 2 counts twice in their scales, and far rows stay finite."""

import numpy as np
import pytest

from kernelwise import LSSVMClassifier
from kernelwise.tables.columns import ColumnEncoder, Scales


@pytest.fixture
def weighted():
    random = np.random.default_rng(0)
    return 3 + random.normal(size=(40, 2)) * [1, 1e5], random.integers(1, 6, 40)


def test_scales_are_those_of_repeated_rows(weighted):
    numbers, counts = weighted
    repeated = np.repeat(numbers, counts, axis=0)
    scales = Scales.learn(numbers, counts.astype(float))
    np.testing.assert_allclose(scales.center * scales.magnitude, repeated.mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(scales.unit, repeated.std(axis=0), rtol=1e-12)
    scaled = scales.scaled(repeated)
    np.testing.assert_allclose(scaled.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(scaled.std(axis=0), 1, rtol=1e-12)


def test_an_estimator_standardizes_by_sample_weight(weighted):
    numbers, counts = weighted
    y = numbers[:, 0] > 3
    model = LSSVMClassifier("gaussian", None).fit(numbers, y, sample_weight=counts)
    found = model.columns_.scaled(np.repeat(numbers, counts, axis=0))
    np.testing.assert_allclose(found.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(found.std(axis=0), 1, rtol=1e-12)


@pytest.mark.filterwarnings("error")
def test_rows_out_of_all_proportion_stay_finite():
    columns = ColumnEncoder(np.empty(0, int))
    columns.learn_scales(np.array([[1e-200], [2e-200]]), np.ones(2))
    far = columns.scaled(np.array([[1e200], [-1e200]]))
    assert np.isfinite(far**2).all() and far[0] > 0 > far[1]
