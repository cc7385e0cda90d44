"""scikit-learn's own contract: every check of every class, no expected failure."""

import warnings

import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import estimator_checks_generator

from kernelwise import (
    AutoKernelClassifier,
    AutoKernelRegressor,
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
from kernelwise.criteria import PricedEvidence
from kernelwise.multikernel import KernelBank
from kernelwise.selections import AtLimitWarning, NoAlignmentWarning, NullModelWarning, WidthScan

TWO_WIDTHS = WidthScan(PricedEvidence(), factors=(0.1, 1.0), refine=False)
# Every check: an estimator of each class, with a search that costs little. Copies that choose again
# are fitted by the same code for all classes: those of least squares show it.
WHOLE = [
    LSSVMClassifier(kernel="gaussian", selection="loo"),
    LSSVMRegressor(kernel="gaussian", selection="loo"),
    LSSVMRegressor(kernel="gaussian", selection="gcv", landmarks=15),
    LSSVMClassifier(kernel="gaussian", landmarks=15, loss="logistic"),
    LSSVMRegressor(kernel="precomputed", selection="loo"),  # reads tables of its own kind
    SVMClassifier(kernel="gaussian", selection="span", honest=False),
    SVMClassifier("gaussian", None, prediction="mean"),
    # The scan of the defaults, with two widths for twenty, and two folds for five.
    RVMClassifier(selection=TWO_WIDTHS, cv=2, honest=False),
    RVMRegressor(selection=TWO_WIDTHS, cv=2, honest=False),
    MKLClassifier(KernelBank([1.0], [1]), honest=False),
    MKLRegressor(["gaussian", "linear"]),
    BEMKLClassifier(KernelBank([1.0], [1]), max_sweeps=15),
    BEMKLRegressor(["gaussian", "linear"], "sparse", max_sweeps=15),
    KernelAligner(kernel="gaussian", start="distance"),
    AutoKernelClassifier(["gaussian", "linear"], folds=0),
    AutoKernelRegressor(["gaussian", "linear"], folds=0),
    # Not with several kernels: their output has one column per training row, so a row of weight 2
    # and a repeated row cannot give the same columns.
]
# Defaults and other ways to fit: all but the checks of what their class does before or after. These
# they take in turns: every check meets each third variant, and the others when asked for "slow".
VARIANTS = [
    AutoKernelClassifier(["gaussian", "ard-laplacian"], folds=2),
    AutoKernelRegressor("core", folds=0),
    LSSVMClassifier(),
    LSSVMRegressor(),
    SVMClassifier(),
    # Copies are fitted as for the others: without them, a check takes a fifth of the time.
    RVMClassifier(honest=False),
    SVMClassifier("gaussian", "evidence-ep", honest=False),
    LSSVMClassifier(selection="cv", honest=False),
    LSSVMRegressor(kernel="mixed", selection="loo", honest=False),
    LSSVMClassifier(kernel="linear", selection=None),
    LSSVMClassifier(selection="alignment", honest=False),
    LSSVMRegressor(kernel="gaussian", selection="alignment", honest=False),
    SVMClassifier(kernel="linear", selection=None, loss="hinge", bias=False),
    SVMClassifier(selection="alignment", honest=False),
    RVMRegressor(honest=False),
    RVMClassifier(selection=None, bias="penalized", honest=False),
    RVMRegressor(selection=None, algorithm="reestimation", honest=False),
    MKLClassifier(["gaussian", "linear"], method="simple", C=1.0, honest=False),
    MKLRegressor(method="infinite", family="single", price=0.02, honest=False),
    KernelAligner(),
]
CHECKED = [*WHOLE, *VARIANTS]
# Decided where a class reads a table, or by the code around the search: the search sees the same
# numbers, and returns to the same lines, whichever it is.
SAME_FOR_A_CLASS = {
    "check_array_api_input",
    "check_classifier_data_not_an_array",
    "check_classifiers_classes",
    "check_regressor_data_not_an_array",
    "check_transformer_data_not_an_array",
    "check_dict_unchanged",
    "check_dont_overwrite_parameters",
    "check_dtype_object",
    "check_estimators_dtypes",
    "check_estimators_fit_returns_self",
    "check_estimators_nan_inf",
    "check_f_contiguous_array_estimator",
    "check_fit2d_predict1d",
    "check_fit_check_is_fitted",
    "check_fit_score_takes_y",
    "check_n_features_in",
    "check_n_features_in_after_fitting",
    "check_pipeline_consistency",
    "check_positive_only_tag_during_fit",
    "check_readonly_memmap_input",
    "check_sample_weights_list",
    "check_sample_weights_not_an_array",
    "check_sample_weights_pandas_series",
    "check_sample_weights_shape",
    "check_supervised_y_2d",
}
# These come with arrays and again with arrays that cannot be written: the latter see more.
TWICE = {"check_classifiers_train", "check_regressors_train", "check_estimators_pickle"}


def cases():
    """Pairs of an estimator and a check, by scikit-learn's own list."""
    found = []
    for estimator in CHECKED:
        turn = VARIANTS.index(estimator) if estimator in VARIANTS else None
        for one, check in estimator_checks_generator(estimator):
            options = getattr(check, "keywords", {})
            name = getattr(check, "func", check).__name__
            if name in TWICE and not options.get("readonly_memmap"):
                continue
            once = name in SAME_FOR_A_CLASS or "X_dtype" in options
            if once and turn is not None:
                continue
            waits = turn is not None and not its_turn(name, turn)
            told = ",".join(f"{key}={value}" for key, value in options.items())
            whose = " ".join(repr(estimator).split())
            marks = [pytest.mark.slow] if waits else []
            found.append(pytest.param(one, check, id=f"{whose}-{name}({told})", marks=marks))
    return found


def its_turn(check, variant):
    """Whether a variant, by its number, takes a check; by its letters, which no version moves."""
    return (sum(check.encode()) + variant) % 3 == 0


@pytest.mark.parametrize(("estimator", "check"), cases())
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
