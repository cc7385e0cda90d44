"""Methods by name: scikit-learn's and LightGBM, with nothing of ours."""

from collections.abc import Callable
from functools import partial

import numpy as np
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
from sklearn.model_selection import BaseCrossValidator, GridSearchCV, KFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

from kernelwise.methods.method import Maker, Method
from kernelwise.optional import import_optional

SEVEN_DECADES = np.logspace(-3, 3, 7)
# Kropotov et al.'s widths of a Gaussian, in standard deviations.
TEN_WIDTHS = np.array([0.01, 0.1, 0.3, 1, 2, 3, 4, 5, 7, 10])
# The alignment paper's way to choose C; the same folds whatever the seed of the method.
SHUFFLED = StratifiedKFold(5, shuffle=True, random_state=0)
SHUFFLED_NUMBERS = KFold(5, shuffle=True, random_state=0)
SCALED_SVR = TransformedTargetRegressor(SVR(), transformer=StandardScaler())
SVR_PREFIX = "transformedtargetregressor__regressor"

_theirs = partial(Method, ours=False)


def _support_vector_grid(
    machine: BaseEstimator,
    prefix: str,
    gammas: Callable[[int], np.ndarray] = lambda n_features: SEVEN_DECADES / n_features,
    cv: int | BaseCrossValidator = 5,
) -> Maker:
    """Seven C and some gammas on a grid by 5-fold cross-validation, columns standardized."""
    return lambda n_features: GridSearchCV(
        make_pipeline(StandardScaler(), clone(machine)),
        {f"{prefix}__C": SEVEN_DECADES, f"{prefix}__gamma": gammas(n_features)},
        cv=cv,
    )


def _widths(_: int) -> np.ndarray:
    """Gammas of Gaussian widths from 0.001 to 1000 standard deviations."""
    return 1 / (2 * SEVEN_DECADES**2)


def _scaled(maker: Maker) -> Maker:
    return lambda n_features: make_pipeline(StandardScaler(), maker(n_features))


def _ard(n_features: int) -> RBF:
    return ConstantKernel(1.0) * RBF(np.ones(n_features), (1e-2, 1e4))


def _lightgbm(kind: str) -> Maker:
    def make(_: int) -> BaseEstimator:
        package = import_optional("lightgbm", extra="competitors")
        return getattr(package, kind)(n_jobs=1, verbosity=-1)

    return make


# Competitors everyone has, run beside the papers' methods.
COMPETITORS = ("SVM-GRID", "BOOSTING", "LIGHTGBM", "FOREST", "LINEAR", "GP-ARD")
THEIRS = (
    _theirs(
        "SVM-GRID",
        "scikit-learn's SVC or SVR, 7 x 7 grid, 5-fold",
        _support_vector_grid(SVC(), "svc"),
        # The grid, and the width of the tube, are in units of the target's deviation.
        _support_vector_grid(SCALED_SVR, SVR_PREFIX),
    ),
    _theirs(
        "BOOSTING",
        "scikit-learn's histogram gradient boosting",
        lambda _: HistGradientBoostingClassifier(),
        lambda _: HistGradientBoostingRegressor(),
    ),
    _theirs(
        "LIGHTGBM",
        "LightGBM's gradient boosting, with its default settings",
        _lightgbm("LGBMClassifier"),
        _lightgbm("LGBMRegressor"),
    ),
    _theirs(
        "FOREST",
        "scikit-learn's random forest of 500 trees",
        lambda _: RandomForestClassifier(500),
        lambda _: RandomForestRegressor(500),
    ),
    _theirs(
        "LINEAR",
        "logistic regression, or ridge, regularized by cross-validation",
        _scaled(lambda _: LogisticRegressionCV(scoring="accuracy", max_iter=1000)),
        _scaled(lambda _: RidgeCV(np.logspace(-6, 6, 25))),
    ),
    _theirs(
        "GP-ARD",
        "scikit-learn's Gaussian process, a scale per feature",
        _scaled(lambda d: GaussianProcessClassifier(_ard(d))),
        _scaled(lambda d: GaussianProcessRegressor(_ard(d) + WhiteKernel(), normalize_y=True)),
        most_rows=250,
    ),
    _theirs(
        "CV",
        "SVC or SVR, width and C on the alignment paper's grid, 5-fold",
        _support_vector_grid(SVC(), "svc", _widths, SHUFFLED),
        _support_vector_grid(SCALED_SVR, SVR_PREFIX, _widths, SHUFFLED_NUMBERS),
    ),
    _theirs(
        "SVM-CV",
        "SVC, one of ten widths and C by 5-fold",
        _support_vector_grid(SVC(), "svc", lambda _: 1 / (2 * TEN_WIDTHS**2), SHUFFLED),
        regressor=None,
    ),
    _theirs(
        "SVM",
        "scikit-learn's SVC of width 1 and C = 1, nothing chosen",
        lambda _: make_pipeline(StandardScaler(), SVC(C=1.0, gamma=0.5)),
        regressor=None,
    ),
)
