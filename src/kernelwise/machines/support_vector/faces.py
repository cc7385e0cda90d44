"""The factorized linear system of the free rows, and the same after a few rows have left."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh, lapack

from kernelwise.linalg import NotPositiveDefiniteError

ROUNDING = np.finfo(float).eps
# An eigenvalue below minus this, relative to the largest, is not rounding.
MAX_RELATIVE_NEGATIVE = 1e-7


class Face:
    """``[[A, 1], [1', 0]]``, the system of the free rows, factorized; without a bias ``A`` alone.

    ``A = gram + diag(ridge)``; the block is overwritten. By Cholesky (m^3 / 3) or, if rows are
    linearly dependent, by an eigendecomposition without what is rounding; `solve` then gives the
    solution of least ``sum coef^2 / weight``: equal rows share equally, copies act as a weight.
    """

    def __init__(self, block: np.ndarray, ridge: np.ndarray, weights: np.ndarray, has_bias: bool):
        np.einsum("ii->i", block)[:] += ridge
        self.has_bias = has_bias
        self.root = np.sqrt(weights / weights.max())
        self._size = float(np.diagonal(block).max())
        if has_bias:
            self._center(block)
        diagonal = np.diagonal(block).copy()
        # In place: the factor takes the upper triangle and the diagonal of the block.
        factor, failed = lapack.dpotrf(block.T, lower=1, clean=0, overwrite_a=1)
        rounding = 10 * ROUNDING * len(block) * self._size
        self.is_singular = bool(failed or np.diagonal(factor).min() ** 2 <= rounding)
        if self.is_singular:
            np.fill_diagonal(block, diagonal)
            self._decompose(block)
        else:
            self._factor = factor

    def _center(self, block: np.ndarray) -> None:
        """Replace the constant, which a bias does not see, by one that makes the block as definite
        as the system; a large offset then costs no digits."""
        self._means = block.mean(axis=1)
        self._level = (self._size or 1.0) / len(block)
        block -= self._means
        block -= (self._means - self._means.mean() - self._level)[:, None]

    def _decompose(self, block: np.ndarray) -> None:
        """Eigendecomposition from the lower triangle of the block, diagonal included."""
        scaled = self.root[:, None] * block * self.root
        eigenvalues, vectors = eigh(scaled, lower=True, overwrite_a=True, check_finite=False)
        largest = max(float(np.abs(eigenvalues).max()), self._size)
        if eigenvalues[0] < -MAX_RELATIVE_NEGATIVE * largest:
            raise NotPositiveDefiniteError(
                f"the Gram matrix is not positive semi-definite: the block of {len(block)} rows "
                f"has an eigenvalue of {eigenvalues[0]:g}; the largest is {largest:g}. Is the "
                "kernel positive semi-definite?"
            )
        kept = eigenvalues > 4 * ROUNDING * len(block) * largest
        self._vectors, self._eigenvalues = vectors[:, kept], eigenvalues[kept]

    def apply(self, right: np.ndarray) -> np.ndarray:
        """``A^-1 right``, of least weighted norm if there are several."""
        if not self.is_singular:
            return lapack.dpotrs(self._factor, right, lower=1)[0]
        inside = self._vectors.T @ (self.root * right) / self._eigenvalues
        return self.root * (self._vectors @ inside)

    def null_part(self, right: np.ndarray) -> np.ndarray:
        """The part of ``right`` that no coefficients reach: a direction that changes no output."""
        if not self.is_singular:
            return np.zeros_like(right)
        scaled = self.root * right
        return self.root * (scaled - self._vectors @ (self._vectors.T @ scaled))

    def curvature_of_norm(self, coef: np.ndarray) -> np.ndarray:
        """``A^+ (coef / weight)``: how the least-norm solution turns with the block."""
        turned = self.apply(coef / self.root**2)
        return turned - turned.mean() if self.has_bias else turned

    def solve(self, right: np.ndarray, total: float) -> tuple[np.ndarray, float]:
        """``coef`` with the given total (if there is a bias), and the intercept."""
        if not self.has_bias:
            return self.apply(right), 0.0
        # The ones are an eigenvector of the centered block, so the two equations separate.
        right = right - total * self._means
        middle = right.mean()
        coef = self.apply(right - middle + self._level * total)
        coef += (total - coef.sum()) / len(coef)  # rounding of a large offset
        return coef, float(middle + self._means.mean() * total - self._means @ coef)

    def adjoint(self, of_coef: np.ndarray, of_intercept: float) -> tuple[np.ndarray, float]:
        """The transpose of `solve`: derivatives in its right-hand side and in its total.

        It is `solve` itself if rows are independent; among dependent rows a gradient, unlike a
        right-hand side, may be out of reach.
        """
        if not self.has_bias:
            return self.apply(of_coef), 0.0
        inner = self.apply(of_coef - of_intercept * self._means)
        v = inner + (of_intercept - inner.sum()) / len(inner)
        total = self._level * inner.sum() + of_intercept * self._means.mean() - self._means @ v
        return v, float(total)


class FaceWithout(Face):
    """The face with a few rows removed, reusing the full factor: O(m^2) per removed row.

    A row's coefficient is 0 if its own equation is missed by the right amount. The rows of the face
    must be linearly independent.
    """

    _face: Face
    _leaving: np.ndarray

    def __init__(self, face: Face, leaving: np.ndarray):
        if isinstance(face, FaceWithout):
            earlier = face._leaving.copy()
            earlier[~earlier] = leaving
            face, leaving = face._face, earlier
        self._face, self._leaving = face, leaving
        self.has_bias, self.is_singular, self.root = face.has_bias, False, face.root[~leaving]
        units = np.zeros((len(leaving), leaving.sum()), order="F")
        units[leaving] = np.eye(leaving.sum())
        if self.has_bias:
            units -= 1 / len(leaving)
        solved = face.apply(units)
        # The leaving rows and columns of the whole system's inverse.
        self._corner = solved[leaving] - solved.mean(axis=0) * self.has_bias

    def solve(self, right: np.ndarray, total: float) -> tuple[np.ndarray, float]:
        whole = np.zeros(len(self._leaving))
        whole[~self._leaving] = right
        coef, _ = self._face.solve(whole, total)
        whole[self._leaving] = -np.linalg.solve(self._corner, coef[self._leaving])
        coef, intercept = self._face.solve(whole, total)
        return coef[~self._leaving], intercept

    def adjoint(self, of_coef: np.ndarray, of_intercept: float) -> tuple[np.ndarray, float]:
        return self.solve(of_coef, of_intercept)
