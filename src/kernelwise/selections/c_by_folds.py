"""Choose the regularization alone, on a grid, by the held-out errors of the folds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kernelwise.criteria import HeldOutErrors, HeldOutHinge
from kernelwise.machines import Folded
from kernelwise.objective import evaluated, gram_blocks
from kernelwise.searchers import SearchTrace
from kernelwise.selections.base import Choice, Problem, Selection
from kernelwise.selections.optima import fitted
from kernelwise.selections.starts import centered_size

# In units of the inverse of the size of the centered Gram matrix, which is below 1 for a Gaussian.
DECADES = np.logspace(-3, 3, 7)


class CByFolds(Selection):
    """The C of fewest held-out errors among seven decades; a tie goes to the least hinge loss.

    The kernel stays as it is. Cost: one Gram matrix, and seven solutions for each fold.
    """

    def __call__(self, problem: Problem) -> Choice:
        kernel, machine = problem.kernel, problem.machine
        ways = gram_blocks(kernel, machine, problem.X)
        size = centered_size(ways[0].gram)
        folded = Folded(machine, problem.folds).fresh()
        trace, judged, spent = SearchTrace(reason="the whole grid of C was tried"), [], 0
        for decade in DECADES:
            values = np.clip(machine.at_ridge(size, decade).values, *machine.value_limits.T)
            found = evaluated(kernel, folded.with_values(values), problem.X, problem.targets, ways)
            problem.on_evaluation()
            spent += found.solution.n_factorizations
            wrong, hinge = (c(found.solution)[0] for c in (HeldOutErrors(), HeldOutHinge()))
            judged.append((wrong, hinge, float(values[0])))
            trace.points.append(np.append(kernel.theta, np.log(values)))
        trace.values = [wrong for wrong, _, _ in judged]
        trace.gradient_norms, trace.seconds = [np.nan] * len(judged), [0.0] * len(judged)
        wrong, _, C = min(judged)
        choice = fitted(problem, kernel, machine.with_values(np.array([C])), wrong, trace)
        return replace(choice, n_factorizations=spent + choice.n_factorizations)
