"""Aligned multiple kernels: the convex combination that is best aligned with the targets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from kernelwise.kernels import Kernel
from kernelwise.machines.no_machine import ROUNDING, centered_values, largest
from kernelwise.multikernel.stack import check_square
from kernelwise.solutions import Targets

# Blocks of rows of all Gram matrices together: about this many elements (32 MB), and at least this
# many rows, because each kernel prepares the table again for every block.
STACK_ELEMENTS = 2**22
FEWEST_ROWS = 16

# rows -> those rows of each Gram matrix, one kernel after the other
RowsOfGrams = Callable[[slice], Iterable[np.ndarray]]


@dataclass(frozen=True)
class AlignedKernels:
    """The best aligned convex combination of kernels.

    ``weights`` are those of the kernels as given, not negative, with sum 1. ``alignments`` are
    those of each kernel alone, ``alignment`` is the combination's: cosines between a Gram matrix
    and the ideal one (1: the same up to a factor).
    """

    weights: np.ndarray
    alignments: np.ndarray
    alignment: float


def aligned_weights(
    kernels: Sequence[Kernel], X: np.ndarray, targets: Targets, centered: bool = True
) -> AlignedKernels:
    """The convex combination of kernels whose Gram matrix is most aligned with the targets.

    Maximizes ``<K, Y> / (|K| |Y|)`` over ``K = sum_k weights_k K_k``, ``weights >= 0``, with ``Y =
    values values'`` and the inner product ``<A, B> = sum_ij w_i w_j A_ij B_ij``, so a row of
    weight 2 is a repeated row; Gram matrices and targets are centered unless ``centered`` is False.
    With each ``K_k`` at norm 1, ``M_kl = <K_k, K_l>`` and ``a_k = <K_k, Y> / |Y|`` the direction is
    that of ``min v'Mv - 2 v'a, v >= 0``.

    A kernel that is constant on the rows gets no weight. If nothing is aligned with the targets
    (they are constant, or all kernels are), all weights are equal and the alignment is 0.

    Cost: each Gram matrix once, in blocks of rows, and P^2 n^2 / 2 for P kernels; memory one block
    of rows of all kernels, never a Gram matrix.

    References
    ----------
    Cortes, Mohri & Rostamizadeh (2012), JMLR 13; Pérez-Ortiz et al., multi-scale alignment, AMKL.
    """
    if not len(kernels) or not all(isinstance(kernel, Kernel) for kernel in kernels):
        raise ValueError(f"kernels must be at least one kernelwise kernel, got {kernels!r}")
    _check_targets(targets)
    X = np.asarray(X, float)
    if X.ndim != 2 or len(X) != len(targets.values):
        raise ValueError(
            f"X must be a table with one row per target: its shape is {np.shape(X)}, there are "
            f"{len(targets.values)} targets"
        )
    if not np.isfinite(X).all():
        raise ValueError("X has missing or infinite values: fill them in, or drop their rows")

    def rows_of_grams(rows: slice) -> Iterable[np.ndarray]:
        return (kernel.evaluate(X[rows], X, centered)[0] for kernel in kernels)

    return _aligned(rows_of_grams, len(kernels), targets, centered)


def aligned_gram_weights(
    grams: np.ndarray | Sequence[np.ndarray], targets: Targets, centered: bool = True
) -> AlignedKernels:
    """`aligned_weights` for given Gram matrices: (kernels, rows, rows), or a list.

    They are read twice (checked first) in blocks of rows, so they may be ``numpy.memmap``.
    """
    _check_targets(targets)
    if not len(grams):
        raise ValueError("there must be at least one Gram matrix, got none")
    for k, gram in enumerate(grams):
        check_square(gram, len(targets.values), f"Gram matrix {k}", unit="target")

    def rows_of_grams(rows: slice) -> Iterable[np.ndarray]:
        return (gram[rows] for gram in grams)

    return _aligned(rows_of_grams, len(grams), targets, centered)


def _check_targets(targets: Targets) -> None:
    if not isinstance(targets, Targets):
        raise ValueError(
            "targets must be a kernelwise.solutions.Targets, such as Targets.plain(y) with y of -1 "
            f"and +1 or of numbers, got {type(targets).__name__}; KernelAligner takes y as it is"
        )


def _aligned(
    rows_of_grams: RowsOfGrams, n_kernels: int, targets: Targets, centered: bool
) -> AlignedKernels:
    weights = targets.weights
    factor = centered_values(targets) if centered else targets.values
    ideal = float(np.linalg.norm(factor.T @ (weights[:, None] * factor)))
    found = _InnerProducts(n_kernels, weights, factor, centered)
    for rows in found.blocks():
        found.add(rows, rows_of_grams(rows))
    products, overlaps = found.totals()
    if not np.isfinite(products).all():
        first = np.flatnonzero(~np.isfinite(np.diagonal(products)))[0]
        raise ValueError(
            f"kernel {first} has values on these rows that are not finite, or too large to square"
        )
    norms = np.sqrt(np.maximum(np.diagonal(products), 0))
    varies = norms > ROUNDING * weights.sum() * found.largest
    alignments, mix = np.zeros(n_kernels), np.zeros(n_kernels)
    if ideal > 0 and varies.any():
        norms = norms[varies]
        cosines = products[np.ix_(varies, varies)] / np.outer(norms, norms)
        alignments[varies] = overlaps[varies] / (norms * ideal)
        direction = nearest_nonnegative(cosines, alignments[varies])
        mix[varies] = direction / norms
    if not mix.any():
        return AlignedKernels(np.full(n_kernels, 1 / n_kernels), alignments, 0.0)
    size = np.sqrt(direction @ cosines @ direction)
    alignment = float(direction @ alignments[varies] / size)
    return AlignedKernels(mix / mix.sum(), alignments, alignment)


class _InnerProducts:
    """``<K_k, K_l>`` and ``<K_k, factor factor'>`` of Gram matrices that come in blocks of rows.

    Centering: each row loses its mean at once, and each column its mean over the first block; what
    is left of the column means is taken out of the products at the end. It is small by then, so an
    almost constant kernel keeps its digits although no Gram matrix is read twice.
    """

    def __init__(self, n_kernels: int, weights: np.ndarray, factor: np.ndarray, centered: bool):
        self.weights, self.centered = weights, centered
        self.share, self.root = weights / weights.sum(), np.sqrt(weights)
        self.factor = weights[:, None] * factor
        self.products = np.zeros((n_kernels, n_kernels))
        self.overlaps, self.largest = np.zeros(n_kernels), np.zeros(n_kernels)
        self.column_means = np.zeros((n_kernels, len(weights)))
        self.shift: np.ndarray | None = None
        n = len(weights)
        self.height = min(n, max(FEWEST_ROWS, STACK_ELEMENTS // (n_kernels * n)))
        # Reused for every block: to allocate it costs more than the work done in it.
        self.memory = np.empty(n_kernels * self.height * n)

    def blocks(self) -> Iterator[slice]:
        n = len(self.weights)
        return (slice(i, min(i + self.height, n)) for i in range(0, n, self.height))

    def add(self, rows: slice, blocks: Iterable[np.ndarray]) -> None:
        """Add the same rows of every Gram matrix."""
        shape = len(self.products), rows.stop - rows.start, len(self.weights)
        stack = self.memory[: np.prod(shape)].reshape(shape)
        for k, block in enumerate(blocks):
            stack[k] = block
            self.largest[k] = np.maximum(self.largest[k], largest(stack[k]))
        if self.centered:
            stack -= (stack @ self.share)[..., None]
            if self.shift is None:
                self.shift = stack.mean(axis=1, keepdims=True)
            stack -= self.shift
            self.column_means += self.share[rows] @ stack
        self.overlaps += np.einsum("kiq,iq->k", stack @ self.factor, self.factor[rows])
        stack *= self.root
        stack *= self.root[rows, None]
        flat = stack.reshape(len(stack), -1)
        self.products += flat @ flat.T

    def totals(self) -> tuple[np.ndarray, np.ndarray]:
        """All products between the Gram matrices, and of each with the ideal one."""
        means = self.root * self.column_means
        return self.products - self.weights.sum() * (means @ means.T), self.overlaps


def nearest_nonnegative(products: np.ndarray, overlaps: np.ndarray) -> np.ndarray:
    """``min v'Mv - 2 v'a, v >= 0``, for ``M`` with unit diagonal.

    Solved as ``|R v - b|^2`` with ``R'R = M``, ``R'b = a``, by the active sets of Lawson & Hanson.
    The rounding error of M's eigenvalues is added to all of them, so kernels may be equal or
    linearly dependent; leaving out the small ones would lose the part of ``a`` that lies there.
    """
    values, vectors = np.linalg.eigh(products)
    roots = np.sqrt(np.maximum(values, 0) + len(values) * np.finfo(float).eps)
    return nnls(roots[:, None] * vectors.T, vectors.T @ overlaps / roots)[0]
