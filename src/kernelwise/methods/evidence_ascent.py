"""Methods by name: evidence of an SVM by sampled gradients and by expectation propagation."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import LabelEncoder, StandardScaler

from kernelwise.criteria import PosteriorEvidence
from kernelwise.estimators import SVMClassifier
from kernelwise.kernels import Constant, Gaussian, Kernel
from kernelwise.methods.method import Method
from kernelwise.selections import MinimizeCriterion, RandomWithin, SampledEvidence

# Gold & Sollich's random starts: C, amplitude and offset, and length scales of ln l from -1 to 2,
# whose weights are 1 / (2 l^2).
STARTS = {
    "regularization": (0.4, 0.8),
    "amplitude": (np.exp(-1.0), np.e),
    "offset": (np.exp(-2.0), np.exp(-1.0)),
    "scale": (0.5 * np.exp(-4.0), 0.5 * np.exp(2.0)),
}
TRAJECTORIES = 40


class EveryStep(ClassifierMixin, BaseEstimator):
    """The machines at every step of an ascent of the evidence, ``estimators_``.

    It predicts with the last one; only the test rows can tell which is best. ``ascent`` is an
    `SVMClassifier` whose ``trace_`` has sampled steps.
    """

    def __init__(self, ascent: Any):
        self.ascent = ascent

    def fit(self, X: Any, y: Any) -> "EveryStep":
        self.le_ = LabelEncoder().fit(y)
        codes = self.le_.transform(y)
        found = clone(self.ascent).fit(X, codes)
        self.classes_, self.trace_ = self.le_.classes_, found.trace_
        self.estimators_ = []
        for step in found.trace_.steps:
            kernel, C = found.kernel_.with_theta(step.point[:-1]), float(np.exp(step.point[-1]))
            machine = SVMClassifier(kernel, None, found.loss, C, bias=False)
            machine._only_predictions = True
            self.estimators_.append(machine.fit(X, codes))
        return self

    def predict(self, X: Any) -> np.ndarray:
        return self.classes_[self.estimators_[-1].predict(X)]


def published_start(n_features: int) -> Kernel:
    """Gold & Sollich's first kernel: amplitude, length scales and offset."""
    return 1.0 * Gaussian(np.ones(n_features)) + Constant(0.1)


def _ascent(n_features: int, validation: bool = False) -> SVMClassifier:
    """The published ascent, from a random start."""
    selection = SampledEvidence(
        RandomWithin(STARTS), trajectories=TRAJECTORIES, validation=validation
    )
    return SVMClassifier(
        published_start(n_features), selection, "hinge", prediction="mode", searcher="ascent"
    )


def _propagated(n_features: int, prediction: str) -> SVMClassifier:
    selection = MinimizeCriterion(PosteriorEvidence(), RandomWithin(STARTS), amplitude=True)
    return SVMClassifier(published_start(n_features), selection, "hinge", prediction=prediction)


def _method(name: str, summary: str, maker: Any) -> Method:
    return Method(
        name,
        summary,
        classifier=lambda n_features: make_pipeline(StandardScaler(), maker(n_features)),
        regressor=None,
        most_rows=2000,
    )


EVIDENCE_ASCENT = (
    _method("EVID-GRAD", "SVM, exact evidence, ascent of sampled gradients", _ascent),
    _method(
        "EVID-VALID",
        "EVID-GRAD, stopped early by a fifth of the training rows",
        lambda n_features: _ascent(n_features, validation=True),
    ),
    _method(
        "EARLY-STOP",
        "the machines at every step of EVID-GRAD",
        lambda n_features: EveryStep(_ascent(n_features)),
    ),
    _method(
        "EVID-EP",
        "SVM, exact evidence by propagation, L-BFGS from random starts",
        lambda n_features: _propagated(n_features, "mode"),
    ),
    _method(
        "EVID-EP-MEAN",
        "EVID-EP, predicting by the posterior mean",
        lambda n_features: _propagated(n_features, "mean"),
    ),
    Method(
        "ARD-EP",
        "SVM, a scale per feature, exact evidence by propagation, posterior mean",
        classifier=lambda _: SVMClassifier("ard", "evidence-ep"),
        regressor=None,
        categorical=True,
    ),
)
