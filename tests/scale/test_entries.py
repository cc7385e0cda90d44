"""Kernel values in single precision only where it does no harm."""

import numpy as np
import pytest

from kernelwise.kernels import Gaussian, Linear
from kernelwise.machines import Nystrom
from kernelwise.scale.entries import FEWEST_SINGLE, LEAST_SINGLE, Entries
from kernelwise.solutions import Targets

LANDMARKS = np.random.default_rng(0).normal(size=(20, 2))


@pytest.mark.parametrize(
    ("kernel", "rows", "per_weight", "kind"),
    [
        (Gaussian(1.0), FEWEST_SINGLE, LEAST_SINGLE, np.float32),
        (Gaussian(1.0), FEWEST_SINGLE - 1, LEAST_SINGLE, np.float64),
        (Gaussian(1.0), FEWEST_SINGLE, LEAST_SINGLE / 2, np.float64),
        (Gaussian(100.0), FEWEST_SINGLE, LEAST_SINGLE, np.float64),
        (Linear(1.0), FEWEST_SINGLE, LEAST_SINGLE, np.float64),
    ],
    ids=["varies", "few rows", "little regularization", "hardly varies", "not radial"],
)
def test_single_precision_is_for_many_rows_of_a_kernel_that_varies(kernel, rows, per_weight, kind):
    targets = Targets.plain(np.zeros(rows), np.full(rows, 2.0))
    machine = Nystrom(LANDMARKS, 1.000001 * per_weight * 2.0 * rows)
    entries = Entries.of(kernel, machine, kernel(LANDMARKS), targets)
    gram = entries.gram(LANDMARKS)
    assert gram.dtype == kind
    np.testing.assert_allclose(gram, kernel(LANDMARKS), rtol=1e-5, atol=1e-6)
