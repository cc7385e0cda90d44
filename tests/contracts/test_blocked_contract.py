"""Every kernel over blocks of rows: as over all rows at once, and against finite differences."""

import numpy as np
import pytest
from contract_cases import KERNEL_IDS, kernel_case, targets
from finite_differences import assert_derivatives

from kernelwise.criteria import GeneralizedCrossValidation
from kernelwise.machines import Nystrom
from kernelwise.objective import Objective
from kernelwise.scale import BlockedObjective, RowBlocks, row_blocks


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(row_blocks, "ROWS_IN_BLOCK", 5)


@pytest.mark.parametrize(
    "kernel_id", [k for k in KERNEL_IDS if k[0] != "Precomputed"], ids="-".join
)
def test_the_gradient_of_gcv_in_every_kernel(kernel_id):
    case = kernel_case(*kernel_id)
    # Differences of a kernel of one dimension need more jitter than the gradient does.
    machine = Nystrom(case.rows[[0, 3, 7, 8, 10]], 0.3, jitter=1e-3)
    blocked = BlockedObjective(
        case.kernel, machine, GeneralizedCrossValidation(), RowBlocks(case.rows, targets())
    )
    found = blocked(blocked.point)
    whole = Objective(case.kernel, machine, GeneralizedCrossValidation(), case.rows, targets())
    np.testing.assert_allclose(found.gradient, whole(whole.point).gradient, rtol=1e-8, atol=1e-10)
    assert_derivatives(found.gradient, blocked.value, blocked.point, rtol=1e-6)
