"""RVMClassifier and RVMRegressor: what they learn, and what they keep."""

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import multivariate_normal
from sklearn.base import clone
from small_tables import Split

from kernelwise import LSSVMClassifier, RVMClassifier, RVMRegressor
from kernelwise.criteria import HeldOutSquares, PricedEvidence
from kernelwise.estimators.calibration import TwoSlopeSigmoid
from kernelwise.kernels import Gaussian
from kernelwise.selections import MinimizeCriterion, WidthScan


@pytest.fixture(scope="module")
def waves():
    """Waves over a plane, with noise of standard deviation 0.1."""
    random = np.random.default_rng(0)
    X = random.uniform(-2, 2, size=(400, 2))
    y = np.sin(3 * X[:, 0]) * np.cos(2 * X[:, 1]) + 0.1 * random.normal(size=400)
    return Split(X[:100], y[:100], X[100:], y[100:])


@pytest.fixture(scope="module")
def classifier(binary):
    return RVMClassifier().fit(binary.X, binary.y)


@pytest.fixture(scope="module")
def regressor(waves):
    return RVMRegressor().fit(waves.X, waves.y)


@pytest.mark.parametrize("selection", ["evidence", "cv"])
def test_learns_classes(binary, selection):
    # Copies of the default selection choose again; those of the other one would take long.
    honest = "auto" if selection == "evidence" else False
    model = RVMClassifier(selection=selection, honest=honest).fit(binary.X, binary.y)
    assert model.score(binary.X_test, binary.y_test) > 0.88
    assert model.n_relevance_vectors_ < 10
    assert model.held_out_error_ < 0.25


def test_learns_three_classes_with_one_kernel(three_classes):
    model = RVMClassifier(honest=False).fit(three_classes.X, three_classes.y)
    assert model.score(three_classes.X_test, three_classes.y_test) > 0.88
    assert model.dual_coef_.shape == (model.n_relevance_vectors_, 3)
    assert len(model.machines_) == 3
    probabilities = model.predict_proba(three_classes.X_test)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    np.testing.assert_array_equal(
        model.classes_[probabilities.argmax(axis=1)], model.predict(three_classes.X_test)
    )


@pytest.mark.parametrize("selection", ["evidence", "cv"])
def test_learns_quantities(waves, selection):
    model = RVMRegressor(selection=selection, honest=False).fit(waves.X, waves.y)
    assert model.score(waves.X_test, waves.y_test) > 0.85
    assert 0.05 < model.noise_[0] < 0.15
    assert 10 < model.n_relevance_vectors_ < 40


def test_only_relevance_vectors_predict(classifier, binary):
    model, vectors = classifier, classifier.n_relevance_vectors_
    assert 0 < vectors < 10
    assert len(model.X_fit_) == len(model.dual_coef_) == len(model.relevance_vectors_) == vectors
    assert (model.dual_coef_ != 0).all()
    np.testing.assert_array_equal(binary.X[np.sort(model.support_)].shape, (vectors, 4))
    given = {tuple(row) for row in binary.X[model.support_]}
    assert given == {tuple(row) for row in model.relevance_vectors_}
    assert model.effective_weights_.shape == (vectors, 1)
    assert ((model.effective_weights_ > 0) & (model.effective_weights_ <= 1)).all()
    np.testing.assert_allclose(model.relevance_.sum(), 1)
    assert set(model.relevance_.argsort()[-2:]) == {0, 1}


def test_outputs_are_moderated(classifier, binary):
    """Log odds of the mean of ``1 / (1 + exp(-f))`` over the posterior of f, to a few percent."""
    model = classifier
    gram = model.kernel_(model._rows_to_compare(binary.X_test), model.X_fit_)
    (vectors,) = model.machines_
    own = gram[:, vectors.rows]
    mean, variance = vectors.outputs(own), vectors.output_variances(own)
    np.testing.assert_allclose(mean, (gram @ model.dual_coef_)[:, 0] + model.intercept_[0])
    draws = np.random.default_rng(0).normal(size=4000)
    sampled = expit(mean[:, None] + np.sqrt(variance)[:, None] * draws).mean(axis=1)
    found = expit(model.decision_function(binary.X_test))
    assert np.abs(found - sampled).max() < 0.025
    assert (np.abs(found - 0.5) <= np.abs(expit(mean) - 0.5)).all() and variance.min() > 0
    probabilities = model.predict_proba(binary.X_test)[:, 1]
    np.testing.assert_array_equal(probabilities > 0.5, model.predict(binary.X_test) == "yes")


def test_probabilities_of_separable_classes_are_sure():
    """The posterior of a separable problem is wide; held-out rows say that it is right."""
    x = np.linspace(-10, 10, 100)[:, None]
    model = RVMClassifier().fit(x, x[:, 0] > 0)
    new = np.linspace(-9.7, 9.7, 40)[:, None]
    own = model.predict_proba(new)[np.arange(40), (new[:, 0] > 0).astype(int)]
    assert np.median(own) > 0.95


def test_standard_deviations_cover(regressor, waves):
    outputs, std = regressor.predict(waves.X_test, return_std=True)
    np.testing.assert_array_equal(outputs, regressor.predict(waves.X_test))
    assert (std >= regressor.noise_[0]).all()
    # Not 95 %: a model of the 26 rows with the highest evidence is surer than it should be.
    assert 0.7 < np.mean(np.abs(outputs - waves.y_test) < 1.96 * std) < 0.99


def test_evidence_is_a_density_in_the_units_of_the_target(smooth):
    """With the penalized bias, of y itself: its mean is taken off as it is known."""
    y = 100 * smooth.y
    model = RVMRegressor(Gaussian(1.0), selection=None, bias="penalized").fit(smooth.X, y)
    (vectors,), unit = model.machines_, y.std()
    gram = Gaussian(1.0)(smooth.X, model.X_fit_[vectors.rows])
    columns = gram - gram.mean(axis=0)
    covariance = unit**2 * (vectors.noise * np.eye(60) + (columns * vectors.variances) @ columns.T)
    expected = multivariate_normal.logpdf(y, np.full(60, y.mean()), covariance)
    assert model.evidence_ == pytest.approx(expected, abs=1e-6)


def test_several_outputs_share_a_kernel(waves):
    both = np.column_stack([waves.y, 10 * np.sin(2 * waves.X).sum(axis=1)])
    model = RVMRegressor(honest=False).fit(waves.X, both)
    outputs, std = model.predict(waves.X_test, return_std=True)
    assert outputs.shape == std.shape == (300, 2) and model.noise_.shape == (2,)
    expected = np.column_stack([waves.y_test, 10 * np.sin(2 * waves.X_test).sum(axis=1)])
    assert (np.mean((outputs - expected) ** 2, axis=0) < 0.4 * expected.var(axis=0)).all()


def test_a_price_keeps_vectors_few(binary):
    """Plain evidence takes a narrower kernel with more vectors."""
    prices = [WidthScan(PricedEvidence(price)) for price in (0.0, None)]
    plain, priced = (
        RVMClassifier(selection=price, honest=False).fit(binary.X, binary.y) for price in prices
    )
    assert priced.n_relevance_vectors_ <= plain.n_relevance_vectors_
    assert priced.kernel_.length_scale >= plain.kernel_.length_scale
    assert priced.evidence_ <= plain.evidence_ + 1e-6
    expected = 0.5 * np.log(60) * priced.n_relevance_vectors_ - priced.evidence_
    assert priced.criterion_ == pytest.approx(expected)


def test_a_scale_per_feature_follows_the_evidence(waves):
    tied, each = (
        RVMRegressor(name, honest=False).fit(waves.X, waves.y) for name in ("gaussian", "ard")
    )
    assert each.kernel_.length_scale.shape == (2,)
    assert each.criterion_ < tied.criterion_ - 1
    assert each.kernel_.length_scale[0] < each.kernel_.length_scale[1]  # waves of 3 and of 2


def test_a_kernel_learned_elsewhere_can_be_handed_in(binary):
    learned = LSSVMClassifier("ard").fit(binary.X, binary.y)
    rows, new = (learned._rows_to_compare(X) for X in (binary.X, binary.X_test))
    model = RVMClassifier(learned.kernel_, selection=None).fit(rows, binary.y)
    assert repr(model.kernel_) == repr(learned.kernel_)
    assert model.score(new, binary.y_test) > 0.86


def test_reestimation_agrees_with_the_ascent(binary):
    kernel = Gaussian(2.0)
    fits = [
        RVMClassifier(kernel, selection=None, algorithm=name).fit(binary.X, binary.y)
        for name in ("sequential", "reestimation")
    ]
    ascent, together = fits
    assert ascent.evidence_ == pytest.approx(together.evidence_, abs=3.0)
    agree = ascent.predict(binary.X_test) == together.predict(binary.X_test)
    assert agree.mean() > 0.95


def test_precomputed_gram_matrix(binary):
    kernel = Gaussian(2.0)
    direct = RVMClassifier(kernel, selection=None).fit(binary.X, binary.y)
    given = RVMClassifier("precomputed", selection=None).fit(kernel(binary.X), binary.y)
    across = kernel(binary.X_test, binary.X)
    np.testing.assert_allclose(
        given.decision_function(across), direct.decision_function(binary.X_test), atol=1e-5
    )
    assert given.n_relevance_vectors_ == direct.n_relevance_vectors_


def test_class_weights_move_the_decision(binary):
    weights = (None, {"no": 1, "yes": 10})
    models = [
        RVMClassifier(Gaussian(3.0), selection=None, class_weight=weight).fit(binary.X, binary.y)
        for weight in weights
    ]
    plain, heavy = (np.mean(model.predict(binary.X_test) == "yes") for model in models)
    assert heavy > plain + 0.02


def test_error_and_sigmoids_are_those_of_held_out_rows(binary):
    folds = [(np.setdiff1d(np.arange(60), test), test) for test in np.arange(60).reshape(4, 15)]
    model = RVMClassifier(Gaussian(2.0), selection=None, cv=folds).fit(binary.X, binary.y)
    outputs = np.empty(60)
    for train, test in folds:
        part = clone(model).set_params(cv=3).fit(binary.X[train], binary.y[train])
        outputs[test] = part.decision_function(binary.X[test])
    positive = binary.y == "yes"
    assert model.held_out_error_ == pytest.approx(np.mean((outputs > 0) != positive))
    expected = TwoSlopeSigmoid().fit(outputs, np.column_stack([~positive, positive]) * 1.0)
    np.testing.assert_allclose(model.calibrator_.slopes_, expected.slopes_, rtol=1e-3)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"bias": True}, "bias must be one of"),
        ({"algorithm": "fast"}, "algorithm must be one of"),
        ({"tolerance": 0}, "tolerance must be a positive number"),
        ({"max_vectors": 0}, "max_vectors must be 1, 2, 3"),
        ({"max_vectors": 2.5}, "max_vectors must be 1, 2, 3"),
        ({"selection": "span"}, "unknown selection 'span'"),
        ({"selection": MinimizeCriterion(HeldOutSquares())}, "have no gradient"),
    ],
)
def test_bad_settings_are_refused(binary, settings, message):
    with pytest.raises(ValueError, match=message):
        RVMClassifier(**settings).fit(binary.X, binary.y)


def test_the_most_vectors(smooth):
    free = RVMRegressor(Gaussian(0.5), selection=None).fit(smooth.X, smooth.y)
    few = RVMRegressor(Gaussian(0.5), selection=None, max_vectors=4).fit(smooth.X, smooth.y)
    assert few.n_relevance_vectors_ == 4 < free.n_relevance_vectors_ <= 30
    one = RVMRegressor(Gaussian(0.5), selection=None, max_vectors=1).fit(smooth.X, smooth.y)
    assert one.n_relevance_vectors_ == 1
