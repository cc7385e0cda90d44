"""Machines on many landmarks: conjugate gradients against the direct solution."""

import numpy as np
import pytest

from kernelwise.kernels import Gaussian, Laplacian
from kernelwise.machines import Nystrom
from kernelwise.scale import RowBlocks, conjugate_gradients, landmark_fit
from kernelwise.scale.conjugate_gradients import LandmarkSystems, Preconditioner, solved
from kernelwise.scale.folds import FoldedTargets, hashed_folds
from kernelwise.solutions import Targets

random = np.random.default_rng(0)
X = random.uniform(-1, 1, size=(3000, 3))
SIGNAL = np.sin(3 * X[:, 0]) + X[:, 1] ** 2
Y = np.column_stack([SIGNAL, X[:, 2]]) + 0.1 * random.normal(size=(3000, 2))
WEIGHTS = random.uniform(0.5, 2.0, 3000)
TARGETS = FoldedTargets.of(Targets.plain(Y, WEIGHTS), hashed_folds(3000, 3, 0))
LAM = 1e-3 * WEIGHTS.sum()


@pytest.mark.parametrize("kernel", [Gaussian(0.8), Laplacian(3.0), Gaussian(100.0)], ids=repr)
def test_they_are_the_direct_solution(kernel, monkeypatch):
    machine = Nystrom(X[:150], LAM)
    rows = RowBlocks(X, TARGETS)
    direct = landmark_fit.fitted_on_landmarks(kernel, machine, rows, choose_regularization=False)
    monkeypatch.setattr(landmark_fit, "MOST_DIRECT", 100)
    monkeypatch.setattr(conjugate_gradients, "ENOUGH", 1e-4)
    found = landmark_fit.fitted_on_landmarks(kernel, machine, rows)
    assert found.solution is None and 2 < found.n_passes < 14
    assert found.without.keys() == direct.without.keys() == {0, 1, 2}
    gram = kernel(X, X[:150])
    pairs = [(found.expansion, direct.expansion)]
    pairs += [(found.without[k], direct.without[k]) for k in range(3)]
    for own, expected in pairs:
        outputs = gram @ own.coef + own.intercept
        np.testing.assert_allclose(outputs, gram @ expected.coef + expected.intercept, atol=5e-3)
    if kernel.length_scale < 50:
        apart = gram @ (direct.without[0].coef - direct.expansion.coef)
        assert np.abs(apart).max() > 0.02, "leaving out a fold is felt"
    np.testing.assert_allclose(found.misfit, direct.misfit, rtol=1e-2)
    # Landmarks stand for all rows, as whose neighbors they see too much.
    assert 0.9 * direct.freedom < found.freedom < 1.6 * direct.freedom


def test_a_step_is_a_product_with_the_centered_sums():
    kernel, machine = Gaussian(0.8), Nystrom(X[:40], LAM)
    systems = LandmarkSystems(kernel, machine, RowBlocks(X, TARGETS))
    directions = random.normal(size=(40, 4, 2))
    found = systems.products(directions)
    gram = kernel(X, X[:40])
    for number, left_out in enumerate(systems.left_out):
        weights = WEIGHTS * (TARGETS.fold != left_out)
        centered = gram - weights @ gram / weights.sum()
        products = centered.T @ (weights[:, None] * centered)
        np.testing.assert_allclose(found[:, number], products @ directions[:, number], rtol=1e-8)
        y = Y - weights @ Y / weights.sum()
        np.testing.assert_allclose(
            systems.cross[:, number], centered.T @ (weights[:, None] * y), rtol=1e-6, atol=1e-8
        )


def test_the_preconditioner_is_the_inverse_where_landmarks_are_all_rows():
    rows = X[:60]
    targets = FoldedTargets.of(Targets.plain(Y[:60]), np.arange(60) % 2)
    machine = Nystrom(rows, 0.05, jitter=1e-9)
    own = Laplacian(2.0)(rows)
    conditioner = Preconditioner(machine, own, 60.0)
    centered = own - own.mean(axis=0)
    normal = centered.T @ centered + machine.regularization * own
    white = conditioner.back(normal @ conditioner.out(np.eye(60)))
    np.testing.assert_allclose(white, np.eye(60), atol=1e-5)
    own_white = conditioner.back(own @ conditioner.out(np.eye(60)))
    np.testing.assert_allclose(conditioner.ridge(np.eye(60)), own_white, atol=1e-6)
    assert len(solved(LandmarkSystems(Laplacian(2.0), machine, RowBlocks(rows, targets)))) == 3
