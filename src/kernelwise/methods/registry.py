"""Methods by name: ours as the papers call them, and the competitors everyone has."""

from collections.abc import Callable
from difflib import get_close_matches
from typing import Any

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
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

from kernelwise.estimators import KernelAligner, LSSVMClassifier, LSSVMRegressor
from kernelwise.kernels import Gaussian
from kernelwise.methods.method import Maker, Method
from kernelwise.methods.support_vector import SVM_METHODS
from kernelwise.searchers import Rprop

SEVEN_DECADES = np.logspace(-3, 3, 7)
# The alignment paper's search: its steps are decades of widths, ours logarithms of weights.
PUBLISHED_RPROP = Rprop(max_iterations=100, first_step=0.0125 * 2 * np.log(10))
# As the alignment paper chooses C; the same folds whatever the seed of the method.
SHUFFLED = StratifiedKFold(5, shuffle=True, random_state=0)
SHUFFLED_NUMBERS = KFold(5, shuffle=True, random_state=0)
SCALED_SVR = TransformedTargetRegressor(SVR(), transformer=StandardScaler())
SVR_PREFIX = "transformedtargetregressor__regressor"


def _least_squares(name: str, kernel: str, selection: str, summary: str) -> Method:
    return Method(
        name,
        summary,
        classifier=lambda _: LSSVMClassifier(kernel, selection),
        regressor=lambda _: LSSVMRegressor(kernel, selection),
        categorical=True,
    )


def _support_vector_grid(
    machine: BaseEstimator,
    prefix: str,
    gammas: Callable[[int], np.ndarray] = lambda n_features: SEVEN_DECADES / n_features,
    cv: int | BaseCrossValidator = 5,
) -> Maker:
    """C and gamma on a 7 x 7 grid by 5-fold cross-validation, columns standardised."""
    return lambda n_features: GridSearchCV(
        make_pipeline(StandardScaler(), clone(machine)),
        {f"{prefix}__C": SEVEN_DECADES, f"{prefix}__gamma": gammas(n_features)},
        cv=cv,
    )


def _widths(_: int) -> np.ndarray:
    """Gammas of Gaussian widths from 0.001 to 1000 standard deviations."""
    return 1 / (2 * SEVEN_DECADES**2)


def _aligned(name: str, summary: str, kernel: Any, **settings: Any) -> Method:
    """The kernel by alignment to the training rows, then C by 5-fold cross-validation."""
    several = isinstance(kernel, list)
    machine = {"kernel": "precomputed"} if several else {"gamma": 0.5}

    def pipeline(task: str, last: BaseEstimator, cv: BaseCrossValidator) -> Pipeline:
        # A list of kernels sees the columns as they are.
        before = [StandardScaler()] if several else []
        aligner = KernelAligner(kernel, task=task, searcher=PUBLISHED_RPROP, **settings)
        return make_pipeline(*before, aligner, GridSearchCV(last, {"C": SEVEN_DECADES}, cv=cv))

    return Method(
        name,
        summary,
        classifier=lambda _: pipeline("classification", SVC(**machine), SHUFFLED),
        regressor=lambda _: TransformedTargetRegressor(
            pipeline("regression", SVR(**machine), SHUFFLED_NUMBERS),
            transformer=StandardScaler(),
        ),
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
        _least_squares("ARD-ALIGN", "ard", "alignment", "a scale per feature, alignment"),
        _least_squares("LAPLACIAN", "ard-laplacian", "first-level", "absolute differences"),
        _least_squares("MIXED", "mixed", "first-level", "squared or absolute differences"),
        Method(
            "SVM-GRID",
            "scikit-learn's SVC or SVR, 7 x 7 grid, 5-fold",
            _support_vector_grid(SVC(), "svc"),
            # The grid, and the width of the tube, are in units of the target's deviation.
            _support_vector_grid(SCALED_SVR, SVR_PREFIX),
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
        Method(
            "CV",
            "SVC or SVR, width and C on the alignment paper's grid, 5-fold",
            _support_vector_grid(SVC(), "svc", _widths, SHUFFLED),
            _support_vector_grid(SCALED_SVR, SVR_PREFIX, _widths, SHUFFLED_NUMBERS),
        ),
        _aligned(
            "AMKL",
            "SVC or SVR, seven widths combined by alignment",
            [Gaussian(float(width)) for width in SEVEN_DECADES],
        ),
        _aligned("CKTA", "SVC or SVR, one width by alignment", "gaussian", start="fixed"),
        _aligned("MSCKTA", "SVC or SVR, a width per feature by alignment", "ard", start="fixed"),
        _aligned(
            "MSCKTA-RANDOM-1",
            "MSCKTA begun at random widths, a decade around 1",
            "ard",
            start="random",
        ),
        _aligned(
            "MSCKTA-RANDOM-3",
            "MSCKTA begun at random widths, three decades around 1",
            "ard",
            start="random",
            spread=3.0,
        ),
        _aligned(
            "MSCKTA-DISTANCE",
            "MSCKTA begun at distances within classes",
            "ard",
            start="distance",
        ),
        *SVM_METHODS,
    )
}
COMPETITORS = ("SVM-GRID", "BOOSTING", "FOREST", "LINEAR", "GP-ARD")


def methods_named(names: list[str]) -> list[Method]:
    """Methods by name, in any case; a ValueError lists those there are."""
    found = []
    for name in names:
        if name.upper() not in METHODS:
            near = get_close_matches(name.upper(), METHODS)
            hint = f"did you mean {' or '.join(near)}?" if near else ""
            choice = hint or f"choose from {', '.join(METHODS)}"
            raise ValueError(f"there is no method {name!r}: {choice}")
        found.append(METHODS[name.upper()])
    return list({method.name: method for method in found}.values())
