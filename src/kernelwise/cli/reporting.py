"""The command ``kernelwise report``."""

from pathlib import Path
from typing import Annotated

import typer

from kernelwise.cli import console
from kernelwise.cli.app import app
from kernelwise.cli.learning import Force
from kernelwise.cli.pages import Open, check_page, write_and_say

SQLITE = b"SQLite format 3\0"


@app.command(epilog="Example:  kernelwise report model.skops --out report.html --open")
@console.errors_in_one_line
def report(
    source: Annotated[
        Path,
        typer.Argument(
            help="Model file of kernelwise fit, or store of kernelwise compare.",
            metavar="MODEL|STORE",
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(help="File to write, ending in .html or .md; without one it is printed."),
    ] = None,
    open: Open = False,
    force: Force = False,
) -> None:
    """Write a report on a model, or on the tables compared in a store, from what is kept in it.

    The page is one file that loads nothing else; the same model gives the same bytes.
    """
    if out is not None:
        check_page(out, inputs=[source], overwrite=force)
    elif open:
        raise ValueError("--open shows a file: name it with --out")
    if not source.is_file():
        raise ValueError(f"{source}: no such file")
    from kernelwise.cli import documents

    with source.open("rb") as file:
        is_store = file.read(len(SQLITE)) == SQLITE
    made = documents.of_store(source) if is_store else documents.of_model(source)
    if out is not None:
        write_and_say(made, out, open)
        return
    from kernelwise.cli.showing_documents import show_document

    show_document(made)
