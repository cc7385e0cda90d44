"""Comparisons of methods on tables, as a store keeps them."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from kernelwise.compare.comparison import MethodComparison, compare_methods
from kernelwise.data import Dataset
from kernelwise.runs.cells import CellResult
from kernelwise.runs.store import Store

# What a store calls the definition of a table's task and target.
KIND = "table"
SCHEMA = 1


@dataclass(frozen=True)
class ComparedTable:
    """Methods on one table.

    Attributes
    ----------
    name, target : of the table, and of the column that was predicted
    folds, seed : of the splits
    sampled : how many rows a sample was to have, and of how many; None: all rows took part
    comparison : what these say
    environments : JSON texts of the versions and machines that computed it
    """

    name: str
    target: str
    folds: int
    seed: int
    comparison: MethodComparison
    environments: tuple[str, ...]
    sampled: tuple[int, int] | None = None

    @classmethod
    def of(cls, results: Iterable[CellResult], definition: str) -> ComparedTable:
        """From the results of one kind of splits of one table, and its `definition_of`."""
        results, known = list(results), json.loads(definition)
        cell = results[0].cell
        return cls(
            cell.dataset.rpartition(":")[0],
            known["target"],
            int(cell.split.partition("-")[0]),
            cell.seed,
            compare_methods(results, known["task"]),
            tuple(sorted({result.environment for result in results})),
            tuple(known["sampled"]) if "sampled" in known else None,
        )


def definition_of(dataset: Dataset) -> str:
    """What a store must know of a table to compare methods on it again."""
    known: dict[str, Any] = {"task": dataset.task, "target": dataset.target_name}
    if dataset.sampled is not None:
        known["sampled"] = dataset.sampled
    return json.dumps(known)


def compared_tables(store: Store) -> list[ComparedTable]:
    """All comparisons in a store; those without two finished splits are left out."""
    tables = store.definitions(KIND)
    found = defaultdict(list)
    for result in store.results():
        if result.cell.dataset in tables:
            found[result.cell.dataset, result.cell.split, result.cell.seed].append(result)
    return [
        ComparedTable.of(results, tables[name])
        for (name, _, _), results in found.items()
        if len({result.cell.number for result in results if result.record}) > 1
    ]


def as_json(tables: Iterable[ComparedTable]) -> str:
    """The comparisons as JSON; a number that is none is null."""
    plain = {"schema": SCHEMA, "tables": [asdict(table) for table in tables]}
    return json.dumps(_finite(plain), ensure_ascii=False, allow_nan=False)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
