"""Matrices between the cases of a set, which has no columns of its own."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from kernelwise.multikernel import KernelStack


@dataclass(frozen=True, eq=False)
class CaseMatrices:
    """Distances or kernels between all cases of a set, by name."""

    by_name: Mapping[str, np.ndarray]
    are_distances: bool

    def __post_init__(self) -> None:
        for matrix in self.by_name.values():
            matrix.flags.writeable = False

    def stack(self, training: np.ndarray) -> KernelStack:
        """The kernels, distances ``d`` as ``exp(-d / s)`` with ``s`` their mean among the training
        cases; negative eigenvalues, which measured distances can cause, are set to 0.

        Parameters
        ----------
        training : numbers of the training cases

        References
        ----------
        Gönen (2012), Bayesian efficient multiple kernel learning, section 6.2.2.
        """
        matrices, names = list(self.by_name.values()), list(self.by_name)
        if self.are_distances:
            return KernelStack.from_distances(matrices, training, names, clip=True)
        return KernelStack(matrices, names, clip=True)
