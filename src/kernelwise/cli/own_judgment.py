"""The honest error that a fit on landmarks brings along: of rows that it kept apart."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, is_classifier
from sklearn.pipeline import Pipeline

from kernelwise.cli import console, output
from kernelwise.data.pipeline import final_step
from kernelwise.estimators import LSSVMClassifier, LSSVMRegressor
from kernelwise.estimators.classifier import largest_output
from kernelwise.evaluation import HonestError, Unseen, error_of_unseen
from kernelwise.evaluation.fold_records import trivial_prediction

# Fits on landmarks of more rows are judged by the rows they kept apart, not by fitting again.
ROWS_TO_KEEP_APART = 20_000


class KeepsUnseen:
    """An estimator that remembers the rows it was honestly judged by, in ``unseen``."""

    unseen: Unseen | None = None

    def _judge_honestly(self, reading: Any, choice: Any, copies: Any) -> None:
        super()._judge_honestly(reading, choice, copies)  # type: ignore[misc]  # an estimator's
        self.unseen = None
        if not any(fit.chose_again for fit in copies.fits):
            return  # the kernel was chosen with these rows
        estimator: Any = self
        parts, judged = reading.parts, copies.share > 0
        nothing = np.zeros((len(parts.X), len(estimator.intercept_)))
        outputs = estimator._unseen_outputs(copies, nothing)[parts.part[judged]]
        targets, predictions, probabilities = self._in_words(reading, outputs)
        rows = parts.source[judged]
        others = np.setdiff1d(np.arange(len(targets)), rows)
        if not len(others):
            return  # no rows were kept apart: each was seen by some copies
        trivial = np.full(len(rows), trivial_prediction(estimator, targets[others]))
        classes = reading.classes if is_classifier(estimator) else None
        truth = targets[rows]
        self.unseen = Unseen(rows, truth, predictions, probabilities, trivial, classes)

    def _in_words(self, reading: Any, outputs: np.ndarray) -> Any:
        """The targets of all rows, and predictions and probabilities for some outputs."""
        raise NotImplementedError


class JudgedClassifier(KeepsUnseen, LSSVMClassifier):
    """A classifier that remembers what judged it."""

    def _in_words(self, reading: Any, outputs: np.ndarray) -> Any:
        labels = reading.classes[largest_output(outputs)]
        return reading.classes[reading.codes], labels, self._probabilities(outputs)


class JudgedRegressor(KeepsUnseen, LSSVMRegressor):
    """A regressor of one quantity that remembers what judged it."""

    def _in_words(self, reading: Any, outputs: np.ndarray) -> Any:
        return reading.scales.unscaled(reading.given.y)[:, 0], outputs[:, 0], None


def without_memory(model: BaseEstimator) -> BaseEstimator:
    """The same fitted model as an ordinary estimator, to be saved; of a pipeline, its last step."""
    final: Any = final_step(model)
    if not hasattr(final, "unseen"):
        return model
    kind = LSSVMClassifier if is_classifier(final) else LSSVMRegressor
    plain = kind(**final.get_params(deep=False))
    for name in vars(final).keys() - {"unseen"}:
        setattr(plain, name, getattr(final, name))
    if isinstance(model, Pipeline):
        model.steps[-1] = (model.steps[-1][0], plain)
        return model
    return plain


def honest_error_of(model: BaseEstimator, groups: np.ndarray | None = None) -> HonestError | None:
    """The honest error that a fitted model brings along; None, with a note, if it has none."""
    unseen = final_step(model).unseen
    if unseen is None:
        console.note("the fit kept no rows apart that could judge it: no honest error")
        return None
    output.current.put(rows_kept_apart=len(unseen.rows))
    return error_of_unseen(unseen, groups)
