"""Measures of held-out predictions against counting by hand, and intervals by simulation."""

import itertools

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from kernelwise.evaluation import folds_for, honest_error
from kernelwise.evaluation.judging import judged
from kernelwise.evaluation.measures import class_measures, quantity_measures
from kernelwise.evaluation.row_intervals import (
    SHARED_TRAINING,
    balanced_interval,
    clustering,
    share_interval,
)

TRUTH = np.array(["a", "a", "a", "a", "b", "b", "c"])
NAMED = np.array(["a", "a", "b", "c", "b", "a", "a"])
CLASSES = np.array(["a", "b", "c"])
SHARES = np.random.default_rng(0).dirichlet([1, 1, 1], size=7)


def test_measures_of_classes_by_hand():
    found = class_measures(TRUTH, NAMED, SHARES, CLASSES)
    assert found["balanced error"] == pytest.approx((2 / 4 + 1 / 2 + 1) / 3)
    assert found["recall of the rarest class"] == 0
    codes = np.searchsorted(CLASSES, TRUTH)
    assert found["log loss"] == pytest.approx(-np.log(SHARES[np.arange(7), codes]).mean())

    def ordered(one, other):
        """The share of pairs of rows of two classes that the first's probability orders."""
        mine, yours = SHARES[codes == one, one], SHARES[codes == other, one]
        return np.mean([a > b for a, b in itertools.product(mine, yours)])

    pairs = [(ordered(a, b) + ordered(b, a)) / 2 for a, b in itertools.combinations(range(3), 2)]
    assert found["AUC"] == pytest.approx(np.mean(pairs))


def test_measures_of_two_classes_and_of_a_missing_one():
    truth = np.array([0, 0, 1, 1, 1])
    shares = np.array([0.1, 0.6, 0.5, 0.7, 0.9])
    found = class_measures(truth, shares > 0.55, np.column_stack([1 - shares, shares]), [0, 1])
    assert found["AUC"] == pytest.approx(5 / 6)
    assert found["recall of the rarest class"] == 0.5
    without = class_measures(TRUTH[:6], NAMED[:6], SHARES[:6], CLASSES)
    assert "AUC" not in without and without["recall of the rarest class"] == 0.5
    assert set(class_measures(TRUTH, NAMED, None, CLASSES)) == {
        *("balanced error", "recall of the rarest class")
    }


def test_measures_of_quantities_by_hand():
    truth, named = np.array([1.0, 2.0, 6.0]), np.array([2.0, 2.0, 3.0])
    found = quantity_measures(truth, named)
    assert found["RMSE"] == pytest.approx(np.sqrt(10 / 3)) and found["MAE"] == pytest.approx(4 / 3)
    assert found["R2"] == pytest.approx(1 - 10 / 14)


def test_the_measures_of_an_honest_error_are_those_of_its_folds():
    X, y = load_iris(return_X_y=True)
    model = LogisticRegression(max_iter=500)
    error = honest_error(model, X, y, folds=4, random_state=1)
    splitter = StratifiedKFold(4, shuffle=True, random_state=1)
    shares = cross_val_predict(model, X, y, cv=splitter, method="predict_proba")
    expected = class_measures(y, shares.argmax(axis=1), shares, np.arange(3))
    assert error.measures == pytest.approx(expected)
    assert np.array(error.confusion).sum() == len(y)
    assert np.trace(error.confusion) == round((1 - error.value) * len(y))
    quantity = honest_error(LinearRegression(), *load_diabetes(return_X_y=True))
    assert quantity.measures["RMSE"] == pytest.approx(quantity.value)
    assert quantity.confusion == () and quantity.balanced_upper is None


class Always(ClassifierMixin, BaseEstimator):
    """Predicts the first column; remembers the weights it was given."""

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        if sample_weight is not None and not np.array_equal(sample_weight, X[:, 1]):
            raise ValueError("weights of other rows")
        return self

    def predict(self, X):
        return X[:, 0].astype(int)


def test_weights_go_to_the_rows_they_belong_to():
    y = np.arange(40) % 2
    X = np.column_stack([y, np.arange(40)])
    assert honest_error(Always(), X, y, sample_weight=np.arange(40.0)).value == 0


def test_groups_are_never_split():
    y, groups = np.arange(40) % 2, np.arange(40) // 4
    seen = []

    class Groups(Always):
        def fit(self, X, y):
            self.known = set(X[:, 1] // 4)
            return super().fit(X, y)

        def predict(self, X):
            seen.append(self.known & set(X[:, 1] // 4))
            return super().predict(X)

    X = np.column_stack([y, np.arange(40)])
    honest_error(Groups(), X, y, groups=groups)
    assert seen == [set()] * 5


def test_folds_that_leave_two_classes_to_train_on():
    assert folds_for(np.array([0] * 9 + [1] * 9 + [2]), 5, classes=True) == 5
    assert folds_for(np.array([0] * 9 + [1] * 3 + [2]), 5, classes=True) == 3
    assert folds_for(np.array([0] * 9 + [1]), 5, classes=True) == 0
    assert folds_for(np.arange(40.0), 5, classes=False) == 5
    groups = np.repeat(np.arange(4), 5)
    assert folds_for(np.arange(20) % 2, 5, classes=True, groups=groups) == 4
    assert folds_for(groups // 2, 5, classes=True, groups=groups) == 4
    assert folds_for(groups // 3, 5, classes=True, groups=groups) == 0
    assert folds_for(np.arange(20) % 2, 5, classes=True, groups=groups * 0) == 0


@pytest.mark.parametrize("shares", [(0.1, 0.4), (0.02, 0.5), (0.3, 0.3)])
def test_the_balanced_interval_covers_and_is_not_idle(shares):
    """Rows of one model: wider than needed by the factor for folds, but not by more."""
    generator, codes = np.random.default_rng(0), np.repeat([0, 1], [400, 40])
    true, held, widths, values = np.mean(shares), 0, [], []
    for _ in range(2000):
        wrong = (generator.random(440) < np.array(shares)[codes]).astype(float)
        found = balanced_interval(wrong, codes)
        held += found.lower <= true <= found.upper
        widths.append(found.upper - found.lower)
        values.append((wrong[:400].mean() + wrong[400:].mean()) / 2)
    assert held / 2000 > 0.95
    assert np.mean(widths) < 1.8 * 2 * 1.96 * np.std(values)


def test_groups_count_as_fewer_rows():
    generator = np.random.default_rng(0)
    groups = np.repeat(np.arange(40), 6)
    same = np.repeat(generator.normal(size=40), 6)
    assert clustering(same, groups) == pytest.approx(6 * 40 / 39)
    assert clustering(generator.normal(size=240), groups) < 2
    assert clustering(np.ones(240), groups) == 6 and clustering(same, None) == 1
    held, plain = 0, 0
    for _ in range(400):
        wrong = np.repeat(generator.random(40) < 0.3, 6).astype(float)
        factor = SHARED_TRAINING * clustering(wrong, groups)
        held += share_interval(wrong, factor).lower <= 0.3 <= share_interval(wrong, factor).upper
        plain += share_interval(wrong).lower <= 0.3 <= share_interval(wrong).upper
    assert plain / 400 < 0.8 < 0.95 < held / 400


def test_a_rare_class_that_is_found_is_useful_even_if_more_rows_are_wrong():
    y = np.repeat([0, 1], [380, 20])
    generator = np.random.default_rng(0)
    named = np.where(generator.random(400) < 0.1, 1 - y, y)
    X = np.column_stack([named, np.arange(400)])
    error = honest_error(Always(), X, y)
    assert not error.beats_trivial and error.tells_classes_apart and error.is_useful
    noise = np.column_stack([generator.permutation(y), np.arange(400)])
    assert not honest_error(Always(), noise, y).is_useful


def test_new_rows_are_judged_with_plain_intervals():
    generator = np.random.default_rng(0)
    true, held = 0.2, 0
    for _ in range(1000):
        wrong = generator.random(100) < true
        truth = np.where(wrong, "a", "b")
        found = judged(truth, np.full(100, "b"), None, ("b", "a"))
        held += found.lower <= true <= found.upper
    assert 0.92 < held / 1000 < 0.98
    quantity = judged(np.array([1.0, 2.0, 3.0, 5.0]), np.array([1.0, 2.5, 3.5, 4.0]))
    assert quantity.value == pytest.approx(np.sqrt(1.5 / 4))
    assert quantity.lower < quantity.value < quantity.upper
    labels = judged(TRUTH, NAMED, SHARES[:, [2, 0, 1]], ("c", "a", "b"))
    assert labels.measures == class_measures(TRUTH, NAMED, SHARES, CLASSES)
