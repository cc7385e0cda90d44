"""Scores of rows that a model has not seen, and how large they are: conformal prediction."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted


@dataclass(frozen=True)
class Scores:
    """How badly each unseen row fits its prediction.

    Attributes
    ----------
    values : (rows, outputs), larger is worse
    weights : of the rows
    n_cases : how many separate cases they are
    """

    values: np.ndarray
    weights: np.ndarray
    n_cases: float

    def quantiles(self, level: float) -> np.ndarray:
        """For each output what the score of a new row does not exceed with a probability.

        The new row counts as one of ``n`` separate cases, and as the worst of all (split
        conformal): the smallest score q with ``weight(scores <= q) >= level (n + 1) / n``, the
        weights of sum 1; infinite if there are too few rows, as for 0.99 with fewer than 99.

        References
        ----------
        Vovk, Gammerman & Shafer (2005); Barber et al. (2021), Annals of Statistics 49.
        """
        if not isinstance(level, Real) or not 0 < float(level) < 1:
            raise ValueError(f"level must be between 0 and 1, such as 0.9, got {level!r}")
        rows, found = self.n_cases, []
        for column in self.values.T:
            order = np.argsort(column, kind="stable")
            below = np.cumsum(self.weights[order])
            needed = level * below[-1] * (rows + 1) / rows
            # A rounding error of the sums must not ask for one row more.
            first = np.searchsorted(below, needed * (1 - 1e-12))
            found.append(column[order[first]] if first < len(order) else np.inf)
        return np.array(found)


def scores_of(model: Any) -> Scores:
    """The scores of a fitted model; a ValueError if it was saved before models had any."""
    check_is_fitted(model)
    if not hasattr(model, "_scores"):
        raise ValueError("this model was saved by an earlier version, without scores: fit it again")
    return model._scores


def label_scores(
    probabilities: np.ndarray, codes: np.ndarray, weights: np.ndarray, n_cases: float
) -> Scores:
    """One less the probability of the true class of each row."""
    return Scores(1 - probabilities[np.arange(len(codes)), codes][:, None], weights, n_cases)


class PredictsSets:
    """A classifier with the scores of rows that it has not seen."""

    _scores: Scores
    predict_proba: Any

    def predict_set(self, X: Any, level: float = 0.9) -> np.ndarray:
        """The classes a row may belong to, so that sets hold the true class as often as said.

        Copies of the model predict rows they have not seen, and give the true class of most of them
        at least some probability; a class with at least the probability that a share ``level`` of
        these rows has is in the set (cross-conformal). So is the predicted class, always.

        Parameters
        ----------
        X : array or data frame of shape (rows, columns)
        level : float, default 0.9
            The share of new rows whose true class is in the set.

        Returns
        -------
        sets : boolean array of shape (rows, classes), columns as ``classes_``
        """
        reach = scores_of(self).quantiles(level)[0]
        probabilities = self.predict_proba(X)
        sets = 1 - probabilities <= reach
        sets[np.arange(len(sets)), probabilities.argmax(axis=1)] = True
        return sets


class PredictsIntervals:
    """A regressor with the scores of rows that it has not seen."""

    _scores: Scores
    _single_output: bool

    def _outputs_and_deviations(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """Outputs and deviations, (rows, outputs), in units of y."""
        raise NotImplementedError

    def predict_interval(self, X: Any, level: float = 0.9) -> np.ndarray:
        """Intervals that hold new observations as often as said, whatever their distribution.

        ``output +- q deviation``, with the machine's own deviation (before it is stretched), and q
        the conformal quantile of ``|y - output| / deviation`` of the rows of the fit, each
        predicted by a copy that has not seen it. Infinite where a level needs more rows: 0.99
        needs 99.

        Parameters
        ----------
        X : array or data frame of shape (rows, columns)
        level : float, default 0.9
            The share of new observations in their interval.

        Returns
        -------
        intervals : array of shape (rows, 2), or (rows, outputs, 2), lower end first

        References
        ----------
        Barber et al. (2021), Predictive inference with the jackknife+, Annals of Statistics 49.
        """
        reach = scores_of(self).quantiles(level)
        outputs, deviations = self._outputs_and_deviations(X)
        with np.errstate(invalid="ignore"):  # nothing varies: 0 times infinity
            half = np.nan_to_num(reach * deviations, nan=0.0, posinf=np.inf)
        return np.stack([self._as_given(outputs - half), self._as_given(outputs + half)], axis=-1)

    def _as_given(self, values: np.ndarray) -> np.ndarray:
        """One column as y was given, if it was one."""
        return values[:, 0] if self._single_output else values
