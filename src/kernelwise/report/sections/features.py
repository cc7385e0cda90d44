"""Which features matter: relevances, and what the model does as one feature changes."""

from __future__ import annotations

from functools import partial

from kernelwise.insight.fit_record import DependenceRecord, FeatureRecord, FitRecord, Stability
from kernelwise.insight.record_sentences import about_check, about_features
from kernelwise.report.document import (
    Figure,
    Gallery,
    Listing,
    Paragraph,
    Section,
    Table,
    TableCell,
    columns,
    text_cell,
)
from kernelwise.report.page_figures import dependence_figure
from kernelwise.report.relevance import RelevanceDisplay
from kernelwise.report.sections.cells import UNKNOWN, number_cell, share_cell, shares_cell

# The check of columns that say nearly the same.
TWINS = "KW220"
MOST_BARS = 20
# Features of the table beyond the bars.
MOST_LINES = 100


def features(record: FitRecord) -> Section:
    """Relevances with intervals, groups that say the same, and partial dependences."""
    title = "Which features matter"
    words = Paragraph(" ".join(about_features(record)) or "The table has no features.")
    if record.is_trivial or not record.features:
        return Section("features", "Features", title, (words,))
    parts = [words, _relevances(record)]
    twins = tuple(about_check(check) for check in record.checks if check.code == TWINS)
    if twins:
        parts.append(Listing(twins))
    if record.dependence:
        parts.append(_dependences(record))
    return Section("features", "Features", title, tuple(parts))


def _relevances(record: FitRecord) -> Figure:
    return Figure(
        "Relevance of the features",
        "How much of the change of the outputs goes away if the feature is held fixed, with 95 % "
        "intervals. Gray ones are not told apart from noise. Noise is about unseen rows: are they "
        "predicted better than with the feature held fixed? An interval says how its share varies.",
        partial(_draw_relevances, record),
        _relevance_table(record),
    )


def _relevance_table(record: FitRecord) -> Table:
    shown = record.features[:MOST_LINES]
    heads = ["Feature", "Relevance", "95 % interval", "Told apart from noise"]
    stable = record.stability
    if stable is not None:
        place = "Most relevant" if stable.n_first == 1 else f"Among the first {stable.n_first}"
        heads.append(f"{place} in folds")
    rows = tuple(_line(one, stable) for one in shown)
    which = f"the first {len(shown)} of" if len(shown) < len(record.features) else "all"
    title = f"Relevance of {which} {len(record.features)} features"
    return Table(title, columns(*heads, texts=(0, 3)), rows)


def _draw_relevances(record: FitRecord):
    display = RelevanceDisplay.from_record(record, max_features=MOST_BARS)
    figure = display.as_figure()
    for bar in display.bars_:
        bar.set_gid("mark")
    return figure


def _line(one: FeatureRecord, stable: Stability | None) -> tuple[TableCell, ...]:
    told = text_cell("yes" if one.selected else "no")
    line = text_cell(one.name), share_cell(one.relevance), shares_cell(one.low, one.high), told
    if stable is None:
        return line
    first = one.among_first
    return (*line, UNKNOWN if first is None else TableCell(f"{first} of {stable.copies}", first))


def _dependences(record: FitRecord) -> Gallery:
    """Small pictures with one axis of outputs."""
    if record.task == "classification":
        # Of two classes the second; of more the most common.
        output = 1 if len(record.classes) == 2 else record.counts.index(max(record.counts))
        label, size = "probability, %", 100.0
        title = f"How the probability of '{record.classes[output]}' changes with a feature"
    else:
        output, label, size = 0, "prediction", 1.0
        title = f"How the prediction of '{record.target}' changes with a feature"
    values = [size * line[output] for one in record.dependence for line in one.outputs]
    ends = min(values), max(values)
    figures = tuple(
        Figure(
            one.name,
            "",
            partial(dependence_figure, one, output, label, ends, size),
            _dependence_table(one, output, label, size),
        )
        for one in record.dependence
    )
    about = "The mean over rows of the table, all with the feature set to the same value."
    return Gallery(title, about, figures)


def _dependence_table(one: DependenceRecord, output: int, label: str, size: float) -> Table:
    rows = []
    for value, line in zip(one.values, one.outputs, strict=True):
        first = text_cell(value) if isinstance(value, str) else number_cell(value)
        mean = size * line[output]
        rows.append((first, TableCell(f"{mean:.1f}", mean) if size > 1 else number_cell(mean)))
    is_text = any(isinstance(value, str) for value in one.values)
    heads = columns(one.name, label.capitalize(), texts=(0,) if is_text else ())
    return Table(f"Mean {label} by '{one.name}'", heads, tuple(rows))
