"""How to come to the same model again, and how to cite it."""

from __future__ import annotations

import inspect
import shlex
from typing import Any

import kernelwise
from kernelwise.insight.fit_record import FitRecord
from kernelwise.report.document import Code, Paragraph, Section, Table, columns, text_cell

# Options of the command that change parameters, or nothing, but not how the table is read.
OF_THE_ESTIMATOR = {"--target", "--folds", "--seed", "--time-limit", "--landmarks", "--balanced"}
# What is told by the pipeline that reads the table, and what changes no result.
NOT_SHOWN = ("categorical_features", "n_jobs", "verbose")


def repeat(record: FitRecord) -> Section:
    """Command or program, seed, versions, and the hash of the table."""
    parts: list[Any] = []
    if record.command:
        parts.append(Code("In the shell", record.command, "shell"))
    if (lines := program(record)) is not None:
        parts.append(Code("In Python", lines, "python"))
    facts = {
        "table": record.table,
        "sha256 of the table": record.sha256,
        "random_state": record.parameters.get("random_state"),
        "fitted": record.date,
        "machine": record.machine,
        **record.versions,
    }
    rows = tuple((text_cell(name), text_cell(value)) for name, value in facts.items() if value)
    parts.append(
        Table("What it was made from, and with", columns("What", "Value", texts=(0, 1)), rows)
    )
    version = record.versions["kernelwise"]
    parts.append(
        Paragraph(
            f"To cite: The kernelwise developers, kernelwise {version}, and the papers of "
            "the methods, which its documentation names."
        )
    )
    return Section("repeat", "Repeat", "Repeat this", tuple(parts), is_open=False)


def program(record: FitRecord) -> str | None:
    """A program that fits the same model; None if only the command says how the table is read."""
    name = "AutoKernelClassifier" if record.task == "classification" else "AutoKernelRegressor"
    making = f"{name}({_given(record, name)})"
    if record.command is None or record.sha256 is None:
        known = {"sample_weight": record.weighted, "groups": record.groups is not None}
        given = "".join(f", {key}={key}" for key, is_given in known.items() if is_given)
        return f"from kernelwise import {name}\n\nmodel = {making}.fit(X, y{given})\n"
    options = {word for word in shlex.split(record.command) if word.startswith("--")}
    if not options <= OF_THE_ESTIMATOR:
        return None
    return (
        f"from kernelwise import {name}\n"
        "from kernelwise.data import read\n"
        "from kernelwise.data.pipeline import table_pipeline\n\n"
        f"table = read({record.table!r}, {record.target!r})\n"
        f"model = table_pipeline(table, {making})\n"
        "model.fit(table.features, table.target)\n"
    )


def _given(record: FitRecord, name: str) -> str:
    """The parameters that are not the defaults."""
    defaults = inspect.signature(getattr(kernelwise, name)).parameters
    return ", ".join(
        f"{key}={value}"
        for key, value in record.parameters.items()
        if key not in NOT_SHOWN and (key not in defaults or value != repr(defaults[key].default))
    )
