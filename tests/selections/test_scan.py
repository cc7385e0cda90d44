"""The coarse scan before a search: the best of all that it tries, counted."""

from dataclasses import replace

import numpy as np
import pytest
from test_support_vector_selection import problem_of

from kernelwise.criteria import LaplaceEvidence, LeaveOneOut
from kernelwise.kernels import Gaussian
from kernelwise.machines import LeastSquares, SupportVector
from kernelwise.selections import MinimizeCriterion, Scan
from kernelwise.selections.starts import RELATIVE_RIDGES, SCALES, scan


@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_least_of_its_grid(seed):
    problem = problem_of(seed)
    scale, ridge, count = scan(problem)
    tried = {}
    for factor in SCALES:
        gram = problem.kernel.with_values(factor * problem.kernel.values)(problem.X)
        size = np.trace(gram) / len(gram) - gram.mean()
        for relative in RELATIVE_RIDGES:
            solution = LeastSquares(relative * size).solve([gram], problem.targets)
            tried[factor, relative * size] = LeaveOneOut()(solution)[0]
    found = min(tried, key=tried.get)
    assert (scale, ridge) == pytest.approx(found) and count == len(tried) == 35
    assert found != list(tried)[-1], "this test could not fail"


class Backwards(SupportVector):
    start_factors = SupportVector.start_factors[::-1]


@pytest.mark.parametrize("seed", range(3))
def test_the_best_of_a_few_C_is_where_support_vectors_begin(seed):
    """Whichever is tried last; no other of them has a lower criterion."""
    selection = MinimizeCriterion(LaplaceEvidence(0.0))
    problem = problem_of(seed, bias=False, kernel=Gaussian(1.0))
    machines = (kind(1.0, "squared_hinge") for kind in (SupportVector, Backwards))
    found = [
        Scan()._from_least_squares(replace(problem, machine=machine), selection)
        for machine in machines
    ]
    one, other = (float(objective.machine.values[0]) for objective in found)
    assert one == other
    least = found[0].value(found[0].point)
    for factor in (0.1, 10.0):
        moved = np.append(found[0].point[:-1], np.log(factor * one))
        assert found[0].value(moved) > least
