"""Documents from files: of a model, and of a store of comparisons."""

from pathlib import Path

from kernelwise.cli import console
from kernelwise.cli.records import checked_record
from kernelwise.data.pipeline import final_step
from kernelwise.persistence import load_model
from kernelwise.report.document import Document
from kernelwise.report.fit_document import fit_document


def of_model(path: Path) -> Document:
    """The report on a fit, from the record in its model file."""
    with console.warnings_as_notes():
        model, _ = load_model(path)
    final = final_step(model)
    if not hasattr(final, "record_"):
        raise ValueError(
            f"{path} has no record to report: fit without --kernel, --machine and --selection"
        )
    return fit_document(checked_record(final, path))
