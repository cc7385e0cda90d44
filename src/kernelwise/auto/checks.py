"""Checks of a table as an estimator has read it: what to know before believing the model."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from kernelwise.data.checks import Check, count, listed
from kernelwise.data.dataset import FEW_ROWS, REPEATED
from kernelwise.data.target import FEW_OF_A_CLASS, RARE

# Columns whose ranks agree by more than this say nearly the same.
NEARLY_SAME = 0.98
# So many rows are compared, and no more columns than this.
COMPARED_ROWS, MOST_COLUMNS = 2000, 300


def checks_of(reading: Any, names: list[str]) -> list[Check]:
    """What was seen in a table, each under a code; of a table in pieces only what is at hand."""
    found = [Check("KW219", sentence) for sentence in reading.columns.checks]
    found += _about_classes(reading)
    if reading.rows is None:
        found += _about_rows(reading) + _about_twins(reading, names)
    return found


def _about_classes(reading: Any) -> list[Check]:
    classes = getattr(reading, "classes", None)
    if classes is None:
        return []
    mass = np.bincount(reading.codes, reading.given.counts, len(classes))
    few = [str(label) for label, rows in zip(classes, mass, strict=True) if rows < FEW_OF_A_CLASS]
    if few:
        said = f"classes with fewer than {FEW_OF_A_CLASS} rows: {listed(few)}"
        return [Check("KW302", said, "they can hardly be learned or judged")]
    if mass.min() < RARE * mass.sum():
        rarest, share = classes[mass.argmin()], 100 * mass.min() / mass.sum()
        said = f"class '{rarest}' has only {share:.1f} % of the rows"
        advice = "look at its recall and at the balanced error"
        given = reading.given
        used = given.counts > 0
        if np.ptp(given.weights[used] / given.counts[used]) == 0:  # classes weigh what they are
            advice += ", or balance the classes"
        return [Check("KW306", said, advice)]
    return []


def _about_rows(reading: Any) -> list[Check]:
    used = int((reading.given.weights > 0).sum())
    repeated = used - len(np.unique(reading.parts.distinct))
    found = []
    if repeated >= REPEATED * used:
        said = f"{count(repeated, 'row')} of {used} repeat others"
        advice = "equal rows count as one case where errors are judged"
        found.append(Check("KW402", said, advice))
    if used < FEW_ROWS:
        said = f"the table has only {count(used, 'row')}: expect wide intervals"
        found.append(Check("KW403", said))
    return found


def _about_twins(reading: Any, names: list[str]) -> list[Check]:
    """Numeric columns of almost the same ranks: any of them can get the relevance of all."""
    rows, columns = reading.parts.X, reading.columns
    numeric = np.setdiff1d(np.arange(columns.n_columns), columns.categorical)
    varying = numeric[np.ptp(rows[:, numeric], axis=0) > 0] if len(rows) > 2 else numeric[:0]
    if not 2 <= len(varying) <= MOST_COLUMNS:
        return []
    shown = rows[:: max(len(rows) // COMPARED_ROWS, 1)][:, varying]
    ranks = np.column_stack([_ranks(column) for column in shown.T])
    with np.errstate(invalid="ignore"):
        agreement = np.abs(np.corrcoef(ranks.T))
    _, group = connected_components(csr_array(agreement > NEARLY_SAME), directed=False)
    found = []
    for number in np.unique(group):
        alike = varying[group == number]
        if len(alike) > 1:
            said = f"{listed([names[r] for r in alike])} say nearly the same"
            found.append(Check("KW220", said, "any of them can get the relevance of all"))
    return found


def _ranks(column: np.ndarray) -> np.ndarray:
    _, codes, counts = np.unique(column, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - counts / 2)[codes.reshape(-1)]
