"""What to type after ``kernelwise compare``: how to fit what it recommends."""

import shlex
from collections.abc import Sequence

from kernelwise import (
    AutoKernelClassifier,
    AutoKernelRegressor,
    LSSVMClassifier,
    LSSVMRegressor,
    RVMClassifier,
    RVMRegressor,
    SVMClassifier,
)
from kernelwise.compare.comparison import MethodComparison, MethodSummary
from kernelwise.compare.words import difference_text
from kernelwise.methods import METHODS

# The estimators of ``kernelwise fit`` by its option --machine.
MACHINES = {
    LSSVMClassifier: "lssvm",
    LSSVMRegressor: "lssvm",
    SVMClassifier: "svm",
    RVMClassifier: "rvm",
    RVMRegressor: "rvm",
}


def next_step(comparison: MethodComparison, arguments: Sequence[str]) -> list[str]:
    """Lines that end in the command for the recommended method, or for the best that has one.

    Parameters
    ----------
    comparison : of methods on a table
    arguments : those of ``kernelwise fit`` that say what the table is
    """
    chosen = comparison.recommended
    if chosen is None:
        return []
    if command := fit_command(chosen.method, comparison.task, arguments):
        return [f"To fit it: {command}"]
    python = snippet(chosen.method, comparison.task)
    lines = [f"To fit it in Python, to numbers X and targets y: {python}"]
    for summary in comparison.compared:
        command = fit_command(summary.method, comparison.task, arguments)
        if command and summary.beats_trivial:
            return [*lines, f"To fit {summary.method}{_behind(summary, comparison)}: {command}"]
    return lines


def _behind(summary: MethodSummary, comparison: MethodComparison) -> str:
    if summary.difference is None:
        return ""
    behind = difference_text(summary.difference.value, comparison)
    return f", {behind} behind the lowest error"


def fit_command(method: str, task: str, arguments: Sequence[str]) -> str | None:
    """The command line that fits a method; None if its options cannot say it."""
    made = METHODS[method].estimator(task, n_features=1, seed=0)
    if isinstance(made, AutoKernelClassifier | AutoKernelRegressor):  # what fit does by itself
        return shlex.join(["kernelwise", "fit", *arguments, "--out", "model.skops"])
    machine = MACHINES.get(type(made))
    if machine is None:
        return None
    kernel, selection = made.kernel, made.selection
    if not (isinstance(kernel, str) and isinstance(selection, str)):
        return None
    if type(made)(kernel, selection, random_state=0).get_params() != made.get_params():
        return None
    options = ("--machine", machine, "--kernel", kernel, "--selection", selection)
    return shlex.join(["kernelwise", "fit", *arguments, *options, "--out", "model.skops"])


def snippet(method: str, task: str) -> str:
    """A line of Python that fits a method to a table X of numbers with the target y."""
    making = f'METHODS["{method}"].estimator("{task}", X.shape[1], seed=0)'
    return f"from kernelwise.methods import METHODS; model = {making}.fit(X, y)"
