"""The machine on landmarks for all rows and for all but each fold, in one pass or a few."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from kernelwise.criteria import GeneralizedCrossValidation
from kernelwise.kernels.base import Kernel
from kernelwise.machines.nystrom import Nystrom
from kernelwise.scale.conjugate_gradients import LandmarkSystems, solved
from kernelwise.scale.entries import Entries
from kernelwise.scale.folds import FoldedTargets, FoldSums
from kernelwise.scale.row_blocks import BlockedRows
from kernelwise.solutions import Expansion, NystromSolution, Targets, regularization_path

# More landmarks than this are solved for by conjugate gradients: sums over rows would cost more.
MOST_DIRECT = 2500
# Generalized cross-validation that is higher by no more than this share of the least is as good.
HARDLY_MORE = 5e-4
# A share of the weight below this is a rounding error.
LEAST_WEIGHT = 1e-10
# Regularizations that are tried, per unit of weight; below the first, rounding decides.
PER_WEIGHT = np.logspace(-9, 1, 61)


@dataclass(frozen=True)
class LandmarkFit:
    """A machine on landmarks.

    Attributes
    ----------
    kernel, machine : what was fitted
    entries : the kernel's values to the landmarks
    solution : its record; None if it came by conjugate gradients
    expansion : what predicts
    without : the same without each fold, at the same kernel
    freedom : effective parameters of each target
    misfit : ``sum w (y - mean)(y - f)`` of each target, twice the least value of what is minimized
    weight : of all rows
    n_passes : how often all rows were looked at
    """

    kernel: Kernel
    machine: Nystrom
    entries: Entries
    solution: NystromSolution | None
    expansion: Expansion
    without: dict[int, Expansion]
    freedom: float
    misfit: np.ndarray
    weight: float
    n_passes: int

    def held_out(self, rows: BlockedRows) -> np.ndarray:
        """Target minus output of each row by the machine without its fold, (rows, targets).

        Cost: a pass, with all machines side by side.
        """
        numbers = sorted(self.without)
        coef = np.stack([self.without[number].coef for number in numbers], axis=1)
        intercept = np.stack([self.without[number].intercept for number in numbers])

        def of_block(X: np.ndarray, targets: Targets) -> np.ndarray:
            assert isinstance(targets, FoldedTargets)
            gram, own = self.entries.gram(X), np.arange(len(X))
            outputs = (gram @ coef.reshape(len(coef), -1)).reshape(len(X), *intercept.shape)
            place = np.searchsorted(numbers, targets.fold)
            return targets.values - outputs[own, place] - intercept[place]

        return rows.collect(of_block)


def fitted_on_landmarks(
    kernel: Kernel, machine: Nystrom, rows: BlockedRows, choose_regularization: bool = True
) -> LandmarkFit:
    """Fit the machine to all rows, and to all but each fold.

    Parameters
    ----------
    kernel, machine : as chosen
    rows : with `FoldedTargets`
    choose_regularization : by generalized cross-validation, all values from one
        eigendecomposition; only up to `MOST_DIRECT` landmarks
    """
    if len(machine.landmarks) > MOST_DIRECT:
        return _by_conjugate_gradients(kernel, machine, rows)
    own = kernel(machine.landmarks)
    reference = machine.reference(own)
    entries = Entries.of(kernel, machine, own, rows.targets)

    def of_block(X: np.ndarray, targets: Targets) -> FoldSums:
        assert isinstance(targets, FoldedTargets)
        return FoldSums.of(entries, X, targets, reference)

    sums = rows.reduce(of_block)
    total = sums.total(rows.targets.within)
    solution = machine.from_statistics(total, own)
    if choose_regularization:
        machine = machine.with_values(np.array([best_regularization(solution)]))
    machine = machine.with_least_jitter(total, own)
    solution = machine.from_statistics(total, own)
    misfit = total.centered_squares - (solution.coef * total.centered_cross).sum(axis=0)
    return LandmarkFit(
        kernel=kernel,
        machine=machine,
        entries=entries,
        solution=solution,
        expansion=solution.expansion,
        without=without_folds(solution, sums),
        freedom=solution.freedom,
        misfit=misfit,
        weight=total.weight,
        n_passes=1,
    )


def without_folds(solution: NystromSolution, sums: FoldSums) -> dict[int, Expansion]:
    """What predicts without each fold, at the same regularization per unit of weight."""
    total, without = solution.statistics, {}
    for number, part in sorted(sums.parts.items()):
        rest = total - part
        if rest.weight < LEAST_WEIGHT * total.weight:
            without[number] = solution.expansion  # nobody is left to learn from
            continue
        lam = solution.regularization * rest.weight / total.weight
        without[number] = replace(solution, statistics=rest, regularization=lam).expansion
    return without


def best_regularization(solution: NystromSolution) -> float:
    """The largest of 61 regularizations with hardly more than the least cross-validation.

    Its optimum is flat: the smoother of two machines that are as good has smaller coefficients.
    """
    weight = solution.statistics.weight
    tried = np.maximum(PER_WEIGHT * weight, solution.least_regularization)
    path = regularization_path(solution, tried)
    values = np.array([GeneralizedCrossValidation()(found)[0] for found in path])
    # Of targets that are fitted perfectly, rounding may leave less than 0.
    enough = values.min() + HARDLY_MORE * abs(values.min())
    return path[int(np.flatnonzero(values <= enough)[-1])].regularization


def _by_conjugate_gradients(kernel: Kernel, machine: Nystrom, rows: BlockedRows) -> LandmarkFit:
    systems = LandmarkSystems(kernel, machine, rows)
    whole, *rest = solved(systems)
    without = dict(zip(map(int, systems.left_out[1:]), rest, strict=True))
    targets = rows.targets
    squares = targets.weights @ (targets.values - systems.mean_target[0]) ** 2 + targets.within
    return LandmarkFit(
        kernel=kernel,
        machine=machine,
        entries=systems.entries,
        solution=None,
        expansion=whole,
        without=without,
        freedom=systems.preconditioner.freedom,
        misfit=squares - (whole.coef * systems.cross[:, 0]).sum(axis=0),
        weight=float(systems.weight[0]),
        n_passes=systems.n_passes,
    )


def criterion_of(fit: LandmarkFit, held_out: np.ndarray, targets: Targets) -> float:
    """Generalized cross-validation; half the squares of held-out rows where it is not known."""
    if fit.solution is not None:
        return GeneralizedCrossValidation()(fit.solution)[0]
    return 0.5 * float((targets.weights @ held_out**2 + targets.within).sum())
