"""Evidence by sampled gradients: ascended as published, or checking expectation propagation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import cast

import numpy as np

from kernelwise.criteria import PosteriorEvidence
from kernelwise.machines import Machine, PosteriorSupportVector, SampledPosterior
from kernelwise.objective import Objective
from kernelwise.searchers import Searcher, SearchTrace
from kernelwise.selections.base import Choice, Problem, Selection
from kernelwise.selections.limits import pressed_limits, warn_at_limits
from kernelwise.selections.minimize import MinimizeCriterion, warn_if_stuck
from kernelwise.selections.null_model import says_nothing, warn_of_nothing
from kernelwise.selections.optima import fitted
from kernelwise.selections.sampled_gradients import SampledGradients, SampledStep, warn_of_sampling
from kernelwise.selections.starts import Scan, Start


@dataclass(repr=False)
class SampledTrace(SearchTrace):
    """The trace of a search with sampled gradients.

    ``names`` are those of the parameters; ``steps`` has a `SampledStep` for each sampled point.
    """

    names: tuple[str, ...] = ()
    steps: list[SampledStep] = field(default_factory=list)


class SampledEvidence(Selection):
    """Evidence of support vector machines with gradients sampled from the posterior.

    By default expectation propagation chooses, and a sampled gradient with standard errors checks
    it (``trace_.steps``). With a searcher that needs no values, such as
    ``AdaptiveGradient()``, sampled gradients lead the whole search, as in the paper.

    Parameters
    ----------
    start : Start, default None
        As for `MinimizeCriterion`.
    near, limits
        As for `MinimizeCriterion`; without ``near`` as in the paper.
    chains, trajectories : int
        As for `SampledPosterior`.
    validation : bool, default False
        Hold out the first of the folds during the ascent, and keep the point that errs least on it
        (early stopping); the machine is then fitted to all rows.

    References
    ----------
    Gold & Sollich (2003), Neurocomputing 55, sections 3.3, 4.2, 4.3 and 5.3.2.
    """

    def __init__(
        self,
        start: Start | None = None,
        near: float = 0.0,
        limits: Mapping[str, tuple[float, float]] | None = None,
        chains: int = 64,
        trajectories: int = 60,
        validation: bool = False,
    ):
        self.start: Start | None = start
        self.near: float = near
        self.limits: Mapping[str, tuple[float, float]] | None = limits
        self.chains: int = chains
        self.trajectories: int = trajectories
        self.validation: bool = validation

    @property
    def criterion(self) -> PosteriorEvidence:
        return PosteriorEvidence()

    @property
    def propagation(self) -> MinimizeCriterion:
        """The same choice by expectation propagation."""
        return MinimizeCriterion(
            self.criterion, self.start, near=self.near, amplitude=True, limits=self.limits
        )

    @property
    def in_short(self) -> MinimizeCriterion:
        return self.propagation

    def check(self, machine: Machine) -> None:
        self.propagation.check(machine)
        SampledPosterior(1.0, "hinge", self.chains, self.trajectories)

    def __call__(self, problem: Problem) -> Choice:
        if problem.searcher is None or "value" in problem.searcher.needs:
            if self.validation:
                raise ValueError("validation=True stops an ascent early: add searcher='ascent'")
            return self._checked(problem)
        return self._ascended(problem)

    def _sampled(self, objective: Objective, seed: int) -> Objective:
        """The same objective with a machine that samples."""
        kernel, machine = objective.kernel, cast(PosteriorSupportVector, objective.machine)
        sampled = SampledPosterior(1.0, machine.loss, self.chains, self.trajectories, seed)
        X, targets = objective.X, objective.targets
        sampled = sampled.with_values(machine.values)
        return Objective(kernel, sampled, objective.criterion, X, targets)

    def _checked(self, problem: Problem) -> Choice:
        """The choice of expectation propagation, with one sampled gradient."""
        choice = self.propagation(problem)
        X, targets = problem.X, problem.targets
        objective = Objective(choice.kernel, choice.machine, PosteriorEvidence(), X, targets)
        gradients = SampledGradients(self._sampled(objective, problem.seed))
        gradients(objective.point)
        names = tuple(parameter.name for parameter in objective.parameters)
        trace = SampledTrace(**vars(choice.trace), names=names, steps=gradients.steps)
        warn_of_sampling(gradients.steps[0], names)
        return replace(choice, trace=trace)

    def _ascended(self, problem: Problem) -> Choice:
        """The choice of an ascent by sampled gradients."""
        fold = problem.folds[0] if self.validation else np.empty(0, int)
        rows = np.setdiff1d(np.arange(len(problem.X)), fold)
        part = replace(problem, X=problem.kernel.take(problem.X, rows))
        part = replace(part, targets=problem.targets.take(rows))
        inner = self.propagation
        objective, point = (self.start or Scan())(part, inner)
        limits = inner.search_limits(objective)
        gradients = SampledGradients(self._sampled(objective, problem.seed), problem, rows, fold)
        searcher = problem.search_with(cast(Searcher, problem.searcher), frozenset({"gradient"}))
        trace = searcher(problem.watched(gradients), point, limits)
        if not trace.found:
            raise ValueError(trace.reason)
        warn_if_stuck(trace)
        steps = {step.point.tobytes(): step for step in gradients.steps}
        ordered = [steps[p.tobytes()] for p in trace.points if p.tobytes() in steps]
        best = steps[trace.best_point.tobytes()]
        if self.validation:
            best = min(ordered, key=lambda step: (step.validation_error, step.validation_loss))
            trace.chose = next(
                k for k, p in enumerate(trace.points) if np.array_equal(p, best.point)
            )
        names = tuple(parameter.name for parameter in objective.parameters)
        trace = SampledTrace(**vars(trace), names=names, steps=ordered)
        warn_of_sampling(best, names)
        kernel, sampled = gradients.objective.at(best.point)
        machine = problem.machine.with_values(sampled.values)
        choice = fitted(problem, kernel, machine, np.nan, trace)
        value = float(np.asarray(self.criterion(choice.solution)[0]))
        spent = gradients.objective.n_factorizations + choice.n_factorizations
        choice = replace(choice, criterion=value, n_factorizations=spent)
        if says_nothing(choice, self.criterion):
            warn_of_nothing(choice, tried_again=False)
            return choice
        choice = replace(choice, at_limits=pressed_limits(objective, best.point, limits))
        warn_at_limits(choice, objective)
        return choice
