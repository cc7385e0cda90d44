"""The command ``kernelwise compare``."""

import shlex
import sys
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from kernelwise.cli import console
from kernelwise.cli.app import Seed, app, names_of
from kernelwise.cli.learning import Sample, Table, Target, Task, TaskName
from kernelwise.cli.models import read_dataset
from kernelwise.cli.next_step import next_step
from kernelwise.cli.options import FileOptions, GroupedOptions, as_arguments, with_options
from kernelwise.cli.pages import PageOptions
from kernelwise.cli.records import shown_name
from kernelwise.cli.running import (
    DEFAULT_STORE,
    Dask,
    Jobs,
    RetryFailed,
    StorePath,
    check_output,
    executor_for,
    installed,
    run_in_store,
)
from kernelwise.compare.comparison import MethodComparison
from kernelwise.compare.stored import ComparedTable, definition_of
from kernelwise.compare.trial import TableTrial, feasible_folds
from kernelwise.compare.words import TRIVIAL, in_words, names_in_words
from kernelwise.data import Dataset
from kernelwise.memory import check_memory
from kernelwise.methods import METHODS, Method, methods_named
from kernelwise.optional import import_optional
from kernelwise.report.comparison_document import comparison_document
from kernelwise.report.comparison_table import LEGEND, method_table, unit_of
from kernelwise.report.figures import METADATA, save_figure
from kernelwise.report.grids import grid_of
from kernelwise.report.leaderboard import error_intervals
from kernelwise.runs import CellResult
from kernelwise.runs.results_csv import write_results

DEFAULT_METHODS = (
    *("AUTO", "MIXED", "ARD-FLKL", "RBF-LOO"),
    *("SVM-GRID", "BOOSTING", "LIGHTGBM", "FOREST", "LINEAR"),
)

ALL_DEFAULT = ",".join(DEFAULT_METHODS)


@app.command(
    epilog="Example:  kernelwise compare patients.csv --target outcome --picture errors.png"
)
@console.errors_in_one_line
@with_options(columns=GroupedOptions, file=FileOptions, page=PageOptions)
def compare(
    table: Table,
    target: Target,
    methods: Annotated[
        str, typer.Option(help=f"Comma-separated, or 'all': {', '.join(METHODS)}.")
    ] = ALL_DEFAULT,
    task: TaskName = Task.AUTO,
    folds: Annotated[int, typer.Option(help="Folds of each cross-validation.")] = 5,
    repeats: Annotated[int, typer.Option(help="Cross-validations, each with new folds.")] = 5,
    sample: Sample = None,
    jobs: Jobs = 1,
    dask: Dask = None,
    store: StorePath = DEFAULT_STORE,
    retry_failed: RetryFailed = False,
    seed: Seed = 0,
    picture: Annotated[
        Path | None, typer.Option(help="Draw the errors to this PNG, SVG or PDF file.")
    ] = None,
    csv: Annotated[Path | None, typer.Option(help="Write the results to this CSV file.")] = None,
    *,
    columns: GroupedOptions,
    file: FileOptions,
    page: PageOptions,
) -> None:
    """Compare methods on a table: their errors on rows not seen, and which one to use.

    Every method learns all it needs inside each fold. Finished fits are kept in the store: an
    interrupted run resumes where it stopped.
    """
    chosen = _installed(methods_named(_method_names(methods)), asked_for=methods)
    executor = executor_for(jobs, dask)
    _check_counts(folds, repeats)
    _check_outputs(picture, csv, inputs=[table, store])
    page.check(inputs=[table, store], overwrite=True)
    dataset = read_dataset(table, target, task.value, columns, file)
    dataset = dataset if sample is None else dataset.sample(sample, seed)
    console.show_dataset(dataset, shown_name(table))
    console.show_checks(dataset.checks)
    possible = _possible_folds(dataset, columns.groups, folds)
    trial = TableTrial.of(
        dataset,
        shown_name(table),
        folds=possible,
        repeats=repeats,
        groups=dataset.groups,
        seed=seed,
    )
    chosen = _able(chosen, trial.dataset.task, asked_for=methods)
    if any(method.categorical for method in chosen):
        check_memory(len(trial.dataset.target))
    results = run_in_store(
        trial.cells(chosen),
        trial,
        store,
        executor,
        define=lambda opened: trial.define(opened, chosen),
        retry_failed=retry_failed,
    )
    table_of_results = ComparedTable.of(results, definition_of(trial.dataset))
    comparison = table_of_results.comparison
    show_method_comparison(comparison, target, trial.folds)
    _write(comparison, results, target, picture, csv)
    if page.report is not None:
        page.write(comparison_document([table_of_results]))
    for line in next_step(comparison, _as_given(table, target, task, sample, seed, columns, file)):
        console.say(line)


def _write(
    comparison: MethodComparison,
    results: list[CellResult],
    target: str,
    picture: Path | None,
    csv: Path | None,
) -> None:
    if picture is not None:
        _draw(comparison, target, picture)
        console.say(f"Picture:         {picture}")
    if csv is not None:
        write_results(csv, results, {"command": shlex.join(["kernelwise", *sys.argv[1:]])})
        console.say(f"Results:         {csv}")


def _as_given(
    table: Path,
    target: str,
    task: Task,
    sample: int | None,
    seed: int,
    columns: GroupedOptions,
    file: FileOptions,
) -> list[str]:
    """The arguments of ``kernelwise fit`` that say what this command was told."""
    detected = [] if task is Task.AUTO else ["--task", task.value]
    numbers = [] if sample is None else ["--sample", str(sample)]
    numbers += ["--seed", str(seed)] if seed else []
    return [str(table), "--target", target, *detected, *numbers, *as_arguments(columns, file)]


def _method_names(methods: str) -> list[str]:
    names = names_of(methods) or []
    return list(METHODS) if [name.lower() for name in names] == ["all"] else names


def _installed(methods: list[Method], asked_for: str) -> list[Method]:
    """The methods whose packages are installed; only those asked for by name must be."""
    by_name = asked_for != ALL_DEFAULT and asked_for.strip().lower() != "all"
    return installed(methods, by_name)


def _able(methods: list[Method], task: str, asked_for: str) -> list[Method]:
    """The methods that learn the task; others are left out of "all", and otherwise an error."""
    unable = [method.name for method in methods if not method.learns(task)]
    if unable and asked_for.strip().lower() != "all":
        raise ValueError(f"{', '.join(unable)}: for classes only, and the target is a quantity")
    return [method for method in methods if method.learns(task)]


def _check_counts(folds: int, repeats: int) -> None:
    for name, count, least in (("--folds", folds, 2), ("--repeats", repeats, 1)):
        if count < least:
            raise ValueError(f"{name} {count}: cross-validation needs at least {least}")


def _check_outputs(picture: Path | None, csv: Path | None, inputs: list[Path]) -> None:
    for given, path in (("--picture", picture), ("--csv", csv)):
        if path is not None:
            check_output(given, path, inputs)
    if picture is not None:
        if picture.suffix.lower() not in METADATA:
            raise ValueError(f"--picture {picture}: the name must end in {', '.join(METADATA)}")
        import_optional("matplotlib", extra="report")


def _possible_folds(dataset: Dataset, groups: str | None, folds: int) -> int:
    """As many folds as the rows or groups allow, saying so."""
    possible = feasible_folds(dataset, folds, dataset.groups)
    if possible < folds:
        console.note(
            f"too few {_units(dataset, groups)}: {possible} folds instead of {folds}, so each fit "
            f"learns from {100 * (possible - 1) / possible:.0f} % of the rows; to have more, merge "
            "or leave out what is rare"
        )
    if dataset.groups is not None:
        console.say(
            f"Groups:          {len(np.unique(dataset.groups))}, by '{groups}', never split"
        )
        console.note("methods that cross-validate inside each fit ignore the groups there")
    return possible


def _units(dataset: Dataset, groups: str | None) -> str:
    unit = "rows" if groups is None else "groups"
    if dataset.task != "classification":
        return unit
    labels, counts = np.unique(dataset.target, return_counts=True)
    return f"{unit} of the rarest class ('{labels[counts.argmin()]}')"


def show_method_comparison(comparison: MethodComparison, target: str, folds: int) -> None:
    """Print a line per method, then what it means in words."""
    repeats = comparison.splits // folds
    unit = unit_of(comparison, target)
    console.say(f"Splits:          {repeats} x {folds} folds, the same for all methods")
    console.say(f"Errors:          {unit}")
    console.say("")
    console.show_grid(grid_of(method_table(comparison)))
    console.say(LEGEND)
    console.say("")
    for line in names_in_words(comparison):
        console.say(line)
    console.say("")
    for sentence in in_words(comparison):
        console.say(sentence)
    console.show_messages(comparison.problems)


def _draw(comparison: MethodComparison, target: str, path: Path) -> None:
    errors = {
        summary.method: summary.error
        for summary in (*comparison.compared, *comparison.incomplete)
        if summary.error is not None
    }
    figure = error_intervals(
        errors,
        baseline=comparison.baseline,
        baseline_name=f"always the {TRIVIAL[comparison.task]}",
        xlabel=f"error on rows not seen: {unit_of(comparison, target)}",
    )
    save_figure(figure, path)
