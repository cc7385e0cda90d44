"""What ``benchmarks.auto_tables`` compares: AutoKernel, one plain kernel, and five peers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV

from benchmarks.auto_table_data import Split
from benchmarks.large_table_methods import lightgbm
from kernelwise import AutoKernelClassifier, AutoKernelRegressor, LSSVMClassifier, LSSVMRegressor
from kernelwise.methods.registry import METHODS as NAMED

Maker = Callable[[bool, int, int], Any]
# Half a vote of 500 trees: a forest that is unanimous and wrong once would lose infinitely much.
LEAST_CHANCE = 0.001
# Logistic regression chooses its penalty by the log loss, which is judged here as well.
BY_LOG_LOSS = {"logisticregressioncv__scoring": "neg_log_loss"}


def auto_kernel(quantities: bool, n_columns: int, seed: int) -> Any:
    kind = AutoKernelRegressor if quantities else AutoKernelClassifier
    return kind(random_state=seed, n_jobs=1)


def plain_gaussian(quantities: bool, n_columns: int, seed: int) -> Any:
    kind = LSSVMRegressor if quantities else LSSVMClassifier
    return kind("gaussian", "loo", random_state=seed, n_jobs=1)


def named(name: str, **for_classes: Any) -> Maker:
    """A method of ``kernelwise compare``."""

    def make(quantities: bool, n_columns: int, seed: int) -> Any:
        task = "regression" if quantities else "classification"
        made = NAMED[name].estimator(task, n_columns, seed)
        return made if quantities else made.set_params(**for_classes)

    return make


AUTO, PLAIN = "AutoKernel", "gaussian/loo"
METHODS: dict[str, Maker] = {
    AUTO: auto_kernel,
    PLAIN: plain_gaussian,
    "SVM grid": named("SVM-GRID"),
    "forest": named("FOREST"),
    "boosting": named("BOOSTING"),
    "linear": named("LINEAR", **BY_LOG_LOSS),
    "LightGBM": lightgbm(),
}


def chances_of(model: Any, split: Split) -> np.ndarray:
    """Probabilities of new rows; those of the best SVC of a grid by Platt's sigmoid, five folds."""
    if not hasattr(model, "predict_proba"):
        model = CalibratedClassifierCV(clone(model.best_estimator_), ensemble=False)
        model.fit(split.X, split.y)
    return model.predict_proba(split.X_test)


def floored_log_loss(chances: np.ndarray, classes: np.ndarray, y: np.ndarray) -> float:
    """Mean of ``-log max(p, 0.001)`` over rows, ``p`` the chance of the row's own class."""
    own = chances[np.arange(len(y)), np.searchsorted(classes, y)]
    return float(-np.log(np.maximum(own, LEAST_CHANCE)).mean())


def scores_of(model: Any, split: Split, quantities: bool) -> dict[str, float]:
    """Share of wrong labels and log loss; of quantities the root mean squared error over the
    standard deviation of the test rows.
    """
    predicted = model.predict(split.X_test)
    if quantities:
        squares = np.mean((predicted - split.y_test) ** 2)
        return {"error": float(np.sqrt(squares) / split.y_test.std())}
    chances = chances_of(model, split)
    return {
        "error": float(np.mean(predicted != split.y_test)),
        "log_loss": floored_log_loss(chances, np.unique(split.y), split.y_test),
    }
