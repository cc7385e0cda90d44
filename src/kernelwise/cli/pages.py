"""Reports that commands write: their options, where they may go, and how they are shown."""

import webbrowser
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kernelwise.cli import console, output
from kernelwise.files import check_can_write

if TYPE_CHECKING:
    from kernelwise.report.document import Document

Open = Annotated[bool, typer.Option("--open", help="Show the report in the browser.")]


@dataclass(frozen=True)
class PageOptions:
    """Whether what was found is written as a report, too."""

    report: Annotated[
        Path | None,
        typer.Option(help="Write all that was found to this file, ending in .html or .md."),
    ] = None
    open: Open = False

    def check(self, inputs: list[Path], overwrite: bool) -> None:
        """Refuse, before any work, a report that could not be written."""
        if self.report is not None:
            check_page(self.report, inputs, overwrite)
        elif self.open:
            raise ValueError("--open shows a report: name its file with --report")

    def write(self, document: "Document") -> None:
        """Write the report, if one was asked for, and say where it is."""
        if self.report is not None:
            write_and_say(document, self.report, self.open)


def check_output(option: str, out: Path, inputs: list[Path], overwrite: bool) -> None:
    """Refuse a file that cannot be written, is read by the same command, or is there already."""
    for path in inputs:
        if out.exists() and path.exists() and out.samefile(path):
            raise ValueError(f"{option} {out} is also an input: choose another name")
    check_can_write(out)
    if out.exists() and not overwrite:
        raise ValueError(f"{out} exists already: choose another name, or overwrite with --force")


def check_page(path: Path, inputs: list[Path], overwrite: bool) -> None:
    """Refuse a report that could not be written."""
    from kernelwise.report import writing

    check_output("--report", path, inputs, overwrite)
    writing.check_page(path)


def write_and_say(document: "Document", path: Path, opens: bool) -> None:
    """Write a report, say where it is and, if wanted, show it."""
    from kernelwise.report.writing import write_page

    write_page(document, path)
    console.say(f"Report:          {path}")
    output.current.put(report=str(path))
    if opens and not webbrowser.open(path.resolve().as_uri()):
        console.note(f"no browser was found to show {path}")
