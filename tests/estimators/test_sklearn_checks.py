"""scikit-learn's own contract: every check, no expected failure."""

import warnings

import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

from kernelwise import (
    BEMKLClassifier,
    BEMKLRegressor,
    KernelAligner,
    LSSVMClassifier,
    LSSVMRegressor,
    MKLClassifier,
    MKLRegressor,
    RVMClassifier,
    RVMRegressor,
    SVMClassifier,
)
from kernelwise.multikernel import KernelBank
from kernelwise.selections import AtLimitWarning, NoAlignmentWarning, NullModelWarning

CHECKED = [
    LSSVMClassifier(),
    LSSVMRegressor(),
    LSSVMClassifier(kernel="gaussian", selection="loo"),
    LSSVMRegressor(kernel="gaussian", selection="loo"),
    LSSVMClassifier(selection="cv"),
    LSSVMRegressor(kernel="mixed", selection="loo"),
    LSSVMClassifier(kernel="linear", selection=None),
    LSSVMRegressor(kernel="precomputed", selection="loo"),
    LSSVMClassifier(selection="alignment"),
    LSSVMRegressor(kernel="gaussian", selection="alignment"),
    SVMClassifier(),
    SVMClassifier(kernel="gaussian", selection="span"),
    SVMClassifier(kernel="linear", selection=None, loss="hinge", bias=False),
    SVMClassifier(selection="alignment"),
    SVMClassifier("gaussian", "evidence-ep"),
    RVMClassifier(),
    RVMRegressor(),
    RVMClassifier(selection=None, bias="penalized"),
    RVMRegressor(selection=None, algorithm="reestimation"),
    MKLClassifier(KernelBank([1.0], [1])),
    MKLRegressor(["gaussian", "linear"]),
    MKLClassifier(["gaussian", "linear"], method="simple", C=1.0),
    MKLRegressor(method="infinite", family="single", price=0.02),
    BEMKLClassifier(KernelBank([1.0], [1]), max_sweeps=15),
    BEMKLRegressor(["gaussian", "linear"], "sparse", max_sweeps=15),
    KernelAligner(),
    KernelAligner(kernel="gaussian", start="distance"),
    # Not with several kernels: their output has one column per training row, so a row of weight 2
    # and a repeated row cannot give the same columns.
]


@parametrize_with_checks(CHECKED)
def test_scikit_learn_check(estimator, check):
    with warnings.catch_warnings():
        # Some checks fit degenerate tables on purpose; a search may say that it is stuck there.
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", AtLimitWarning)
        warnings.simplefilter("ignore", NoAlignmentWarning)  # random tables
        warnings.simplefilter("ignore", NullModelWarning)  # random tables
        check(estimator)


@pytest.mark.parametrize("estimator", CHECKED, ids=str)
def test_no_failure_is_declared_expected(estimator):
    tags = estimator.__sklearn_tags__()
    assert not tags.no_validation
    assert not getattr(estimator, "_xfail_checks", {})
