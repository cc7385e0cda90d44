"""SVMClassifier by the posterior: predictions, probabilities, deviations, and what it refuses."""

import copy
import functools
import pickle

import numpy as np
import pytest
from posterior_problems import every_loss, tilted
from scipy.special import expit
from sklearn.base import clone
from sklearn.metrics.pairwise import rbf_kernel

from kernelwise import SVMClassifier
from kernelwise.estimators.output_posterior import log_odds
from kernelwise.kernels import Gaussian, Linear
from kernelwise.machines import PosteriorSupportVector, SupportVector
from kernelwise.solutions import Targets

pytestmark = [
    pytest.mark.filterwarnings("ignore::kernelwise.selections.AtLimitWarning"),
    pytest.mark.filterwarnings("ignore::scipy.integrate.IntegrationWarning"),
]
TABLES = ("binary", "three_classes")
both_tables = pytest.mark.parametrize("table", TABLES)
METHODS = ("predict", "predict_proba", "decision_function")
# An amplitude and C small enough that mean and mode, and mean and log odds, differ.
GIVEN = {"kernel": 3.0 * Gaussian(2.0), "selection": None, "C": 1.5, "bias": False}


@pytest.fixture(scope="module")
def learnt(request):
    """``learnt(table, loss, **given) -> model, data``; each is fitted once."""

    @functools.cache
    def fit(table, loss="squared_hinge", prediction="auto", selection="evidence-ep"):
        data = request.getfixturevalue(table)
        model = SVMClassifier(
            "gaussian", selection, loss, prediction=prediction, cv=3, random_state=0
        )
        return model.fit(data.X[:45], data.y[:45]), data

    return fit


def dense(model, X, y):
    """The posterior by the machine itself, and what it needs at other rows."""
    signs = np.where(y[:, None] == model.classes_[1:], 1.0, -1.0)
    if len(model.classes_) > 2:
        signs = np.where(y[:, None] == model.classes_, 1.0, -1.0)
    machine = PosteriorSupportVector(model.C_, model.loss)
    rows = model.columns_.scaled(X)
    return machine.solve([model.kernel_(rows)], Targets.plain(signs)), rows


# What is predicted


@every_loss
@both_tables
def test_outputs_and_deviations_are_those_of_the_posterior(learnt, table, loss):
    model, data = learnt(table, loss)
    solution, rows = dense(model, data.X[:45], data.y[:45])
    new = model.columns_.scaled(data.X_test)
    means, deviations = model.output_posterior(data.X_test)
    shape = (300,) if table == "binary" else (300, 3)
    assert means.shape == deviations.shape == shape
    gram, own = model.kernel_(new, rows), np.diagonal(model.kernel_(new))
    for j, posterior in enumerate(solution.posteriors):
        found = means.reshape(300, -1)[:, j], deviations.reshape(300, -1)[:, j]
        scale = np.sqrt(own.max())
        np.testing.assert_allclose(found[0], posterior.mean(gram), atol=1e-5 * scale)
        expected = np.sqrt(posterior.variance(gram, own))
        np.testing.assert_allclose(found[1], expected, rtol=1e-4, atol=1e-4 * scale)


@every_loss
@both_tables
def test_classes_log_odds_and_probabilities_agree(learnt, table, loss):
    model, data = learnt(table, loss)
    found, odds = model.predict_proba(data.X_test), model.decision_function(data.X_test)
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-12)
    best = model.classes_[found.argmax(axis=1)]
    np.testing.assert_array_equal(model.predict(data.X_test), best)
    means, deviations = model.output_posterior(data.X_test)
    for i in range(0, 300, 60):
        pairs = zip(*(np.atleast_1d(a[i]) for a in (odds, means, deviations)), strict=True)
        for odd, mean, deviation in pairs:
            up, down = (tilted(s * mean, deviation**2, model.C_, loss).log_z for s in (1, -1))
            assert odd == pytest.approx(up - down, abs=1e-7 * (1 + abs(odd)))
    # Probabilities are these odds, as far as they are trusted.
    trusted = copy.deepcopy(model)
    trusted.calibrator_.trust_ = 1.0
    found = trusted.predict_proba(data.X_test)
    if table == "binary":
        np.testing.assert_allclose(found[:, 1], expit(odds), rtol=1e-12)
        assert (np.sign(odds) == np.sign(means)).all()
    else:
        ratios = np.log(found[:, :1] / found[:, 1:])
        np.testing.assert_allclose(ratios, odds[:, :1] - odds[:, 1:], atol=1e-9)
    assert model.score(data.X_test, data.y_test) > 0.8


@every_loss
def test_the_mean_is_not_the_mode(binary, loss):
    mean, mode = (
        SVMClassifier(**GIVEN, loss=loss, prediction=prediction).fit(binary.X, binary.y)
        for prediction in ("mean", "mode")
    )
    plain = SVMClassifier(**GIVEN, loss=loss).fit(binary.X, binary.y)
    for method in METHODS:
        expected = getattr(plain, method)(binary.X_test)
        np.testing.assert_array_equal(getattr(mode, method)(binary.X_test), expected)
    outputs, _ = mean.output_posterior(binary.X_test)
    apart = outputs - mode.decision_function(binary.X_test)
    assert 0.03 < abs(apart).mean() < 1
    assert np.mean(mean.predict(binary.X_test) == mode.predict(binary.X_test)) > 0.9
    assert len(mean.support_) > len(mode.support_)


def test_a_selection_by_the_posterior_may_predict_by_the_mode(learnt):
    mean, data = learnt("binary")
    mode, _ = learnt("binary", prediction="mode")
    assert mode.C_ == mean.C_ and mode.criterion_ == mean.criterion_
    rows, new = (mode.columns_.scaled(X) for X in (data.X[:45], data.X_test))
    signs = np.where(data.y[:45] == mode.classes_[1], 1.0, -1.0)
    svm = SupportVector(mode.C_, "squared_hinge").solve([mode.kernel_(rows)], Targets.plain(signs))
    expected = mode.kernel_(new, rows) @ svm.coef[:, 0]
    np.testing.assert_allclose(mode.decision_function(data.X_test), expected, atol=1e-6)
    assert np.mean(mode.predict(data.X_test) == mean.predict(data.X_test)) > 0.9
    with pytest.raises(ValueError, match="has no posterior"):
        mode.output_posterior(data.X_test)


@every_loss
@both_tables
def test_deviations_of_probabilities(learnt, table, loss):
    model, data = learnt(table, loss)
    probabilities, deviations = model.predict_proba(data.X_test, return_std=True)
    np.testing.assert_array_equal(probabilities, model.predict_proba(data.X_test))
    assert deviations.shape == probabilities.shape
    assert deviations.min() >= 0 and deviations.max() <= 0.5
    means, spread = model.output_posterior(data.X_test)
    draws = np.random.default_rng(0).normal(size=(20000, 1))
    for i in range(0, 300, 75):
        outputs = np.atleast_1d(means[i]) + np.atleast_1d(spread[i]) * draws
        losses = [np.maximum(1 - s * outputs, 0) for s in (1, -1)]
        down, up = losses if loss == "hinge" else [part**2 / 2 for part in losses]
        expected = expit(model.C_ * (up - down)).std(axis=0)
        np.testing.assert_allclose(deviations[i][-len(expected) :], expected, atol=0.01)
    if table == "binary":
        np.testing.assert_array_equal(deviations[:, 0], deviations[:, 1])


def test_far_from_all_rows_there_is_only_the_prior(binary):
    model = SVMClassifier(**GIVEN, prediction="mean").fit(binary.X, binary.y)
    far = np.full((1, 4), 1e3)
    mean, deviation = model.output_posterior(far)
    assert mean[0] == pytest.approx(0, abs=1e-9)
    assert deviation[0] == pytest.approx(np.sqrt(3), rel=1e-9)
    np.testing.assert_allclose(model.predict_proba(far), 0.5, atol=1e-9)


@every_loss
def test_held_out_errors_are_those_of_left_out_rows(learnt, loss):
    model, data = learnt("binary", loss)
    solution, _ = dense(model, data.X[:45], data.y[:45])
    signs = np.where(data.y[:45] == model.classes_[1], 1.0, -1.0)
    wrong = (signs * solution.left_out_means[:, 0] <= 0).mean()
    assert model.held_out_error_ == pytest.approx(wrong, abs=1e-12)


def test_rows_that_change_nothing_are_left_out():
    """Rows far beyond the margin come first, so that all others move up."""
    random = np.random.default_rng(0)
    x = np.r_[[40.0, -50.0], random.uniform(-1, 1, 300)]
    y = np.sign(x + 0.3 * random.normal(size=302))
    model = SVMClassifier(Linear(1.0), None, "hinge", C=2.0, bias=False, prediction="mean")
    model.fit(x[:, None], y)
    assert 100 < len(model.X_fit_) == len(model.support_) < 300
    assert not {0, 1} & set(model.support_)
    solution, rows = dense(model, x[:, None], y)
    new = model.columns_.scaled(np.linspace(-1, 1, 7)[:, None])
    gram, own = model.kernel_(new, rows), np.diagonal(model.kernel_(new))
    means, deviations = model.output_posterior(np.linspace(-1, 1, 7)[:, None])
    expected = gram @ solution.coef[:, 0]
    np.testing.assert_allclose(means, expected, atol=1e-9)
    variances = own * solution.variances[2, 0] / np.diagonal(model.kernel_(rows))[2]
    np.testing.assert_allclose(deviations**2, variances, rtol=1e-4)


def test_averages_are_mixtures(binary):
    model = SVMClassifier(
        "gaussian", "evidence-ep", n_restarts=2, combine="average", random_state=0
    ).fit(binary.X[:40], binary.y[:40])
    assert len(model.machines_) > 1
    rows = model.columns_.scaled(binary.X_test)
    moments = [
        one.moments(one.kernel(rows, model.X_fit_), np.diagonal(one.kernel(rows)))
        for one in model.machines_
    ]
    means, deviations = model.output_posterior(binary.X_test)
    expected = np.mean([m for m, _ in moments], axis=0)[:, 0]
    np.testing.assert_allclose(means, expected, rtol=1e-9, atol=1e-9)
    squares = np.mean([v + m**2 for m, v in moments], axis=0)[:, 0]
    np.testing.assert_allclose(deviations**2, squares - expected**2, rtol=1e-6, atol=1e-8)
    found = model.predict_proba(binary.X_test)
    np.testing.assert_array_equal(
        model.classes_[found.argmax(axis=1)], model.predict(binary.X_test)
    )


# What must not matter


@pytest.mark.parametrize("given", [{"selection": "evidence-ep"}, {"selection": None}])
@every_loss
def test_a_row_of_weight_two_is_a_repeated_row(binary, loss, given):
    X, y = binary.X[30:60], binary.y[30:60]
    # Copies that choose again are those of test_svm_invariances.
    model = SVMClassifier(
        "gaussian", **given, loss=loss, prediction="mean", random_state=0, honest=False
    )
    weights = np.ones(30)
    weights[:10], weights[25:] = 2, 0
    rows = np.r_[np.arange(25), np.arange(10)]
    weighted = clone(model).fit(X, y, sample_weight=weights)
    repeated = clone(model).fit(X[rows], y[rows])
    unweighted = clone(model).fit(X[:25], y[:25])
    for method in (*METHODS, "output_posterior"):
        one, other, third = (
            np.asarray(getattr(fit, method)(binary.X_test))
            for fit in (weighted, repeated, unweighted)
        )
        np.testing.assert_array_equal(one, other)
        assert not np.array_equal(one, third) or method == "predict"


def test_parameters_set_after_a_fit_change_no_prediction(learnt):
    model, data = learnt("binary")
    model = pickle.loads(pickle.dumps(model))
    before = [getattr(model, method)(data.X_test) for method in METHODS]
    model.set_params(selection="span", prediction="mode", loss="hinge", C=77.0)
    for method, expected in zip(METHODS, before, strict=True):
        np.testing.assert_array_equal(getattr(model, method)(data.X_test), expected)
    model.output_posterior(data.X_test)
    copy = clone(model)
    assert not hasattr(copy, "machines_") and copy.prediction == "mode"


def test_the_other_label_first_swaps_signs(binary):
    model = SVMClassifier(**GIVEN, prediction="mean")
    swapped = np.where(binary.y == "yes", "no", "yes")
    one, other = (clone(model).fit(binary.X, y) for y in (binary.y, swapped))
    odds = [fit.decision_function(binary.X_test) for fit in (one, other)]
    np.testing.assert_allclose(odds[0], -odds[1], atol=1e-8)


# Precomputed kernels, and what is refused


def test_a_precomputed_kernel_predicts_by_the_mode(binary):
    gram = rbf_kernel(binary.X, gamma=0.1)
    across = rbf_kernel(binary.X_test, binary.X, gamma=0.1)
    model = SVMClassifier("precomputed", "evidence-ep", random_state=0).fit(gram, binary.y)
    assert model.score(across, binary.y_test) > 0.8
    probabilities = model.predict_proba(across)
    best = model.classes_[probabilities.argmax(axis=1)]
    np.testing.assert_array_equal(best, model.predict(across))
    with pytest.raises(ValueError, match="has no posterior"):
        model.predict_proba(across, return_std=True)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"selection": "span", "prediction": "mean"}, "needs a posterior.*'span'"),
        ({"selection": "evidence", "prediction": "mean"}, "needs a posterior"),
        ({"selection": "evidence-ep", "bias": True}, "no free intercept"),
        ({"selection": None, "prediction": "mean", "bias": True}, "no free intercept"),
        ({"selection": "evidence-ep", "prediction": "median"}, "prediction must be one of"),
        (
            {"selection": "evidence-ep", "kernel": "precomputed", "prediction": "mean"},
            "use prediction='mode'",
        ),
    ],
)
def test_what_has_no_posterior_is_refused(binary, given, message):
    X = rbf_kernel(binary.X) if given.get("kernel") else binary.X
    with pytest.raises(ValueError, match=message):
        SVMClassifier(**{"kernel": "gaussian", **given}).fit(X, binary.y)


def test_models_without_posterior_say_so(learnt):
    model, data = learnt("binary", selection="gacv")
    with pytest.raises(ValueError, match="this model has no posterior: fit it with"):
        model.output_posterior(data.X_test)
    with pytest.raises(ValueError, match="this model has no posterior"):
        model.predict_proba(data.X_test, return_std=True)
    assert model.predict_proba(data.X_test).shape == (300, 2)


def test_a_wide_posterior_says_little():
    """By the closed form at a mean of 1 for the hinge: both labels become equally likely."""
    one = np.ones((1, 1))
    narrow, wide, widest = (log_odds(one, v * one, 2.0, "hinge")[0, 0] for v in (0.01, 4.0, 1e8))
    assert narrow > wide > widest > 0
    assert widest == pytest.approx(0, abs=1e-3)
    # Without any spread: loss 0 for one label, 2 C for the other.
    assert log_odds(one, 0 * one, 2.0, "hinge")[0, 0] == pytest.approx(4.0, rel=1e-9)


@pytest.mark.parametrize("selection", ["evidence", "evidence-ep"])
def test_class_weights_do_not_choose_the_kernel(selection):
    """To the evidence, a row of weight 16 is 16 rows without noise; the choice counts rows."""
    random = np.random.default_rng(0)
    X = random.normal(size=(200, 3))
    y = random.random(200) < 1 / (1 + np.exp(3 - 2 * X[:, 0]))
    plain, heavy = (
        SVMClassifier(
            "gaussian", selection, random_state=0, class_weight=weights, honest=False
        ).fit(X, y)
        for weights in (None, {False: 1, True: 16})
    )
    # Columns are standardized by the weights, so the same choice differs a little.
    assert heavy.criterion_ == pytest.approx(plain.criterion_, rel=0.05)
    assert pytest.approx(plain.C_, rel=0.2) == heavy.C_
    assert heavy.predict(X).sum() > 1.5 * plain.predict(X).sum()
