"""A tied search that was done before is not done again."""

from dataclasses import replace

import numpy as np
import pytest

from kernelwise import LSSVMClassifier
from kernelwise.kernels import Gaussian, Laplacian
from kernelwise.machines import LeastSquares
from kernelwise.selections import FirstLevelSelection, Problem
from kernelwise.selections.starts import best_of_tied, searched_tied, tied_start
from kernelwise.solutions import Targets


@pytest.fixture(scope="module")
def problem():
    random = np.random.default_rng(3)
    X = random.standard_normal((70, 4))
    y = np.sign(X[:, 0] * X[:, 1] + 0.3 * random.standard_normal(70))
    return Problem(Gaussian(np.full(4, 2.0)), LeastSquares(1.0), X, Targets.plain(y))


def test_handing_on_the_tied_optimum_gives_the_same_choice_for_less_work(problem):
    tied = searched_tied(problem)
    known = replace(problem, tied=(tied.kernel.values, float(tied.machine.values[0])))
    slow, quick = FirstLevelSelection()(problem), FirstLevelSelection()(known)
    np.testing.assert_array_equal(slow.kernel.values, quick.kernel.values)
    np.testing.assert_array_equal(slow.held_out, quick.held_out)
    assert slow.n_factorizations == quick.n_factorizations + tied.n_factorizations


def test_one_value_counts_for_all_parameters(problem):
    known = replace(problem, tied=(np.array([0.3]), 0.7), factorizations_before=5)
    kernel, machine, spent = tied_start(known)
    np.testing.assert_array_equal(kernel.values, np.full(4, 0.3))
    assert (machine.values[0], spent) == (0.7, 5)


def test_the_best_of_several_kernels_comes_with_its_tied_optimum(problem):
    kernels = [Laplacian(np.full(4, 4.0)), problem.kernel]
    found = [searched_tied(replace(problem, kernel=kernel)) for kernel in kernels]
    number = int(np.argmin([tied.squares for tied in found]))
    best = best_of_tied(problem, kernels)
    assert best.kernel is kernels[number]
    kernel, machine, spent = tied_start(best)
    np.testing.assert_array_equal(kernel.values, found[number].kernel.values)
    assert machine.values[0] == found[number].machine.values[0]
    assert spent == sum(tied.n_factorizations for tied in found)


def test_a_mixed_kernel_is_searched_tied_only_once(problem):
    """The work is that of the kernel that was chosen, and of the other's tied search."""
    X, y = problem.X, problem.targets.values[:, 0]
    mixed = LSSVMClassifier("mixed", "first-level", honest=False).fit(X, y)
    name = "ard-laplacian" if isinstance(mixed.kernel_, Laplacian) else "ard"
    alone = LSSVMClassifier(name, "first-level", honest=False).fit(X, y)
    np.testing.assert_array_equal(mixed.kernel_.values, alone.kernel_.values)
    assert 35 < mixed.n_factorizations_ - alone.n_factorizations_ < 80
