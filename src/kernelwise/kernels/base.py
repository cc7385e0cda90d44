"""The base class of kernels: a Gram matrix and its way back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kernelwise.parameters import Parameter, Parametrized

if TYPE_CHECKING:
    from kernelwise.kernels.composite import Product, Scaled, Sum

# row_gradients(M) -> (rows, parameters)
RowGradients = Callable[[np.ndarray], np.ndarray]
WEIGHT_LIMITS = (1e-10, 1e5)
# In standard deviations; a feature with a longer scale has no influence.
UNUSED_SCALE = 1e6


class QuickRows:
    """Row gradients with quick ways where M has a form. A kernel need not offer them.

    Parameters
    ----------
    function : ``function(M, triangle)``
        With ``triangle`` M is symmetric, and any rows with the right column sums will do, such as
        those of the lower triangle counted twice: half the work.
    of_columns : ``of_columns(coef)``, default None
        What `rows_of_columns` gives, in one pass over the pairs of rows.
    """

    def __init__(
        self,
        function: Callable[[np.ndarray, bool], np.ndarray],
        of_columns: Callable[[np.ndarray], np.ndarray] | None = None,
    ):
        self.function, self.of_columns = function, of_columns

    def __call__(self, M: np.ndarray) -> np.ndarray:
        return self.function(M, False)

    def of_symmetric(self, M: np.ndarray) -> np.ndarray:
        return self.function(M, True)


def rows_of(row_gradients: RowGradients, M: np.ndarray, triangle: bool) -> np.ndarray:
    """Row gradients, at half the work if that is wanted and possible (see `QuickRows`)."""
    return (getattr(row_gradients, "of_symmetric", row_gradients) if triangle else row_gradients)(M)


def rows_of_columns(row_gradients: RowGradients, coef: np.ndarray, n_rows: int) -> np.ndarray:
    """``sum_j coef_jt d gram_ij / d values`` for all t, (rows, outputs, parameters).

    One pass over the pairs of rows where the kernel has one (see `QuickRows`), else one for each t.
    """
    together = getattr(row_gradients, "of_columns", None)
    if together is not None:
        return together(coef)
    shape = (n_rows, len(coef))
    return np.stack([row_gradients(np.broadcast_to(own, shape)) for own in coef.T], axis=1)


def weight_parameters(weights: np.ndarray, isotropic: bool) -> list[Parameter]:
    """The column weights, or the one that all share, as parameters."""
    names = ["weight"] if isotropic else [f"weight[{r}]" for r in range(len(weights))]
    pairs = zip(names, weights.tolist(), strict=True)
    return [Parameter(name, weight, WEIGHT_LIMITS) for name, weight in pairs]


class GramAndWays(NamedTuple):
    """A Gram matrix, its gradient back to theta, and the derivative of ``gram @ coef`` in theta.

    ``output_tangents(coef)`` is that of all outputs, (rows, outputs, parameters).
    """

    gram: np.ndarray
    pullback: Callable[[np.ndarray], np.ndarray]
    output_tangents: Callable[[np.ndarray], np.ndarray]


class Kernel(Parametrized):
    """A positive semi-definite function of two rows, with parameters in natural units.

    A new kernel implements `evaluate` (and `diagonal` if a loop over rows is too slow) and, if it
    has parameters, ``parameters`` and `with_values`; everything else follows.
    """

    def evaluate(
        self, A: np.ndarray, B: np.ndarray | None = None, up_to_constant: bool = False
    ) -> tuple[np.ndarray, RowGradients]:
        """The Gram matrix between rows of A and B (None: of A with itself), and its way back.

        The way back is ``row_gradients(M) = sum_j M_ij d gram_ij / d values``, (rows, parameters).

        ``up_to_constant`` lets any one constant be missing from the Gram matrix: an almost constant
        kernel then keeps its digits (``expm1`` instead of ``exp``).

        If A and B are both float32, radial kernels have a Gram matrix of float32, at half the cost,
        and so have their sums, products and multiples; its entries are wrong by about 1e-7 of the
        largest, and row gradients, always float64, by about 1e-6 of ``sum_j |M_ij d gram_ij|``.
        Other kernels answer in float64, and so do all for any other tables; one of your own may.
        """
        raise NotImplementedError

    def diagonal(self, A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """``k(a, a)`` of each row, and its derivatives in the values, (rows, parameters)."""
        parts = [self.evaluate(row[None], row[None]) for row in A]
        values = np.array([gram[0, 0] for gram, _ in parts])
        one = np.ones((1, 1))
        return values, np.array([back(one)[0] for _, back in parts]).reshape(len(A), -1)

    # Whether the kernel compares columns of a table; a precomputed one is given its Gram matrix.
    compares_columns = True

    def take(self, X: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Some rows of what the kernel compares."""
        return X[rows]

    @property
    def has_column_weights(self) -> bool:
        """Whether the first values are weights, one per column, that switch a column off at 0."""
        return False

    def column_factors(self, n_columns: int) -> np.ndarray | None:
        """Column factors with which the kernel of unit length scale equals this one.

        None for kernels that have none: composite ones, columns compared by equality.
        """
        return None

    def __call__(self, A: np.ndarray, B: np.ndarray | None = None) -> np.ndarray:
        return self.evaluate(A, B)[0]

    def gram_and_ways(
        self, A: np.ndarray, B: np.ndarray | None = None, up_to_constant: bool = False
    ) -> GramAndWays:
        """The Gram matrix with its derivatives in theta, backward and forward."""
        gram, row_gradients = self.evaluate(A, B, up_to_constant)

        def pullback(gram_gradient: np.ndarray) -> np.ndarray:
            rows = rows_of(row_gradients, gram_gradient, triangle=B is None)
            wanted = len(self.values)
            if rows.shape[1:] != (wanted,):
                raise ValueError(
                    f"row_gradients of {type(self).__name__} must have a column for each of its "
                    f"{wanted} parameters, but its shape is {rows.shape}"
                )
            return self.theta_gradient(rows.sum(axis=0))

        def output_tangents(coef: np.ndarray) -> np.ndarray:
            return self.theta_gradient(rows_of_columns(row_gradients, coef, len(gram)))

        return GramAndWays(gram, pullback, output_tangents)

    def gram_and_pullback(
        self, A: np.ndarray, B: np.ndarray | None = None, up_to_constant: bool = False
    ) -> tuple[np.ndarray, Callable[[np.ndarray], np.ndarray]]:
        """Gram matrix, and ``pullback(gram_gradient) -> gradient in theta``.

        With ``B`` None the Gram gradient must be symmetric, as every machine returns it.
        """
        ways = self.gram_and_ways(A, B, up_to_constant)
        return ways.gram, ways.pullback

    def output_tangents(self, A: np.ndarray, B: np.ndarray | None, coef: np.ndarray) -> np.ndarray:
        """Derivatives of ``gram @ coef`` in theta, with coefficients (rows of B, outputs) fixed.

        Returns (rows of A, outputs, parameters).
        """
        return self.gram_and_ways(A, B).output_tangents(coef)

    def __add__(self, other: Kernel) -> Sum:
        from kernelwise.kernels.composite import Sum

        return Sum([self, other])

    def __mul__(self, other: Kernel | float) -> Product | Scaled:
        from kernelwise.kernels.composite import Product, Scaled

        return Product([self, other]) if isinstance(other, Kernel) else Scaled(self, other)

    __rmul__ = __mul__

    def words(self) -> str:
        """The kernel as a phrase for people: its name and its values."""
        values = ", ".join(f"{name} {value:.3g}" for name, value, *_ in self.parameters)
        return type(self).__name__ + (f" with {values}" if values else "")

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value:.4g}" for name, value, *_ in self.parameters)
        return f"{type(self).__name__}({values})"


def scales_in_words(length_scale: float | np.ndarray) -> str:
    """One length scale, or the range of those in use."""
    scales = np.atleast_1d(length_scale)
    if len(scales) == 1:
        return f"length scale {scales[0]:.3g}"
    used = scales[scales < UNUSED_SCALE]
    words = "a length scale per feature"
    if len(used):
        words += f", from {used.min():.3g} to {used.max():.3g}"
    unused = len(scales) - len(used)
    verb = "is" if unused == 1 else "are"
    return words + (f"; {unused} of {len(scales)} {verb} not used" if unused else "")
