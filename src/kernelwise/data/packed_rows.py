"""Rows as they were read from text, packed in a temporary file that every later pass reads."""

import shutil
import weakref
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

from kernelwise.data.checks import Check, DataError
from kernelwise.data.piece_reading import PieceReading, within
from kernelwise.optional import import_optional
from kernelwise.tables.row_stream import Piece

if TYPE_CHECKING:
    from pandas import DataFrame


class ScratchFolder:
    """A folder for temporary files, removed with this object; pickled copies only know its path."""

    def __init__(self) -> None:
        self.path = Path(mkdtemp(prefix="kernelwise-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


@dataclass(frozen=True)
class PackedPiece:
    """A piece in a temporary Parquet file: a row group, its columns known by their numbers."""

    folder: ScratchFolder
    group: int
    names: tuple[str, ...]
    rows: int

    def __call__(self) -> Piece:
        parquet = import_optional("pyarrow.parquet", extra="cli")
        with parquet.ParquetFile(self.folder.path / "rows.parquet") as file:
            frame = file.read_row_group(self.group).to_pandas(ignore_metadata=True)
        target, weights = (
            frame.pop(name).to_numpy() if name in frame.columns else None
            for name in ("target", "weights")
        )
        frame.columns = list(self.names)
        if target is not None and target.dtype == object:
            target = target.astype(str)
        return Piece(frame, target, weights)


def packed(
    frames: Iterable["DataFrame"], reading: PieceReading
) -> tuple[list[PackedPiece], list[Check]]:
    """Pieces of what was read of some frames, one after the other; and what was odd, once each."""
    arrow = import_optional("pyarrow", extra="cli")
    parquet = import_optional("pyarrow.parquet", extra="cli")
    folder, pieces, before = ScratchFolder(), list[PackedPiece](), 0
    checks: dict[str, Check] = {}
    writer = None
    try:
        for frame in frames:
            try:
                piece, odd = reading.read(frame)
            except DataError as error:
                raise within(f"the rows after row {before}", error) from None
            before += len(frame)
            checks |= {check.code + check.text.partition(":")[0]: check for check in odd}
            if not len(piece.features):
                continue
            names, rows, table = tuple(piece.features), len(piece.features), _table(arrow, piece)
            if writer is None:
                path = folder.path / "rows.parquet"
                writer = parquet.ParquetWriter(path, table.schema, compression="zstd")
            writer.write_table(table, row_group_size=rows)
            pieces.append(PackedPiece(folder, len(pieces), names, rows))
    finally:
        if writer is not None:
            writer.close()
    if not pieces:
        raise DataError("KW404", "the table has no rows with a target")
    return pieces, list(checks.values())


def _table(arrow: Any, piece: Piece) -> Any:
    """A piece as an Arrow table, with the same types whatever its rows hold."""
    columns, types = {}, {}
    for number, name in enumerate(piece.features.columns):
        column, key = piece.features[name], str(number)
        is_number = column.dtype.kind == "f"
        columns[key] = column.to_numpy() if is_number else column.astype(object).to_numpy()
        types[key] = arrow.float64() if is_number else arrow.string()
    for key, values in (("target", piece.target), ("weights", piece.weights)):
        if values is not None:
            is_text = values.dtype.kind == "U"
            columns[key] = values.astype(object) if is_text else values
            types[key] = arrow.string() if is_text else arrow.from_numpy_dtype(values.dtype)
    arrays = {
        key: arrow.array(values, types[key], from_pandas=types[key] == arrow.string())
        for key, values in columns.items()
    }
    return arrow.table(arrays)
