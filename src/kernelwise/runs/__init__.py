"""Grids of cells that survive being killed."""

from kernelwise.runs.cells import Cell, CellResult
from kernelwise.runs.executors import DaskExecutor, JoblibExecutor
from kernelwise.runs.runner import Progress, run_cells
from kernelwise.runs.store import Store, StoreError

__all__ = [
    "Cell",
    "CellResult",
    "DaskExecutor",
    "JoblibExecutor",
    "Progress",
    "Store",
    "StoreError",
    "run_cells",
]
