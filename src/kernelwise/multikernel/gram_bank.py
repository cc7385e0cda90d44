"""The Gram matrices of many kernels on the same rows, without ever holding them all."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import blas

from kernelwise.kernels import Kernel
from kernelwise.linalg import BLOCK_ELEMENTS, mirror_lower
from kernelwise.multikernel.factors import low_rank_factor

# Ranks are padded with zeros to one of these, so that equal ones are one array.
RANKS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)
# A factor of this many ranks per row costs as much to apply as the Gram matrix itself.
BREAK_EVEN = 0.5


@dataclass(frozen=True)
class FactorGroup:
    """Kernels of one padded rank: ``factors[i]' factors[i]`` is the Gram matrix ``numbers[i]``."""

    numbers: np.ndarray
    factors: np.ndarray  # (kernels, rank, rows)

    def chunks(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Numbers and factors of a few kernels, small enough to be read twice from the cache."""
        size = max(1, BLOCK_ELEMENTS // self.factors[0].size)
        for first in range(0, len(self.numbers), size):
            part = slice(first, first + size)
            yield self.numbers[part], self.factors[part]

    def stretched(self, scales: np.ndarray) -> np.ndarray:
        """All factors one below the other, each times its scale; kernels of scale 0 left out."""
        kept = scales != 0
        scaled = self.factors[kept] * scales[kept, None, None]
        return scaled.reshape(-1, self.factors.shape[2])


class GramBank:
    """``P`` Gram matrices ``K_m`` on the same ``N`` rows.

    A kernel of low rank (any kernel of one column, linear and polynomial kernels of few) is kept as
    a factor, found by lazy pivoted Cholesky; kernels of similar rank share one array. Only kernels
    of full rank hold their N x N matrix. Memory: ``N sum(rank)`` plus ``N^2`` for each of full
    rank; a pass over the bank costs twice that many operations.

    Parameters
    ----------
    kernels : the kernels, as they are
    X : the rows, (N, columns)
    low_rank : False keeps every Gram matrix whole
    """

    def __init__(self, kernels: Sequence[Kernel], X: np.ndarray, low_rank: bool = True):
        self.n_kernels, self.n_rows = len(kernels), len(X)
        most = int(BREAK_EVEN * len(X)) if low_rank else -1
        self.dense: dict[int, np.ndarray] = {}
        found: dict[int, dict[int, np.ndarray]] = {}
        for m, kernel in enumerate(kernels):
            factor = low_rank_factor(kernel, X, most) if most > 0 else None
            if factor is None:
                self.dense[m] = kernel(X)
            else:
                rank = next((r for r in RANKS if r >= len(factor)), len(factor))
                found.setdefault(rank, {})[m] = factor
        self.groups = [self._group(rank, found[rank]) for rank in sorted(found)]

    def _group(self, rank: int, members: dict[int, np.ndarray]) -> FactorGroup:
        factors = np.zeros((len(members), rank, self.n_rows))
        for place, factor in zip(factors, members.values(), strict=True):
            place[: len(factor)] = factor
        return FactorGroup(np.array(list(members)), factors)

    def take(self, rows: np.ndarray) -> GramBank:
        """The bank of some of the rows."""
        other = copy.copy(self)
        other.n_rows = len(rows)
        other.groups = [
            FactorGroup(group.numbers, group.factors[:, :, rows]) for group in self.groups
        ]
        other.dense = {m: gram[np.ix_(rows, rows)] for m, gram in self.dense.items()}
        return other

    @property
    def ranks(self) -> np.ndarray:
        """The padded rank of each kernel; N where the matrix is held."""
        ranks = np.full(self.n_kernels, self.n_rows)
        for group in self.groups:
            ranks[group.numbers] = group.factors.shape[1]
        return ranks

    @property
    def nbytes(self) -> int:
        """The memory that the bank holds."""
        return sum(g.factors.nbytes for g in self.groups) + sum(
            gram.nbytes for gram in self.dense.values()
        )

    def apply(self, coef: np.ndarray) -> np.ndarray:
        """``K_m coef`` of every kernel: (N, outputs) in, (outputs, P, N) out."""
        result = np.empty((coef.shape[1], self.n_kernels, self.n_rows))
        for group in self.groups:
            for numbers, factors in group.chunks():
                size, rank, n = factors.shape
                inner = (factors.reshape(-1, n) @ coef).reshape(size, rank, -1)
                # numpy multiplies quickly only what is contiguous.
                outputs = np.ascontiguousarray(inner.transpose(0, 2, 1)) @ factors
                for o in range(len(result)):
                    result[o, numbers] = outputs[:, o]
        for m, gram in self.dense.items():
            result[:, m] = symmetric_product(gram, coef.T)
        return result

    def combine(self, values: np.ndarray) -> np.ndarray:
        """``sum_m K_m values_m``: (outputs, P, N) in, (N, outputs) out."""
        result = np.zeros((len(values), self.n_rows))
        for group in self.groups:
            for numbers, factors in group.chunks():
                own = np.stack([one[numbers] for one in values], axis=2)
                inner = factors @ own
                flat = factors.reshape(-1, self.n_rows)
                result += inner.reshape(len(flat), -1).T @ flat
        for m, gram in self.dense.items():
            result += symmetric_product(gram, values[:, m])
        return result.T

    def quadratic(self, coef: np.ndarray) -> np.ndarray:
        """``sum_o coef_o' K_m coef_o`` of every kernel, (P,)."""
        result = np.empty(self.n_kernels)
        for group in self.groups:
            result[group.numbers] = ((group.factors @ coef) ** 2).sum(axis=(1, 2))
        for m, gram in self.dense.items():
            result[m] = np.einsum("no,no->", coef, gram @ coef)
        return result

    def weighted(self, weights: np.ndarray) -> np.ndarray:
        """``sum_m weights_m K_m``, weights of either sign. Cost: N^2 times the ranks used."""
        total = np.zeros((self.n_rows, self.n_rows), order="F")
        for group in self.groups:
            own = weights[group.numbers]
            for sign in (1.0, -1.0):
                rows = group.stretched(np.sqrt(np.maximum(sign * own, 0)))
                if len(rows):
                    total = blas.dsyrk(sign, rows, 1.0, total, trans=1, lower=1, overwrite_c=1)
        mirror_lower(total)
        for m, gram in self.dense.items():
            if weights[m]:
                total += weights[m] * gram
        return total

    def squares(self) -> np.ndarray:
        """``sum_m K_m K_m``, (N, N). Cost: N^2 times the ranks, N^3 for each of full rank."""
        total = np.zeros((self.n_rows, self.n_rows), order="F")
        for group in self.groups:
            inner = group.factors @ group.factors.transpose(0, 2, 1)
            values, vectors = np.linalg.eigh(inner)
            roots = vectors * np.sqrt(np.maximum(values, 0))[:, None]
            for first in range(0, len(roots), 64):
                part = slice(first, first + 64)
                rows = (roots[part].transpose(0, 2, 1) @ group.factors[part]).reshape(
                    -1, self.n_rows
                )
                total = blas.dsyrk(1.0, rows, 1.0, total, trans=1, lower=1, overwrite_c=1)
        for gram in self.dense.values():
            total = blas.dsyrk(1.0, gram, 1.0, total, lower=1, overwrite_c=1)
        return mirror_lower(total)

    def diagonals(self) -> np.ndarray:
        """The diagonal of every Gram matrix, (P, N)."""
        result = np.empty((self.n_kernels, self.n_rows))
        for group in self.groups:
            result[group.numbers] = np.einsum("krn,krn->kn", group.factors, group.factors)
        for m, gram in self.dense.items():
            result[m] = np.diagonal(gram)
        return result


def symmetric_product(gram: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """``rows @ gram``; a single row needs to read only half of the matrix."""
    if len(rows) > 1:
        return rows @ gram
    return blas.dsymv(1.0, gram.T, rows[0], lower=1)[None]
