"""Gram matrices of a user's own, as kernels between numbered cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.linalg import eigh, lapack

from kernelwise.kernels import Kernel
from kernelwise.kernels.base import RowGradients
from kernelwise.linalg import row_blocks

# Below this share of the largest eigenvalue, a negative one is rounding.
NEGATIVE = 1e-8


class KernelStack:
    """Precomputed Gram matrices of the same cases, one per kernel.

    An estimator that is given a stack takes a column of case numbers as X: row ``i`` of X is the
    case ``X[i, 0]`` of the stack. So cross-validation and grid searches split X as they split any
    table, while the matrices stay where they are: a stack never changes, and copies of an estimator
    share it. The matrices may be ``numpy.memmap``.

    Parameters
    ----------
    grams : array of shape (kernels, cases, cases), list of square arrays, or dict of name to array
        Symmetric and positive semi-definite, of all cases that will be learned from or predicted.
        Their sizes count: a kernel of larger entries needs less weight, which costs less.
    names : list of str, default None
        What the kernels are called; None: "kernel 0", "kernel 1", ..., or the names of a dict
    clip : bool, default False
        Set negative eigenvalues to 0 instead of refusing a matrix that is not positive
        semi-definite.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.metrics.pairwise import rbf_kernel
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.preprocessing import scale
    >>> from kernelwise import MKLClassifier
    >>> from kernelwise.multikernel import KernelStack
    >>> X, y = load_wine(return_X_y=True)
    >>> stack = KernelStack([rbf_kernel(scale(X)[:, :6]), rbf_kernel(scale(X)[:, 6:])])
    >>> scores = cross_val_score(MKLClassifier(stack), stack.cases, y)
    >>> bool(scores.mean() > 0.95)
    True
    """

    def __init__(
        self,
        grams: np.ndarray | Sequence[np.ndarray] | Mapping[str, np.ndarray],
        names: Sequence[str] | None = None,
        clip: bool = False,
    ):
        grams, names = _listed(grams, names)
        self.names = [f"kernel {m}" for m in range(len(grams))] if names is None else list(names)
        if len(self.names) != len(grams):
            raise ValueError(f"there are {len(grams)} Gram matrices, but {len(self.names)} names")
        self.n_cases = len(grams[0])
        self._grams = tuple(
            self._checked(gram, name, clip) for gram, name in zip(grams, self.names, strict=True)
        )

    @classmethod
    def from_distances(
        cls,
        distances: np.ndarray | Sequence[np.ndarray] | Mapping[str, np.ndarray],
        training: Any = None,
        names: Sequence[str] | None = None,
        clip: bool = False,
    ) -> KernelStack:
        """Kernels ``exp(-d / s)`` of distances d, s the mean distance between training cases.

        Parameters
        ----------
        distances : array of shape (kernels, cases, cases), list of square arrays, or dict of them
        training : array of case numbers, default None
            The cases whose mean distance counts, without those of a case to itself; None: all.
        names, clip : as for `KernelStack`

        References
        ----------
        Gönen (2012), Bayesian efficient multiple kernel learning, section 6.2.2.
        """
        distances, names = _listed(distances, names)
        grams = []
        for m, given in enumerate(distances):
            name = names[m] if names is not None else f"kernel {m}"
            one = np.asarray(given, float)
            check_square(one, len(distances[0]), f"the distances of {name}")
            if one.min() < 0:
                raise ValueError(f"the distances of {name} are negative somewhere")
            rows = np.arange(len(one)) if training is None else _cases(training, len(one))
            among = one[np.ix_(rows, rows)]
            pairs = len(rows) * (len(rows) - 1)
            mean = (among.sum() - np.trace(among)) / max(pairs, 1)
            if mean <= 0:
                raise ValueError(f"the distances of {name} are 0 between all training cases")
            grams.append(np.exp(-one / mean))
        return cls(grams, names, clip)

    def _checked(self, given: np.ndarray, name: str, clip: bool) -> np.ndarray:
        gram = given if isinstance(given, np.memmap) else np.array(given, dtype=float)
        check_square(gram, self.n_cases, name)
        if not np.diagonal(gram).any():
            raise ValueError(f"{name} is 0 for every case: it compares nothing; leave it out")
        if not is_positive_semidefinite(gram):
            values, vectors = eigh(gram)
            if clip:
                gram = (vectors * np.maximum(values, 0)) @ vectors.T
            elif values[0] < -NEGATIVE * values[-1]:
                raise ValueError(
                    f"{name} is not positive semi-definite: its most negative eigenvalue is "
                    f"{values[0]:.3g}, its largest {values[-1]:.3g}. Check how it was made, or set "
                    "negative eigenvalues to 0 with clip=True"
                )
        if not isinstance(gram, np.memmap):
            gram.flags.writeable = False
        return gram

    @property
    def cases(self) -> np.ndarray:
        """The numbers of all cases as a column: X of an estimator that has this stack."""
        return np.arange(self.n_cases)[:, None]

    def __len__(self) -> int:
        return len(self._grams)

    def __getitem__(self, kernel: int) -> np.ndarray:
        """The Gram matrix of a kernel, which cannot be written to."""
        return self._grams[kernel]

    @property
    def kernels(self) -> list[CaseKernel]:
        return [CaseKernel(self, m) for m in range(len(self))]

    def check_cases(self, X: np.ndarray) -> None:
        """Raise a ValueError unless X is a column of numbers of cases."""
        if X.ndim != 2 or X.shape[1] != 1:
            raise ValueError(
                "with a KernelStack, X is a column of case numbers, such as stack.cases[train]; "
                f"its shape is {X.shape}"
            )
        numbers = X[:, 0]
        wrong = (numbers != np.round(numbers)) | (numbers < 0) | (numbers >= self.n_cases)
        if wrong.any():
            raise ValueError(
                f"{numbers[wrong][0]:g} is no case of the stack: they are numbered 0 to "
                f"{self.n_cases - 1}"
            )

    # A stack never changes, so a copy is the stack itself.
    def __sklearn_clone__(self) -> KernelStack:
        return self

    def __deepcopy__(self, memo: dict) -> KernelStack:
        return self

    def __repr__(self) -> str:
        return f"KernelStack({len(self)} Gram matrices of {self.n_cases} cases)"


class CaseKernel(Kernel):
    """One Gram matrix of a stack, as a kernel between case numbers."""

    def __init__(self, stack: KernelStack, number: int):
        self.stack, self.number = stack, number

    def evaluate(
        self, A: np.ndarray, B: np.ndarray | None = None, up_to_constant: bool = False
    ) -> tuple[np.ndarray, RowGradients]:
        rows, columns = _numbers(A), _numbers(A if B is None else B)
        gram = np.asarray(self.stack[self.number][rows][:, columns], dtype=float)
        return gram, lambda M: np.empty((len(A), 0))

    def diagonal(self, A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        rows = _numbers(A)
        values = np.asarray(self.stack[self.number][rows, rows], dtype=float)
        return values, np.empty((len(A), 0))

    def words(self) -> str:
        return self.stack.names[self.number]

    def __repr__(self) -> str:
        return f"CaseKernel({self.stack.names[self.number]!r})"


def _listed(
    matrices: Any, names: Sequence[str] | None
) -> tuple[Sequence[np.ndarray], Sequence[str] | None]:
    """Matrices and their names, which a dict brings along."""
    if isinstance(matrices, Mapping):
        matrices, names = list(matrices.values()), list(matrices) if names is None else names
    if not len(matrices):
        raise ValueError("a KernelStack needs at least one matrix, got none")
    if np.ndim(matrices[0]) != 2:
        raise ValueError(
            "a KernelStack needs a list of square matrices; put a single one in a list: [gram]"
        )
    if any(np.iscomplexobj(matrix) for matrix in matrices):
        raise ValueError("a KernelStack needs matrices of real numbers")
    return matrices, names


def _cases(training: Any, n_cases: int) -> np.ndarray:
    """Case numbers, given as such or as a mask."""
    given = np.asarray(training)
    if given.dtype == bool and len(given) == n_cases:
        return np.flatnonzero(given)
    if given.ndim != 1 or given.dtype.kind not in "iu" or not len(given):
        raise ValueError("training must be case numbers, or True and False for every case")
    if given.min() < 0 or given.max() >= n_cases:
        raise ValueError(f"training must be case numbers from 0 to {n_cases - 1}")
    return np.unique(given)


def _numbers(X: np.ndarray) -> np.ndarray:
    return X[:, 0].astype(int)


def check_square(matrix: np.ndarray, size: int, name: str, unit: str = "case") -> None:
    """Raise a ValueError unless the matrix is finite and symmetric, with one row per ``unit``."""
    if np.shape(matrix) != (size, size):
        raise ValueError(
            f"{name} must be square with one row per {unit}: its shape is {np.shape(matrix)}, "
            f"there are {size} {unit}s"
        )
    largest = 0.0
    for rows in row_blocks(size, size):
        block, mirrored = matrix[rows], matrix[:, rows].T
        if not np.isfinite(block).all():
            raise ValueError(f"{name}: some entries are missing or infinite")
        largest = max(largest, float(np.abs(block).max()))
        if not np.allclose(block, mirrored, rtol=1e-6, atol=1e-8 * largest):
            raise ValueError(f"{name} is not symmetric: entry (i, j) must equal entry (j, i)")


def is_positive_semidefinite(gram: np.ndarray) -> bool:
    """Whether Cholesky succeeds with rounding's share of the mean diagonal added."""
    shifted = np.array(gram, dtype=float, order="F")
    shift = NEGATIVE * max(float(np.diagonal(shifted).mean()), 0.0)
    np.fill_diagonal(shifted, np.diagonal(shifted) + shift)
    return lapack.dpotrf(shifted, lower=1, overwrite_a=1)[1] == 0
