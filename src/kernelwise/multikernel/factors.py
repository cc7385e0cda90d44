"""Low-rank factors of Gram matrices, from a few of their columns."""

from __future__ import annotations

import numpy as np
from scipy.linalg import lapack, solve_triangular

from kernelwise.kernels import Kernel

# A Gram matrix is given up to this share of its largest diagonal entry.
TOLERANCE = 1e-13
# Columns that are computed at once: one at a time costs more calls than work.
COLUMNS = 12
# Up to this many rows, the whole Gram matrix costs less than the calls for parts of it.
WHOLE_ROWS = 300
# A pivot far smaller than what is left elsewhere would magnify rounding there.
SMALLEST_PIVOT = 1e-3


def low_rank_factor(
    kernel: Kernel, X: np.ndarray, most: int, tolerance: float = TOLERANCE
) -> np.ndarray | None:
    """``T`` of shape (rank, rows) with ``T'T`` the Gram matrix; None if the rank exceeds ``most``.

    Pivoted Cholesky, lazily: rounds of a few columns among the rows that are not yet explained, of
    which only those that add something become pivots. The Gram matrix itself is never formed,
    except of few rows (``WHOLE_ROWS``), where LAPACK factorizes it in one call. What is left of it
    has no entry above ``tolerance`` times the largest diagonal entry, because what is left is
    positive semi-definite. Cost: ``rows * rank`` kernel values and ``rows * rank^2``.

    References
    ----------
    Fine & Scheinberg (2001), JMLR 2; Bach & Jordan (2002), JMLR 3.
    """
    if len(X) <= WHOLE_ROWS:
        return _whole_factor(kernel(X), most, tolerance)
    left = kernel.diagonal(X)[0].astype(float)
    enough = tolerance * left.max()
    factor = np.empty((0, len(X)))
    while left.max() > enough:
        chosen = spread_candidates(left, enough)
        columns = kernel.evaluate(X[chosen], X)[0] - factor[:, chosen].T @ factor
        added, pivots = _explained(columns, chosen, max(enough, SMALLEST_PIVOT * left.max()))
        factor = np.vstack([factor, added])
        if len(factor) > most:
            return None
        left = np.maximum(left - np.einsum("rn,rn->n", added, added), 0.0)
        # Candidates that added nothing had only rounding left.
        left[pivots if len(pivots) else chosen] = 0.0
    return _shortest(factor, enough)


def _whole_factor(gram: np.ndarray, most: int, tolerance: float) -> np.ndarray | None:
    enough = tolerance * float(np.diagonal(gram).max())
    if enough <= 0:
        return np.empty((0, len(gram)))
    lower, order, rank, _ = lapack.dpstrf(gram, tol=enough, lower=1)
    if rank > most:
        return None
    factor = np.empty((rank, len(gram)))
    factor[:, order - 1] = np.tril(lower[:, :rank]).T
    return _shortest(factor, enough)


def spread_candidates(left: np.ndarray, enough: float) -> np.ndarray:
    """The row with most left to explain, and others spread over those above the tolerance."""
    open_rows = np.flatnonzero(left > enough)
    spread = open_rows[np.linspace(0, len(open_rows) - 1, min(len(open_rows), COLUMNS)).astype(int)]
    return np.unique(np.append(spread, left.argmax()))


def _explained(
    columns: np.ndarray, chosen: np.ndarray, enough: float
) -> tuple[np.ndarray, np.ndarray]:
    """Rows to add to the factor, and the pivots among the candidates they come from."""
    corner = columns[:, chosen]
    lower, order, rank, _ = lapack.dpstrf((corner + corner.T) / 2, tol=enough, lower=1)
    order = order[:rank] - 1
    added = solve_triangular(
        np.tril(lower[:rank, :rank]), columns[order], lower=True, check_finite=False
    )
    return added, chosen[order]


def _shortest(factor: np.ndarray, enough: float) -> np.ndarray:
    """The same ``T'T`` with as few rows as the tolerance allows, by the eigenvectors of ``TT'``."""
    if not len(factor):
        return factor
    values, vectors = np.linalg.eigh(factor @ factor.T)
    return vectors[:, values > enough].T @ factor
