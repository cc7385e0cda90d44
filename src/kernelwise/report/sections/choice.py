"""What was chosen, and why: the candidates side by side."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernelwise.insight.fit_record import CandidateRecord, FitRecord
from kernelwise.insight.headline import headline_sentences, most_common
from kernelwise.insight.record_sentences import about_choice, about_error, about_reasons, about_time
from kernelwise.report.document import (
    Figure,
    Paragraph,
    Section,
    Table,
    TableCell,
    columns,
    text_cell,
)
from kernelwise.report.leaderboard import LeaderboardDisplay
from kernelwise.report.sections.cells import (
    UNKNOWN,
    count_cell,
    error_cell,
    interval_cell,
    number_cell,
    share_cell,
    unit,
)

EXPLAINED = (
    "Behind: error minus that of the first line, which predicts. Optimism: error minus what the "
    "search saw. Factorizations: the work, counted in matrices."
)
NOT_ESTIMATED = (
    "Errors on new rows were not estimated, because the fit had folds=0. What the search saw "
    "flatters, as the least of what was tried."
)


def chosen(record: FitRecord) -> Section:
    """The leaderboard, as a picture and as a table, and why it came to that."""
    took = f"The fit took {' '.join(about_time(record))}"
    said = about_error(record)
    if record.error is None:
        said = headline_sentences(record) if record.constant else [NOT_ESTIMATED]
    words = Paragraph(" ".join([*about_choice(record), *about_reasons(record)]))
    parts: list[Any] = [words, Paragraph(" ".join([*said, took]))]
    if record.error is None:
        parts.append(_seen_table(record))
        return Section("chosen", "Chosen", "What was chosen, and why", tuple(parts))
    order = np.argsort([one.error or 0.0 for one in record.candidates], kind="stable")
    figure = Figure(
        "Errors of the candidates",
        "Dots are errors on rows that no choice has seen, lines their 95 % intervals. Gray "
        "candidates count for nothing.",
        LeaderboardDisplay.from_record(record).as_figure,
        leaderboard_table(record),
        rows=tuple(map(int, order)),
        folded=False,
    )
    return Section("chosen", "Chosen", "What was chosen, and why", (*parts, figure))


def leaderboard_table(record: FitRecord) -> Table:
    """A row for each candidate, and one for answering without looking."""
    heads = columns(
        *("Candidate", "Weight", f"Error{unit(record)}", "95 % interval", "Behind", "Optimism"),
        *("Seconds", "Factorizations", "Verdict"),
        texts=(0, 8),
    )
    rows = [_row(record, one) for one in record.candidates]
    if record.error is not None:
        rows.append(_trivial_row(record, record.error.baseline))
    return Table("Leaderboard", heads, tuple(rows), EXPLAINED)


def _seen_table(record: FitRecord) -> Table:
    """The candidates where no row was kept from them."""
    heads = columns(
        *("Candidate", "Weight", f"Seen by the search{unit(record)}"),
        *("Seconds", "Factorizations", "Verdict"),
        texts=(0, 5),
    )
    rows = tuple(
        (
            text_cell(one.name),
            share_cell(one.weight),
            error_cell(record, one.seen),
            number_cell(one.seconds),
            count_cell(one.factorizations),
            text_cell(one.verdict),
        )
        for one in record.candidates
    )
    return Table("Leaderboard", heads, rows)


def _row(record: FitRecord, one: CandidateRecord) -> tuple[TableCell, ...]:
    return (
        text_cell(one.name),
        share_cell(one.weight),
        error_cell(record, one.error),
        interval_cell(record, one.low, one.high),
        error_cell(record, _behind(record, one.error)),
        error_cell(record, one.optimism),
        number_cell(one.seconds),
        count_cell(one.factorizations),
        text_cell(one.verdict),
    )


def _behind(record: FitRecord, error: float | None) -> float | None:
    """An error minus that of what predicts."""
    first = record.candidates[0].error
    return None if error is None or first is None else error - first


def _trivial_row(record: FitRecord, baseline: float) -> tuple[TableCell, ...]:
    always = "the mean" if record.task == "regression" else f"'{most_common(record)}'"
    behind = error_cell(record, _behind(record, baseline))
    known = text_cell(f"always {always}"), UNKNOWN, error_cell(record, baseline), UNKNOWN
    return (*known, behind, *[UNKNOWN] * 3, text_cell("nothing learned"))
