"""How to come to the same model again, and how to cite it."""

from __future__ import annotations

from typing import Any

from kernelwise.insight.fit_record import FitRecord
from kernelwise.report.document import Code, Paragraph, Section, Table, columns, text_cell


def repeat(record: FitRecord) -> Section:
    """Command or program, seed, versions, and the hash of the table."""
    parts: list[Any] = []
    if record.command:
        parts.append(Code("In the shell", record.command, "shell"))
    parts.append(Code("In Python", program(record), "python"))
    facts = [("seed", record.parameters.get("random_state", "None"))]
    if record.table:
        facts.append(("table", record.table))
    if record.sha256:
        facts.append(("sha256 of the table", record.sha256))
    facts += list(record.versions.items())
    rows = tuple((text_cell(name), text_cell(value)) for name, value in facts)
    parts.append(Table("Where it was made.", columns("What", "Value", texts=(0, 1)), rows))
    cite = f"The kernelwise developers: kernelwise, version {record.versions['kernelwise']}."
    parts.append(Paragraph(f"To cite: {cite}"))
    return Section("repeat", "Repeat", "Repeat this", tuple(parts), is_open=False)


def program(record: FitRecord) -> str:
    """A program that fits the same estimator, its parameters written out."""
    name = "AutoKernelClassifier" if record.task == "classification" else "AutoKernelRegressor"
    given = ", ".join(f"{key}={value}" for key, value in sorted(record.parameters.items()))
    return f"from kernelwise import {name}\n\nmodel = {name}({given})\nmodel.fit(X, y)\n"
