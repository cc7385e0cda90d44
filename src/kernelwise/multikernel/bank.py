"""Banks of kernels: recipes that become kernels when the columns of a table are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernelwise.kernels import Gaussian, Kernel, Normalized, OnColumns, Polynomial
from kernelwise.kernels.names import check_kernel, kernels_for
from kernelwise.multikernel.stack import KernelStack

WIDTHS = tuple(2.0**k for k in range(-3, 7))
DEGREES = (1, 2, 3)
ALL_COLUMNS = "all columns"


@dataclass(frozen=True)
class Member:
    """A kernel of a bank: the kernel, what it is called, and the view that it looks at.

    ``columns`` are the numbers of the columns in the view; None: all.
    """

    kernel: Kernel
    name: str
    view: str
    columns: np.ndarray | None = None


class KernelBank:
    """A recipe for many kernels, which `fit` makes for the columns of its table.

    Every view (a group of columns) gets Gaussian kernels of some widths, in standard deviations of
    a column, and polynomial kernels ``(x.z + 1)^degree`` of some degrees, all with unit diagonal.

    Parameters
    ----------
    widths : list of float
        Widths of the Gaussian kernels, ``exp(-|x - z|^2 / (2 width^2))``.
    degrees : list of int
        Degrees of the polynomial kernels.
    views : dict of name to columns, "each", "all" or "both"; default "both"
        Groups of columns by number or, for data frames, by name. "each": every column by itself;
        "all": all columns together; "both": one view of all columns and one for each.

    Examples
    --------
    >>> from kernelwise.multikernel import KernelBank
    >>> bank = KernelBank.widths_and_degrees()
    >>> len(bank.members(4))  # 13 kernels on all columns, and 13 on each
    65
    >>> views = KernelBank(widths=[1, 4], degrees=[], views={"left": [0, 1], "right": [2, 3]})
    >>> [member.name for member in views.members(4)][:2]
    ['Gaussian of width 1 on left', 'Gaussian of width 4 on left']
    """

    def __init__(
        self,
        widths: Sequence[float] = WIDTHS,
        degrees: Sequence[int] = DEGREES,
        views: Mapping[str, Sequence] | str = "both",
    ):
        self.widths, self.degrees, self.views = widths, degrees, views

    @classmethod
    def widths_and_degrees(
        cls, widths: Sequence[float] = WIDTHS, degrees: Sequence[int] = DEGREES
    ) -> KernelBank:
        """The bank of multiple kernel learning: ten widths and three degrees, on all columns and on
        each.

        References
        ----------
        Gönen (2012), Bayesian efficient multiple kernel learning, section 6.1.
        """
        return cls(widths, degrees)

    def check(self) -> None:
        """Raise a ValueError that says what is wrong with the recipe."""
        for name, values in (("widths", self.widths), ("degrees", self.degrees)):
            if np.ndim(values) != 1:
                raise ValueError(f"{name} must be a list of numbers, got {values!r}")
        if not len(self.widths) and not len(self.degrees):
            raise ValueError("a KernelBank needs at least one width or degree")
        for width in self.widths:
            if not (np.isreal(width) and 0 < float(width) < np.inf):
                raise ValueError(f"widths must be positive numbers, got {width!r}")
        for degree in self.degrees:
            if degree != int(degree) or degree < 1:
                raise ValueError(f"degrees must be 1, 2, 3, ..., got {degree!r}")
        named = isinstance(self.views, Mapping)
        if not (named and self.views) and self.views not in ("each", "all", "both"):
            raise ValueError(
                "views must be 'each', 'all', 'both' or a dict of names and columns, got "
                f"{self.views!r}"
            )

    def members(
        self,
        n_columns: int,
        names: Sequence[str] | None = None,
        shown: Sequence[int] | np.ndarray = (),
    ) -> list[Member]:
        """The kernels for a table with so many columns, of these names.

        The gaps of the columns ``shown`` are coordinates after those of all columns; a view of a
        column sees its gaps.
        """
        self.check()
        found = []
        for view, columns in self._columns(n_columns, names).items():
            gaps = n_columns + np.flatnonzero(np.isin(shown, columns))
            seen = np.concatenate([np.asarray(columns), gaps]).astype(int)
            for words, kernel in self._kernels():
                on_view = _on(kernel, seen, n_columns + len(shown))
                found.append(Member(on_view, f"{words} on {view}", view, seen))
        return found

    def _kernels(self) -> list[tuple[str, Kernel]]:
        gaussians = [(f"Gaussian of width {w:g}", Gaussian(float(w))) for w in self.widths]
        polynomials = [
            (f"Polynomial of degree {q:g}", Normalized(Polynomial(int(q), 1.0)))
            for q in self.degrees
        ]
        return [*gaussians, *polynomials]

    def _columns(
        self, n_columns: int, names: Sequence[str] | None
    ) -> dict[str, Sequence[int] | np.ndarray]:
        if isinstance(self.views, Mapping):
            return {
                str(view): _numbers(view, columns, n_columns, names)
                for view, columns in self.views.items()
            }
        called = [f"column {r}" for r in range(n_columns)] if names is None else list(names)
        each = {str(called[r]): [r] for r in range(n_columns)} if self.views != "all" else {}
        together = {ALL_COLUMNS: np.arange(n_columns)}
        if ALL_COLUMNS in each:  # a column of that name
            each["column " + ALL_COLUMNS] = each.pop(ALL_COLUMNS)
        if self.views == "each" or (n_columns == 1 and self.views == "both"):
            return {**each}
        return {**together, **each}

    def __repr__(self) -> str:
        return (
            f"KernelBank(widths={list(self.widths)}, degrees={list(self.degrees)}, "
            f"views={self.views!r})"
        )


def _on(kernel: Kernel, columns: Any, n_columns: int) -> Kernel:
    whole = np.array_equal(np.sort(columns), np.arange(n_columns))
    return kernel if whole else OnColumns(kernel, columns)


def _numbers(
    view: Any, columns: Sequence, n_columns: int, names: Sequence[str] | None
) -> np.ndarray:
    """Column numbers of a view given by numbers or names."""
    given = np.atleast_1d(np.asarray(columns))
    if not given.size:
        raise ValueError(f"the view {view!r} has no columns")
    if given.dtype.kind in "UO":
        known = [] if names is None else list(names)
        missing = [name for name in given if name not in known]
        if missing:
            names_known = "its columns have no names" if names is None else "X does not have them"
            raise ValueError(f"the view {view!r} names {', '.join(missing)}, but {names_known}")
        return np.array([known.index(name) for name in given], int)
    if given.dtype.kind not in "iu" or given.min() < 0 or given.max() >= n_columns:
        raise ValueError(
            f"the view {view!r} must have column names, or numbers from 0 to {n_columns - 1}; got "
            f"{list(columns)}"
        )
    return given.astype(int)


def check_bank(spec: Any) -> None:
    """Raise a ValueError unless ``spec`` is a bank, a stack, or a list of kernels or names."""
    if isinstance(spec, KernelStack):
        return
    if isinstance(spec, KernelBank):
        return spec.check()
    if isinstance(spec, str) and spec == "widths-and-degrees":
        return
    if not isinstance(spec, (list, tuple)):
        hint = f"; did you mean [{spec!r}]?" if isinstance(spec, (str, Kernel)) else ""
        raise ValueError(
            "kernels must be 'widths-and-degrees', a KernelBank, a KernelStack, or a list of "
            f"kernels or their names, got {spec!r}{hint}"
        )
    if any(np.ndim(kernel) for kernel in spec):
        raise ValueError("kernels has arrays in it: put Gram matrices in a KernelStack")
    if not len(spec):
        raise ValueError("kernels is an empty list: name at least one kernel")
    if len({isinstance(kernel, str) for kernel in spec}) > 1:
        raise ValueError(
            "kernels mixes names and kernel objects: names act on standardized columns, objects on "
            "columns as they are; give only one kind"
        )
    for kernel in spec:
        check_kernel(kernel)
        if isinstance(kernel, str) and kernel == "precomputed":
            raise ValueError("'precomputed' cannot be in a list: use a KernelStack")


def bank_members(
    spec: Any,
    n_columns: int,
    categorical: np.ndarray,
    names: Sequence[str] | None = None,
    shown: Sequence[int] | np.ndarray = (),
) -> list[Member]:
    """The kernels that ``spec`` stands for, on a table with so many columns.

    Parameters
    ----------
    spec : a bank, a stack, or a list of kernels or names
    n_columns, categorical, names : of the table
    shown : the columns whose gaps are coordinates too, after those of all columns
    """
    check_bank(spec)
    if isinstance(spec, KernelStack):
        pairs = zip(spec.kernels, spec.names, strict=True)
        return [Member(kernel, name, name) for kernel, name in pairs]
    if isinstance(spec, (list, tuple)):
        kernels = [k for one in spec for k in kernels_for(one, n_columns + len(shown), categorical)]
        return [user_member(kernel, names) for kernel in kernels]
    bank = KernelBank() if isinstance(spec, str) else spec
    members = bank.members(n_columns, names, shown)
    looked_at = {tuple(member.columns) for member in members if member.columns is not None}
    seen = {int(r) for columns in looked_at for r in columns} & set(categorical.tolist())
    if seen:
        columns = ", ".join(str(r) if names is None else str(names[r]) for r in sorted(seen))
        raise ValueError(
            f"a KernelBank compares numbers, but these columns are categorical: {columns}. Give a "
            "list of kernel names such as ['gaussian', 'laplacian'], which compare categories by "
            "equality; leave the columns out of the views; or encode them as numbers"
        )
    return members


def user_member(kernel: Kernel, names: Sequence[str] | None) -> Member:
    """A user's kernel; if it sees only some columns, these are its view."""
    columns = getattr(kernel, "columns", None)
    if columns is None:
        return Member(kernel, kernel.words(), ALL_COLUMNS)
    view = ", ".join(f"column {r}" if names is None else str(names[r]) for r in columns)
    return Member(kernel, kernel.words(), view, columns)
