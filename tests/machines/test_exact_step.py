"""The squared hinge's line search: the step of least primal objective, full if it ends downhill."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from kernelwise.kernels import Gaussian
from kernelwise.machines.support_vector.dual_problem import DualProblem
from kernelwise.machines.support_vector.squared_hinge import exact_step


def problem_of(seed, C=10.0, n=20):
    random = np.random.default_rng(seed)
    gram = Gaussian(1.0)(random.normal(size=(n, 2)))
    y = np.where(random.uniform(size=n) < 0.5, -1.0, 1.0)
    weights = random.uniform(0.5, 2.0, n)
    return DualProblem(gram, y, np.full(n, np.inf), 1 / (C * weights), weights, True), random


@pytest.mark.parametrize("reach", [0.3, 3.0])
def test_it_is_the_minimum_on_the_way(reach):
    """From nothing toward coefficients that go too far, or not far enough."""
    steps = []
    for seed in range(10):
        problem, random = problem_of(seed)
        states = []
        for coef in (np.zeros(20), reach * problem.y * random.uniform(0, 1, 20)):
            intercept = 0.1 * len(states)
            states.append((coef, intercept, problem.gram @ coef + intercept))

        def primal(step, problem=problem, states=states):
            coef, intercept, _ = (a + step * (b - a) for a, b in zip(*states, strict=True))
            slack = 1 - problem.y * (problem.gram @ coef + intercept)
            losses = 0.5 * np.maximum(slack, 0) ** 2 / problem.ridge
            return 0.5 * coef @ problem.gram @ coef + losses.sum()

        best = minimize_scalar(primal, bounds=(0, 1), method="bounded", options={"xatol": 1e-9}).x
        steps.append(exact_step(problem, *states))
        assert steps[-1] == pytest.approx(best, abs=1e-6)
    assert min(steps) < 0.9 if reach > 1 else max(steps) > 0.999
