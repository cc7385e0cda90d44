"""Measures of each class against the rest: against scikit-learn's AUC, and where there are none."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC

from kernelwise.evaluation import equal_error_rate
from kernelwise.papers.class_measures import class_measures


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    return X[:, :2], np.array(["setosa", "versicolor", "virginica"])[y]


def test_means_over_the_classes(iris):
    X, y = iris
    fitted = LogisticRegression().fit(X[::2], y[::2])
    found, outputs = class_measures(fitted, X, y), fitted.decision_function(X)
    columns = [(y == label, outputs[:, k]) for k, label in enumerate(fitted.classes_)]
    assert found == pytest.approx(
        {
            "auc": np.mean([roc_auc_score(*column) for column in columns]),
            "equal_error_rate": np.mean([equal_error_rate(*column) for column in columns]),
        }
    )
    assert 0.8 < found["auc"] < 1 and 0 < found["equal_error_rate"] < 0.2


def test_a_class_without_test_rows_is_left_out(iris):
    X, y = iris
    fitted = LogisticRegression().fit(X, y)
    found = class_measures(fitted, X[:100], y[:100])  # no virginica
    two = fitted.decision_function(X[:100])[:, :2]
    expected = np.mean([roc_auc_score(y[:100] == fitted.classes_[k], two[:, k]) for k in (0, 1)])
    assert found["auc"] == pytest.approx(expected)
    assert class_measures(fitted, X[:20], y[:20]) == {}


def test_where_there_are_no_outputs_per_class(iris):
    X, y = iris
    assert class_measures(GaussianNB().fit(X, y), X, y) == {}, "only probabilities"
    assert class_measures(LogisticRegression().fit(X[:100], y[:100]), X[:100], y[:100]) == {}
    four = np.where(X[:, 0] > 6, "large", y)
    pairs = SVC(decision_function_shape="ovo").fit(X, four)
    assert class_measures(pairs, X, four) == {}, "an output per pair of classes"
