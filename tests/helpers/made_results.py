"""Results of cells that were never computed."""

from dataclasses import replace

from kernelwise.evaluation.fold_records import FoldRecord, Learnt
from kernelwise.runs import CellResult

LEARNT = ("kernel", "values", "regularization", "C", "relevance", "parameters", "measures")


def made(cell, error=0.25, environment="{}", **values):
    """A finished cell; further values are those of its record or of what was learned."""
    learnt = {name: values.pop(name) for name in LEARNT if name in values}
    sizes = {"n_train": 80, "n_test": 20, "wall_seconds": 1.0, "cpu_seconds": 1.0}
    record = FoldRecord(error=error, learnt=Learnt(**learnt), **{**sizes, **values})
    return CellResult(cell, "done", record=record, environment=environment)


def changed(result, **values):
    """The same cell with other values in its record."""
    return replace(result, record=replace(result.record, **values))
