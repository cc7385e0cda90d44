"""Gradients of the evidence by sampling, with their errors and a check beside them."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace

import numpy as np

from kernelwise.notices import warn_user
from kernelwise.objective import Evaluated, Objective
from kernelwise.searchers import Evaluation
from kernelwise.selections.base import Problem
from kernelwise.solutions import Sampling

# Sampled and propagated gradients that differ by more than this, and by so many standard errors,
# disagree: per row, in logarithms of the parameters.
NOTABLE, ERRORS = 0.01, 4.0


class SamplingWarning(UserWarning):
    """A sampled posterior, or what follows from it, must not be believed."""


@dataclass(frozen=True)
class SampledStep:
    """The gradient of minus the log evidence per row at one point, in logarithms of the parameters.

    Attributes
    ----------
    point : logarithms of the parameters
    gradient, standard_errors : sampled, with the spread over groups of chains
    propagated : the same gradient by expectation propagation
    reports : how well each output was sampled
    validation_error, validation_loss : share of validation rows that are wrong, and their mean
        loss; NaN without a validation split
    """

    point: np.ndarray
    gradient: np.ndarray
    standard_errors: np.ndarray
    propagated: np.ndarray
    reports: tuple[Sampling, ...]
    validation_error: float = np.nan
    validation_loss: float = np.nan

    @property
    def complaint(self) -> str:
        """Why the sample must not be believed; empty if it may be."""
        return next((report.complaint for report in self.reports if report.complaint), "")

    @property
    def disagrees(self) -> np.ndarray:
        """Which parameters' sampled and propagated gradients are notably apart."""
        apart = np.abs(self.gradient - self.propagated)
        return (apart > NOTABLE) & (apart > ERRORS * self.standard_errors)


class SampledGradients:
    """A function for a search: the sampled gradient at a point, kept as a `SampledStep`.

    Parameters
    ----------
    objective : with a machine that samples
    problem : the whole problem, if some of its rows are for validation
    rows, validation : numbers of the rows the objective has, and of those it has not
    """

    def __init__(
        self,
        objective: Objective,
        problem: Problem | None = None,
        rows: np.ndarray | None = None,
        validation: np.ndarray | None = None,
    ):
        self.objective, self.problem, self.rows = objective, problem, rows
        self.validation = np.empty(0, int) if validation is None else validation
        self.steps: list[SampledStep] = []  # appended to, so that threads can share it

    def fresh(self) -> SampledGradients:
        other = copy.copy(self)
        other.objective = self.objective.fresh()
        return other

    def __call__(self, point: np.ndarray) -> Evaluation:
        found = self.objective.solve(point)
        sampled = found.solution
        groups = np.array([self._gradient(found, part) for part in sampled.groups])
        error, loss = self._validated(found)
        step = SampledStep(
            point=point,
            gradient=self._gradient(found, sampled),
            standard_errors=groups.std(axis=0, ddof=1) / np.sqrt(len(groups)),
            propagated=self._gradient(found, sampled.propagated),
            reports=sampled.reports,
            validation_error=error,
            validation_loss=loss,
        )
        self.steps.append(step)
        return Evaluation(gradient=step.gradient, noisy=True)

    def _gradient(self, found: Evaluated, solution: object) -> np.ndarray:
        return np.asarray(self.objective.judged(replace(found, solution=solution)).gradient)

    def _validated(self, found: Evaluated) -> tuple[float, float]:
        """Share of validation rows that are wrong, and their mean squared hinge, by weight."""
        if self.problem is None or self.rows is None or not len(self.validation):
            return np.nan, np.nan
        gram = found.kernel(self.problem.X)[np.ix_(self.validation, self.rows)]
        outputs, targets = gram @ found.solution.coef, self.problem.targets.take(self.validation)
        if outputs.shape[1] == 1:
            wrong = (targets.values * outputs)[:, 0] <= 0
        else:
            wrong = outputs.argmax(axis=1) != targets.values.argmax(axis=1)
        losses = (np.maximum(1 - targets.values * outputs, 0.0) ** 2).mean(axis=1)
        weights = targets.weights
        return float(np.average(wrong, weights=weights)), float(np.average(losses, weights=weights))


def warn_of_sampling(step: SampledStep, names: tuple[str, ...]) -> None:
    """Warn of a sample that must not be believed, or of gradients that contradict each other."""
    if step.complaint:
        warn_user(step.complaint, SamplingWarning)
    elif step.disagrees.any():
        apart = [name for name, bad in zip(names, step.disagrees, strict=True) if bad]
        warn_user(
            "the sampled gradient of the evidence and that of expectation propagation differ by "
            f"more than their errors in {', '.join(apart)}: the choice may not be at a maximum of "
            "the evidence",
            SamplingWarning,
        )
