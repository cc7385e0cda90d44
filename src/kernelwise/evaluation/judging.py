"""Predictions judged by targets that came with a new table."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from kernelwise.evaluation.measures import class_measures, confusion, quantity_measures
from kernelwise.evaluation.row_intervals import root_interval, share_interval


@dataclass(frozen=True)
class Judgment:
    """The error of predictions for new rows, with its 95 % interval and further measures."""

    value: float
    lower: float
    upper: float
    measures: Mapping[str, float]
    confusion: tuple[tuple[int, ...], ...] = ()
    classes: tuple[str, ...] = ()

    def numbers(self) -> dict[str, float]:
        ends = {"value": self.value, "lower": self.lower, "upper": self.upper}
        return ends | dict(self.measures)


def judged(
    truth: np.ndarray,
    predictions: np.ndarray,
    probabilities: np.ndarray | None = None,
    classes: tuple[str, ...] = (),
) -> Judgment:
    """The share of wrong labels, or the root mean squared error, of rows that no fit has seen.

    Parameters
    ----------
    truth, predictions : labels as text, or quantities
    probabilities, classes : of the classes, and their names; empty for quantities
    """
    if not classes:
        losses = (truth - predictions) ** 2
        value = float(np.sqrt(losses.mean()))
        return Judgment(
            value, *root_interval(losses, factor=1)[:2], quantity_measures(truth, predictions)
        )
    losses = (truth != predictions).astype(float)
    order = np.argsort(classes)
    sorted_classes = np.array(classes)[order]
    shares = None if probabilities is None else probabilities[:, order]
    found = class_measures(truth, predictions, shares, sorted_classes)
    every = np.union1d(truth, sorted_classes)  # a class that the model does not know is wrong
    table = confusion(truth, predictions, every)
    ends = share_interval(losses, factor=1)[:2]
    return Judgment(float(losses.mean()), *ends, found, table, tuple(map(str, every)))
