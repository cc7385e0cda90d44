"""No machine: its way back is the transpose of centering, for any gradient."""

import numpy as np

from kernelwise.kernels import Gaussian
from kernelwise.machines import NoMachine
from kernelwise.solutions import Targets


def test_the_way_back_is_the_transpose_of_centering():
    """Alignment has gradients whose rows sum to 0, which hide half of it."""
    random = np.random.default_rng(0)
    X, weights = random.normal(size=(9, 2)), random.uniform(0.5, 3.0, 9)
    targets = Targets.plain(random.normal(size=9), weights)
    gram, move = Gaussian(1.0)(X), random.normal(size=(9, 9))
    gradient = random.normal(size=(9, 9))
    move, gradient = move + move.T, gradient + gradient.T
    moved, still = (NoMachine().solve([one], targets).gram for one in (gram + move, gram))
    (back,), _ = (
        NoMachine().solve([gram], targets).pullback(NoMachine.gives.gradient(gram=gradient.copy()))
    )
    np.testing.assert_allclose((back * move).sum(), (gradient * (moved - still)).sum(), rtol=1e-10)
