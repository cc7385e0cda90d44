"""Compiled loops over absolute differences; loading this file needs numba (the extra ``fast``).

Only ``absolute_sums`` loads it, when a table is large enough. The innermost loops run over the
columns of a transposed table, so that they vectorize; ``COLUMNS`` features at a time share each
load and store. What is computed for a row never depends on the rows around it. The loops release
the interpreter lock.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np

settings: Any = numba.config
if settings.DISABLE_JIT:
    raise ImportError("numba is told not to compile: without it numpy is faster")

# Features in one pass; tables are padded with columns of zeros to a multiple of it.
COLUMNS = 4
# Outputs that share each difference in one pass.
OUTPUTS = 4
# Rows of the transposed table in one tile: with 20 features of 8 bytes it fits the first cache.
TILE = 256
# A sum of products may be reordered, or it would not vectorize; NaN and infinity keep their rules.
REORDERED = {"reassoc", "contract", "nsz"}


def padded(table: np.ndarray) -> np.ndarray:
    """A copy in C order, with columns of zeros up to a multiple of ``COLUMNS``."""
    rows, columns = table.shape
    wide = np.zeros((rows, -(-columns // COLUMNS) * COLUMNS), table.dtype)
    wide[:, :columns] = table
    return wide


def _compiled(function: Callable[..., None], **options: Any) -> Callable[..., None]:
    """The function in machine code, kept on disk where there is a folder to keep it in."""
    compiled = numba.njit(nogil=True, **options)(function)
    try:
        kept = numba.njit(nogil=True, cache=True, **options)(function)
    except RuntimeError:  # neither the package nor the home of the user can be written to
        return compiled

    def call(*arguments: np.ndarray) -> None:
        try:
            kept(*arguments)
        except OSError:  # a full disk, say, before anything is computed
            compiled(*arguments)

    return call


def _add_differences(left: np.ndarray, right: np.ndarray, out: np.ndarray) -> None:
    for first in range(0, out.shape[1], TILE):
        stop = min(first + TILE, out.shape[1])
        for i in range(out.shape[0]):
            own = out[i, first:stop]
            for r in range(0, left.shape[1], COLUMNS):
                a0, a1, a2, a3 = left[i, r], left[i, r + 1], left[i, r + 2], left[i, r + 3]
                b0, b1 = right[r, first:stop], right[r + 1, first:stop]
                b2, b3 = right[r + 2, first:stop], right[r + 3, first:stop]
                for j in range(stop - first):
                    # One after the other, as scipy does: the same bits.
                    total = own[j] + abs(a0 - b0[j])
                    total += abs(a1 - b1[j])
                    total += abs(a2 - b2[j])
                    own[j] = total + abs(a3 - b3[j])


def _add_scatter(left: np.ndarray, right: np.ndarray, M: np.ndarray, out: np.ndarray) -> None:
    for first in range(0, M.shape[1], TILE):
        stop = min(first + TILE, M.shape[1])
        for i in range(M.shape[0]):
            weights = M[i, first:stop]
            for r in range(0, left.shape[1], COLUMNS):
                a0, a1, a2, a3 = left[i, r], left[i, r + 1], left[i, r + 2], left[i, r + 3]
                b0, b1 = right[r, first:stop], right[r + 1, first:stop]
                b2, b3 = right[r + 2, first:stop], right[r + 3, first:stop]
                s0 = s1 = s2 = s3 = M.dtype.type(0)
                for j in range(stop - first):
                    weight = weights[j]
                    s0 += weight * abs(a0 - b0[j])
                    s1 += weight * abs(a1 - b1[j])
                    s2 += weight * abs(a2 - b2[j])
                    s3 += weight * abs(a3 - b3[j])
                out[i, r] += s0
                out[i, r + 1] += s1
                out[i, r + 2] += s2
                out[i, r + 3] += s3


def _add_scatters(
    left: np.ndarray, right: np.ndarray, M: np.ndarray, coef: np.ndarray, out: np.ndarray
) -> None:
    weights = np.empty((OUTPUTS, TILE), M.dtype)
    for first in range(0, M.shape[1], TILE):
        size = min(TILE, M.shape[1] - first)
        for i in range(M.shape[0]):
            own = M[i, first : first + size]
            for t in range(0, coef.shape[0], OUTPUTS):
                for k in range(OUTPUTS):
                    c = coef[t + k, first : first + size]
                    for j in range(size):
                        weights[k, j] = own[j] * c[j]
                w0, w1, w2, w3 = weights[0], weights[1], weights[2], weights[3]
                for r in range(left.shape[1]):
                    a, b = left[i, r], right[r, first : first + size]
                    s0 = s1 = s2 = s3 = M.dtype.type(0)
                    for j in range(size):
                        difference = abs(a - b[j])
                        s0 += w0[j] * difference
                        s1 += w1[j] * difference
                        s2 += w2[j] * difference
                        s3 += w3[j] * difference
                    out[i, t, r] += s0
                    out[i, t + 1, r] += s1
                    out[i, t + 2, r] += s2
                    out[i, t + 3, r] += s3


_quick_differences = _compiled(_add_differences)
_quick_scatter = _compiled(_add_scatter, fastmath=REORDERED)
_quick_scatters = _compiled(_add_scatters, fastmath=REORDERED)


def city_distances(left: np.ndarray, right: np.ndarray, stop: int) -> np.ndarray:
    """``sum_r |left_ir - right_rj|`` for all j < stop, the same bits as scipy's in float64.

    ``left`` is padded, ``right`` padded and transposed, both in C order. Cost: n stop d.
    """
    out = np.zeros((len(left), stop), left.dtype)
    _quick_differences(left, right, out)
    return out


def city_scatter(left: np.ndarray, right: np.ndarray, M: np.ndarray) -> np.ndarray:
    """``sum_j M_ij |left_ir - right_rj|`` in float64, for all columns r, padding included.

    Tables as in `city_distances`; M in C order, of their type. Sums within a tile have that type,
    the sum over tiles is float64. Cost: n m d.
    """
    out = np.zeros(left.shape)
    _quick_scatter(left, right, M, out)
    return out


def city_scatters(
    left: np.ndarray, right: np.ndarray, M: np.ndarray, coef: np.ndarray
) -> np.ndarray:
    """``sum_j M_ij coef_jt |left_ir - right_rj|``, (rows, outputs t, columns r, padding included).

    As `city_scatter` of ``M * coef_t`` for each output, but they share the differences.
    """
    outputs = coef.shape[1]
    if outputs == 1:
        return city_scatter(left, right, M * coef[:, 0])[:, None]
    wide = padded_outputs(coef)
    out = np.zeros((len(left), len(wide), left.shape[1]))
    _quick_scatters(left, right, M, wide, out)
    return out[:, :outputs]


def padded_outputs(coef: np.ndarray) -> np.ndarray:
    """Coefficients as rows, with rows of zeros up to a multiple of ``OUTPUTS``."""
    wide = np.zeros((-(-coef.shape[1] // OUTPUTS) * OUTPUTS, len(coef)), coef.dtype)
    wide[: coef.shape[1]] = coef.T
    return wide
