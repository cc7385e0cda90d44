"""Numbers over the data sets or the replicates of a table, for its pictures."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from kernelwise.papers.comparison import TableComparison, compare_with_paper
from kernelwise.papers.quantities import ERROR
from kernelwise.runs.cells import CellResult


class Overall(NamedTuple):
    """A method over all data sets: geometric mean of the CPU seconds of a fit, mean error in
    percent, and that less and plus two standard errors.
    """

    cost: float
    error: float
    lower: float
    upper: float


def overall(comparison: TableComparison, results: Iterable[CellResult]) -> dict[str, Overall]:
    """Methods that finished every data set; the standard error is that of random splits alone."""
    if comparison.table.quantity is not ERROR:
        of_errors = replace(comparison.table, quantity=ERROR, printed={})
        comparison = compare_with_paper(of_errors, results)
    found = {}
    for method in comparison.methods:
        entries = [comparison.entries[dataset, method] for dataset in comparison.datasets]
        if not all(entry.values for entry in entries):
            continue
        error = float(np.mean([entry.mean for entry in entries]))
        spread = np.linalg.norm(np.nan_to_num([e.standard_error for e in entries])) / len(entries)
        cost = float(np.exp(np.mean(np.log([max(entry.cpu_seconds, 1e-6) for entry in entries]))))
        found[method] = Overall(cost, error, error - 2 * float(spread), error + 2 * float(spread))
    return found


def learnt_values(
    results: Iterable[CellResult], dataset: str, methods: Sequence[str]
) -> dict[str, np.ndarray]:
    """The kernel's learnt values of each method on one data set: (replicates, values)."""
    rows: dict[str, list[Sequence[float]]] = defaultdict(list)
    for result in sorted(results, key=lambda result: result.cell):
        cell = result.cell
        if result.record is not None and cell.dataset == dataset and cell.method in methods:
            rows[cell.method].append(result.record.learnt.values)
    return {method: np.array(rows[method]) for method in methods if rows[method]}
