"""What to expect of a model, in one or two sentences, from its record."""

from __future__ import annotations

import math
from dataclasses import replace

from kernelwise.insight.fit_record import ErrorRecord, FitRecord

# Below this share of the rows the rarest class gets a sentence of its own.
RARE = 0.1
# With fewer rows the headline says how many would halve the interval.
FEW_ROWS = 200


def headline(record: FitRecord) -> str:
    """Expected errors of new rows with their interval, and those of answering without looking."""
    return " ".join(headline_sentences(record))


def headline_sentences(record: FitRecord) -> list[str]:
    """The sentences of the headline; the first says what to expect, or not to use the model."""
    error = record.error
    if record.constant:
        return [f"Nothing was learned, because every row has the same '{record.target}'."]
    if error is None:
        return ["How good it is on new rows was not estimated."]
    alike = as_if_classes_were_alike(record, error)
    if record.is_trivial:
        return [_useless(record, alike or error, alike is not None)]
    if not error.is_useful:
        return [_not_shown(record, alike or error, alike is not None)]
    if alike is not None:
        sentences = [_expected_of_classes(record, alike), _of_rows(record, error), _rare(record)]
    elif record.task == "classification":
        sentences = [_expected(record, error), _baseline(record, error), _rare(record)]
    else:
        sentences = [_expected(record, error)]
    rows = record.n_distinct
    if rows < FEW_ROWS:
        said = f"Only {rows} different rows: the interval is wide; about {4 * rows} would halve it."
        sentences.append(said)
    return [sentence for sentence in sentences if sentence]


def as_if_classes_were_alike(record: FitRecord, error: ErrorRecord) -> ErrorRecord | None:
    """The balanced error and that of any constant answer, if the fit was asked to weigh so."""
    value, low, high = error.measures.get("balanced error"), error.balanced_low, error.balanced_high
    was_asked = record.parameters.get("class_weight") == "'balanced'"
    if not was_asked or value is None or low is None or high is None:
        return None
    constant = 1 - 1 / max(len(record.classes), 1)
    return replace(error, value=value, low=low, high=high, baseline=constant)


def _expected_of_classes(record: FitRecord, alike: ErrorRecord) -> str:
    """The balanced error in words."""
    wrong, of = in_words_of_hundred(alike.value)
    return (
        f"Expect about {wrong} wrong in {of} new rows if every class counts alike, as the model "
        f"was asked to weigh them ({percent(alike.value)}, 95 % interval "
        f"{interval(record, alike)}); any constant answer is wrong in "
        f"{round(100 * alike.baseline)} of 100."
    )


def _of_rows(record: FitRecord, error: ErrorRecord) -> str:
    """The plain error, of a model that was asked for another one."""
    return (
        f"Of rows as they come {percent(error.value)} are wrong, and {percent(error.baseline)} if "
        f"the answer is always '{most_common(record)}'."
    )


def _useless(record: FitRecord, error: ErrorRecord, alike: bool) -> str:
    """That a model is no better than none."""
    trivial, numbers = _compared(record, error, alike)
    advice = "do not use this model, and do not read the relevances."
    if error.value < error.baseline:
        return f"No better than chance ({numbers} of {trivial}, which chance explains): {advice}"
    return f"No better than {trivial} ({numbers}): {advice}"


def _not_shown(record: FitRecord, error: ErrorRecord, alike: bool) -> str:
    """That a model knows something, but perhaps not enough to change an answer."""
    trivial, numbers = _compared(record, error, alike)
    if error.value < error.baseline:
        numbers += "; chance may explain the difference"
    return f"Not shown to be better than {trivial} ({numbers}): do not rely on it yet."


def _compared(record: FitRecord, error: ErrorRecord, alike: bool) -> tuple[str, str]:
    """What is answered without looking, and the error of either."""
    if alike:
        numbers = f"{percent(error.value)} wrong against {percent(error.baseline)}"
        return "any constant answer", f"every class counted alike, {numbers}"
    if record.task == "classification":
        numbers = f"{percent(error.value)} wrong against {percent(error.baseline)}"
        return f"always answering '{most_common(record)}'", numbers
    numbers = f"off by {number(error.value)} against {number(error.baseline)}"
    return "always predicting the mean", numbers


def _expected(record: FitRecord, error: ErrorRecord) -> str:
    if record.task == "classification" and error.value == 0:
        most = max(math.ceil(100 * error.high), 1)
        return (
            f"None of {error.rows} rows that no choice had seen was wrong: expect at most about "
            f"{most} wrong in 100 new rows (95 % interval {interval(record, error)})."
        )
    if record.task == "classification":
        wrong, of = in_words_of_hundred(error.value)
        return (
            f"Expect about {wrong} wrong in {of} new rows ({percent(error.value)}, 95 % interval "
            f"{interval(record, error)})."
        )
    share = error.value / error.baseline if error.baseline else math.nan
    return (
        f"Expect to be off by about {number(error.value)} in '{record.target}' (root mean squared; "
        f"95 % interval {interval(record, error)}), {percent(share)} of what always predicting the "
        "mean is off by."
    )


def _baseline(record: FitRecord, error: ErrorRecord) -> str:
    wrong = round(100 * error.baseline)
    said = f"Always answering '{most_common(record)}' is wrong in {wrong} of 100"
    if not error.beats_constant:
        said += ": the model tells the classes apart, but is not shown to be wrong less often"
    return f"{said}."


def _rare(record: FitRecord) -> str:
    """How many rows of the rarest class are found, if it is rare."""
    total = sum(record.counts)
    if not total or min(record.counts) >= RARE * total or not record.confusion:
        return ""
    rarest = record.counts.index(min(record.counts))
    line = record.confusion[rarest]
    if not sum(line):
        return ""
    found = round(100 * line[rarest] / sum(line))
    return f"Of the rare class '{record.classes[rarest]}' it finds {found} in 100."


def in_words_of_hundred(share: float) -> tuple[int, int]:
    """A share as so many of 100, or of 1000 where 100 would be too few to count."""
    return (round(100 * share), 100) if share >= 0.0095 else (round(1000 * share), 1000)


def interval(record: FitRecord, error: ErrorRecord) -> str:
    """The ends of the interval, with as many digits as its width allows."""
    if record.task == "regression":
        return f"{number(error.low)} to {number(error.high)}"
    digits = 0 if error.high - error.low > 0.1 else 1
    return f"{100 * error.low:.{digits}f} to {100 * error.high:.{digits}f} %"


def most_common(record: FitRecord) -> str:
    return record.classes[record.counts.index(max(record.counts))]


def percent(share: float) -> str:
    return f"{100 * share:.1f} %" if share < 0.0995 else f"{100 * share:.0f} %"


def number(value: float) -> str:
    """Three digits, without an exponent where a person would not write one."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    size = math.floor(math.log10(abs(value)))
    return f"{value:.{max(2 - size, 0)}f}" if -4 <= size < 7 else f"{value:.3g}"
