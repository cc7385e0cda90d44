"""The kernels of a data set that has views, or matrices between its cases, of its own."""

import numpy as np

from kernelwise.data import NamedSet
from kernelwise.kernels import Kernel, Linear, Normalized, OnColumns
from kernelwise.multikernel import KernelStack


def own_kernels(named: NamedSet, X_train: np.ndarray) -> list[Kernel] | KernelStack | None:
    """One kernel per view or matrix; None for a plain table.

    The columns of a view are taken as the features of its kernel, which is linear, with unit
    diagonal: without that, the few rows of largest norm would decide. The scale of distances is
    that of the training rows.
    """
    if named.matrices is not None:
        return named.matrices.stack(X_train[:, 0].astype(int))
    return _of_views(named)


def definition_of_kernels(named: NamedSet) -> list[Kernel] | str | None:
    """What the kernels are, whatever the split; the matrices themselves count as data."""
    if named.matrices is not None:
        return "exp(-d / s)" if named.matrices.are_distances else "matrices of the set"
    return _of_views(named)


def _of_views(named: NamedSet) -> list[Kernel] | None:
    kernels: list[Kernel] = [
        OnColumns(Normalized(Linear()), columns.tolist()) for columns in named.views.values()
    ]
    return kernels or None
