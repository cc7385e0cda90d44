"""What a fitted model predicts: outputs with their variance, and kernel weights with intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack, solve_triangular
from scipy.special import log_ndtr

from kernelwise.kernels import Kernel
from kernelwise.linalg import cholesky, mirror_lower
from kernelwise.multikernel.variational.sweep import Model, State

# Elements of the Gram blocks of all kernels that are held at once (64 MB).
BLOCK_ELEMENTS = 2**23


@dataclass(frozen=True)
class Posterior:
    """The posterior that predicts, of L outputs with shared kernel weights.

    Attributes
    ----------
    coef : (N, L), mean weights of the rows
    coef_precisions : (N, L), their prior precisions
    squares : (N, N), ``sum_m K_m K_m``
    weights, weight_variances : (P,), kernel weights
    precision : (P, P), that of the kernel weights with the biases eliminated; lower triangle
    bias, bias_variances : (L,)
    crossing : (P, L), covariances of kernel weights and biases
    noise, spread : (L,), precisions of outputs and of intermediate outputs
    shares : (P,), each kernel's share in the variance of the outputs over the rows
    """

    coef: np.ndarray
    coef_precisions: np.ndarray
    squares: np.ndarray
    weights: np.ndarray
    weight_variances: np.ndarray
    precision: np.ndarray
    bias: np.ndarray
    bias_variances: np.ndarray
    crossing: np.ndarray
    noise: np.ndarray
    spread: np.ndarray
    shares: np.ndarray

    @classmethod
    def of(cls, model: Model, state: State) -> Posterior:
        """The posterior at a state.

        The share of kernel m is ``Var(e_m g_m) / sum_k Var(e_k g_k)`` over the rows, at the means
        of weights and intermediate outputs, summed over the outputs.
        """
        deviations = state.intermediate - state.intermediate.mean(axis=2, keepdims=True)
        sizes = state.weights**2 * (deviations**2).sum(axis=(0, 2))
        total = sizes.sum()
        P = len(sizes)
        return cls(
            coef=state.coef,
            coef_precisions=state.coef_precisions,
            squares=model.squares,
            weights=state.weights,
            weight_variances=state.weight_variances,
            precision=state.precision,
            bias=state.bias,
            bias_variances=state.bias_variances,
            crossing=state.crossing,
            noise=state.noise,
            spread=state.spread,
            shares=sizes / total if total > 0 else np.full(P, 1 / P),
        )

    def means(self, kernels: Sequence[Kernel], rows: np.ndarray, X: np.ndarray) -> np.ndarray:
        """Mean outputs of new rows, (rows, L); X are the rows of the fit."""
        outputs = np.tile(self.bias, (len(rows), 1))
        for kernel, weight in zip(kernels, self.weights, strict=True):
            outputs += weight * (kernel(rows, X) @ self.coef)
        return outputs

    def means_and_variances(
        self, kernels: Sequence[Kernel], rows: np.ndarray, X: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Means of ``sum_m e_m g_m + b`` at new rows and their variances, (rows, L) each.

        With ``K`` the (P, N) kernel values of a row, ``g = K a`` plus noise and ``E[ee'] = ee' +
        Q^-1``, the variance is ``tr(E[ee'] Cov g) + E[g]'Q^-1 E[g] + 2 Cov(e, b)'E[g] + Var b``,
        ``Cov g = K Cov(a) K' + I / spread``: all kernels share the weights of the rows, so their
        outputs are correlated. Cost per row: ``P^2 N + P N^2``.
        """
        lower = np.tril(lapack.dpotrf(self.precision, lower=1)[0])
        covariances = [self._row_covariance(o) for o in range(len(self.spread))]
        e_squares = self.weights @ self.weights + self.weight_variances.sum()
        means, variances = [], []
        for block in gram_blocks(kernels, rows, X):
            for values in block.transpose(1, 0, 2):  # (P, N) of one row
                whitened = solve_triangular(lower, values, lower=True, check_finite=False)
                combined = self.weights @ values
                second = whitened.T @ whitened + np.outer(combined, combined)  # K'E[ee']K
                own = whitened @ self.coef
                shift = 2 * np.einsum("po,po->o", self.crossing, values @ self.coef)
                spread_out = [np.einsum("ij,ij->", second, cov) for cov in covariances]
                variance = np.array(spread_out) + e_squares / self.spread
                variances.append(variance + (own**2).sum(axis=0) + shift + self.bias_variances)
                means.append(combined @ self.coef + self.bias)
        shape = len(rows), len(self.bias)
        return np.reshape(means, shape), np.reshape(variances, shape)

    def _row_covariance(self, output: int) -> np.ndarray:
        """``Cov a`` of an output."""
        matrix = self.spread[output] * self.squares
        diagonal = np.diagonal(matrix) + self.coef_precisions[:, output]
        np.fill_diagonal(matrix, diagonal)
        inverse, _ = lapack.dpotri(cholesky(matrix.T)[0], lower=1, overwrite_c=1)
        return mirror_lower(inverse)


def gram_blocks(kernels: Sequence[Kernel], rows: np.ndarray, X: np.ndarray) -> Iterator[np.ndarray]:
    """Kernel values of a few new rows at a time, (kernels, rows, N)."""
    height = max(1, BLOCK_ELEMENTS // (len(kernels) * len(X)))
    for first in range(0, len(rows), height):
        part = rows[first : first + height]
        yield np.stack([kernel(part, X) for kernel in kernels])


def label_log_odds(means: np.ndarray, variances: np.ndarray, margin: float) -> np.ndarray:
    """``log P(f > margin) - log P(f < -margin)`` for outputs f of these means and variances.

    ``f`` has the unit noise of outputs besides the variance of the combination. Positive where the
    mean is; a margin widens it.
    """
    deviation = np.sqrt(1 + variances)
    odds = log_ndtr((means - margin) / deviation) - log_ndtr((-means - margin) / deviation)
    # A tiny mean can round to even odds; the sign stays.
    return np.where(odds == 0, np.sign(means) * np.finfo(float).tiny, odds)
