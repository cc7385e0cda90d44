"""Choose C alone, on a grid, by the held-out errors of the folds."""

from __future__ import annotations

import numpy as np

from kernelwise.criteria import HeldOutErrors, HeldOutHinge
from kernelwise.machines import Folded, SupportVector
from kernelwise.objective import Objective
from kernelwise.searchers import SearchTrace
from kernelwise.selections.base import Choice, Problem, Selection
from kernelwise.selections.optima import fitted

# In units of the inverse of the size of the centred Gram matrix, which is below 1 for a Gaussian.
DECADES = np.logspace(-3, 3, 7)


class BoundByFolds(Selection):
    """The C of fewest held-out errors, among seven decades; of several the least hinge loss.

    The kernel stays as it is. Cost: seven solutions for each fold.
    """

    suits = SupportVector

    def __call__(self, problem: Problem) -> Choice:
        kernel, machine, errors = problem.kernel, problem.machine, HeldOutErrors()
        gram, _ = kernel.evaluate(problem.X)
        size = max(float(np.mean(np.diagonal(gram)) - gram.mean()), 1e-300)
        folded = Folded(machine, problem.folds)
        objective = Objective(kernel, folded, errors, problem.X, problem.targets)
        trace, judged = SearchTrace(reason="the whole grid of C was tried"), []
        for bound in np.clip(DECADES / size, *machine.value_bounds[0]):
            point = np.append(kernel.theta, np.log(bound))
            solution, _ = objective.solve(point)
            problem.on_evaluation()
            judged.append((errors(solution)[0], HeldOutHinge()(solution)[0], float(bound)))
            trace.points.append(point)
        count = len(judged)
        trace.values = [wrong for wrong, _, _ in judged]
        trace.gradient_norms, trace.seconds = [np.nan] * count, [0.0] * count
        wrong, _, bound = min(judged)
        machine = machine.with_values(np.array([bound]))
        solution, held_out, spent = fitted(problem, kernel, machine)
        spent += objective.n_factorizations
        return Choice(kernel, machine, solution, held_out, wrong, trace, spent)
