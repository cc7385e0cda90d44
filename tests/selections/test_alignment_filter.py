"""Columns without effect on an aligned kernel are switched off, and say nothing any more."""

import numpy as np
import pytest
from test_alignment_selection import aligned, problem_of, two_classes

from kernelwise import LSSVMClassifier
from kernelwise.kernels import Gaussian
from kernelwise.selections import AlignmentSelection
from kernelwise.selections.alignment import column_effects, filtered


def test_effects_by_brute_force():
    """For a Gaussian, a column alone is the kernel of that column alone."""
    X, _ = two_classes(50)
    scales = np.array([0.5, 1.0, 3.0, 100.0])
    H = np.eye(50) - 1 / 50
    expected = [
        np.linalg.norm(H @ Gaussian(scale)(X[:, [r]]) @ H) ** 2 for r, scale in enumerate(scales)
    ]
    np.testing.assert_allclose(column_effects(Gaussian(scales), X), expected, rtol=1e-9)


def test_columns_that_say_the_same_do_not_hide_each_other():
    """Two copies of a strong column: without one the Gram matrix hardly changes."""
    X, _ = two_classes(60, 3)
    X[:, 0] = np.sign(X[:, 0])
    X[:, 1] = -X[:, 0]
    found = column_effects(Gaussian([0.3, 0.3, 1.0]), X)
    assert found[0] == pytest.approx(found[1]) and found[0] > found[2]


@pytest.mark.parametrize("wider", [1e2, 1e4])
def test_only_ratios_of_wide_widths_matter(wider):
    """However wide all are, a width 50 times that of the strongest column is filtered out."""
    X, _ = two_classes(60)
    scales = np.array([1.0, 2.0, 50.0, 2000.0]) * wider
    kernel, effects = filtered(Gaussian(scales), column_effects(Gaussian(scales), X), 1e-3)
    assert (kernel.values > 0).tolist() == [True, True, False, False]
    assert (effects > 0).tolist() == [True, True, False, False]


def test_effects_are_squares_and_the_threshold_is_not():
    effects = np.array([1.0, 1.1e-6, 0.9e-6, 0.0])
    kernel, left = filtered(Gaussian(np.ones(4)), effects, 1e-3)
    assert (kernel.values > 0).tolist() == [True, True, False, False]
    assert left.tolist() == [1.0, 1.1e-6, 0.0, 0.0]


def test_a_thousandth_of_the_strongest_effect_is_kept():
    """By default; what a search with no threshold finds is filtered by the definition."""
    X, y = two_classes(120, 8, seed=3)
    problem = problem_of(X, y, Gaussian(np.ones(8)))
    kernel = AlignmentSelection(threshold=0.0).align(problem).kernel
    effects = np.sqrt(column_effects(kernel, X))
    effects /= effects.max()
    assert (effects < 1e-3).any() and ((effects > 1e-3) & (effects < 3e-3)).any()
    found = AlignmentSelection().align(problem).kernel.values
    np.testing.assert_array_equal(found > 0, effects >= 1e-3)


def test_a_filtered_feature_does_not_enter_at_predict():
    X, y = two_classes(120, 6, seed=1)
    model = LSSVMClassifier(selection="alignment").fit(X, y)
    off = np.flatnonzero(model.kernel_.values == 0)
    assert len(off) and not set(off) & set(model.selected_features_)
    assert {0, 1} <= set(model.selected_features_)
    changed = X.copy()
    changed[:, off] = 1e12
    np.testing.assert_array_equal(model.predict_proba(changed), model.predict_proba(X))
    assert model.relevance_[off].max() == 0


def test_isotropic_kernels_filter_nothing():
    X, y = two_classes()
    assert aligned(problem_of(X, y, Gaussian(1.0))).kernel.isotropic
