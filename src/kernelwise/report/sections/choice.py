"""What was chosen, and why: the candidates side by side."""

from __future__ import annotations

import numpy as np

from kernelwise.insight.fit_record import CandidateRecord, FitRecord
from kernelwise.insight.headline import most_common
from kernelwise.insight.record_sentences import about_choice, about_error, about_reasons, about_time
from kernelwise.report.document import Cell, Figure, Paragraph, Section, Table, columns, text_cell
from kernelwise.report.leaderboard import LeaderboardDisplay
from kernelwise.report.sections.cells import (
    UNKNOWN,
    error_cell,
    interval_cell,
    number_cell,
    share_cell,
    unit,
)

EXPLAINED = (
    "Behind: error minus that of the first line, which predicts. Optimism: error minus what the "
    "search saw. "
    "Factorizations: the work, counted in matrices."
)


def chosen(record: FitRecord) -> Section:
    """The leaderboard, as a picture and as a table, and why it came to that."""
    table = leaderboard_table(record)
    words = [Paragraph(" ".join([*about_choice(record), *about_reasons(record)]))]
    took = f"The fit took {' '.join(about_time(record))}"
    words.append(Paragraph(" ".join([*about_error(record), took])))
    if record.error is None:
        words.append(Paragraph("Errors on new rows were not estimated: the fit had folds=0."))
        return Section("chosen", "Chosen", "What was chosen, and why", (*words, table))
    order = np.argsort([one.error or 0.0 for one in record.candidates], kind="stable")
    figure = Figure(
        "Errors of the candidates",
        "Dots are errors on rows that no choice has seen, lines their 95 % intervals. Gray "
        "candidates count for nothing.",
        LeaderboardDisplay.from_record(record).as_figure,
        table,
        rows=tuple(map(int, order)),
        folded=False,
    )
    return Section("chosen", "Chosen", "What was chosen, and why", (*words, figure))


def leaderboard_table(record: FitRecord) -> Table:
    """A row for each candidate, and one for answering without looking."""
    heads = columns(
        *("Candidate", "Weight", f"Error{unit(record)}", "95 % interval", "Behind", "Optimism"),
        *("Seconds", "Factorizations", "Compared with the first"),
        texts=(0, 8),
    )
    rows = [_row(record, one) for one in record.candidates]
    if record.error is not None:
        rows.append(_trivial_row(record, record.error.baseline))
    return Table("Leaderboard", heads, tuple(rows), EXPLAINED)


def _row(record: FitRecord, one: CandidateRecord) -> tuple[Cell, ...]:
    stack = record.candidates[0].error
    behind = None if one.error is None or stack is None else one.error - stack
    return (
        text_cell(one.name),
        share_cell(one.weight),
        error_cell(record, one.error),
        interval_cell(record, one.low, one.high),
        error_cell(record, behind),
        error_cell(record, one.optimism),
        number_cell(one.seconds),
        Cell(str(one.factorizations), one.factorizations),
        text_cell(one.verdict),
    )


def _trivial_row(record: FitRecord, baseline: float) -> tuple[Cell, ...]:
    always = "the mean" if record.task == "regression" else f"'{most_common(record)}'"
    stack = record.candidates[0].error
    behind = None if stack is None else baseline - stack
    known = text_cell(f"always {always}"), UNKNOWN, error_cell(record, baseline), UNKNOWN
    return (*known, error_cell(record, behind), *[UNKNOWN] * 3, text_cell("nothing learned"))
