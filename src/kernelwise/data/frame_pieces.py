"""Pieces of typed tables as data frames: row groups of Parquet, batches of Arrow, and slices."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernelwise.data.checks import DataError
from kernelwise.optional import import_optional

if TYPE_CHECKING:
    from pandas import DataFrame

# A piece has about so many numbers, but at least so many rows.
NUMBERS_IN_PIECE, LEAST_ROWS = 4_000_000, 65_536


@dataclass(frozen=True)
class RowGroup:
    """Rows of a row group of a Parquet file.

    A piece that begins in the middle decodes the rows before it in the group, too: groups of one
    piece are read fastest.

    Attributes
    ----------
    path, group : the file, and the number of the group
    number, size : of the piece in the group, and how many rows each but the last has
    rows : of this piece
    columns : to read; None: all
    """

    path: Path
    group: int
    number: int
    size: int
    rows: int
    columns: tuple[str, ...] | None = None

    @property
    def place(self) -> str:
        return (
            f"the rows after row {self.number * self.size} of row group {self.group} of {self.path}"
        )

    def __call__(self) -> "DataFrame":
        parquet = import_optional("pyarrow.parquet", extra="cli")
        with parquet.ParquetFile(self.path) as file:
            columns = None if self.columns is None else list(self.columns)
            batches = file.iter_batches(self.size, row_groups=[self.group], columns=columns)
            return next(islice(batches, self.number, None)).to_pandas(ignore_metadata=True)


@dataclass(frozen=True)
class ArrowRows:
    """Rows of an Arrow table in memory, or of a fragment of an Arrow dataset."""

    source: Any
    schema: Any = None
    columns: tuple[str, ...] | None = None
    place = "a part of the table"

    @property
    def rows(self) -> int:
        if self.schema is None:
            return self.source.num_rows
        # Of a fragment that is some row groups of a file, count_rows counts the file.
        groups = getattr(self.source, "row_groups", None)
        return self.source.count_rows() if groups is None else sum(g.num_rows for g in groups)

    def __call__(self) -> "DataFrame":
        columns = None if self.columns is None else list(self.columns)
        if self.schema is None:
            table = self.source if columns is None else self.source.select(columns)
        else:
            table = self.source.to_table(schema=self.schema, columns=columns)
        return table.to_pandas(ignore_metadata=True)


def parquet_pieces(paths: Sequence[Path]) -> list[RowGroup]:
    """The pieces of Parquet files, one file after the other."""
    parquet = import_optional("pyarrow.parquet", extra="cli")
    pieces = []
    for path in paths:
        try:
            found = parquet.read_metadata(path)
        # A damaged file can make the reader fail in any way.
        except Exception as error:
            reason = str(error).partition("\n")[0].rstrip(". ")
            raise DataError("KW100", f"{path} is not a readable Parquet file: {reason}") from None
        size = rows_in_piece(found.num_columns)
        for group in range(found.num_row_groups):
            rows = found.row_group(group).num_rows
            pieces += [
                RowGroup(path, group, k, size, min(size, rows - k * size))
                for k in range(-(-rows // size))
            ]
    if not pieces:
        raise DataError("KW100", f"{paths[0]} has no rows")
    return pieces


def arrow_pieces(source: Any) -> list[ArrowRows]:
    """The pieces of an Arrow table or dataset."""
    if hasattr(source, "get_fragments"):
        fragments = [
            part
            for fragment in source.get_fragments()
            for part in (
                fragment.split_by_row_group()
                if hasattr(fragment, "split_by_row_group")
                else [fragment]
            )
        ]
        return [ArrowRows(fragment, source.schema) for fragment in fragments]
    size = rows_in_piece(source.num_columns)
    return [ArrowRows(source.slice(first, size)) for first in range(0, source.num_rows, size)]


def rows_in_piece(n_columns: int) -> int:
    return max(LEAST_ROWS, NUMBERS_IN_PIECE // max(n_columns, 1))
