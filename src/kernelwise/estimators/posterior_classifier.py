"""Classifiers that may predict by the posterior of their outputs."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from kernelwise.estimators.classifier import ClassReading, KernelClassifier
from kernelwise.estimators.output_posterior import (
    FittedPosterior,
    class_probabilities,
    log_odds,
    probability_deviations,
)
from kernelwise.selections import Choice


class PosteriorClassifier(KernelClassifier):
    """Outputs of several machines, averaged; or, if these have a posterior, their log odds."""

    machines_: list[Any]

    @property
    def _has_own_probabilities(self) -> bool:  # type: ignore[override]  # elsewhere a constant
        check_is_fitted(self, "machines_")
        return isinstance(self.machines_[0], FittedPosterior)

    def _held_out_outputs(self, reading: ClassReading, choice: Choice) -> np.ndarray:
        if not self._has_own_probabilities:
            return super()._held_out_outputs(reading, choice)
        found = [
            log_odds(one.left_out_means, one.left_out_variances, one.C, one.loss)
            for one in (member.solution for member in choice.members or (choice,))
        ]
        return np.mean(found, axis=0)

    def _outputs(self, X: Any) -> np.ndarray:
        """The mean of the machines' outputs or log odds, (rows, outputs)."""
        check_is_fitted(self, "machines_")
        rows = self._rows_to_compare(X)
        if self._has_own_probabilities:
            found = [
                log_odds(*self._moments(machine, rows), machine.C, machine.loss)
                for machine in self._posterior_machines()
            ]
        else:
            found = [
                self._gram(machine.kernel, rows) @ machine.dual_coef + machine.intercept
                for machine in self.machines_
            ]
        return np.mean(found, axis=0)

    def _moments(self, machine: FittedPosterior, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        gram, diagonal = self._gram(machine.kernel, rows), machine.kernel.diagonal(rows)[0]
        return machine.moments(gram, diagonal)

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
        means, squares = [], []
        for machine in self._posterior_machines():
            mean, variance = self._moments(machine, self._rows_to_compare(X))
            means.append(mean)
            squares.append(variance + mean**2)
        mean = np.mean(means, axis=0)
        deviation = np.sqrt(np.maximum(np.mean(squares, axis=0) - mean**2, 0.0))
        single = len(self.classes_) == 2
        return (mean[:, 0], deviation[:, 0]) if single else (mean, deviation)

    def _posterior_machines(self) -> list[FittedPosterior]:
        if not self._has_own_probabilities:
            raise ValueError(
                "this model has no posterior: fit it with selection='evidence-ep' or "
                "'evidence-hmc', prediction='auto' or 'mean', and a kernel that is not precomputed"
            )
        return self.machines_

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
        if not self._has_own_probabilities and not return_std:
            return super().predict_proba(X)
        machines = self._posterior_machines()
        outputs = self._outputs(X)
        probabilities = class_probabilities(outputs)
        if not return_std:
            return probabilities
        rows = self._rows_to_compare(X)
        found = np.mean(
            [
                probability_deviations(*self._moments(machine, rows), machine.C, machine.loss)
                for machine in machines
            ],
            axis=0,
        )
        return probabilities, np.hstack([found, found]) if found.shape[1] == 1 else found
