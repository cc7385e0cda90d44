"""Groups of options that several commands share, each declared once."""

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any

import typer

from kernelwise.cli.app import names_of
from kernelwise.memory import free_memory

# Memory that a byte of a file takes while its table is read: text becomes a Python object a cell,
# and Parquet is packed.
MEMORY_OF_A_BYTE = 10


@dataclass(frozen=True)
class FileOptions:
    """How a text file is written; what is not given is found out."""

    delimiter: Annotated[
        str | None, typer.Option(help="Between the columns, such as ';' or 'tab'.")
    ] = None
    decimal: Annotated[str | None, typer.Option(help="Decimal mark of numbers: . or ,")] = None
    encoding: Annotated[str | None, typer.Option(help="Such as utf-8, latin-1, utf-16.")] = None
    missing: Annotated[
        str | None,
        typer.Option(help="Texts that alone stand for a gap, separated by commas; '' for none."),
    ] = None

    @property
    def delimiter_character(self) -> str | None:
        named = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";"}
        return self.delimiter and named.get(self.delimiter.lower(), self.delimiter)

    @property
    def missing_texts(self) -> tuple[str, ...] | None:
        if self.missing is None:
            return None
        return tuple(text.strip() for text in self.missing.split(",") if text.strip())


@dataclass(frozen=True)
class FeatureOptions:
    """Which columns to learn from and what they hold, in lists separated by commas."""

    features: Annotated[
        str | None, typer.Option(help="The only columns to learn from, separated by commas.")
    ] = None
    drop: Annotated[str | None, typer.Option(help="Columns to leave out.")] = None
    categorical: Annotated[str | None, typer.Option(help="Columns that hold categories.")] = None
    numeric: Annotated[str | None, typer.Option(help="Columns that hold numbers.")] = None

    def wishes(self, file: FileOptions) -> dict[str, Any]:
        """The arguments of ``kernelwise.data.Wishes``."""
        features = names_of(self.features)
        return {
            "features": None if features is None else tuple(features),
            "drop": tuple(names_of(self.drop) or ()),
            "categorical": tuple(names_of(self.categorical) or ()),
            "numeric": tuple(names_of(self.numeric) or ()),
            "missing": file.missing_texts,
            "decimal": file.decimal,
        }


@dataclass(frozen=True)
class GroupedOptions(FeatureOptions):
    """Also the column of groups."""

    groups: Annotated[
        str | None,
        typer.Option(help="Column whose equal values mark rows to keep together; not a feature."),
    ] = None

    def wishes(self, file: FileOptions) -> dict[str, Any]:
        return super().wishes(file) | {"groups": self.groups}


@dataclass(frozen=True)
class ColumnOptions(GroupedOptions):
    """Also the column of weights."""

    weights: Annotated[
        str | None, typer.Option(help="Column of sample weights; not a feature.")
    ] = None

    def wishes(self, file: FileOptions) -> dict[str, Any]:
        return super().wishes(file) | {"weights": self.weights}


@dataclass(frozen=True)
class InPieces:
    """Whether a table is read in pieces."""

    in_pieces: Annotated[
        bool,
        typer.Option(
            "--in-pieces", help="Never hold all rows in memory; very long files are read so anyway."
        ),
    ] = False

    def are_wanted(self, table: Path) -> bool:
        """Whether a table is to be read in pieces: asked for, a folder, or too long for memory."""
        if self.in_pieces or table.is_dir():
            return True
        free = free_memory()
        if free is None or not table.is_file():
            return False
        return MEMORY_OF_A_BYTE * table.stat().st_size > free


@dataclass(frozen=True)
class PieceOptions(InPieces):
    """Also where the pieces are read."""

    dask: Annotated[
        str | None,
        typer.Option(
            help="Read in pieces on a Dask cluster: 'local', or a scheduler like tcp://host:8786."
        ),
    ] = None

    def are_wanted(self, table: Path) -> bool:
        return self.dask is not None or super().are_wanted(table)


@dataclass(frozen=True)
class OutputOptions:
    """What is printed."""

    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document instead of text.")
    ] = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False


def as_arguments(*groups: Any) -> list[str]:
    """The options of these groups that were given, as they are written on the command line."""
    found = []
    for group in groups:
        for option in fields(group):
            if (value := getattr(group, option.name)) is not None:
                found += [f"--{option.name}", value]
    return found


def _parameters(group: type) -> list[inspect.Parameter]:
    """The fields of a group as keyword parameters."""
    return [
        inspect.Parameter(
            option.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=option.default,
            annotation=option.type,
        )
        for option in fields(group)
    ]


def with_options(**groups: type) -> Callable:
    """Give a command the options of some groups; it gets each group as one argument.

    The groups are dataclasses whose fields are annotated as typer's options; their names are the
    arguments of the command.
    """

    def decorate(command: Callable) -> Callable:
        @functools.wraps(command)
        def gathered(*arguments, **given):
            for name, group in groups.items():
                names = [option.name for option in fields(group)]
                given[name] = group(**{n: given.pop(n) for n in names if n in given})
            return command(*arguments, **given)

        signature = inspect.signature(command)
        own = [p for name, p in signature.parameters.items() if name not in groups]
        parameters = [*own, *(p for group in groups.values() for p in _parameters(group))]
        # What typer reads; mypy does not know that functions have it.
        gathered.__signature__ = signature.replace(parameters=parameters)  # type: ignore
        gathered.__annotations__ = {p.name: p.annotation for p in parameters}
        del gathered.__wrapped__
        return gathered

    return decorate
