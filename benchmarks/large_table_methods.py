"""What ``benchmarks.large_tables`` compares: our machines on landmarks, and five peers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.linear_model import RidgeClassifierCV, RidgeCV, SGDClassifier, SGDRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from kernelwise import LSSVMClassifier, LSSVMRegressor

Maker = Callable[[bool, int, int], Any]

ALPHAS = np.logspace(-4, 0, 5)
# Times the reciprocal of the number of columns, scikit-learn's default on standardized ones.
WIDTHS = (0.3, 1.0, 3.0)


def ours(**settings: Any) -> Maker:
    def make(quantities: bool, n_columns: int, seed: int) -> Any:
        kind = LSSVMRegressor if quantities else LSSVMClassifier
        return kind(**settings, n_jobs=1, random_state=seed)

    return make


def hist_boosting(quantities: bool, n_columns: int, seed: int) -> Any:
    kind = HistGradientBoostingRegressor if quantities else HistGradientBoostingClassifier
    return kind(random_state=seed)


def lightgbm(**settings: Any) -> Maker:
    def make(quantities: bool, n_columns: int, seed: int) -> Any:
        from lightgbm import LGBMClassifier, LGBMRegressor

        kind = LGBMRegressor if quantities else LGBMClassifier
        return kind(**settings, num_threads=1, random_state=seed, verbose=-1)

    return make


class NystroemRidge:
    """1,000 Nyström features of one width of three, and ridge regression of one penalty of five.

    Both are chosen by leave-one-out, which `RidgeCV` has in closed form.
    """

    def __init__(self, quantities: bool, n_columns: int, seed: int) -> None:
        self.quantities, self.n_columns, self.seed = quantities, n_columns, seed

    def fit(self, X: np.ndarray, y: np.ndarray) -> NystroemRidge:
        ridge = RidgeCV if self.quantities else RidgeClassifierCV
        best = -np.inf
        for width in WIDTHS:
            features = Nystroem(
                gamma=width / self.n_columns, n_components=1000, random_state=self.seed
            )
            found = make_pipeline(StandardScaler(), features, ridge(alphas=ALPHAS)).fit(X, y)
            if found[-1].best_score_ > best:
                best, self.best = found[-1].best_score_, found
        self.predict = self.best.predict
        if not self.quantities:
            self.decision_function = self.best.decision_function
        return self


def random_features(quantities: bool, n_columns: int, seed: int) -> Any:
    """500 random Fourier features and three epochs of stochastic gradients."""
    features = RBFSampler(gamma=1 / n_columns, n_components=500, random_state=seed)
    settings: dict[str, Any] = {"max_iter": 3, "tol": None, "random_state": seed}
    last = SGDRegressor(**settings) if quantities else SGDClassifier(loss="log_loss", **settings)
    return make_pipeline(StandardScaler(), features, last)


OURS: dict[str, Maker] = {
    "ours, 1000 landmarks": ours(landmarks=1000),
    "ours, 2000 landmarks": ours(landmarks=2000),
    "ours, 6000 landmarks": ours(landmarks=6000),
    "ours, 1000, squared": ours(landmarks=1000, kernel="ard-gaussian"),
    "ours, 1000, absolute": ours(landmarks=1000, kernel="ard-laplacian"),
    "ours, 1000, logistic": ours(landmarks=1000, loss="logistic"),
}
PEERS: dict[str, Maker] = {
    "HistGradientBoosting": hist_boosting,
    "LightGBM": lightgbm(),
    "LightGBM, 500 x 63": lightgbm(n_estimators=500, num_leaves=63),
    "Nystroem + ridge": NystroemRidge,
    "RBFSampler + SGD": random_features,
}
METHODS = {**OURS, **PEERS}


@contextmanager
def timed(owner: Any, name: str, into: dict[str, float]) -> Iterator[None]:
    """Add up the CPU seconds of a method of a class, under its name."""
    original = getattr(owner, name)

    def measured(*args: Any, **kwargs: Any) -> Any:
        start = time.process_time()
        try:
            return original(*args, **kwargs)
        finally:
            into[name] = into.get(name, 0.0) + time.process_time() - start

    setattr(owner, name, measured)
    try:
        yield
    finally:
        setattr(owner, name, original)
