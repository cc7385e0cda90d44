"""Methods by name: ours as the papers call them, and the competitors everyone has."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from sklearn import config_context
from sklearn.base import BaseEstimator, clone
from sklearn.compose import TransformedTargetRegressor
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.gaussian_process import GaussianProcessClassifier, GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.linear_model import LogisticRegressionCV, RidgeCV
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

from kernelwise.estimators import LSSVMClassifier, LSSVMRegressor
from kernelwise.estimators.base import KernelEstimator
from kernelwise.experiments.cells import Skipped

Maker = Callable[[int], BaseEstimator]
# scikit-learn takes seeds below this.
SEEDS = 2**32


@dataclass(frozen=True)
class Method:
    """A way to learn: makers of an unfitted estimator for a number of columns, one per task.

    ``most_rows`` is the largest training set it is tried on. ``categorical``: it takes categories
    as they are, told by ``categorical_features``; other methods get one column per level.
    """

    name: str
    summary: str
    classifier: Maker
    regressor: Maker
    most_rows: int | None = None
    categorical: bool = False

    def estimator(self, task: str, n_features: int, seed: int) -> BaseEstimator:
        """An unfitted estimator, every random choice in it seeded."""
        made = (self.classifier if task == "classification" else self.regressor)(n_features)
        seeded = [name for name in made.get_params() if name.split("__")[-1] == "random_state"]
        return made.set_params(**dict.fromkeys(seeded, seed % SEEDS))

    def definition(self, task: str, n_features: int) -> str:
        """What the name stands for: all parameters of our estimators, which may get other defaults,
        and those of scikit-learn's that are not its defaults.
        """
        made = self.estimator(task, n_features, seed=0)
        ours = isinstance(made, KernelEstimator)
        with config_context(print_changed_only=not ours):
            return " ".join(made.__repr__(N_CHAR_MAX=10_000).split())

    def check_rows(self, rows: int) -> None:
        """Raise Skipped for more training rows than the method is tried on."""
        if self.most_rows is not None and rows > self.most_rows:
            raise Skipped(f"{self.name} is tried on up to {self.most_rows} rows, not {rows}")


def _least_squares(name: str, kernel: str, selection: str, summary: str) -> Method:
    return Method(
        name,
        summary,
        classifier=lambda _: LSSVMClassifier(kernel, selection),
        regressor=lambda _: LSSVMRegressor(kernel, selection),
        categorical=True,
    )


def _support_vector_grid(machine: BaseEstimator, prefix: str) -> Maker:
    """C and gamma on a 7 x 7 grid by 5-fold cross-validation, columns standardised."""
    return lambda n_features: GridSearchCV(
        make_pipeline(StandardScaler(), clone(machine)),
        {
            f"{prefix}__C": np.logspace(-3, 3, 7),
            f"{prefix}__gamma": np.logspace(-3, 3, 7) / n_features,
        },
        cv=5,
    )


def _scaled(maker: Maker) -> Maker:
    return lambda n_features: make_pipeline(StandardScaler(), maker(n_features))


def _ard(n_features: int) -> RBF:
    return ConstantKernel(1.0) * RBF(np.ones(n_features), (1e-2, 1e4))


METHODS = {
    method.name: method
    for method in (
        _least_squares("RBF-LOO", "gaussian", "loo", "Gaussian kernel, leave-one-out"),
        _least_squares("RBF-XVAL", "gaussian", "cv", "Gaussian kernel, 5-fold"),
        _least_squares("RBF-FLKL", "gaussian", "first-level", "Gaussian kernel, first level"),
        _least_squares("ARD-LOO", "ard", "loo", "a scale per feature, leave-one-out"),
        _least_squares("ARD-XVAL", "ard", "cv", "a scale per feature, 5-fold"),
        _least_squares("ARD-FLKL", "ard", "first-level", "a scale per feature, first level"),
        _least_squares("ARD-BR", "ard", "loo-bayes", "a scale per feature, Bayesian LOO"),
        _least_squares("LAPLACIAN", "ard-laplacian", "first-level", "absolute differences"),
        _least_squares("MIXED", "mixed", "first-level", "squared or absolute differences"),
        Method(
            "SVM-GRID",
            "scikit-learn's SVC or SVR, 7 x 7 grid, 5-fold",
            _support_vector_grid(SVC(), "svc"),
            # The grid, and the width of the tube, are in units of the target's deviation.
            _support_vector_grid(
                TransformedTargetRegressor(SVR(), transformer=StandardScaler()),
                "transformedtargetregressor__regressor",
            ),
        ),
        Method(
            "BOOSTING",
            "scikit-learn's histogram gradient boosting",
            lambda _: HistGradientBoostingClassifier(),
            lambda _: HistGradientBoostingRegressor(),
        ),
        Method(
            "FOREST",
            "scikit-learn's random forest of 500 trees",
            lambda _: RandomForestClassifier(500),
            lambda _: RandomForestRegressor(500),
        ),
        Method(
            "LINEAR",
            "logistic regression, or ridge, regularised by cross-validation",
            _scaled(lambda _: LogisticRegressionCV(scoring="accuracy", max_iter=1000)),
            _scaled(lambda _: RidgeCV(np.logspace(-6, 6, 25))),
        ),
        Method(
            "GP-ARD",
            "scikit-learn's Gaussian process, a scale per feature",
            _scaled(lambda n_features: GaussianProcessClassifier(_ard(n_features))),
            _scaled(
                lambda n_features: GaussianProcessRegressor(
                    _ard(n_features) + WhiteKernel(), normalize_y=True
                )
            ),
            most_rows=250,
        ),
    )
}
COMPETITORS = ("SVM-GRID", "BOOSTING", "FOREST", "LINEAR", "GP-ARD")


def methods_named(names: list[str]) -> list[Method]:
    """Methods by name, in any case; a ValueError lists those there are."""
    found = []
    for name in names:
        if name.upper() not in METHODS:
            raise ValueError(f"there is no method {name!r}: choose from {', '.join(METHODS)}")
        found.append(METHODS[name.upper()])
    return list({method.name: method for method in found}.values())
