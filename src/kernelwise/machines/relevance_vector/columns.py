"""The columns that a relevance vector machine chooses from."""

from __future__ import annotations

import numpy as np

from kernelwise.linalg import row_blocks

# A centered column smaller than this, relative to the largest kernel value, is rounding error.
ROUNDING = 1e-11


class CenteredColumns:
    """Kernel columns less their weighted means, ``gram - 1 means'``, and a last one of ones.

    With the means left in, the columns of a wide kernel are almost constant: no single one helps,
    and the empty model is a local maximum of the evidence. The means are taken off in every
    product, so the Gram matrix is never copied.
    """

    def __init__(self, gram: np.ndarray, weights: np.ndarray):
        self.gram, self.weights = gram, weights
        self.means = weights @ gram / weights.sum()
        self.bias = len(gram)
        self._largest = max(float(gram.max()), -float(gram.min()))
        # What `products` keeps, and for which precisions.
        self._precisions: np.ndarray | None = None
        self._kept: list[np.ndarray] = []
        self._place: dict[int, int] = {}
        self._norms: np.ndarray | None = None

    def take(self, which: np.ndarray) -> np.ndarray:
        """Some columns, (rows, len(which)); number ``bias`` is the column of ones."""
        found = np.ones((len(self.gram), len(which)), order="F")
        kernel = which < self.bias
        own = which[kernel]
        found[:, kernel] = self.gram[own].T - self.means[own]
        return found

    def against(self, right: np.ndarray) -> np.ndarray:
        """``right' columns`` with all columns, (k, columns + 1). Cost: n^2 k."""
        sums = right.sum(axis=0)
        products = np.empty((right.shape[1], self.bias + 1))
        np.matmul(right.T, self.gram, out=products[:, :-1])
        products[:, :-1] -= np.outer(sums, self.means)
        products[:, -1] = sums
        return products

    def products(self, which: np.ndarray, precisions: np.ndarray) -> np.ndarray:
        """``columns' diag(precisions) columns``, rows ``which``: (len(which), columns + 1).

        Rows are kept as long as the same ``precisions`` are given, as for normal noise.
        """
        if precisions is not self._precisions:
            self._precisions, self._kept, self._place, self._norms = precisions, [], {}, None
        missing = np.array([j for j in which.tolist() if j not in self._place], int)
        if len(missing):
            self._place |= {j: len(self._place) + k for k, j in enumerate(missing.tolist())}
            self._kept.append(self.against(precisions[:, None] * self.take(missing)))
        if len(self._kept) != 1:
            self._kept = [np.vstack([np.empty((0, self.bias + 1)), *self._kept])]
        return self._kept[0][[self._place[j] for j in which.tolist()]]

    def squared_norms(self, precisions: np.ndarray) -> np.ndarray:
        """``sum_i b_i column_i^2`` of all columns; infinite for one that is only rounding error."""
        if precisions is self._precisions and self._norms is not None:
            return self._norms
        norms = np.zeros(self.bias + 1)
        norms[-1] = total = precisions.sum()
        for rows in row_blocks(*self.gram.shape):
            block = self.gram[rows] - self.means
            norms[:-1] += precisions[rows] @ np.square(block, out=block)
        self._norms = np.where(norms > total * (ROUNDING * self._largest) ** 2, norms, np.inf)
        return self._norms

    def add_gram_gradient(self, total: np.ndarray, which: np.ndarray, gradient: np.ndarray) -> None:
        """The way back of `take`: add the symmetric Gram gradient of a gradient in columns."""
        kernel = which < self.bias
        own = gradient[:, kernel]
        own = 0.5 * (own - np.outer(self.weights / self.weights.sum(), own.sum(axis=0)))
        total[:, which[kernel]] += own
        total[which[kernel]] += own.T
