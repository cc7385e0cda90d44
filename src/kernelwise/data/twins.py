"""Numeric columns of almost the same ranks: any of them can get the relevance of all."""

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from kernelwise.data.checks import Check, listed

# Columns whose ranks agree by more than this say nearly the same.
NEARLY_SAME = 0.98
# So many rows are compared, and no more columns than this.
COMPARED_ROWS, MOST_COLUMNS = 2000, 300


def twins(numbers: np.ndarray, names: Sequence[str]) -> list[Check]:
    """Groups of columns that say nearly the same; gaps count as the median.

    Parameters
    ----------
    numbers, names : of the numeric columns
    """
    shown = numbers[:: max(len(numbers) // COMPARED_ROWS, 1)]
    varying = np.flatnonzero([len(np.unique(c[~np.isnan(c)])) > 1 for c in shown.T])
    if len(shown) < 3 or not 2 <= len(varying) <= MOST_COLUMNS:
        return []
    agreement = np.abs(np.corrcoef([_ranks(column) for column in shown[:, varying].T]))
    _, group = connected_components(csr_array(agreement > NEARLY_SAME), directed=False)
    found = []
    for number in np.unique(group):
        alike = varying[group == number]
        if len(alike) > 1:
            said = f"{listed([names[r] for r in alike])} say nearly the same"
            found.append(Check("KW220", said, "any of them can get the relevance of all"))
    return found


def _ranks(column: np.ndarray) -> np.ndarray:
    filled = np.where(np.isnan(column), np.nanmedian(column), column)
    _, codes, counts = np.unique(filled, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - counts / 2)[codes.reshape(-1)]
