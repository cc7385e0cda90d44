"""Grids of cells that survive being killed, and the published tables they run again."""

from kernelwise.experiments import (
    alignment_table_2,
    alignment_table_3,
    alignment_table_5,
    alignment_table_6,
    alignment_table_7,
    first_level_table_2,
    first_level_table_3,
    first_level_table_4,
    svm_table_1,
    svm_table_3,
    svm_table_4,
)
from kernelwise.experiments.cells import Cell, CellResult
from kernelwise.experiments.comparison import TableComparison, compare_with_paper
from kernelwise.experiments.entries import Entry
from kernelwise.experiments.executors import DaskExecutor, JoblibExecutor
from kernelwise.experiments.method import Method
from kernelwise.experiments.methods import COMPETITORS, METHODS
from kernelwise.experiments.published import Printed, PublishedTable
from kernelwise.experiments.runner import Progress, run_cells
from kernelwise.experiments.store import Store, StoreError

TABLES = {
    table.name: table
    for table in (
        first_level_table_2.TABLE,
        first_level_table_3.TABLE,
        first_level_table_4.TABLE,
        alignment_table_2.TABLE,
        alignment_table_3.TABLE,
        alignment_table_5.TABLE,
        alignment_table_6.TABLE,
        alignment_table_7.TABLE,
        svm_table_1.TABLE,
        svm_table_3.TABLE,
        svm_table_4.TABLE,
    )
}

__all__ = [
    "COMPETITORS",
    "METHODS",
    "TABLES",
    "Cell",
    "CellResult",
    "DaskExecutor",
    "Entry",
    "JoblibExecutor",
    "Method",
    "Printed",
    "Progress",
    "PublishedTable",
    "Store",
    "StoreError",
    "TableComparison",
    "compare_with_paper",
    "run_cells",
]
