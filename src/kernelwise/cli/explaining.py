"""What ``kernelwise explain`` does; loaded when it is run."""

import textwrap
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernelwise.cli import console, output
from kernelwise.cli.oddities import Oddities, in_own_terms
from kernelwise.cli.options import FileOptions
from kernelwise.cli.predicting import NewRows, columns_of
from kernelwise.cli.records import checked_record, show_record, words_width
from kernelwise.cli.showing import put_metadata, show_model
from kernelwise.data.matching import as_written, read_columns
from kernelwise.data.pipeline import final_step
from kernelwise.insight import describe, row_effects
from kernelwise.insight.row_effects import RowEffect
from kernelwise.persistence import load_model
from kernelwise.tables.columns import UnseenLevelWarning

if TYPE_CHECKING:
    from pandas import DataFrame

# Without --row so many rows are explained.
MOST_ROWS = 20


def explain_model(model: Path) -> None:
    """Print the record of a model in words; without one, what its file says."""
    with console.warnings_as_notes():
        fitted, metadata = load_model(model)
    final = final_step(fitted)
    if not hasattr(final, "record_"):
        show_model(model, final, metadata)
        return
    show_record(checked_record(final, model))
    put_metadata(model, final, metadata)
    output.current.put(honest_error=metadata.honest_error)


def explain_rows(model: Path, table: Path, file: FileOptions, wanted: Sequence[int]) -> None:
    """Print why rows of a table are predicted as they are.

    Parameters
    ----------
    model, table : the files
    file : how the table is written
    wanted : numbers of rows, the first being 0; none: the first few
    """
    with console.warnings_as_notes():
        fitted, metadata = load_model(model)
    rows = NewRows.of(table, file, in_pieces=False)
    numbers = _numbers_of(wanted, len(rows.sample))
    columns = columns_of(metadata)
    # All rows together tell how the numbers are written.
    written, odd = as_written(rows.sample, columns, file.decimal, file.missing_texts)
    features, read = read_columns(rows.sample.iloc[numbers], written)
    features = in_own_terms(features, fitted)
    oddities = Oddities(fitted, metadata)
    oddities.add(features, read)
    console.show_checks([*rows.checks, *odd, *oddities.checks()])
    output.current.put(model=str(model), target=metadata.target)
    with console.warnings_as_notes():
        _say_each(fitted, features, numbers, model)


def _numbers_of(wanted: Sequence[int], n_rows: int) -> list[int]:
    """The rows to explain."""
    for number in wanted:
        if not 0 <= number < n_rows:
            raise ValueError(f"--row {number}: the table has the rows 0 to {n_rows - 1}")
    if not wanted and n_rows > MOST_ROWS:
        console.note(f"the first {MOST_ROWS} of {n_rows} rows; --row names others")
    return list(dict.fromkeys(wanted)) or list(range(min(n_rows, MOST_ROWS)))


def _say_each(fitted: Any, features: "DataFrame", numbers: Sequence[int], model: Path) -> None:
    final = final_step(fitted)
    # An altered file can be a valid model of something else; any error here means just that.
    try:
        seen = features if final is fitted else fitted[:-1].transform(features)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnseenLevelWarning)  # said among the oddities
            effects = row_effects(final, seen)
        names = [str(name) for name in seen.columns]
        found = [replace(effects[place], row=number) for place, number in enumerate(numbers)]
        texts = [describe(one, names, seen.iloc[place]) for place, one in enumerate(found)]
    except Exception as error:
        raise ValueError(f"{model} cannot explain this table: {error}") from error
    for place, text in enumerate(texts):
        if place:
            console.say("")
        for line in text.split("\n"):
            console.say_lines(textwrap.fill(line, words_width(), subsequent_indent="  "))
    every = zip(found, texts, strict=True)
    output.current.put(explanations=[_as_document(one, names, text) for one, text in every])


def _as_document(effect: RowEffect, names: Sequence[str], text: str) -> dict[str, Any]:
    """One row of the document."""
    return {
        "row": effect.row,
        "prediction": effect.prediction,
        "probability": effect.probability,
        "output": effect.output,
        "typical": effect.typical,
        "effects": dict(zip(names, effect.effects.tolist(), strict=True)),
        "interaction": effect.interaction,
        "pair": None if effect.pair is None else [names[number] for number in effect.pair],
        "pair_interaction": effect.pair_interaction,
        "words": text,
    }
