"""Estimators on tables with gaps in numeric columns."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.utils import get_tags

from kernelwise import (
    BEMKLClassifier,
    BEMKLRegressor,
    KernelAligner,
    LSSVMClassifier,
    LSSVMRegressor,
    MKLClassifier,
    RVMClassifier,
    RVMRegressor,
    SVMClassifier,
)
from kernelwise.kernels import Gaussian
from kernelwise.multikernel import KernelBank, KernelStack
from kernelwise.persistence import ModelMetadata, load_model, save_model
from kernelwise.tables.gaps import UnseenGapWarning

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore::kernelwise.estimators.trivial.NoBetterThanTrivialWarning"),
]
BANK = KernelBank(widths=[1, 4], degrees=[1])
ESTIMATORS = [
    LSSVMClassifier("ard", "loo", honest=False),
    LSSVMClassifier("linear", "loo", honest=False),
    LSSVMRegressor("gaussian", "loo", honest=False),
    SVMClassifier("gaussian", "cv", honest=False),
    RVMClassifier("gaussian", None, honest=False),
    RVMRegressor("gaussian", None, honest=False),
    BEMKLClassifier(BANK),
    BEMKLRegressor(["gaussian", "laplacian"]),
    MKLClassifier(BANK, method="uniform", honest=False),
    MKLClassifier(method="infinite", family="separate", honest=False),
    KernelAligner("ard"),
    KernelAligner(["gaussian", "laplacian"]),
]
QUICK = settings(max_examples=4, derandomize=True)


def table(seed=0, n=40, columns=3):
    """Columns with gaps in the first two, and labels that the first one tells, blurred."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, columns))
    y = X[:, 0] + 0.3 * random.normal(size=n) > 0
    X[random.random((n, columns)) < [0.2, 0.1, *[0] * (columns - 2)]] = np.nan
    return X, y.astype(int), random


def outputs(model, X):
    name = "decision_function" if hasattr(model, "decision_function") else "predict"
    return getattr(model, name if hasattr(model, name) else "transform")(X)


@pytest.mark.parametrize("model", ESTIMATORS, ids=lambda model: repr(model)[:40])
def test_every_estimator_takes_gaps(model):
    """Shapes are those of the columns as given, and an empty column says nothing."""
    X, y, _ = table()
    frame = pd.DataFrame(np.column_stack([X, np.full(40, np.nan)]), columns=["a", "b", "c", "d"])
    fitted = clone(model).fit(frame, y)
    assert get_tags(fitted).input_tags.allow_nan
    assert np.isfinite(outputs(fitted, frame)).all()
    assert fitted.relevance_.shape == (4,) and fitted.relevance_[3] == 0
    assert fitted.relevance_.sum() == pytest.approx(1)
    assert fitted.n_features_in_ == 4
    assert [text[:10] for text in fitted.checks_] == ["column 'a'", "column 'b'", "column 'd'"]
    assert fitted.checks_[2] == "column 'd': all values are missing, so it says nothing"
    later = frame.assign(d=np.arange(40.0))
    np.testing.assert_array_equal(outputs(fitted, later), outputs(fitted, frame))


def test_gaps_filled_by_hand_give_the_same_predictions():
    X, y, _ = table()
    filled = np.where(np.isnan(X), np.nanmedian(X, axis=0), X)
    mean, spread = filled.mean(axis=0), filled.std(axis=0)
    by_hand = np.hstack([(filled - mean) / spread, np.isnan(X[:, :2])])
    model = LSSVMClassifier("gaussian", "loo", honest=False).fit(X, y)
    expected = LSSVMClassifier(Gaussian(np.sqrt(5)), "loo", honest=False).fit(by_hand, y)
    np.testing.assert_allclose(outputs(model, X), outputs(expected, by_hand), rtol=1e-6)
    # The gaps of a column count to its relevance.
    held = by_hand.copy()
    held[:, [0, 3]] = by_hand[:, [0, 3]].mean(axis=0)
    squares = (outputs(expected, held) - outputs(expected, by_hand)) ** 2
    others = []
    for column in ([1, 4], [2]):
        held = by_hand.copy()
        held[:, column] = by_hand[:, column].mean(axis=0)
        others.append(((outputs(expected, held) - outputs(expected, by_hand)) ** 2).mean())
    share = squares.mean() / (squares.mean() + sum(others))
    assert model.relevance_[0] == pytest.approx(share, rel=1e-5)


def test_a_kernel_object_sees_medians_and_one_coordinate_per_column():
    X, y, _ = table()
    filled = np.where(np.isnan(X), np.nanmedian(X, axis=0), X)
    model = LSSVMClassifier(Gaussian([1.0, 2.0, 3.0]), None, honest=False)
    found, expected = clone(model).fit(X, y), clone(model).fit(filled, y)
    np.testing.assert_array_equal(outputs(found, X), outputs(expected, filled))
    assert found.checks_[0].endswith("that a value is missing is not seen by a kernel object")
    assert expected.checks_ == ()


@pytest.mark.parametrize("model", [LSSVMClassifier("mixed"), SVMClassifier("ard")])
def test_a_table_where_only_gaps_tell_the_class(model):
    random = np.random.default_rng(1)
    X, y = random.normal(size=(160, 3)), np.tile([0, 1], 80)
    X[random.random(160) < np.where(y, 0.9, 0.1), 1] = np.nan
    fitted = clone(model).fit(X[:80], y[:80])
    assert fitted.score(X[80:], y[80:]) > 0.8
    assert fitted.relevance_.argmax() == 1 and 1 in fitted.selected_features_


def test_views_of_a_bank_see_the_gaps_of_their_columns():
    members = BANK.members(3, ["a", "b", "c"], shown=[0, 2])
    seen = {member.view: member.columns.tolist() for member in members}
    expected = {"a": [0, 3], "b": [1], "c": [2, 4]}
    assert seen == {"all columns": [0, 1, 2, 3, 4], **expected}


def test_kernels_that_are_made_are_called_after_columns_and_gaps():
    random = np.random.default_rng(1)
    X, y = random.normal(size=(60, 2)), np.tile([0, 1], 30)
    X[y == 1, 1] = np.nan
    frame = pd.DataFrame(X, columns=["a", "b"])
    model = MKLClassifier(method="infinite", family="separate", honest=False).fit(frame, y)
    assert "gaps of b" in model.kernel_views_


def test_the_columns_of_an_aligner_are_its_kernel():
    X, y, _ = table()
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    aligner = KernelAligner("ard", threshold=0).fit(frame, y)
    columns = aligner.transform(frame)
    assert aligner.get_feature_names_out().tolist() == ["a", "b", "c", "gaps of a", "gaps of b"]
    np.testing.assert_allclose(aligner.kernel_(frame), Gaussian(1.0)(columns), rtol=1e-10)


@pytest.mark.parametrize("selection", [None, "loo"])
@QUICK
@given(seed=st.integers(0, 10**6))
def test_what_must_not_matter(selection, seed):
    """Row order, labels swapped, repetition against weight, rows of weight 0, units."""
    X, y, random = table(seed)
    model = LSSVMClassifier("ard" if selection is None else "gaussian", selection, honest=False)
    plain = outputs(clone(model).fit(X, y), X)
    order = random.permutation(len(y))
    np.testing.assert_array_equal(outputs(clone(model).fit(X[order], y[order]), X), plain)
    np.testing.assert_allclose(outputs(clone(model).fit(X, 1 - y), X), -plain, atol=1e-12)
    twice, weights = order[:9], np.ones(len(y))
    weights[twice] = 2
    repeated = clone(model).fit(np.vstack([X, X[twice]]), np.append(y, y[twice]))
    weighted = clone(model).fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(outputs(repeated, X), outputs(weighted, X))
    ignored = clone(model).fit(
        np.vstack([X, 100 + X]), np.append(y, y), sample_weight=np.repeat([1.0, 0.0], len(y))
    )
    np.testing.assert_array_equal(outputs(ignored, X), plain)
    moved = X * [1e-6, 1e3, 7] + [3e-6, -5e3, 1]
    np.testing.assert_allclose(outputs(clone(model).fit(moved, y), moved), plain, atol=2e-5)


FRAMES = {
    "Int64": lambda x: pd.DataFrame({"x": pd.array(x, dtype="Int64"), "z": range(40)}),
    "NA": lambda x: pd.DataFrame({"x": [pd.NA if v is None else v for v in x], "z": range(40)}),
    "objects": lambda x: pd.DataFrame({"x": np.array(x, object), "z": range(40)}),
    "polars": lambda x: pl.DataFrame({"x": x, "z": range(40)}),
    "array of objects": lambda x: np.column_stack([np.array(x, object), range(40)]),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_gaps_of_every_kind_are_gaps(kind):
    x = [None if r % 5 == 2 else (7 * r) % 11 for r in range(40)]
    y = np.array([r % 5 == 2 or v > 5 for r, v in enumerate(x)])
    model = LSSVMClassifier("gaussian", None, honest=False)
    plain = np.column_stack([np.array(x, float), range(40)])
    expected, frame = clone(model).fit(plain, y), FRAMES[kind](x)
    found = clone(model).fit(frame, y)
    np.testing.assert_array_equal(outputs(found, frame), outputs(expected, plain))


def test_gaps_that_fit_has_not_seen_are_filled_and_told():
    X, y, _ = table()
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    model = LSSVMClassifier("gaussian", None, honest=False).fit(frame, y)
    new = frame.copy()
    new.loc[[3, 5, 8], "c"] = None
    with pytest.warns(UnseenGapWarning, match=r"column 'c': 3 of 40 values are missing.*median"):
        found = outputs(model, new)
    np.testing.assert_array_equal(
        found, outputs(model, new.assign(c=new["c"].fillna(frame["c"].median())))
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error", UnseenGapWarning)
        outputs(model, frame)  # as in fit
    with pytest.warns(UnseenGapWarning, match="column 2: 1 of 1"):
        KernelAligner("gaussian").fit(X, y).kernel_(np.array([[0.0, 0.0, np.nan]]))


def test_a_model_with_gaps_comes_back_the_same(tmp_path):
    X, y, _ = table()
    model = make_pipeline(LSSVMClassifier("gaussian", None, honest=False)).fit(X, y)
    about = ModelMetadata("y", "classification", ("0", "1", "2"), (), ("0", "1"), 40)
    save_model(model, tmp_path / "model.skops", about)
    again, _ = load_model(tmp_path / "model.skops")
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert again[-1].checks_ == model[-1].checks_ and len(again[-1].checks_) == 2


@pytest.mark.parametrize("kind", [LSSVMClassifier, SVMClassifier, RVMRegressor])
def test_a_gram_matrix_has_no_gaps(kind):
    X, y, _ = table()
    gram = Gaussian(1.0)(np.nan_to_num(X))
    broken = gram.copy()
    broken[2, 3] = broken[3, 2] = np.nan
    model = kind("precomputed", None, honest=False)
    assert not get_tags(model).input_tags.allow_nan
    for X in (broken, pd.DataFrame(broken)):
        with pytest.raises(ValueError, match="X contains NaN"):
            clone(model).fit(X, y)
    with pytest.raises(ValueError, match="X contains NaN"):
        clone(model).fit(gram, y).predict(broken)


def test_case_numbers_of_a_stack_have_no_gaps():
    X, y, _ = table()
    stack = KernelStack([Gaussian(1.0)(np.nan_to_num(X))])
    cases = np.arange(40.0)[:, None]
    cases[3] = np.nan
    assert not get_tags(BEMKLClassifier(stack)).input_tags.allow_nan
    with pytest.raises(ValueError, match="X contains NaN"):
        BEMKLClassifier(stack).fit(cases, y)
