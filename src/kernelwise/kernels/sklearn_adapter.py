"""Any kernel of ``sklearn.gaussian_process`` as a kernelwise kernel."""

from __future__ import annotations

import copy

import numpy as np

from kernelwise.kernels.base import Kernel, RowGradients
from kernelwise.parameters import Parameter

# Elements of the (rows, rows, parameters) array requested from scikit-learn at a time.
TILE_ELEMENTS = 2**18
# Roles of scikit-learn's parameters; all others say how fast a kernel falls off.
ROLES = {"constant_value": "amplitude", "noise_level": "regularization"}


class FromSklearn(Kernel):
    """A scikit-learn Gaussian-process kernel; its free hyperparameters are the values.

    Length scales become weights ``1 / (2 l^2)``, so small values mean a smooth kernel here too.

    scikit-learn differentiates square Gram matrices only, as an (n, n, p) array. The way back asks
    for it in tiles of pairs of row blocks, so memory stays O(n^2) whatever p is; it costs about
    four evaluations of scikit-learn's gradient.
    """

    def __init__(self, kernel):
        self.kernel = kernel

    def _exchange(self, numbers: np.ndarray) -> np.ndarray:
        """Length scales as weights, other parameters unchanged."""
        return np.where(self._are_scales(), 0.5 / numbers**2, numbers)

    def _are_scales(self) -> np.ndarray:
        return np.array([name.split("[")[0].endswith("length_scale") for name in self._names()])

    @property
    def parameters(self) -> list[Parameter]:
        limits = np.exp(self.kernel.bounds).reshape(-1, 2)
        limits = np.sort(np.column_stack([self._exchange(side) for side in limits.T]), axis=1)
        values = self._exchange(np.exp(self.kernel.theta))
        roles = [
            ROLES.get(name.split("[")[0].rpartition("__")[2], "scale") for name in self._names()
        ]
        return [
            Parameter(name, value, (low, high), role, can_vanish=False)
            for name, value, (low, high), role in zip(
                self._names(), values, limits, roles, strict=True
            )
        ]

    def _names(self) -> list[str]:
        return [
            name if h.n_elements == 1 else f"{name}[{i}]"
            for h in self.kernel.hyperparameters
            if not h.fixed
            for name in [h.name]
            for i in range(h.n_elements)
        ]

    def with_values(self, values: np.ndarray) -> FromSklearn:
        other = copy.copy(self)
        values = np.asarray(values, float)
        natural = np.where(self._are_scales(), np.sqrt(0.5 / values), values)
        other.kernel = self.kernel.clone_with_theta(np.log(natural))
        return other

    def evaluate(
        self, A: np.ndarray, B: np.ndarray | None = None, up_to_constant: bool = False
    ) -> tuple[np.ndarray, RowGradients]:
        right = A if B is None else B

        def row_gradients(M: np.ndarray) -> np.ndarray:
            gradients = np.zeros((len(A), len(self.values)))
            for i in range(0, len(A), self._tile_size):
                for j in range(0, len(right), self._tile_size):
                    rows, columns = slice(i, i + self._tile_size), slice(j, j + self._tile_size)
                    tile = self._tile(A[rows], right[columns], B is None and i == j)
                    gradients[rows] += np.einsum("ij,ijp->ip", M[rows, columns], tile)
            return gradients * self._chain()

        return self.kernel(A) if B is None else self.kernel(A, B), row_gradients

    @property
    def _tile_size(self) -> int:
        return max(8, int(np.sqrt(TILE_ELEMENTS / 4 / max(len(self.values), 1))))

    def diagonal(self, A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        derivatives = np.empty((len(A), len(self.values)))
        for i in range(0, len(A), self._tile_size):
            rows = slice(i, i + self._tile_size)
            tile = self._tile(A[rows], A[rows], True)
            derivatives[rows] = np.einsum("iip->ip", tile)
        return self.kernel.diag(A), derivatives * self._chain()

    def _chain(self) -> np.ndarray:
        """From scikit-learn's logarithms to values: log weight = -2 log scale - log 2."""
        return np.where(self._are_scales(), -0.5, 1.0) / self.values

    def _tile(self, A: np.ndarray, B: np.ndarray, same: bool) -> np.ndarray:
        if same:
            return self.kernel(A, eval_gradient=True)[1]
        return self.kernel(np.vstack([A, B]), eval_gradient=True)[1][: len(A), len(A) :]

    def words(self) -> str:
        return " ".join(str(self.kernel).split())

    def __repr__(self) -> str:
        return f"FromSklearn({self.kernel!r})"
