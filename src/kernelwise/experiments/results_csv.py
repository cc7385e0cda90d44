"""Results as a compact CSV file: what is kept when the store is thrown away."""

import csv
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from kernelwise.experiments.cells import Cell, CellResult
from kernelwise.files import written_whole

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
    "message",
]


def write_results(path: Path, results: Iterable[CellResult], heading: Mapping[str, str]) -> None:
    """One line per cell, after comment lines with ``heading`` and the environments.

    Errors keep nine digits, which is exact for rates on fewer than 10^8 rows; kernel values five;
    of a message the first line.
    """
    results = sorted(results, key=lambda result: result.cell)
    with written_whole(path) as temporary, temporary.open("w", newline="") as file:
        for key, value in heading.items():
            file.write(f"# {key}: {value}\n")
        for environment, count in Counter(r.environment for r in results).items():
            file.write(f"# environment of {count} cells: {environment}\n")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(_line(result) for result in results)


def read_results(path: Path) -> tuple[list[CellResult], dict[str, str]]:
    """What :func:`write_results` wrote: results and heading."""
    try:
        lines = path.read_text().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} cannot be read: {error}") from None
    comments = [line[2:].partition(": ") for line in lines if line.startswith("# ")]
    reader = csv.DictReader(line for line in lines if not line.startswith("#"))
    if reader.fieldnames is None or list(reader.fieldnames) != COLUMNS:
        raise ValueError(f"{path} is not a file of results: its columns are not {COLUMNS}")
    return [_result(row) for row in reader], {key: value for key, _, value in comments}


def _line(result: CellResult) -> list[str]:
    return [
        *map(str, result.cell),
        result.status,
        *(_text(value, ".9g") for value in (result.error, result.baseline, result.inner_error)),
        *(_text(value, "d") for value in (result.n_train, result.n_test)),
        *(_text(value, ".4g") for value in (result.wall_seconds, result.cpu_seconds)),
        result.predictions_hash,
        _text(result.learnt.get("regularization"), ".5g"),
        " ".join(f"{name}={count}" for name, count in sorted(result.counters.items())),
        " ".join(f"{value:.5g}" for value in result.learnt.get("values", ())),
        result.message.partition("\n")[0] if result.status != "done" else "",
    ]


def _text(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)


def _result(row: Mapping[str, str]) -> CellResult:
    learnt: dict = {}
    if row["values"]:
        learnt = {
            "values": [float(value) for value in row["values"].split()],
            "regularization": float(row["regularization"]),
        }
    pairs = (item.split("=") for item in row["counters"].split())
    return CellResult(
        Cell(row["dataset"], row["split"], row["method"], int(row["seed"])),
        status=row["status"],
        message=row["message"],
        predictions_hash=row["predictions_hash"],
        counters={name: int(count) for name, count in pairs},
        learnt=learnt,
        error=_number(row["error"]),
        baseline=_number(row["baseline"]),
        inner_error=_number(row["inner_error"]),
        wall_seconds=_number(row["wall_seconds"]),
        cpu_seconds=_number(row["cpu_seconds"]),
        n_train=int(row["n_train"]) if row["n_train"] else None,
        n_test=int(row["n_test"]) if row["n_test"] else None,
    )


def _number(text: str) -> float | None:
    return float(text) if text else None
