"""Classifiers that may predict by the posterior of their outputs."""

from __future__ import annotations

from typing import Any, NamedTuple, overload

import numpy as np
from sklearn.utils.validation import check_is_fitted

from kernelwise.estimators.classifier import ClassReading, KernelClassifier
from kernelwise.estimators.output_posterior import FittedPosterior, log_odds, probability_deviations
from kernelwise.selections import Choice


class OutputMoments(NamedTuple):
    """Posterior means and variances of a machine's outputs, (rows, outputs), and its C and loss."""

    means: np.ndarray
    variances: np.ndarray
    C: float
    loss: str


class PosteriorClassifier(KernelClassifier):
    """Outputs of several machines, averaged; or, if these have a posterior, their log odds."""

    machines_: list[Any]

    @property
    def _gives_log_odds(self) -> bool:  # type: ignore[override]  # elsewhere a constant
        check_is_fitted(self, "machines_")
        return isinstance(self.machines_[0], FittedPosterior)

    def _held_out_outputs(self, reading: ClassReading, choice: Choice) -> np.ndarray:
        if not self._gives_log_odds:
            return super()._held_out_outputs(reading, choice)
        solutions = [member.solution for member in choice.members or (choice,)]
        return mean_log_odds(
            [
                OutputMoments(one.left_out_means, one.left_out_variances, one.C, one.loss)
                for one in solutions
            ]
        )

    def _outputs_of(self, rows: np.ndarray) -> np.ndarray:
        """The mean of the machines' outputs or log odds, (rows, outputs)."""
        if self._gives_log_odds:
            return mean_log_odds(self._posteriors_of(rows))
        found = [
            self._gram(machine.kernel, rows) @ machine.dual_coef + machine.intercept
            for machine in self.machines_
        ]
        return np.mean(found, axis=0)

    def _posteriors(self, X: Any) -> list[OutputMoments]:
        """What each machine says of the outputs."""
        if not self._gives_log_odds:
            raise ValueError(
                "this model has no posterior: fit it with selection='evidence-ep' or "
                "'evidence-hmc', prediction='auto' or 'mean', and a kernel that is not precomputed"
            )
        return self._posteriors_of(self._rows_to_compare(X))

    def _posteriors_of(self, rows: np.ndarray) -> list[OutputMoments]:
        found = []
        for machine in self.machines_:
            gram, diagonal = self._gram(machine.kernel, rows), machine.kernel.diagonal(rows)[0]
            means, variances = machine.moments(gram, diagonal)
            found.append(OutputMoments(means, variances, machine.C, machine.loss))
        return found

    def output_posterior(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """Mean and standard deviation of the outputs, over their posterior.

        About 95 % of it is within two standard deviations of the mean; far from all rows both are
        those of the prior. Several machines (``combine="average"``) are one mixture. Only for
        models that predict by the mean.

        Parameters
        ----------
        X : array or data frame of shape (rows, columns)

        Returns
        -------
        means, deviations : arrays of shape (rows,) for two classes, else (rows, classes)
        """
        found = self._posteriors(X)
        mean = np.mean([one.means for one in found], axis=0)
        squares = np.mean([one.variances + one.means**2 for one in found], axis=0)
        deviation = np.sqrt(np.maximum(squares - mean**2, 0.0))
        single = len(self.classes_) == 2
        return (mean[:, 0], deviation[:, 0]) if single else (mean, deviation)

    @overload
    def predict_proba(self, X: Any) -> np.ndarray: ...
    @overload
    def predict_proba(self, X: Any, return_std: bool) -> Any: ...
    def predict_proba(self, X: Any, return_std: bool = False) -> Any:
        """Probability of each class; the largest is that of ``predict``.

        Calibrated on held-out outputs or, for models that predict by the posterior mean, averaged
        over the posterior.

        Parameters
        ----------
        X : array or data frame of shape (rows, columns)
        return_std : bool, default False
            Also the standard deviation of each probability over the posterior (for several classes,
            of each class against the rest).

        Returns
        -------
        probabilities : array of shape (rows, classes)
        deviations : array of the same shape, if ``return_std``
        """
        if not self._gives_log_odds and not return_std:
            return super().predict_proba(X)
        posteriors = self._posteriors(X)
        probabilities = self._probabilities(mean_log_odds(posteriors))
        if not return_std:
            return probabilities
        found = np.mean([probability_deviations(*one) for one in posteriors], axis=0)
        return probabilities, np.hstack([found, found]) if found.shape[1] == 1 else found


def mean_log_odds(posteriors: list[OutputMoments]) -> np.ndarray:
    """Log odds, (rows, outputs), the mean over several machines."""
    return np.mean([log_odds(*one) for one in posteriors], axis=0)
