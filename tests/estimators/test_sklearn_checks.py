"""scikit-learn's own contract: every check, no expected failure."""

import warnings

import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

from kernelwise import LSSVMClassifier, LSSVMRegressor

CHECKED = [
    LSSVMClassifier(),
    LSSVMRegressor(),
    LSSVMClassifier(kernel="gaussian", selection="loo"),
    LSSVMRegressor(kernel="gaussian", selection="loo"),
    LSSVMClassifier(selection="cv"),
    LSSVMRegressor(kernel="mixed", selection="loo"),
    LSSVMClassifier(kernel="linear", selection=None),
    LSSVMRegressor(kernel="precomputed", selection="loo"),
]


@parametrize_with_checks(CHECKED)
def test_scikit_learn_check(estimator, check):
    with warnings.catch_warnings():
        # Some checks fit degenerate tables on purpose; a search may say that it is stuck there.
        warnings.simplefilter("ignore", ConvergenceWarning)
        check(estimator)


@pytest.mark.parametrize("estimator", CHECKED, ids=str)
def test_no_failure_is_declared_expected(estimator):
    tags = estimator.__sklearn_tags__()
    assert not tags.no_validation
    assert not getattr(estimator, "_xfail_checks", {})
