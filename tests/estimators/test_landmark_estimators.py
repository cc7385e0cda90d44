"""Least-squares estimators on landmarks: against the exact machine, and what must not matter."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import log_loss

from kernelwise import LSSVMClassifier, LSSVMRegressor
from kernelwise.criteria import EvidenceBound
from kernelwise.estimators import landmarks as rules
from kernelwise.kernels import Gaussian, Laplacian
from kernelwise.scale import landmark_fit
from kernelwise.selections import GrowingLandmarks, growing

random = np.random.default_rng(3)
X = random.normal(size=(1200, 4))
SIGNAL = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2]
Y = SIGNAL + 0.2 * random.normal(size=1200)
LABELS = np.where(Y > 0, "yes", "no")
NEW = random.normal(size=(300, 4))
NEW_SIGNAL = np.sin(2 * NEW[:, 0]) + NEW[:, 1] * NEW[:, 2]


@pytest.fixture(scope="module")
def classifier():
    return LSSVMClassifier("ard-gaussian", landmarks=120).fit(X, LABELS)


@pytest.fixture(scope="module")
def regressor():
    return LSSVMRegressor("ard-gaussian", landmarks=120).fit(X, Y)


def as_given(kind, landmarks, **how):
    return kind(Laplacian(3.0), None, regularization=0.1, landmarks=landmarks, **how)


@pytest.mark.parametrize("weights", [None, random.integers(1, 4, 150)], ids=["plain", "weighted"])
def test_all_rows_as_landmarks_are_the_exact_machine(weights):
    few, y = X[:150], np.column_stack([Y[:150], SIGNAL[:150] ** 2])
    exact = as_given(LSSVMRegressor, None).fit(few, y, weights)
    same = as_given(LSSVMRegressor, few).fit(few, y, weights)
    outputs, deviations = exact.predict(NEW, return_std=True)
    found, spread = same.predict(NEW, return_std=True)
    np.testing.assert_allclose(found, outputs, rtol=0, atol=1e-8)
    np.testing.assert_allclose(same.amplitude_, exact.amplitude_, rtol=1e-7)
    # Folds are dealt differently, so the stretch differs; the machine's own deviations do not.
    np.testing.assert_allclose(spread / same._stretch, deviations / exact._stretch, rtol=1e-6)
    labels = LABELS[:150]
    exact = as_given(LSSVMClassifier, None).fit(few, labels, weights)
    same = as_given(LSSVMClassifier, few).fit(few, labels, weights)
    np.testing.assert_allclose(
        same.decision_function(NEW), exact.decision_function(NEW), rtol=0, atol=1e-8
    )


def test_weight_two_is_a_repeated_row():
    given = X[:80]
    once = as_given(LSSVMRegressor, given).fit(X, Y, np.r_[np.full(300, 2.0), np.ones(900)])
    twice = as_given(LSSVMRegressor, given).fit(np.vstack([X, X[:300]]), np.r_[Y, Y[:300]])
    np.testing.assert_allclose(once.predict(NEW), twice.predict(NEW), rtol=0, atol=1e-9)
    assert once.held_out_error_ == pytest.approx(twice.held_out_error_, rel=0.05)


def test_units_of_columns_and_swapped_labels_do_not_matter(classifier):
    scaled = LSSVMClassifier("ard-gaussian", landmarks=120).fit(X * [1e3, 1, 1e-3, 8], LABELS)
    np.testing.assert_allclose(
        scaled.decision_function(NEW * [1e3, 1, 1e-3, 8]),
        classifier.decision_function(NEW),
        atol=2e-2,
    )
    swapped = LSSVMClassifier("ard-gaussian", landmarks=120).fit(
        X, np.where(LABELS == "yes", "a", "b")
    )
    np.testing.assert_allclose(
        -swapped.decision_function(NEW), classifier.decision_function(NEW), atol=2e-2
    )


def test_any_number_of_threads_gives_the_same_bits(classifier):
    threads = LSSVMClassifier("ard-gaussian", landmarks=120, n_jobs=3).fit(X, LABELS)
    np.testing.assert_array_equal(threads.predict_proba(NEW), classifier.predict_proba(NEW))
    np.testing.assert_array_equal(threads.relevance_, classifier.relevance_)


def test_what_a_fit_tells(classifier):
    assert classifier.landmarks_.shape == (120, 4)
    assert {tuple(row) for row in classifier.landmarks_.round(9)} <= {
        tuple(row) for row in X.round(9)
    }
    assert classifier.dual_coef_.shape == (120, 1)
    assert classifier.n_passes_ == 2
    assert 10 < classifier.effective_parameters_ < 121
    assert classifier.relevance_.sum() == pytest.approx(1)
    assert classifier.relevance_[3] < 0.01 and 3 not in classifier.selected_features_
    assert {0, 1, 2} <= set(classifier.selected_features_)
    assert (classifier.relevance_interval_[:3, 0] > 0).all()
    # A fifth of the rows had no part in learning the kernel, and judges it.
    assert 190 < (classifier._scores.weights > 0).sum() < 290


def test_errors_are_those_of_new_rows(classifier):
    truth = np.where(NEW_SIGNAL > 0, "yes", "no")
    wrong = np.mean(classifier.predict(NEW) != truth)
    assert wrong < 0.1
    noisy = np.where(NEW_SIGNAL + 0.2 * random.normal(size=300) > 0, "yes", "no")
    wrong = np.mean(classifier.predict(NEW) != noisy)
    for error in (classifier.held_out_error_, classifier.honest_error_):
        assert abs(error - wrong) < 0.05
    assert log_loss(noisy, classifier.predict_proba(NEW)) < 0.3


def test_intervals_of_a_regressor_cover(regressor):
    y = NEW_SIGNAL + 0.2 * random.normal(size=300)
    lower, upper = regressor.predict_interval(NEW, 0.9).T
    assert 0.84 < np.mean((lower <= y) & (y <= upper)) < 0.97
    root = np.sqrt(np.mean((regressor.predict(NEW) - y) ** 2))
    assert regressor.honest_error_ == pytest.approx(root, rel=0.25)
    assert regressor.held_out_error_ == pytest.approx(root, rel=0.25)
    # Far from all rows nothing is known.
    _, deviations = regressor.predict(np.vstack([NEW[:1], NEW[:1] + 50]), return_std=True)
    assert deviations[1] > 2 * deviations[0]


def test_auto_is_exact_for_few_distinct_rows(monkeypatch):
    monkeypatch.setattr(rules, "MOST_EXACT", 100)
    monkeypatch.setattr(rules, "AUTO_LANDMARKS", 40)
    model = LSSVMRegressor("gaussian", random_state=0)
    assert model.fit(X[:100], Y[:100]).landmarks_ is None
    assert model.fit(X[:101], Y[:101]).landmarks_.shape == (40, 4)
    repeated = np.tile(X[:60], (4, 1))
    assert model.fit(repeated, np.tile(Y[:60], 4)).landmarks_ is None
    assert not hasattr(model, "n_passes_")
    needs_all = LSSVMRegressor("gaussian", "alignment", random_state=0)
    assert needs_all.fit(X[:101], Y[:101]).landmarks_ is None


def test_many_classes_categories_gaps_and_a_rare_class():
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame["group"] = np.where(X[:, 3] > 1, "high", np.where(X[:, 3] < -1, "low", "none"))
    frame.loc[::7, "a"] = np.nan
    y = np.where(X[:, 3] > 1.9, "rare", np.where(X[:, 1] > 0, "up", "down"))
    model = LSSVMClassifier("mixed", landmarks=100, random_state=0).fit(frame, y)
    assert model.landmarks_.shape == (100, 5) and model.dual_coef_.shape == (100, 3)
    # Classes of few rows have more than their share of the landmarks.
    rare = (model.landmarks_[:, 3] > 1.9).sum()
    assert rare >= min(30, (y == "rare").sum())
    assert np.mean(model.predict(frame) == y) > 0.9
    probabilities = model.predict_proba(frame)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert (model.classes_[probabilities.argmax(axis=1)] == model.predict(frame)).all()
    assert len(model.relevance_) == 5 and model.checks_


def test_honest_true_chooses_again_without_each_fold():
    model = LSSVMClassifier("gaussian", landmarks=40, honest=True, cv=3, random_state=0).fit(
        X[:600], LABELS[:600]
    )
    assert 0.05 < model.honest_error_ < 0.3
    kept = LSSVMClassifier("gaussian", landmarks=40, honest=False, cv=3, random_state=0)
    kept.fit(X[:600], LABELS[:600])
    assert kept.honest_error_ == pytest.approx(kept.held_out_error_)


@pytest.mark.parametrize("selection", ["first-level", "loo", "loo-bayes", "cv", "evidence"])
def test_every_selection_works_on_landmarks(selection):
    model = LSSVMRegressor("ard-gaussian", selection, landmarks=60, random_state=0)
    model.fit(X[:500], Y[:500])
    assert model.landmarks_ is not None
    assert model.score(NEW, NEW_SIGNAL) > 0.8
    assert model.relevance_[3] < 0.02


def test_a_selection_object_for_landmarks_is_used_on_them():
    selection = GrowingLandmarks(stages=((200, 20, 3),), criterion=EvidenceBound())
    model = LSSVMRegressor("ard-gaussian", selection, landmarks=30, random_state=0)
    model.fit(X[:400], Y[:400])
    assert model.landmarks_.shape == (30, 4) and selection.landmarks == 2000
    by_name = LSSVMRegressor("ard-gaussian", "evidence", landmarks=30, random_state=0)
    assert model.criterion_ != by_name.fit(X[:400], Y[:400]).criterion_
    with pytest.raises(ValueError, match="needs landmarks"):
        LSSVMRegressor("ard-gaussian", selection, landmarks=None).fit(X[:400], Y[:400])


def test_very_many_landmarks_are_fitted_by_conjugate_gradients(monkeypatch):
    noisy = Y + 0.7 * np.random.default_rng(0).normal(size=len(Y))
    direct = LSSVMRegressor("ard-gaussian", landmarks=120).fit(X, noisy)
    for module in (growing, landmark_fit):
        monkeypatch.setattr(module, "MOST_DIRECT", 100)
    monkeypatch.setattr(growing, "LANDMARKS_FOR_REGULARIZATION", 120)
    model = LSSVMRegressor("ard-gaussian", landmarks=120).fit(X, noisy)
    np.testing.assert_allclose(model.regularization_, direct.regularization_, rtol=1e-9)
    assert np.abs(model.predict(NEW) - direct.predict(NEW)).mean() < 0.03
    np.testing.assert_allclose(model.amplitude_, direct.amplitude_, rtol=0.05)
    assert model.n_passes_ > 4
    # Deviations are the same everywhere, and stretched to the errors.
    deviations = model.predict(NEW, return_std=True)[1]
    assert np.ptp(deviations) < 1e-12 * deviations[0]
    assert deviations[0] == pytest.approx(model.honest_error_, rel=1e-6)


@pytest.mark.parametrize(
    ("landmarks", "words"),
    [
        ("some", "landmarks must be 'auto'"),
        (1, "landmarks must be 'auto'"),
        (True, "landmarks must be 'auto'"),
        (0.5, "landmarks must be 'auto'"),
        (np.ones(4), "landmarks must be 'auto'"),
        (np.ones((3, 2)), "landmarks have 2 columns, but X has 4"),
    ],
)
def test_odd_landmarks_are_refused(landmarks, words):
    with pytest.raises(ValueError, match=words):
        LSSVMClassifier(landmarks=landmarks).fit(X[:50], LABELS[:50])


def test_landmarks_of_other_columns_are_refused():
    frame = pd.DataFrame(X[:60], columns=list("abcd"))
    with pytest.raises(ValueError, match="feature names"):
        LSSVMClassifier("gaussian", landmarks=frame[["b", "a", "c", "d"]]).fit(frame, LABELS[:60])
    model = LSSVMClassifier("gaussian", landmarks=frame[:30]).fit(frame, LABELS[:60])
    np.testing.assert_allclose(model.landmarks_, X[:30])


@pytest.mark.parametrize(
    "how", [{"selection": "alignment"}, {"n_restarts": 2}, {"kernel": "precomputed"}]
)
def test_what_needs_all_rows_says_so(how):
    with pytest.raises(ValueError, match="needs all rows"):
        LSSVMClassifier(**how, landmarks=20).fit(X[:50, :], LABELS[:50])


def test_cross_validation_of_landmarks_alone_needs_them():
    with pytest.raises(ValueError, match="selection='gcv' needs landmarks"):
        LSSVMClassifier(selection="gcv", landmarks=None).fit(X[:50], LABELS[:50])


def test_a_constant_output_among_several():
    both = np.column_stack([Y[:400], np.full(400, 3.0)])
    model = LSSVMRegressor(Gaussian(1.5), "gcv", landmarks=50).fit(X[:400], both)
    np.testing.assert_allclose(model.predict(NEW)[:, 1], 3.0, rtol=1e-12)
    assert model.dual_coef_.shape == (50, 2)
