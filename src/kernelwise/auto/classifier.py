"""AutoKernel for classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from kernelwise.auto.candidates import Candidate
from kernelwise.auto.front import FrontDoor
from kernelwise.estimators import LSSVMClassifier
from kernelwise.estimators.classifier import KernelClassifier, largest_output, share_of_wrong
from kernelwise.estimators.progress import with_callbacks


class AutoKernelClassifier(FrontDoor, KernelClassifier):
    """Docs."""

    _is_classification = True

    def __init__(
        self,
        candidates="auto",
        *,
        max_time=None,
        estimate="auto",
        combine="stack",
        folds="auto",
        repeats=1,
        cv=None,
        landmarks="auto",
        class_weight=None,
        categorical_features="from_dtype",
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.candidates = candidates
        self.max_time = max_time
        self.estimate = estimate
        self.combine = combine
        self.folds = folds
        self.repeats = repeats
        self.cv = cv
        self.landmarks = landmarks
        self.class_weight = class_weight
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    @with_callbacks
    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, groups: Any = None) -> Self:
        return self._fit_table(X, y, sample_weight, groups)

    def _model_for(self, candidate: Candidate) -> LSSVMClassifier:
        return LSSVMClassifier(
            candidate.kernel,
            candidate.selection,
            honest=self.honest,
            landmarks=self.landmarks,
            random_state=self.random_state,
            n_jobs=self.n_jobs,
        )

    def _keep(self, reading: Any, choice: Any) -> None:
        super()._keep(reading, choice)
        self.classes_ = reading.classes

    def _predictions(self, reading: Any, outputs: np.ndarray) -> np.ndarray:
        return reading.classes[largest_output(outputs)]

    def _truth(self, reading: Any) -> np.ndarray:
        return reading.classes[reading.codes]

    def _trivial(self, reading: Any, entries: np.ndarray, share: np.ndarray) -> Any:
        codes = reading.codes[reading.parts.source[entries]]
        return reading.classes[np.bincount(codes, share).argmax()]

    def _error_of(self, reading: Any, outputs: np.ndarray, entries: np.ndarray) -> float:
        wrong = largest_output(outputs) != reading.codes[reading.parts.source[entries]]
        return float(np.average(wrong, weights=reading.parts.share[entries]))

    def _mean_of_errors(self, errors: Sequence[float]) -> float:
        return float(np.mean(errors))

    def _seen_error(self, reading: Any, held_out: np.ndarray) -> float:
        outputs = reading.parts.targets.values - held_out
        return share_of_wrong(outputs, reading, reading.parts.share)
