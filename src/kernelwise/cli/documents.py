"""Documents from files: of a model, and of a store of comparisons."""

from pathlib import Path

from kernelwise.cli import console
from kernelwise.cli.records import checked_record
from kernelwise.compare.stored import compared_tables
from kernelwise.data.pipeline import final_step
from kernelwise.persistence import load_model
from kernelwise.report.comparison_document import comparison_document
from kernelwise.report.document import Document
from kernelwise.report.fit_document import fit_document
from kernelwise.runs import Store


def of_store(path: Path) -> Document:
    """The report on all comparisons of tables in a store."""
    with Store(path) as store:
        tables = compared_tables(store)
    if not tables:
        raise ValueError(
            f"{path} holds no comparison of methods on a table, or none with two finished splits: "
            "run kernelwise compare with this --store (paper tables have pages: kernelwise "
            "reproduce --pages)"
        )
    return comparison_document(tables)


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
