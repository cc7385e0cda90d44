"""The judgments of each width against machines solved by hand, refits and plain fits."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from kernelwise import LSSVMClassifier, RVMClassifier, RVMRegressor
from kernelwise.criteria import PricedEvidence
from kernelwise.insight import WidthCurves, width_curves
from kernelwise.kernels import Gaussian
from kernelwise.machines import RelevanceVector
from kernelwise.objective import evaluated
from kernelwise.selections.validity import log_validity
from kernelwise.selections.widths import FACTORS
from kernelwise.solutions import Targets

SOME = (0.05, 0.7, 8.0)
UNIT, CENTER = 40.0, 300.0


def standardized(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)


def folds_of(n, k=3):
    """K folds as (train, test), so that they can be repeated by hand."""
    fold = np.random.default_rng(0).permutation(np.arange(n) % k)
    return [(np.flatnonzero(fold != i), np.flatnonzero(fold == i)) for i in range(k)]


def sorted_rows(X, y):
    """In the order in which an estimator keeps rows: the ascent breaks ties by their number."""
    order = np.lexsort(X.T[::-1])
    return X[order], y[order]


def length_scales(n_columns):
    """Named Gaussians begin at the root of the number of columns; weights are 1 / (2 l^2)."""
    return np.sqrt(n_columns / np.array(SOME))[::-1]


def check_solutions(curves, X, t, likelihood, shift=0.0):
    """Evidence and validity of machines that are solved here, on standardized rows."""
    machine = RelevanceVector(likelihood)
    for i, scale in enumerate(length_scales(X.shape[1])):
        found = evaluated(Gaussian(scale), machine, X, Targets.plain(t))
        (vectors,) = found.solution.machines
        assert curves.widths[i] == pytest.approx(scale)
        assert curves.n_vectors[i] == len(vectors.rows) > 0
        assert curves.log_evidence[i] == pytest.approx(vectors.evidence - shift, rel=1e-6)
        priced = -PricedEvidence()(found.solution)[0] - shift
        assert curves.priced_evidence[i] == pytest.approx(priced, rel=1e-6)
        price = 0.5 * np.log(len(X)) * curves.n_vectors[i]
        assert curves.log_evidence[i] - curves.priced_evidence[i] == pytest.approx(price)
        validity = log_validity(found, X, np.ones(X.shape[1]))
        assert curves.log_validity[i] == pytest.approx(validity, rel=1e-5)


def test_classes_like_machines_solved_and_refitted_by_hand(binary):
    X, y = sorted_rows(binary.X, binary.y)
    folds = folds_of(len(X))
    curves = width_curves(RVMClassifier(cv=folds), X, y, factors=SOME)
    X = standardized(X)
    check_solutions(curves, X, np.where(y == "yes", 1.0, -1.0), "logistic")
    for error, scale in zip(curves.held_out_error, length_scales(4), strict=True):
        machine = RVMClassifier(Gaussian(scale), selection=None)
        wrong = [(machine.fit(X[T], y[T]).predict(X[S]) != y[S]).sum() for T, S in folds]
        assert error == sum(wrong) / len(y)
    assert curves.classification and not curves.relative
    assert len(set(curves.held_out_error)) >= 2  # else the refits would show little


def test_quantities_in_their_own_units(smooth):
    X, y = sorted_rows(smooth.X, UNIT * smooth.y + CENTER)
    folds = folds_of(len(X))
    curves = width_curves(RVMRegressor(cv=folds), X, y, factors=SOME)
    X = standardized(X)
    # A density is per unit of y, and the free bias takes one of the rows.
    shift = (len(y) - 1) * np.log(y.std())
    check_solutions(curves, X, standardized(y), "normal", shift)
    for error, scale in zip(curves.held_out_error, length_scales(3), strict=True):
        machine = RVMRegressor(Gaussian(scale), selection=None)
        squares = [((machine.fit(X[T], y[T]).predict(X[S]) - y[S]) ** 2).sum() for T, S in folds]
        assert error == pytest.approx(np.sqrt(sum(squares) / len(y)), rel=1e-4)
    assert not curves.classification


@pytest.mark.parametrize("kind", [RVMClassifier, RVMRegressor])
def test_like_plain_fits(kind, binary, smooth):
    """All numbers that a fit without a selection reports, settings and folds included."""
    table = binary if kind is RVMClassifier else smooth
    X, settings = standardized(table.X), {"bias": "penalized", "random_state": 3, "cv": 4}
    curves = width_curves(kind(**settings), X, table.y, factors=SOME)
    for i, scale in enumerate(length_scales(X.shape[1])):
        fit = kind(Gaussian(scale), selection=None, **settings).fit(X, table.y)
        assert curves.log_evidence[i] == pytest.approx(fit.evidence_, rel=1e-6)
        assert curves.held_out_error[i] == pytest.approx(fit.held_out_error_, rel=1e-4)
        assert curves.n_vectors[i] == fit.n_relevance_vectors_


def test_several_classes_add_up_and_share_their_vectors(three_classes):
    X, y = standardized(three_classes.X), three_classes.y
    curves = width_curves(RVMClassifier(cv=3), X, y, factors=(0.3,))
    fit = RVMClassifier(Gaussian(np.sqrt(4 / 0.3)), selection=None, cv=3).fit(X, y)
    assert curves.log_evidence[0] == pytest.approx(fit.evidence_, rel=1e-6)
    counts = [len(machine.rows) for machine in fit.machines_]
    assert curves.n_vectors[0] == fit.n_relevance_vectors_
    price = 0.5 * np.log(len(y)) * sum(counts)
    assert curves.priced_evidence[0] == pytest.approx(fit.evidence_ - price, rel=1e-6)
    assert curves.held_out_error[0] == fit.held_out_error_


def test_a_weight_of_two_is_a_repeated_row(smooth):
    X, y = sorted_rows(smooth.X, smooth.y)
    weights = 1.0 + (np.arange(len(y)) % 3 == 0)
    weighted = width_curves(RVMRegressor(cv=3), X, y, weights, factors=SOME)
    times = weights.astype(int)
    many, their_y = np.repeat(X, times, axis=0), np.repeat(y, times)
    repeated = width_curves(RVMRegressor(cv=3), many, their_y, factors=SOME)
    plain = width_curves(RVMRegressor(cv=3), X, y, factors=SOME)
    for name in ("log_evidence", "priced_evidence", "log_validity", "n_vectors"):
        np.testing.assert_allclose(getattr(weighted, name), getattr(repeated, name), rtol=1e-6)
    assert np.abs(weighted.log_evidence - plain.log_evidence).min() > 1
    # Distances count in standard deviations of the repeated rows.
    rows, t = (X - many.mean(axis=0)) / many.std(axis=0), (y - their_y.mean()) / their_y.std()
    kernel = Gaussian(length_scales(3)[1])
    found = evaluated(kernel, RelevanceVector(), rows, Targets.plain(t, weights))
    validity = log_validity(found, rows, np.ones(3))
    assert weighted.log_validity[1] == pytest.approx(validity, rel=1e-6)


def test_widths_are_those_of_the_scan_and_in_units_of_the_kernel(binary):
    X, y = binary.X[:24], binary.y[:24]
    one = width_curves(RVMClassifier(cv=2), X, y)
    assert one.widths == pytest.approx(np.sqrt(4 / np.array(FACTORS))[::-1])
    assert (np.diff(one.widths) > 0).all()
    relative = width_curves(RVMClassifier("ard", cv=2), X, y, factors=(0.25, 1.0))
    assert relative.relative and relative.widths == pytest.approx([1.0, 2.0])
    alone = width_curves(RVMClassifier(cv=2), X, y, factors=(0.25, 1.0))
    np.testing.assert_allclose(relative.log_validity, alone.log_validity, rtol=1e-9)
    laplacian = width_curves(RVMClassifier("laplacian", cv=2), X, y, factors=(0.5, 1.0))
    assert laplacian.widths == pytest.approx([4.0, 8.0])


def test_a_kernel_that_cannot_be_moved_has_no_validity(binary):
    curves = width_curves(RVMClassifier("laplacian", cv=2), binary.X, binary.y, factors=SOME)
    assert np.isnan(curves.log_validity).all() and np.isfinite(curves.log_evidence).all()
    assert set(curves.preferred) == {"log_evidence", "priced_evidence", "held_out_error"}


def test_a_null_model_has_evidence_but_no_validity():
    """A wave that only narrow kernels can follow."""
    x = np.linspace(-1, 1, 20)
    X, y = x[:, None], np.cos(12 * x) + 0.05 * np.random.default_rng(0).normal(size=20)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # here null models are no accident
        curves = width_curves(RVMRegressor(cv=2), X, y, factors=(0.01, 1.0, 100.0))
    null = curves.n_vectors == 0
    assert null.any() and not null.all()
    assert (np.isnan(curves.log_validity) == null).all()
    assert not null[curves.preferred["log_validity"]]
    # A bias and noise alone, the bias averaged out.
    residuals = y - y.mean()
    density = -0.5 * 19 * (np.log(2 * np.pi * (residuals @ residuals) / 19) + 1)
    expected = density - 0.5 * np.log(20)
    np.testing.assert_allclose(curves.log_evidence[null], expected, rtol=1e-9)


def test_each_judgment_prefers_its_best_and_of_equal_ones_the_widest():
    curves = WidthCurves(
        widths=np.array([1.0, 2.0, 3.0, 4.0]),
        log_evidence=np.array([-3.0, -1.0, -2.0, -1.0]),
        priced_evidence=np.array([-1.0, -2.0, -3.0, -4.0]),
        log_validity=np.array([np.nan, -6.0, -5.0, np.nan]),
        held_out_error=np.array([0.3, 0.2, 0.2, 0.4]),
        n_vectors=np.array([0, 3, 2, 0]),
        relative=False,
        classification=True,
    )
    preferred = {"log_evidence": 3, "priced_evidence": 0, "log_validity": 2, "held_out_error": 2}
    assert curves.preferred == preferred


def test_the_estimator_stays_as_it_is(binary):
    estimator = RVMClassifier(selection="validity")
    width_curves(estimator, binary.X, binary.y, factors=(1.0,))
    assert estimator.selection == "validity"
    with pytest.raises(NotFittedError):
        check_is_fitted(estimator)


@pytest.mark.parametrize(
    ("estimator", "factors", "message"),
    [
        (LSSVMClassifier(), None, "RVMClassifier or an RVMRegressor, not LSSVMClassifier"),
        (RVMClassifier("linear"), None, "width curves need one radial kernel, not Linear"),
        (RVMClassifier("mixed"), None, r"one radial kernel, not Laplacian.* or Gaussian"),
        (RVMClassifier("gausian"), None, "unknown kernel 'gausian'"),
        (RVMClassifier(bias="none"), None, "bias must be one of"),
        (RVMClassifier(), (1.0, 0.5), "factors must increase"),
        (RVMClassifier(), (0.0, 0.5), "factors must be positive"),
    ],
)
def test_what_has_no_curves_is_refused(binary, estimator, factors, message):
    with pytest.raises(ValueError, match=message):
        width_curves(estimator, binary.X, binary.y, factors=factors)
