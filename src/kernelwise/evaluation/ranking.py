"""Mean ranks of methods over data sets: what the tests of statistics.py read."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import rankdata


@dataclass(frozen=True)
class MeanRanks:
    """The mean rank of each method, 1 for the best.

    ``values`` holds the mean ranks in the order of ``methods``; ``ties`` is the sum of
    ``t**3 - t`` over all groups of ``t`` equal errors on one data set, 0 without ties.
    """

    methods: tuple[str, ...]
    values: tuple[float, ...]
    n_datasets: int
    ties: float = 0.0

    def of(self, method: str) -> float:
        """The mean rank of one method."""
        if method not in self.methods:
            known = ", ".join(self.methods)
            raise ValueError(f"there is no method {method!r}; the methods are {known}")
        return self.values[self.methods.index(method)]

    @property
    def order(self) -> tuple[str, ...]:
        """The methods, best first; equal mean ranks in the order given."""
        return tuple(sorted(self.methods, key=self.of))

    @property
    def standard_error(self) -> float:
        """Standard error of a difference of mean ranks, if all methods are equal and none tie.

        ``sqrt(k (k + 1) / (6 N))`` for ``k`` methods on ``N`` data sets; with ties it is smaller,
        so tests that use this number are on the safe side.
        """
        k = len(self.methods)
        return float(np.sqrt(k * (k + 1) / (6 * self.n_datasets)))


def mean_ranks(errors: Mapping[str, ArrayLike]) -> MeanRanks:
    """Rank the methods on each data set, the lowest error first, and average over data sets.

    ``errors`` maps each method to its errors, one per data set and in the same order of data sets
    for all; a pandas table with one column per method will do. Equal errors share the mean of
    their ranks; equal means exactly equal, so round first if differences are noise. An infinite
    error (a method that failed) ranks last.

    Cost: O(N k log k) for ``k`` methods on ``N`` data sets.

    References
    ----------
    Demšar (2006), Journal of Machine Learning Research 7.
    """
    table = _checked(errors)
    ranks = rankdata(table, axis=1)
    groups = [np.unique(row, return_counts=True)[1] for row in table]
    ties = sum(float(np.sum(counts.astype(float) ** 3 - counts)) for counts in groups)
    values = tuple(float(value) for value in ranks.mean(axis=0))
    return MeanRanks(tuple(map(str, errors)), values, len(table), ties)


def _checked(errors: Mapping[str, ArrayLike]) -> np.ndarray:
    """The errors as a table, data sets in rows and methods in columns."""
    if not hasattr(errors, "keys"):
        raise ValueError("errors must map each method to its errors, one per data set")
    columns = {str(name): np.asarray(errors[name], dtype=float) for name in errors}
    if len(columns) < 2 or len(columns) < len(list(errors)):
        raise ValueError(f"ranks need at least two methods with different names, not {[*columns]}")
    shapes = {name: column.shape for name, column in columns.items()}
    if len(set(shapes.values())) > 1 or any(len(shape) != 1 for shape in shapes.values()):
        raise ValueError(f"each method needs one error per data set; the shapes are {shapes}")
    table = np.column_stack(list(columns.values()))
    if len(table) < 2:
        raise ValueError(f"mean ranks need at least two data sets, not {len(table)}")
    missing = [name for name, column in columns.items() if np.isnan(column).any()]
    if missing:
        raise ValueError(
            f"errors of {', '.join(missing)} are missing (NaN): leave out those data sets for all "
            "methods, or put in the error of a trivial predictor"
        )
    return table
