"""Numbers over the data sets or the replicates of a paper table, for its pictures."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from kernelwise.evaluation import CostAndError
from kernelwise.papers.comparison import PaperComparison
from kernelwise.runs.cells import CellResult


def overall(comparison: PaperComparison) -> dict[str, CostAndError]:
    """Cost and error of methods, no oracles, that finished every data set: the geometric mean of
    CPU seconds per fit, and the mean error in percent with two standard errors, of random splits
    alone.
    """
    found = {}
    for method in comparison.methods:
        entries = [comparison.entries[dataset, method] for dataset in comparison.datasets]
        if method in comparison.table.oracles or not all(entry.values for entry in entries):
            continue
        mean = float(np.mean([entry.mean for entry in entries]))
        error = 100 - mean if comparison.table.quantity.higher_is_better else mean
        spread = np.linalg.norm(np.nan_to_num([e.standard_error for e in entries])) / len(entries)
        reach = 2 * float(spread)
        cost = float(np.exp(np.mean(np.log([max(entry.cpu_seconds, 1e-6) for entry in entries]))))
        found[method] = CostAndError(cost, error, error - reach, error + reach)
    return found


def learnt_values(
    results: Iterable[CellResult], dataset: str, methods: Sequence[str]
) -> dict[str, np.ndarray]:
    """The kernel's learned values of each method on one data set: (replicates, values)."""
    rows: dict[str, list[Sequence[float]]] = defaultdict(list)
    for result in sorted(results, key=lambda result: result.cell):
        cell = result.cell
        if result.record is not None and cell.dataset == dataset and cell.method in methods:
            rows[cell.method].append(result.record.learnt.values)
    return {method: np.array(rows[method]) for method in methods if rows[method]}
