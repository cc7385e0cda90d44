"""Logistic regression on landmarks: weighted least squares, again and again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import expit

from kernelwise.machines.nystrom import Nystrom
from kernelwise.scale.folds import FoldedTargets, FoldSums
from kernelwise.scale.landmark_fit import MOST_DIRECT, LandmarkFit, without_folds
from kernelwise.scale.landmarks import drawn_rows
from kernelwise.scale.row_blocks import BlockedRows, RowBlocks
from kernelwise.solutions import Expansion, NystromSolution, Targets

# The curvature of the logistic loss at 0, in units of the squared one: so much less regularization
# is the same.
CURVATURE = 0.25
# Log odds are about twice the outputs of least squares for targets of -1 and +1.
LOG_ODDS = 2.0
# Weights below this would give targets without bounds to rows that are sure.
LEAST_CURVATURE = 1e-3
# Newton's method ends when it gains less than this share of the loss.
ENOUGH = 1e-4
MOST_STEPS = 12
# Of many more rows than these, so many are drawn to begin with.
FIRST_ROWS = 16_000


@dataclass(frozen=True)
class NewtonSums:
    """The loss at the current outputs, and the sums of the next least-squares problem."""

    loss: float
    folds: FoldSums

    def __add__(self, other: NewtonSums) -> NewtonSums:
        return NewtonSums(self.loss + other.loss, self.folds + other.folds)


def logistic_on_landmarks(
    fit: LandmarkFit, rows: BlockedRows, after_pass: Callable[[], None] = lambda: None
) -> LandmarkFit:
    """The same kernel and landmarks with the logistic loss: outputs are log odds.

    ``sum w log(1 + exp(-y f)) + regularization / 8 |f|^2`` for targets of -1 and +1, one column at
    a time, by Newton's method from the least-squares solution: each step is a least-squares problem
    with weights ``w p (1 - p)``, one pass. Machines without a fold take the last step without it.
    On 16,000 rows most of the steps are taken before all rows are looked at.

    Parameters
    ----------
    fit : least squares on at most `MOST_DIRECT` landmarks
    rows : with `FoldedTargets` of -1 and +1
    after_pass : called after each pass (for progress)
    """
    if len(fit.machine.landmarks) > MOST_DIRECT:
        raise ValueError(
            f"loss='logistic' is for at most {MOST_DIRECT} landmarks, not "
            f"{len(fit.machine.landmarks)}"
        )
    few = _first_rows(rows)
    found = []
    for column in range(rows.targets.values.shape[1]):
        newton = _Newton(fit, rows, column, after_pass)
        if few is not None:
            newton.best = _Newton(fit, few, column, after_pass).run().best
        found.append(newton.run())
    return replace(
        fit,
        expansion=_side_by_side([newton.best for newton in found]),
        without={
            number: _side_by_side([newton.without[number] for newton in found])
            for number in fit.without
        },
        freedom=float(np.mean([newton.freedom for newton in found])),
        n_passes=fit.n_passes + sum(newton.n_passes for newton in found),
    )


def _first_rows(rows: BlockedRows) -> RowBlocks | None:
    """Some of many rows; None of few."""
    if rows.n_rows < 2 * FIRST_ROWS:
        return None
    drawn = drawn_rows(rows.n_rows, FIRST_ROWS, seed=0)
    return RowBlocks(rows.take(drawn), rows.targets.take(drawn))


def _side_by_side(parts: list[Expansion]) -> Expansion:
    coef = np.hstack([part.coef for part in parts])
    return Expansion(coef, np.concatenate([part.intercept for part in parts]), parts[0].rows)


class _Newton:
    """Newton's method for one column of targets."""

    def __init__(
        self, fit: LandmarkFit, rows: BlockedRows, column: int, after_pass: Callable[[], None]
    ) -> None:
        self.fit, self.rows, self.column, self.after_pass = fit, rows, column, after_pass
        share = rows.targets.weights.sum() / fit.weight
        self.machine = Nystrom(
            fit.machine.landmarks,
            CURVATURE * share * fit.machine.regularization,
            fit.machine.jitter,
        )
        self.own = fit.kernel(fit.machine.landmarks)
        start = fit.expansion
        self.best = Expansion(
            LOG_ODDS * start.coef[:, [column]], LOG_ODDS * start.intercept[[column]], start.rows
        )
        self.n_passes, self.freedom = 0, fit.freedom

    def run(self) -> _Newton:
        here, lowest = self.best, np.inf
        for _ in range(MOST_STEPS):
            sums = self._pass(here)
            norm = float((here.coef * (self.own @ here.coef)).sum())
            value = sums.loss + self.machine.regularization / 2 * norm
            if not value < lowest:
                # Too far: half the way back to where it was better.
                here = _between(self.best, here)
                continue
            gain, lowest, self.best = lowest - value, value, here
            solution = self._step(sums.folds)
            if gain < ENOUGH * lowest:
                break
            here = solution.expansion
        return self

    def _step(self, folds: FoldSums) -> NystromSolution:
        total = folds.total(np.zeros(1))
        solution = self.machine.from_statistics(total, self.own)
        self.freedom = solution.freedom
        self.without = without_folds(solution, folds)
        return solution

    def _pass(self, here: Expansion) -> NewtonSums:
        reference, column, entries = self.machine.reference(self.own), self.column, self.fit.entries

        def of_block(X: np.ndarray, targets: Targets) -> NewtonSums:
            assert isinstance(targets, FoldedTargets)
            order = np.argsort(targets.fold, kind="stable")
            gram, sorted_targets = entries.gram(X[order]), targets.take(order)
            y, weights = sorted_targets.values[:, column], sorted_targets.weights
            outputs = (gram @ here.coef + here.intercept)[:, 0]
            loss = float(weights @ np.logaddexp(0, -y * outputs))
            working, curvature = newton_targets(y, outputs)
            values = Targets.plain(working, weights * curvature)
            moved = FoldedTargets.of(values, sorted_targets.fold)
            return NewtonSums(loss, FoldSums.of_sorted(gram, moved, reference))

        found = self.rows.reduce(of_block)
        self.n_passes += 1
        self.after_pass()
        return found


def newton_targets(y: np.ndarray, outputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Targets and weights of least squares whose solution is Newton's step of the logistic loss."""
    probability = expit(outputs)
    curvature = np.maximum(probability * (1 - probability), LEAST_CURVATURE)
    return outputs + ((y > 0) - probability) / curvature, curvature


def _between(near: Expansion, far: Expansion) -> Expansion:
    coef, intercept = (near.coef + far.coef) / 2, (near.intercept + far.intercept) / 2
    return Expansion(coef, intercept, near.rows)
