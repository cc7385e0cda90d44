"""Results as a compact CSV file: what is kept when the store is thrown away."""

import csv
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from kernelwise.evaluation.fold_records import Learnt
from kernelwise.files import written_whole
from kernelwise.runs.cells import DONE, FAILED, KEPT, SKIPPED, Cell, CellResult

ENVIRONMENT = "environment "


class Form(NamedTuple):
    """A value as text, and back; a missing or empty value is empty text."""

    text: Callable[[Any], str]
    value: Callable[[str], Any]


def _rounded(digits: int) -> Form:
    return Form(lambda value: f"{value:.{digits}g}", float)


def _pairs(each: Form) -> Form:
    """A mapping as "name=value name=value"."""
    return Form(
        lambda found: " ".join(f"{name}={each.text(found[name])}" for name in sorted(found)),
        lambda text: {
            name: each.value(value) for name, value in (item.split("=") for item in text.split())
        },
    )


def _listed(each: Form) -> Form:
    return Form(
        lambda found: " ".join(map(each.text, found)),
        lambda text: [each.value(item) for item in text.split()],
    )


# For all other numbers: the shortest text that reads back as the same number.
EXACT = Form(repr, float)
FORMS = {
    "n_train": Form(str, int),
    "n_test": Form(str, int),
    "wall_seconds": _rounded(4),
    "cpu_seconds": _rounded(4),
    "predictions_hash": Form(str, str),
    "counters": _pairs(Form(str, int)),
    "values": _listed(_rounded(5)),
    "regularization": _rounded(5),
    "C": _rounded(5),
    "measures": _pairs(_rounded(6)),
}
# These would make the file many times as large.
LEFT_OUT = {"kernel", "relevance", "parameters"}
LEARNT = [f.name for f in fields(Learnt) if f.name not in LEFT_OUT]
VALUES = [*(name for name in KEPT if name != "learnt"), *LEARNT]
COLUMNS = [*Cell._fields, "status", *VALUES, "environment", "message"]
# Older files have "kind/number" as the split, and no C.
NEWER = {"number", "C"}


def write_results(path: Path, results: Iterable[CellResult], heading: Mapping[str, str]) -> None:
    """Write one line per cell, sorted, after comment lines with ``heading`` and the environments.

    Cells, statuses, errors, counters and environments are kept exactly, times with four digits, the
    kernel's values, the regularization and C with five, measures with six. Nothing else that was
    learned is kept, and a message only by its first line, if the cell is not done. The same results
    give the same bytes.
    """
    results = sorted(results, key=lambda result: result.cell)
    environments = list(dict.fromkeys(result.environment for result in results))
    with (
        written_whole(path) as temporary,
        temporary.open("w", newline="", encoding="utf-8") as file,
    ):
        for key, value in heading.items():
            file.write(f"# {key}: {_one_line(value)}\n")
        for number, environment in enumerate(environments, 1):
            file.write(f"# {ENVIRONMENT}{number}: {_one_line(environment)}\n")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for result in results:
            writer.writerow(_line(result, environments.index(result.environment) + 1))


def read_results(path: Path) -> tuple[list[CellResult], dict[str, str]]:
    """Read a file of :func:`write_results`, of any version: results, heading and environments."""
    try:
        text = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} cannot be read: {error}") from None
    heading = {}
    while text.startswith("# "):
        comment, _, text = text.partition("\n")
        key, _, value = comment[2:].partition(": ")
        heading[key] = value
    reader = csv.DictReader(StringIO(text, newline=""), strict=True)
    try:
        if set(reader.fieldnames or ()) | NEWER != set(COLUMNS):
            raise ValueError(f"its columns are not {', '.join(COLUMNS)}")
        results = [_result(row, heading) for row in reader]
    except (ValueError, TypeError, AttributeError, KeyError, csv.Error) as error:
        where = f"line {reader.line_num} of its table: " if reader.line_num > 1 else ""
        raise ValueError(f"{path} is not a file of results: {where}{error}") from None
    return results, heading


def _line(result: CellResult, environment: int) -> list[str]:
    kept = result.kept()
    kept |= kept.get("learnt", {})
    texts = {n: FORMS.get(n, EXACT).text(kept[n]) for n in VALUES if kept.get(n) is not None}
    reason = _one_line(result.reason.partition("\n")[0])
    values = (texts.get(name, "") for name in VALUES)
    return [*map(str, result.cell), result.status, *values, str(environment), reason]


def _one_line(text: str) -> str:
    """The text without line breaks, which would end a comment or a message's first line."""
    return " ".join(text.splitlines())


def _result(row: Mapping[str, str], heading: Mapping[str, str]) -> CellResult:
    if row["status"] not in (DONE, FAILED, SKIPPED):
        raise ValueError(f"there is no status {row['status']!r}")
    if row["status"] == DONE and not math.isfinite(float(row["error"] or "nan")):
        raise ValueError("a cell that is done has no error rate")
    kept = {name: FORMS.get(name, EXACT).value(row[name]) for name in VALUES if row.get(name)}
    kept["learnt"] = {name: kept.pop(name) for name in LEARNT if name in kept}
    environment = heading[ENVIRONMENT + row["environment"]]
    return CellResult.from_kept(_cell(row), row["status"], row["message"], kept, environment)


def _cell(row: Mapping[str, str]) -> Cell:
    split, number = row["split"], row.get("number")
    if number is None:
        split, slash, number = split.partition("/")
        if not slash:
            raise ValueError(f"there is no split {row['split']!r}")
    return Cell(row["dataset"], split, int(number), row["method"], int(row["seed"]))
