"""Results as a compact CSV file: what is kept when the store is thrown away."""

import csv
import math
from collections.abc import Iterable, Mapping
from io import StringIO
from pathlib import Path

from kernelwise.files import written_whole
from kernelwise.runs.cells import DONE, FAILED, SKIPPED, Cell, CellResult

COLUMNS = [
    "dataset",
    "split",
    "method",
    "seed",
    "status",
    "error",
    "baseline",
    "inner_error",
    "n_train",
    "n_test",
    "wall_seconds",
    "cpu_seconds",
    "predictions_hash",
    "regularization",
    "counters",
    "values",
    "measures",
    "environment",
    "message",
]
DECIMALS = ("error", "baseline", "inner_error", "wall_seconds", "cpu_seconds")
ENVIRONMENT = "environment "


def write_results(path: Path, results: Iterable[CellResult], heading: Mapping[str, str]) -> None:
    """One line per cell, sorted, after comment lines with ``heading`` and the environments.

    Kept to the last bit: cells, statuses, errors, counters and environments. Times keep four
    digits, the kernel's values and the regularization five, measures six; of what else was learnt
    nothing, and of a message the first line, where the cell is not done. The same results give the
    same bytes.
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
    """What :func:`write_results` wrote: results, and heading with the environments."""
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
        if reader.fieldnames is None or list(reader.fieldnames) != COLUMNS:
            raise ValueError(f"its columns are not {', '.join(COLUMNS)}")
        results = [_result(row, heading) for row in reader]
    except (ValueError, TypeError, AttributeError, KeyError, csv.Error) as error:
        where = f"line {reader.line_num} of its table: " if reader.line_num > 1 else ""
        raise ValueError(f"{path} is not a file of results: {where}{error}") from None
    return results, heading


def _line(result: CellResult, environment: int) -> list[str]:
    return [
        *map(str, result.cell),
        result.status,
        *(_text(value, "r") for value in (result.error, result.baseline, result.inner_error)),
        *(_text(value, "d") for value in (result.n_train, result.n_test)),
        *(_text(value, ".4g") for value in (result.wall_seconds, result.cpu_seconds)),
        result.predictions_hash,
        _text(result.learnt.get("regularization"), ".5g"),
        " ".join(f"{name}={count}" for name, count in sorted(result.counters.items())),
        " ".join(f"{value:.5g}" for value in result.learnt.get("values", ())),
        " ".join(f"{name}={value:.6g}" for name, value in sorted(result.measures.items())),
        str(environment),
        "" if result.status == DONE else _one_line(result.message.partition("\n")[0]),
    ]


def _text(value: float | None, form: str) -> str:
    """A missing number is empty; "r" is the shortest text that reads as the same number."""
    if value is None:
        return ""
    return repr(value) if form == "r" else format(value, form)


def _one_line(text: str) -> str:
    """A line break would end a comment, or the first line of a message."""
    return " ".join(text.splitlines())


def _result(row: Mapping[str, str], heading: Mapping[str, str]) -> CellResult:
    if row["status"] not in (DONE, FAILED, SKIPPED):
        raise ValueError(f"there is no status {row['status']!r}")
    if row["status"] == DONE and not math.isfinite(float(row["error"] or "nan")):
        raise ValueError("a cell that is done has no error rate")
    if "/" not in row["split"]:
        raise ValueError(f"there is no split {row['split']!r}")
    learnt: dict = {}
    if row["values"]:
        learnt["values"] = [float(value) for value in row["values"].split()]
    if row["regularization"]:
        learnt["regularization"] = float(row["regularization"])
    if row["measures"]:
        measures = (item.split("=") for item in row["measures"].split())
        learnt["measures"] = {name: float(value) for name, value in measures}
    pairs = (item.split("=") for item in row["counters"].split())
    return CellResult(
        Cell(row["dataset"], row["split"], row["method"], int(row["seed"])),
        status=row["status"],
        message=row["message"],
        predictions_hash=row["predictions_hash"],
        counters={name: int(count) for name, count in pairs},
        learnt=learnt,
        environment=heading[ENVIRONMENT + row["environment"]],
        **{name: _number(row[name]) for name in DECIMALS},
        n_train=int(row["n_train"]) if row["n_train"] else None,
        n_test=int(row["n_test"]) if row["n_test"] else None,
    )


def _number(text: str) -> float | None:
    return float(text) if text else None
