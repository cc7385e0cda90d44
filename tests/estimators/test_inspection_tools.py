"""scikit-learn's inspection of models fitted to frames with categories and gaps."""

import inspect

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot
from sklearn.calibration import CalibrationDisplay
from sklearn.feature_selection import SelectFromModel
from sklearn.inspection import PartialDependenceDisplay, partial_dependence, permutation_importance

from kernelwise import LSSVMClassifier, LSSVMRegressor


@pytest.fixture(scope="module")
def frame():
    """A number, a text, a flag and a number with gaps that matter; text with gaps that does not."""
    random = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "number": random.normal(size=90),
            "text": random.choice(["a", "b", "c"], 90),
            "gappy": random.normal(size=90),
            "flag": random.random(90) < 0.5,
            "noise": random.choice(["u", "v"], 90),
        }
    )
    X["score"] = X["number"] + 2.0 * (X["text"] == "b") + 0.7 * X["gappy"] + X["flag"]
    score = X.pop("score").to_numpy()
    X.loc[::8, "gappy"] = np.nan
    X.loc[::9, "noise"] = None
    return X, score, np.where(score > np.median(score), "yes", "no")


@pytest.fixture(scope="module")
def regressor(frame):
    X, score, _ = frame
    return LSSVMRegressor("ard", "loo", honest=False).fit(X, score)


@pytest.fixture(scope="module")
def classifier(frame):
    X, _, labels = frame
    return LSSVMClassifier("ard", "loo", honest=False).fit(X, labels)


@pytest.fixture(autouse=True)
def no_figures_are_left():
    yield
    pyplot.close("all")


def test_features_are_selected_by_relevance(frame, classifier):
    X, _, _ = frame
    np.testing.assert_array_equal(classifier.feature_importances_, classifier.relevance_)
    selected = SelectFromModel(classifier, threshold=0.02, prefit=True)
    kept = selected.set_output(transform="pandas").fit(X).transform(X)
    relevant = X.columns[classifier.relevance_ >= 0.02]
    assert list(kept.columns) == list(relevant)
    assert "text" in relevant and "noise" not in relevant
    pd.testing.assert_series_equal(kept["text"], X["text"])


def test_permuted_columns_cost_what_they_say(frame, regressor):
    X, score, _ = frame
    found = permutation_importance(regressor, X, score, n_repeats=2, random_state=0)
    drops = dict(zip(X.columns, found.importances_mean, strict=True))
    assert min(drops[name] for name in ("number", "text", "gappy")) > 0.1 > abs(drops["noise"])


@pytest.mark.parametrize("dtype", [object, "string", "category"])
def test_partial_dependence_on_text_is_the_mean_over_changed_tables(frame, regressor, dtype):
    X = frame[0].astype({"text": dtype})
    display = PartialDependenceDisplay.from_estimator(
        regressor, X, ["text", "flag"], categorical_features=["text", "flag"]
    )
    for found, name in zip(display.pd_results, ["text", "flag"], strict=True):
        levels = found["grid_values"][0]
        assert list(levels) == sorted(set(X[name]))
        means = [regressor.predict(X.assign(**{name: level})).mean() for level in levels]
        np.testing.assert_allclose(found["average"][0], means, atol=1e-9)
    text = display.pd_results[0]["average"][0]
    assert text[1] > 1 + max(text[0], text[2])


def test_partial_dependence_on_numbers_beside_gaps(frame, classifier):
    """scikit-learn takes the values of a column from its rows, which must have no gaps in it."""
    X, _, _ = frame
    known = X[X["gappy"].notna()]
    assert known["noise"].isna().any() and X["gappy"].isna().any()
    for name, table in (("number", X), ("gappy", known)):
        display = PartialDependenceDisplay.from_estimator(
            classifier, table, [name], grid_resolution=4
        )
        (found,) = display.pd_results
        changed = [table.assign(**{name: value}) for value in found["grid_values"][0]]
        means = [classifier.predict_proba(other)[:, 1].mean() for other in changed]
        np.testing.assert_allclose(found["average"][0], means, atol=1e-9)
        assert found["average"][0][-1] > found["average"][0][0] + 0.1


@pytest.mark.skipif(
    "custom_values" not in inspect.signature(partial_dependence).parameters,
    reason="this version of scikit-learn takes no values for its axes",
)
@pytest.mark.parametrize(
    ("name", "values"),
    [("noise", np.array(["v", "u"], dtype=object)), ("gappy", np.array([-1.0, 0.0, 1.0]))],
)
def test_partial_dependence_on_a_column_with_gaps_at_given_values(frame, regressor, name, values):
    X, _, _ = frame
    found = partial_dependence(
        regressor, X, [name], categorical_features=["noise"], custom_values={name: values}
    )
    means = [regressor.predict(X.assign(**{name: value})).mean() for value in values]
    np.testing.assert_allclose(found["average"][0], means, atol=1e-9)


def test_calibration_curves_are_those_of_the_probabilities(frame, classifier):
    X, _, labels = frame
    display = CalibrationDisplay.from_estimator(classifier, X, labels, n_bins=4, pos_label="yes")
    expected = classifier.predict_proba(X)[:, 1]
    np.testing.assert_allclose(display.y_prob, expected)
    lowest = expected < 0.25
    assert display.prob_pred[0] == pytest.approx(expected[lowest].mean())
    assert display.prob_true[0] == pytest.approx((labels[lowest] == "yes").mean())
