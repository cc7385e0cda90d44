"""The document of methods compared on one table or several."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

import kernelwise
from kernelwise.compare.comparison import MethodComparison, MethodSummary
from kernelwise.compare.stored import ComparedTable, as_json
from kernelwise.compare.words import TRIVIAL, in_words, number_text, recommendation
from kernelwise.evaluation import mean_ranks
from kernelwise.methods import METHODS
from kernelwise.report.comparison_table import method_table, unit_of
from kernelwise.report.cost import CostAndError, error_against_cost
from kernelwise.report.critical_difference import CriticalDifferenceDisplay
from kernelwise.report.document import (
    Code,
    Document,
    Figure,
    Listing,
    Paragraph,
    Section,
    Table,
    TableCell,
    columns,
    text_cell,
)
from kernelwise.report.leaderboard import error_intervals

# Over so many tables mean ranks are tested.
FEWEST_TABLES = 5


def comparison_document(tables: Sequence[ComparedTable], title: str | None = None) -> Document:
    """What methods are worth on each table, which to use, and their cost.

    Parameters
    ----------
    tables : at least one
    title : None: the names of the tables
    """
    if not tables:
        raise ValueError("no table has two finished splits: there is nothing to report")
    sections: list[Section] = []
    if len(tables) == 1:
        (table,) = tables
        sections += [verdict(table), errors(table), cost(table)]
        rows, names = _rows(table), f"Comparing methods on '{table.name}'"
        lead = [*_lead(table.comparison)]
    else:
        for number, table in enumerate(tables, 1):
            parts = [*verdict(table).parts, *errors(table).parts, *cost(table).parts]
            name = f"{table.name}: predicting '{table.target}'"
            sections.append(Section(f"table-{number}", table.name, name, tuple(parts)))
        ranked = ranks(tables)
        sections += [ranked] if ranked.parts else []
        rows, names = f"{len(tables)} tables", f"Comparing methods on {len(tables)} tables"
        lead = [f"{one.name}: {said}" for one in tables for said in _lead(one.comparison)[:1]]
    sections += [methods(tables), notes(tables), repeat(tables)]
    return Document(
        title or names,
        (f"kernelwise {kernelwise.__version__}", rows),
        tuple(lead),
        tuple(section for section in sections if section.parts),
        as_json(tables),
    )


def _lead(comparison: MethodComparison) -> list[str]:
    """The recommendation, then the lowest error."""
    said = in_words(comparison)
    return [recommendation(comparison), said[0]] if comparison.compared else said


def _rows(table: ComparedTable) -> str:
    """How many took part, and whether these were all."""
    rows = f"{table.comparison.rows} rows"
    return rows if table.sampled is None else f"{rows}, a random sample of {table.sampled[1]}"


def verdict(table: ComparedTable) -> Section:
    """What the comparison means, in sentences."""
    comparison = table.comparison
    repeats = comparison.splits // table.folds
    splits = f"{repeats} x {table.folds} folds, the same for all methods. Errors: "
    of = "" if table.sampled is None else f" Of the table only {_rows(table)} took part."
    how = Paragraph(f"Judged by {splits}{unit_of(comparison, table.target)}.{of}")
    return Section(
        "verdict", "Verdict", "Which one to use", (Listing(tuple(in_words(comparison))), how)
    )


def errors(table: ComparedTable) -> Section:
    """The errors of all methods with their intervals."""
    comparison = table.comparison
    shown = {one.method: one.error for one in _all(comparison) if one.error is not None}
    numbers = method_table(comparison)
    if not shown:
        return Section("errors", "Errors", "Errors on rows not seen", (numbers,))
    order = np.argsort([error.value for error in shown.values()], kind="stable")
    rows = [place for place, one in enumerate(_all(comparison)) if one.error is not None]
    figure = Figure(
        "Errors of the methods",
        "Dots are mean errors on rows not seen, lines their 95 % intervals.",
        partial(
            error_intervals,
            shown,
            baseline=comparison.baseline,
            baseline_name=f"always the {TRIVIAL[comparison.task]}",
            xlabel=f"error: {unit_of(comparison, table.target)}",
        ),
        numbers,
        rows=tuple(rows[place] for place in order),
        folded=False,
    )
    return Section("errors", "Errors", "Errors on rows not seen", (figure,))


def cost(table: ComparedTable) -> Section:
    """Errors against the time of a fit."""
    comparison = table.comparison
    found = {
        one.method: CostAndError(one.cpu_seconds, one.error.value, one.error.lower, one.error.upper)
        for one in comparison.compared
        if one.error is not None and one.cpu_seconds
    }
    if len(found) < 2:
        return Section("cost", "Cost", "What they cost", ())
    rows = tuple(
        (
            text_cell(name),
            TableCell(f"{one.cost:.2g}", one.cost),
            TableCell(number_text(one.error, comparison), one.error),
        )
        for name, one in found.items()
    )
    figure = Figure(
        "Error and CPU time of a fit",
        "The line joins the methods that nothing cheaper beats.",
        partial(error_against_cost, found, ylabel=f"error: {unit_of(comparison, table.target)}"),
        Table("Cost and error", columns("Method", "CPU seconds", "Error"), rows),
    )
    return Section("cost", "Cost", "What they cost", (figure,))


def ranks(tables: Sequence[ComparedTable]) -> Section:
    """Mean ranks over tables of the methods that finished all of them; tested if there are many."""
    found = [
        {one.method: one.error.value for one in table.comparison.compared if one.error is not None}
        for table in tables
    ]
    names = [name for name in found[0] if all(name in own for own in found)]
    if len(names) < 2:
        return Section("ranks", "Ranks", "Over all tables", ())
    values = {name: [own[name] for own in found] for name in names}
    ranking = mean_ranks(values)
    rows = tuple(
        (text_cell(name), TableCell(f"{ranking.of(name):.2f}", ranking.of(name)))
        for name in ranking.order
    )
    numbers = Table("Mean ranks", columns("Method", "Mean rank"), rows, "1 is the best.")
    if len(tables) < FEWEST_TABLES or len(names) < 3:
        said = f"{len(tables)} tables are too few to tell whether these differ."
        return Section("ranks", "Ranks", "Over all tables", (numbers, Paragraph(said)))
    figure = Figure(
        "Mean ranks over tables",
        "Heavy bars join methods that do not differ (Nemenyi's test at 5 %).",
        CriticalDifferenceDisplay.from_errors(values).as_figure,
        numbers,
        mark="",
        folded=False,
    )
    return Section("ranks", "Ranks", "Over all tables", (figure,))


def methods(tables: Sequence[ComparedTable]) -> Section:
    """What each method is."""
    names = dict.fromkeys(one.method for table in tables for one in _all(table.comparison))
    rows = tuple((text_cell(name), text_cell(METHODS[name].summary)) for name in names)
    found = Table("Methods", columns("Method", "What it is", texts=(0, 1)), rows)
    return Section("methods", "Methods", "What the methods are", (found,), is_open=False)


def notes(tables: Sequence[ComparedTable]) -> Section:
    """Failures, warnings and what was skipped."""
    said = tuple(
        f"{table.name}: {problem}" for table in tables for problem in table.comparison.problems
    )
    parts = (Listing(said),) if said else ()
    return Section("notes", "Notes", "Failures and warnings", parts, is_open=False)


def repeat(tables: Sequence[ComparedTable]) -> Section:
    """Commands that compute it again, and what it was computed with."""
    commands = "\n".join(map(_command, tables))
    said = "and the options that say how the table is read, if there were any"
    parts: list[Any] = [Code(f"In the shell ({said})", commands, "shell")]
    facts: list[tuple[str, str]] = []
    for text in sorted({text for table in tables for text in table.environments}):
        facts += [(str(name), str(value)) for name, value in json.loads(text).items()]
    rows = tuple((text_cell(name), text_cell(value)) for name, value in facts)
    parts.append(Table("Made with", columns("What", "Value", texts=(0, 1)), rows))
    return Section("repeat", "Repeat", "Repeat this", tuple(parts), is_open=False)


def _command(table: ComparedTable) -> str:
    """What computes the same splits again."""
    comparison = table.comparison
    options = {
        "target": table.target,
        "methods": ",".join(one.method for one in _all(comparison)).lower(),
        "folds": str(table.folds),
        "repeats": str(comparison.splits // table.folds),
        "seed": str(table.seed),
    }
    if table.sampled is not None:
        options["sample"] = str(table.sampled[0])
    words = [word for name, value in options.items() for word in (f"--{name}", value)]
    return shlex.join(["kernelwise", "compare", table.name, *words])


def _all(comparison: MethodComparison) -> tuple[MethodSummary, ...]:
    return (*comparison.compared, *comparison.incomplete)
