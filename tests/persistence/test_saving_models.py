"""Saving from Python: any fitted estimator or pipeline, with what it knows about itself."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from kernelwise import (
    BEMKLRegressor,
    KernelAligner,
    LSSVMClassifier,
    LSSVMRegressor,
    MKLClassifier,
    RVMRegressor,
    SVMClassifier,
)
from kernelwise.kernels import Gaussian
from kernelwise.persistence import archive as archive_module
from kernelwise.persistence import load_model, save_model

GENERATOR = np.random.default_rng(4)
X = GENERATOR.normal(size=(24, 3))
LABELS, QUANTITIES = np.where(X[:, 0] > 0, "high", "low"), X[:, 0] ** 2


class OwnKernel(Gaussian):
    """A kernel of the user's, which no model file may name."""


@pytest.mark.parametrize(
    ("estimator", "y", "method"),
    [
        (LSSVMClassifier("gaussian", "loo", honest=False), LABELS, "predict_proba"),
        (SVMClassifier("gaussian", "span", honest=False), LABELS, "predict_proba"),
        (MKLClassifier(["gaussian", "linear"]), LABELS, "predict_proba"),
        (LSSVMRegressor("gaussian", "loo", honest=False), QUANTITIES, "predict"),
        (RVMRegressor(selection=None), QUANTITIES, "predict"),
        (BEMKLRegressor(["gaussian", "linear"]), QUANTITIES, "predict"),
        (KernelAligner("gaussian"), QUANTITIES, "transform"),
        (make_pipeline(StandardScaler(), SVMClassifier("linear", None, C=1.0)), LABELS, "predict"),
    ],
    ids=lambda value: type(value).__name__,
)
@pytest.mark.filterwarnings("ignore")
def test_an_estimator_comes_back_the_same(estimator, y, method, tmp_path):
    estimator = clone(estimator).fit(X, y)
    save_model(estimator, tmp_path / "model.skops")
    loaded, metadata = load_model(tmp_path / "model.skops")
    assert type(loaded) is type(estimator)
    np.testing.assert_array_equal(getattr(loaded, method)(X), getattr(estimator, method)(X))
    classes = y is LABELS
    assert metadata.task == ("classification" if classes else "regression")
    assert metadata.classes == (("high", "low") if classes else ())
    assert (metadata.target, metadata.rows, metadata.honest_error) == ("target", None, None)
    assert metadata.numeric_columns == ("x0", "x1", "x2") and not metadata.categorical_columns


def test_columns_are_those_of_the_table(tmp_path):
    frame = pd.DataFrame({"site": ["north", "south"] * 12, "dose": X[:, 0]})
    plain = LSSVMRegressor("gaussian", "loo", honest=False)
    coded = make_column_transformer((OneHotEncoder(), ["site"]), remainder="passthrough")
    kept = make_column_transformer((StandardScaler(), ["dose"]), remainder="passthrough")
    kept.set_params(verbose_feature_names_out=False).set_output(transform="pandas")
    for model, categorical in (
        (plain, ("site",)),
        (make_pipeline(kept, plain), ("site",)),
        (make_pipeline(coded, plain), ()),  # its last step sees numbers only
    ):
        save_model(clone(model).fit(frame, QUANTITIES), tmp_path / "model.skops")
        metadata = load_model(tmp_path / "model.skops")[1]
        assert metadata.categorical_columns == categorical
        assert {*metadata.numeric_columns, *categorical} == {"dose", "site"}


def test_what_could_not_be_loaded_is_not_saved(tmp_path):
    path = tmp_path / "model.skops"
    with pytest.raises(ValueError, match="holds an estimator, not a str"):
        save_model("a model", path)
    with pytest.raises(NotFittedError):
        save_model(LSSVMClassifier(), path)
    model = LSSVMRegressor(OwnKernel(), selection=None, honest=False).fit(X, QUANTITIES)
    with pytest.raises(ValueError, match=r"cannot be saved: it holds '.*OwnKernel', and a model"):
        save_model(model, path)
    assert not list(tmp_path.iterdir())


def test_values_that_compress_too_well_are_written_as_they_are(tmp_path, monkeypatch):
    model = LSSVMRegressor("gaussian", None, honest=False).fit(np.round(X), QUANTITIES)
    monkeypatch.setattr(archive_module, "FREE_BYTES", 0)
    monkeypatch.setattr(archive_module, "MOST_TIMES", 1)
    save_model(model, tmp_path / "model.skops")
    loaded = load_model(tmp_path / "model.skops")[0]
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    monkeypatch.setattr(archive_module, "MOST_DEPTH", 5)
    with pytest.raises(ValueError, match="cannot be saved: the file is refused: its schema is"):
        save_model(model, tmp_path / "deep.skops")
