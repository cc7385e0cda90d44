"""Methods by name: support vector machines whose kernel is aligned to the training rows."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.compose import TransformedTargetRegressor
from sklearn.model_selection import BaseCrossValidator, GridSearchCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

from kernelwise.estimators import KernelAligner
from kernelwise.kernels import Gaussian
from kernelwise.methods.competitors import SEVEN_DECADES, SHUFFLED, SHUFFLED_NUMBERS
from kernelwise.methods.method import Method
from kernelwise.searchers import Rprop

# The alignment paper's search: its steps are decades of widths, ours logarithms of weights.
PUBLISHED_RPROP = Rprop(max_iterations=100, first_step=0.0125 * 2 * np.log(10))


def _aligned(name: str, summary: str, kernel: Any, **settings: Any) -> Method:
    """A method that aligns the kernel to the training rows, then chooses C by 5-fold."""
    several = isinstance(kernel, list)
    machine = {"kernel": "precomputed"} if several else {"gamma": 0.5}

    def pipeline(task: str, last: BaseEstimator, cv: BaseCrossValidator) -> Pipeline:
        # An aligner of several kernels does not standardize columns itself.
        before = [StandardScaler()] if several else []
        aligner = KernelAligner(kernel, task=task, searcher=PUBLISHED_RPROP, **settings)
        return make_pipeline(*before, aligner, GridSearchCV(last, {"C": SEVEN_DECADES}, cv=cv))

    return Method(
        name,
        summary,
        classifier=lambda _: pipeline("classification", SVC(**machine), SHUFFLED),
        regressor=lambda _: TransformedTargetRegressor(
            pipeline("regression", SVR(**machine), SHUFFLED_NUMBERS), transformer=StandardScaler()
        ),
    )


ALIGNED = (
    _aligned(
        "AMKL",
        "SVC or SVR, seven widths combined by alignment",
        [Gaussian(float(width)) for width in SEVEN_DECADES],
    ),
    _aligned("CKTA", "SVC or SVR, one width by alignment", "gaussian", start="fixed"),
    _aligned("MSCKTA", "SVC or SVR, a width per feature by alignment", "ard", start="fixed"),
    _aligned(
        "MSCKTA-RANDOM-1", "MSCKTA from random widths, within a decade of 1", "ard", start="random"
    ),
    _aligned(
        "MSCKTA-RANDOM-3",
        "MSCKTA from random widths, within three decades of 1",
        "ard",
        start="random",
        spread=3.0,
    ),
    _aligned("MSCKTA-DISTANCE", "MSCKTA from distances within classes", "ard", start="distance"),
)
