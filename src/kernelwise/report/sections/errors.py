"""How a model errs, on rows that no choice has seen."""

from __future__ import annotations

from functools import partial
from typing import Any

from kernelwise.insight.fit_record import FitRecord
from kernelwise.insight.headline import headline, number
from kernelwise.report.document import (
    Figure,
    Gallery,
    Paragraph,
    Section,
    Table,
    TableCell,
    columns,
    text_cell,
)
from kernelwise.report.page_figures import calibration_figure, pairs_figure, residuals_figure
from kernelwise.report.sections.cells import (
    UNKNOWN,
    count_cell,
    number_cell,
    share_cell,
    shares_cell,
)

# With more classes a confusion has room for counts only.
FEW_CLASSES = 10


def errors(record: FitRecord) -> Section:
    """Confusion, calibration and the surest wrong rows of classes; residuals of quantities."""
    if record.error is None:
        words = "Not estimated: the fit had folds=0, so no rows were kept from the model."
        words = headline(record) if record.constant else words
        return Section("errors", "Errors", "How it errs", (Paragraph(words),))
    rows = "every row of the table" if record.error.folds > 1 else f"{record.error.rows} rows"
    said = f"All of this is about {rows}, as predicted by a copy that had not seen the row."
    parts: list[Any] = [Paragraph(said)]
    parts += _of_classes(record) if record.task == "classification" else _of_quantities(record)
    parts.append(_measures(record))
    return Section("errors", "Errors", "How it errs", tuple(part for part in parts if part))


def _of_classes(record: FitRecord) -> list[Any]:
    return [_confusion(record), _calibration(record), _surest_wrong(record)]


def _of_quantities(record: FitRecord) -> list[Any]:
    if not record.pairs:
        return [_coverage(record)]
    n_rows = record.error.rows if record.error is not None else 0
    shown = f"{len(record.pairs)} of {n_rows} rows, spread evenly over the table."
    if record.squares:
        shown = f"All {n_rows} rows, counted in squares: the darker, the more rows."
    elif len(record.pairs) >= n_rows:
        shown = f"All {n_rows} rows."
    agree = Figure(
        "Predicted and true",
        "On the dashed line both agree.",
        partial(pairs_figure, record),
        _pairs_table(record),
        mark="",
    )
    residuals = Figure(
        "Residuals",
        "A bend or a fan shows what the model misses.",
        partial(residuals_figure, record),
        _residuals_table(record),
        mark="",
    )
    return [Gallery("Predictions and truth", shown, (agree, residuals)), _coverage(record)]


def _confusion(record: FitRecord) -> Table | None:
    """Counts, and their percent of the true class."""
    if not record.confusion:
        return None
    few = len(record.classes) <= FEW_CLASSES
    said = (f"said {label}" if few else label for label in record.classes)
    heads = columns("True class", *said, "Found", "95 % interval")
    recalls = {one.label: one for one in record.recalls}
    rows = []
    for place, (label, line) in enumerate(zip(record.classes, record.confusion, strict=True)):
        total = sum(line)
        cells = [_counted(count, total, few) for count in line]
        one = recalls.get(label)
        found = share_cell(line[place] / total if total else None)
        ends = shares_cell(one.low, one.high) if one else UNKNOWN
        rows.append((text_cell(label), *cells, found, ends))
    # Weights that are no multiples of the least are left out.
    total, n_rows = sum(map(sum, record.confusion)), record.error.rows if record.error else 0
    rows_count = not record.weighted or total == n_rows
    what = "Rows of each class" if rows_count else "Weight of each class, the lightest row as 1,"
    about = f"{what} by what was said of them" + (", and percent of the class." * few)
    return Table("Confusion", heads, tuple(rows), about)


def _counted(count: int, total: int, few: bool) -> TableCell:
    """Rows of a class, in percent of all of them too where there is room."""
    share = count / total if total else 0.0
    text = f"{count} ({100 * share:.0f} %)" if few and count else str(count)
    return TableCell(text, count, share)


def _calibration(record: FitRecord) -> Figure | None:
    if not record.calibration:
        return None
    if len(record.classes) == 2:
        said, came = f"said probability of '{record.classes[1]}'", "came true"
    else:
        said, came = "said probability of the answer", "was right"
    heads = columns("Rows", said.capitalize(), came.capitalize(), "95 % interval", texts=())
    rows = tuple(
        (
            count_cell(one.rows),
            share_cell(one.predicted),
            share_cell(one.observed),
            shares_cell(one.low, one.high),
        )
        for one in record.calibration
    )
    about = (
        "On the dashed line probabilities mean what they say; bins hold about "
        f"{'equal weights' if record.weighted else 'equally many rows'}."
    )
    return Figure(
        "Can the probabilities be believed?",
        about,
        partial(calibration_figure, record.calibration, said, came),
        Table("Bins of the probabilities", heads, rows),
    )


def _surest_wrong(record: FitRecord) -> Table | None:
    if not record.surest_wrong:
        return None
    rows = tuple(
        (
            count_cell(one.row),
            text_cell(one.truth),
            text_cell(one.prediction),
            share_cell(one.probability),
        )
        for one in record.surest_wrong
    )
    about = "A label or a value may be wrong. The first row of the table has the number 0."
    heads = columns("Row", "True", "Said", "Said probability", texts=(1, 2))
    return Table("The surest wrong rows", heads, rows, about)


def _pairs_table(record: FitRecord) -> Table:
    if record.squares:
        heads = columns("True, about", "Predicted, about", "Rows", texts=())
        rows = tuple(
            (number_cell(one.true), number_cell(one.predicted), count_cell(one.rows))
            for one in record.squares
        )
        return Table("Squares of the picture", heads, rows)
    pairs = tuple((number_cell(one), number_cell(other)) for one, other in record.pairs)
    return Table("Rows of the picture", columns("True", "Predicted", texts=()), pairs)


def _residuals_table(record: FitRecord) -> Table:
    if record.squares:
        heads = columns("Predicted, about", "True minus predicted, about", "Rows", texts=())
        rows = tuple(
            (
                number_cell(one.predicted),
                number_cell(one.true - one.predicted),
                count_cell(one.rows),
            )
            for one in record.squares
        )
        return Table("Squares of the picture", heads, rows)
    pairs = tuple(
        (number_cell(predicted), number_cell(true - predicted)) for true, predicted in record.pairs
    )
    heads = columns("Predicted", "True minus predicted", texts=())
    return Table("Rows of the picture", heads, pairs)


def _coverage(record: FitRecord) -> Table | None:
    if not record.coverage:
        return None
    heads = columns("Interval", "Unseen rows within it", texts=())
    rows = tuple((share_cell(one.level, 0), share_cell(one.share)) for one in record.coverage)
    return Table("Do the intervals keep their promise?", heads, rows)


def _measures(record: FitRecord) -> Table | None:
    if record.error is None or not record.error.measures:
        return None
    found = record.error.measures.items()
    rows = tuple((text_cell(name), TableCell(number(value), value)) for name, value in found)
    return Table("Further measures of the same rows", columns("Measure", "Value"), rows)
