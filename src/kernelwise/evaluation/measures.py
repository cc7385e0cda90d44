"""What people ask of held-out predictions beside the error: one number each, by its usual name."""

from collections.abc import Sequence

import numpy as np
from sklearn.metrics import (
    confusion_matrix,
    log_loss,
    mean_absolute_error,
    r2_score,
    roc_auc_score,
    root_mean_squared_error,
)


def class_measures(
    truth: np.ndarray,
    predictions: np.ndarray,
    probabilities: np.ndarray | None,
    classes: np.ndarray,
) -> dict[str, float]:
    """Measures of held-out labels.

    Balanced error: the mean over classes of the share of wrong rows. AUC: the share of pairs of
    rows of two classes that the probabilities put in the right order, the mean over pairs of
    classes if there are several (Hand & Till 2001). Log loss: the mean of minus the logarithm of
    the probability of the true class. Recall of the rarest class: the share of its rows that are
    named.

    Parameters
    ----------
    truth, predictions : the labels, and those predicted for rows not seen
    probabilities : of each class; None where a class was unknown to a fit
    classes : all, sorted
    """
    present, counts = np.unique(truth, return_counts=True)
    recalls = [float((predictions[truth == label] == label).mean()) for label in present]
    found = {"balanced error": 1 - float(np.mean(recalls))}
    if probabilities is not None and np.isin(present, classes).all():
        two = probabilities.shape[1] == 2
        scores = probabilities[:, 1] if two else probabilities
        if len(present) == len(classes):  # it compares every class with every other
            found["AUC"] = float(roc_auc_score(truth, scores, multi_class="ovo", labels=classes))
        found["log loss"] = float(log_loss(truth, probabilities, labels=classes))
    return found | {"recall of the rarest class": recalls[int(counts.argmin())]}


def quantity_measures(truth: np.ndarray, predictions: np.ndarray) -> dict[str, float]:
    """Root mean squared error, mean absolute error, and the share of the variance explained."""
    return {
        "RMSE": float(root_mean_squared_error(truth, predictions)),
        "MAE": float(mean_absolute_error(truth, predictions)),
        "R2": float(r2_score(truth, predictions)) if len(truth) > 1 else np.nan,
    }


def confusion(
    truth: np.ndarray, predictions: np.ndarray, classes: np.ndarray
) -> tuple[tuple[int, ...], ...]:
    """How many rows of each class (lines) were given each label (columns)."""
    counted = confusion_matrix(truth, predictions, labels=classes)
    return tuple(tuple(map(int, line)) for line in counted)


def joined_probabilities(
    parts: Sequence[np.ndarray | None], known: Sequence[np.ndarray], classes: np.ndarray
) -> np.ndarray | None:
    """The probabilities of all folds in one array; None if a fold had none, or lacked a class."""
    if any(part is None for part in parts) or any(len(c) < len(classes) for c in known):
        return None
    return np.concatenate([part for part in parts if part is not None])
