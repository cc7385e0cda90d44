"""Nested cross-validation: scikit-learn's own numbers, optimism seen, intervals that cover."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.special import ndtr
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.cluster import KMeans
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics.pairwise import linear_kernel, rbf_kernel
from sklearn.model_selection import (
    GridSearchCV,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import ExtraTreeClassifier

from kernelwise import LSSVMClassifier, LSSVMRegressor
from kernelwise.evaluation import (
    corrected_resampled_interval,
    honest_error,
    nested_cross_validation,
)
from kernelwise.kernels import Gaussian


class BestFeature(ClassifierMixin, BaseEstimator):
    """Two classes: the one feature, cut midway between the class means, with the fewest errors.

    It claims that least error, so it is optimistic as every selection is, and quick.
    """

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        second = y == self.classes_[1]
        low, high = X[~second].mean(axis=0), X[second].mean(axis=0)
        wrong = ((X - (low + high) / 2) * (high - low) > 0) != second[:, None]
        self.feature_ = wrong.mean(axis=0).argmin()
        self.held_out_error_ = float(wrong[:, self.feature_].mean())
        self.cut_ = (low + high)[self.feature_] / 2
        self.direction_ = np.sign(high - low)[self.feature_]
        return self

    def predict(self, X):
        above = (X[:, self.feature_] - self.cut_) * self.direction_ > 0
        return self.classes_[above.astype(int)]


def draw(rng, rows, shifts):
    """Two Gaussian classes, whose means are ``shifts`` from 0."""
    y = rng.integers(2, size=rows)
    return rng.normal(size=(rows, len(shifts))) + np.outer(2 * y - 1, shifts), y


def noise(seed, rows, features):
    """Labels that have nothing to do with the rows: every rule has a true error of 50 %."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(rows, features)), rng.integers(2, size=rows)


@pytest.fixture(scope="module")
def table():
    return draw(np.random.default_rng(0), 60, [0.7, 0.5, 0.0])


def test_classifier_errors_are_those_of_scikit_learn(table):
    X, y = table
    model = make_pipeline(StandardScaler(), LogisticRegression())
    calls = []
    result = nested_cross_validation(
        model, X, y, folds=4, repeats=3, random_state=7, on_fold=lambda: calls.append(1)
    )
    splitter = RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=7)
    errors = 1 - cross_val_score(model, X, y, cv=splitter)
    found = [record.error for record in result.records]
    np.testing.assert_allclose(found, errors, atol=1e-15)
    assert result.interval == corrected_resampled_interval(found, 45, 15)
    assert result.error == result.interval.value
    assert (result.folds, result.repeats, len(calls)) == (4, 3, 12)
    assert result.inner_error is None
    assert result.optimism is None
    assert "claimed" not in result.sentence


def test_regressor_errors_are_those_of_scikit_learn(table):
    X, y = table[0], 40 + 9 * table[0][:, 0] + table[1]
    result = nested_cross_validation(Ridge(), X, y, folds=4, repeats=2, random_state=7, level=0.9)
    splitter = RepeatedKFold(n_splits=4, n_repeats=2, random_state=7)
    errors = -cross_val_score(Ridge(), X, y, cv=splitter, scoring="neg_root_mean_squared_error")
    assert [record.error for record in result.records] == pytest.approx(errors, rel=1e-12)
    trivial = -cross_val_score(
        Ridge(1e30), X, y, cv=splitter, scoring="neg_root_mean_squared_error"
    )
    assert result.baseline == pytest.approx(trivial.mean())
    assert result.interval.level == 0.9
    assert result.sentence.startswith(f"Error {result.error:.4g}, 90 % interval ")
    assert "(2 x 4 folds)" in result.sentence


def test_one_repeat_has_the_folds_of_the_honest_error(table):
    nested = nested_cross_validation(BestFeature(), *table, repeats=1, random_state=3)
    honest = honest_error(BestFeature(), *table, random_state=3)
    assert nested.error == pytest.approx(honest.value)
    assert nested.baseline == pytest.approx(honest.baseline)


def test_repeats_come_in_order_and_fewer_are_the_first_of_many(table):
    many = nested_cross_validation(BestFeature(), *table, folds=3, repeats=4)
    few = nested_cross_validation(BestFeature(), *table, folds=3, repeats=2)
    hashes = [record.predictions_hash for record in many.records]
    assert [record.predictions_hash for record in few.records] == hashes[:6]
    assert len({tuple(hashes[start : start + 3]) for start in (0, 3, 6, 9)}) == 4
    assert all(
        sum(record.n_test for record in many.records[start : start + 3]) == 60
        for start in (0, 3, 6, 9)
    )


@pytest.mark.parametrize(
    "model",
    [
        LSSVMClassifier("ard", "loo"),
        GridSearchCV(ExtraTreeClassifier(random_state=0), {"max_depth": [1, 3]}, cv=3),
    ],
    ids=lambda model: type(model).__name__,
)
def test_the_number_of_jobs_changes_no_bit(model, table):
    before = repr(model.get_params())
    one, two = (
        nested_cross_validation(model, *table, folds=3, repeats=1, n_jobs=jobs) for jobs in (1, 2)
    )
    assert (one.interval, one.optimism, one.sentence) == (two.interval, two.optimism, two.sentence)
    for left, right in zip(one.records, two.records, strict=True):
        np.testing.assert_array_equal(left.predictions, right.predictions)
        assert (left.inner_error, left.learnt) == (right.inner_error, right.learnt)
    assert repr(model.get_params()) == before
    assert not hasattr(model, "classes_") and not hasattr(model, "best_score_")


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.text("abcxyz", min_size=1), min_size=2, max_size=2, unique=True),
    st.integers(0, 100),
)
def test_names_of_labels_change_no_error(names, seed):
    X, y = draw(np.random.default_rng(seed), 31, [0.7, 0.5])
    plain = nested_cross_validation(BestFeature(), X, y, folds=2, repeats=1)
    named = nested_cross_validation(BestFeature(), X, np.array(names)[y], folds=2, repeats=1)
    for left, right in zip(plain.records, named.records, strict=True):
        assert (left.error, left.inner_error) == (right.error, right.inner_error)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_leave_one_out_with_many_parameters_is_far_too_optimistic_on_noise(seed):
    X, y = noise(seed, rows=60, features=30)
    result = nested_cross_validation(LSSVMClassifier("ard", "loo"), X, y, repeats=2)
    assert result.inner_error < 0.25
    assert result.interval.lower < 0.5 < result.interval.upper
    assert result.optimism.value == pytest.approx(result.error - result.inner_error)
    assert result.optimism.value > 0.25


def test_the_best_of_many_random_models_is_optimistic():
    """The best of 40 cross-validated trees, none of which knows anything."""
    X, y = noise(0, rows=60, features=3)
    search = GridSearchCV(ExtraTreeClassifier(), {"random_state": list(range(40))}, cv=3)
    result = nested_cross_validation(search, X, y, repeats=1)
    assert result.inner_error < 0.42
    assert result.interval.lower < 0.5 < result.interval.upper
    assert result.optimism.value > 0.05


def test_optimism_has_the_interval_of_the_differences(table):
    result = nested_cross_validation(BestFeature(), *table, folds=5, repeats=2)
    differences = [record.error - record.inner_error for record in result.records]
    expected = corrected_resampled_interval(differences, 4, 1)
    assert result.optimism.upper == pytest.approx(expected.upper)
    assert result.optimism.lower == pytest.approx(expected.lower)
    interval, optimism = result.interval, result.optimism
    assert result.sentence == (
        f"Error {100 * result.error:.1f} %, 95 % interval {100 * interval.lower:.1f} to "
        f"{100 * interval.upper:.1f} % (2 x 5 folds); the selection itself claimed "
        f"{100 * result.inner_error:.1f} %: optimistic by {100 * optimism.value:.1f} points, 95 % "
        f"interval {100 * optimism.lower:.1f} to {100 * optimism.upper:.1f} points."
    )
    assert optimism.sentence.startswith("The selection is optimistic by ")


def test_a_selection_that_claims_too_much_error_is_called_pessimistic(table):
    class Modest(BestFeature):
        def fit(self, X, y):
            super().fit(X, y).held_out_error_ += 0.4
            return self

    result = nested_cross_validation(Modest(), *table, repeats=2)
    optimism = result.optimism
    assert optimism.value < -0.2
    words = (
        f"pessimistic by {-100 * optimism.value:.1f} points, 95 % interval "
        f"{-100 * optimism.upper:.1f} to {-100 * optimism.lower:.1f} points."
    )
    assert result.sentence.endswith(f" %: {words}")
    assert optimism.sentence == f"The selection is {words}"


def test_equal_errors_are_called_out():
    X = np.repeat([0.0, 1.0], 10)[:, None]
    result = nested_cross_validation(BestFeature(), X, X[:, 0].astype(int), repeats=1)
    assert (result.error, result.interval.standard_error) == (0, 0)
    assert "means nothing" in result.sentence


@pytest.mark.parametrize("kind", [KNeighborsClassifier, KNeighborsRegressor])
def test_copies_in_groups_are_judged_honestly_only_by_group(kind):
    """Each row appears four times: its copies give its label away, though it is noise."""
    X, y = noise(1, rows=60, features=3)
    X, y, groups = (np.repeat(values, 4, axis=0) for values in (X, y, np.arange(60)))
    nearest = kind(1)
    apart = nested_cross_validation(nearest, X, y, groups=groups, repeats=2)
    mixed = nested_cross_validation(nearest, X, y, repeats=2)
    # The root mean square of a wrong 0 or 1 half of the time.
    truth = 0.5 if kind is KNeighborsClassifier else np.sqrt(0.5)
    assert apart.interval.lower < truth < apart.interval.upper
    assert mixed.interval.upper < truth / 3


class Seen:
    """Predicts whether a row's first column, its group, was among the training rows."""

    def fit(self, X, y):
        self.groups_ = np.unique(X[:, 0])
        return self

    def predict(self, X):
        return np.isin(X[:, 0], self.groups_).astype(int)


class SeenClassifier(Seen, ClassifierMixin, BaseEstimator):
    pass


class SeenRegressor(Seen, RegressorMixin, BaseEstimator):
    pass


@pytest.mark.parametrize(
    ("model", "stratify"),
    [(SeenClassifier(), None), (SeenClassifier(), False), (SeenRegressor(), None)],
)
def test_no_group_is_on_both_sides(model, stratify):
    rng = np.random.default_rng(0)
    groups = rng.integers(25, size=120)
    y = rng.integers(2, size=120)
    settings = {"folds": 4, "repeats": 2, "stratify": stratify}
    names = np.array([f"patient {number}" for number in groups])
    apart = nested_cross_validation(model, groups[:, None], y, groups=names, **settings)
    assert not any(record.predictions.any() for record in apart.records)
    assert sum(record.n_test for record in apart.records) == 2 * 120
    mixed = nested_cross_validation(model, groups[:, None], y, **settings)
    assert all(record.predictions.any() for record in mixed.records)


def test_stratified_folds_keep_the_shares_of_the_classes():
    X, y = np.zeros((40, 1)), np.repeat([0, 1], [35, 5])
    kept, ignored = (
        nested_cross_validation(SeenClassifier(), X, y, repeats=3, stratify=stratify)
        for stratify in (None, False)
    )
    # Always predicts 1: one of eight test rows is right in each stratified fold.
    assert {record.error for record in kept.records} == {7 / 8}
    assert len({record.error for record in ignored.records}) > 1


def test_many_outputs_columns_and_sparse_rows(table):
    X, y = table[0], np.column_stack([table[1], table[0][:, 0]])
    result = nested_cross_validation(LSSVMRegressor("gaussian", "loo"), X, y, folds=3, repeats=1)
    assert result.inner_error == pytest.approx(result.error, rel=0.5)
    column, flat, sparse = (
        nested_cross_validation(Ridge(), rows, target, folds=3, repeats=1).error
        for rows, target in ((X, y[:, :1]), (X, y[:, 0]), (csr_array(X), list(y[:, 0])))
    )
    assert column == flat == pytest.approx(sparse)


def test_precomputed_kernels_lose_the_test_columns_too(table):
    X, y = table
    settings = {"folds": 3, "repeats": 1}
    gram = nested_cross_validation(
        LSSVMClassifier("precomputed", None), rbf_kernel(X, gamma=0.5), y, **settings
    )
    rows = nested_cross_validation(LSSVMClassifier(Gaussian(1.0), None), X, y, **settings)
    assert gram.error == rows.error
    assert gram.inner_error == pytest.approx(rows.inner_error)
    with pytest.raises(ValueError, match="square"):
        nested_cross_validation(LSSVMClassifier("precomputed"), linear_kernel(X)[:, :9], y)


class Untouched(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        raise AssertionError("bad input must be refused before any fit")


class UntouchedRegressor(RegressorMixin, Untouched):
    pass


LABELS = np.array(["a", "b"] * 10)
NUMBERS = np.arange(20.0)


@pytest.mark.parametrize(
    ("model", "y", "options", "message"),
    [
        (Untouched(), LABELS, {"folds": 1}, "folds must be a whole number of at least 2"),
        (Untouched(), LABELS, {"folds": 2.5}, "folds must be a whole number"),
        (Untouched(), LABELS, {"repeats": 0}, "repeats must be a whole number of at least 1"),
        (Untouched(), LABELS, {"level": 95}, "level must be between 0 and 1"),
        (Untouched(), LABELS, {"folds": 11}, "the rarest class has 10 rows, too few for 11 folds"),
        (Untouched(), LABELS[:19], {}, "inconsistent numbers of samples"),
        (Untouched(), LABELS, {"groups": NUMBERS[:19]}, "inconsistent numbers of samples"),
        (Untouched(), LABELS, {"groups": NUMBERS // 2 % 4}, "rarest class has 4 groups.*5 folds"),
        (Untouched(), LABELS, {"groups": [None] + [1] * 19}, "none of them missing"),
        (Untouched(), LABELS, {"groups": np.ones((20, 2))}, "one label per row"),
        (Untouched(), np.column_stack([LABELS, LABELS]), {}, "one label per row"),
        (Untouched(), np.full(20, "a"), {}, "one class only"),
        (Untouched(), np.array([None, *LABELS[1:]], object), {}, "missing labels"),
        (Untouched(), NUMBERS / 7, {}, "(?i)continuous"),
        (Untouched(), np.repeat(["a", "b"], [19, 1]), {"stratify": False}, "a fold would have no"),
        (UntouchedRegressor(), NUMBERS, {"folds": 21}, "the table has 20 rows, too few"),
        (UntouchedRegressor(), NUMBERS, {"groups": NUMBERS // 5}, "the table has 4 groups"),
        (UntouchedRegressor(), NUMBERS, {"stratify": True}, "stratify needs classes"),
        (UntouchedRegressor(), np.append(NUMBERS[1:], np.nan), {}, "NaN or infinity"),
        (UntouchedRegressor(), LABELS, {}, "could not convert"),
        (KMeans(), LABELS, {}, "KMeans is neither a classifier nor a regressor"),
    ],
)
def test_bad_input_is_refused_before_any_fit(model, y, options, message):
    with pytest.raises(ValueError, match=message):
        nested_cross_validation(model, np.zeros((20, 1)), y, **options)


def true_errors(rng, rows, shifts, sets):
    """Means over training sets of the exact error of `BestFeature`, and of the one it claims."""
    found = []
    for _ in range(sets):
        model = BestFeature().fit(*draw(rng, rows, shifts))
        shift, cut = (model.direction_ * x for x in (shifts[model.feature_], model.cut_))
        found.append([(ndtr(cut - shift) + ndtr(-cut - shift)) / 2, model.held_out_error_])
    return np.mean(found, axis=0)


def coverages(sets, shifts, repeats, truth_from=8000):
    """Shares of sets of 100 rows whose intervals hold the true error, and the true optimism."""
    rng = np.random.default_rng(0)
    error, claim = true_errors(rng, 80, shifts, truth_from)
    held = []
    for _ in range(sets):
        found = nested_cross_validation(BestFeature(), *draw(rng, 100, shifts), repeats=repeats)
        parts = ((found.interval, error), (found.optimism, error - claim))
        held.append([part.lower <= true <= part.upper for part, true in parts])
    return np.mean(held, axis=0)


# One feature is clearly best, so that the folds agree on it; or several are about as good.
STEADY, UNSTEADY = np.array([1.0, 0.3, 0.3]), np.array([0.5, 0.4, 0.3] + [0] * 7)


def test_the_interval_covers():
    """250 data sets: a share of 0.95 has a standard error of 0.014, so 0.93 is 1.5 of them off."""
    covered, optimism = coverages(250, STEADY, repeats=2, truth_from=2000)
    assert covered >= 0.93
    assert optimism >= 0.93


@pytest.mark.slow
@pytest.mark.parametrize("shifts", [STEADY, UNSTEADY], ids=["steady", "unsteady"])
def test_coverage_at_length(shifts):
    """500 data sets: a share of 0.95 has a standard error of 0.010, so 0.93 is two of them off."""
    covered, optimism = coverages(500, shifts, repeats=10)
    assert covered >= 0.93
    assert optimism > 0.98


def test_an_interval_says_in_words_what_it_is_in_numbers():
    """No error is below 0, in the sentence neither."""
    X, y = load_wine(return_X_y=True)
    interval = nested_cross_validation(GaussianNB(), X, y, folds=3, repeats=1).interval
    assert interval.lower == 0 and "-0" not in interval.sentence and "-1" not in interval.sentence
