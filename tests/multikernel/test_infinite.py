"""Infinite kernel learning: slopes of the pull, no kernel left that is worth its price."""

import numpy as np
import pytest

from kernelwise.multikernel.infinite import (
    FAMILIES,
    WORTH,
    InfiniteProblem,
    KernelGenerator,
    infinite_weights,
)
from kernelwise.solutions import Targets

NONE = np.empty(0, int)


def draw(seed=0, n=50):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 3))
    return X, np.sign(np.sin(3 * X[:, 0]) + 0.5 * X[:, 1] + 0.3 * random.normal(size=n))


def pull_of(kernel, X, coef):
    return float(coef @ kernel(X) @ coef) / (2 * len(X))


@pytest.mark.parametrize("dissimilarity", ["squared", "absolute"])
@pytest.mark.parametrize("family", FAMILIES)
def test_at_the_end_no_kernel_is_worth_its_price(family, dissimilarity):
    X, y = draw()
    generator = KernelGenerator(family, dissimilarity, X, NONE)
    found = infinite_weights(generator, X, Targets.plain(y), price=0.02)
    assert found.complete
    pulls = np.array([pull_of(k, X, found.best.solution.coef[:, 0]) for k in found.kernels])
    used = found.best.weights > 0
    np.testing.assert_allclose(pulls[used], 0.02, rtol=1e-5)
    assert pulls.max() < 0.02 * (1 + 1e-5)
    # Kernels that no search started from.
    for scale in np.geomspace(0.01, 100, 60):
        kernel = generator.tied[-1].with_values(generator.tied[-1].values * scale)
        assert pull_of(kernel, X, found.best.solution.coef[:, 0]) < 0.02 * (1 + 2 * WORTH)


def test_the_strongest_kernel_is_at_a_maximum_of_the_pull():
    X, y = draw(1)
    generator = KernelGenerator("product", "absolute", X, NONE)
    coef = (y - y.mean())[:, None]
    pull, kernel = generator.strongest(coef, len(X), None)
    assert pull == pytest.approx(pull_of(kernel, X, coef[:, 0]))
    for r in range(3):
        for factor in (0.5, 2.0):
            values = kernel.values.copy()
            values[r] *= factor
            assert pull_of(kernel.with_values(values), X, coef[:, 0]) < pull * (1 + 1e-4)


def test_more_kernels_never_raise_the_objective():
    X, y = draw(2)
    generator = KernelGenerator("product", "squared", X, NONE)
    problem = InfiniteProblem(generator, X, Targets.plain(y))
    objectives, weights = [], None
    for _ in range(4):
        found, complete = problem.weights_at(0.01, weights, rounds=1)
        objectives.append(found.objective)
        weights = found.weights
        if complete:
            break
    assert len(objectives) > 1
    assert (np.diff(objectives) <= 1e-9).all()


def test_families_hold_each_other():
    """A scale per column is at least as good as one scale, and so are further kernels."""
    X, y = draw(3)
    lowest = {
        family: infinite_weights(
            KernelGenerator(family, "absolute", X, NONE), X, Targets.plain(y), price=0.02
        ).best.objective
        for family in FAMILIES
    }
    assert lowest["product"] < lowest["single"] and lowest["separate"] <= lowest["single"] + 1e-6


@pytest.mark.parametrize("family", FAMILIES)
def test_categorical_columns_are_compared_by_equality(family):
    X, _ = draw(4)
    X[:, 1] = np.random.default_rng(0).integers(0, 3, size=len(X))
    y = np.where(X[:, 1] == 1, 1.0, -1.0)
    recoded = X.copy()
    recoded[:, 1] = np.array([5.0, -7.0, 0.5])[X[:, 1].astype(int)]
    found = [
        infinite_weights(
            KernelGenerator(family, "squared", rows, np.array([1])), rows, Targets.plain(y), 0.05
        )
        for rows in (X, recoded)
    ]
    assert found[0].best.objective == pytest.approx(found[1].best.objective, rel=1e-6)


def test_the_price_of_least_held_out_loss():
    X, y = draw(5)
    generator = KernelGenerator("single", "squared", X, NONE)
    found = infinite_weights(generator, X, Targets.plain(y))
    assert found.best.price == found.prices[found.losses.index(min(found.losses))]
    assert len(found.prices) == len(found.losses) == len(found.seconds)
