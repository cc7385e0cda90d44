"""Tables of any length as streams of pieces: files, Arrow tables and Dask collections."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from kernelwise.data.checks import Check, DataError
from kernelwise.data.dataset import _several
from kernelwise.data.file_bytes import MARKS
from kernelwise.data.frame_pieces import ArrowRows, RowGroup, arrow_pieces, parquet_pieces
from kernelwise.data.packed_rows import packed
from kernelwise.data.piece_reading import PieceReading, reading_of, within
from kernelwise.data.reading import PARQUET_SUFFIXES
from kernelwise.data.target import Task
from kernelwise.data.text_chunks import TextFile
from kernelwise.data.wishes import Wishes
from kernelwise.optional import import_optional
from kernelwise.scale.dask_cluster import DaskCluster, is_lazy
from kernelwise.scale.engine import Engine
from kernelwise.tables.lazy_rows import LazyRows
from kernelwise.tables.row_stream import Piece, RowStream

if TYPE_CHECKING:
    from pandas import DataFrame

# Pieces that are looked at, and rows of them in all, to decide how columns are read.
LOOKED_AT, LOOKED_ROWS = 16, 20_000
# Columns that pandas adds to a file for row labels without a name.
ROW_LABELS = "__index_level_"


@dataclass(frozen=True, repr=False)
class TableStream(RowStream):
    """A table in pieces, each read in the same way.

    Attributes
    ----------
    given : functions that give a `Piece` each, or Dask's
    reading : how columns and target are read; None: as they are
    checks : what was seen where the reading was decided, and in a text file further down
    client : as in `RowStream`
    """

    given: tuple[Any, ...]
    reading: PieceReading | None = None
    checks: tuple[Check, ...] = ()
    client: Any = None

    @property
    def n_rows(self) -> int | None:
        """How many rows there are, with those without a target; None if only reading can tell."""
        return _count(self.given)

    def pieces(self) -> Sequence[Any]:
        return self.given


def open_rows(
    source: Any,
    target: Any = None,
    *,
    task: Task | Literal["auto"] = "auto",
    delimiter: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    missing: Sequence[str] | None = None,
    features: Sequence[str] | None = None,
    drop: Sequence[str] = (),
    categorical: Sequence[str] = (),
    numeric: Sequence[str] = (),
    weights: Any = None,
    like: TableStream | None = None,
) -> TableStream:
    """A table that need not fit in memory, to fit or to predict; its ``checks`` say what was seen.

    Columns are read as `kernelwise.data.read` reads them, but what each holds is decided on some
    thousand rows from all over the table. Further texts among numbers or dates are gaps, with a
    warning. Rows without a target are left out.

    Parameters
    ----------
    source : a Parquet file, several, or a folder of them, read by row groups; a text file with
        delimiters, which is read once and packed in a temporary file; a pyarrow Table or Dataset; a
        Dask data frame; a Dask array of numbers
    target, weights : columns to predict, and of sample weights; beside an array, arrays
    task, delimiter, decimal, encoding, missing : as in `kernelwise.data.read`
    features, drop, categorical, numeric : as there
    like : a stream of the table that a model was fitted on; the new one is read the same way

    Examples
    --------
    >>> rows = kernelwise.data.open_rows("flights.parquet", target="late")   # doctest: +SKIP
    """
    if hasattr(source, "to_delayed") and hasattr(source, "chunks"):
        return TableStream(tuple(LazyRows(source, target, weights).pieces()))
    wishes = Wishes(
        features=None if features is None else _several(features),
        drop=_several(drop),
        categorical=_several(categorical),
        numeric=_several(numeric),
        weights=weights,
        missing=None if missing is None else _several(missing),
        decimal=decimal,
    )
    decide = partial(_decided, target=target, task=task, wishes=wishes, like=like)
    seen = look(source, delimiter=delimiter, encoding=encoding)
    reading, checks = decide(seen.sample, seen.delimiter)
    if seen.text is not None:
        pieces, odd = packed(seen.text.chunks(), reading)
        return TableStream(tuple(pieces), reading, (*checks, *odd))
    given = tuple(_read_by(reading, frame) for frame in seen.frames)
    return TableStream(given, reading, checks)


@dataclass(frozen=True, eq=False)
class Look:
    """Some rows from all over a long table: what is decided about it before it is read.

    Attributes
    ----------
    sample : the rows
    frames : what gives the data frame of each piece; of a text file there are none
    text : the text file
    """

    sample: "DataFrame"
    frames: Sequence[Any] = ()
    text: TextFile | None = None

    @property
    def delimiter(self) -> str | None:
        return None if self.text is None else self.text.delimiter

    @property
    def n_rows(self) -> int | None:
        """All rows of the table; None if only reading can tell, as of text."""
        return None if self.text is not None else _count(self.frames)

    def each(self, columns: Sequence[str]) -> Iterator["DataFrame"]:
        """Data frames of all pieces, one after the other, with some columns."""
        if self.text is not None:
            yield from (frame[list(columns)] for frame in self.text.chunks())
        for frame in self.frames:
            yield replace(frame, columns=tuple(columns))()


def look(source: Any, *, delimiter: str | None = None, encoding: str | None = None) -> Look:
    """Look into a table at some places; parameters as in `open_rows`."""
    if isinstance(source, (str, Path)) and (path := _text_file(Path(source))) is not None:
        file = TextFile.of(path, delimiter, encoding)
        return Look(_sample_of_text(file), text=file)
    frames = _frames(source)
    return Look(_sample(frames), frames)


def _decided(
    sample: "DataFrame",
    delimiter: str | None = None,
    *,
    target: str | None,
    task: Task | Literal["auto"],
    wishes: Wishes,
    like: TableStream | None,
) -> tuple[PieceReading, tuple[Check, ...]]:
    if like is None or like.reading is None:
        return reading_of(sample, target, task, wishes, delimiter)
    if target is not None:
        return like.reading, ()
    return replace(like.reading, target=None, task=None, weights=None), ()


def _sample_of_text(file: TextFile) -> "DataFrame":
    pd = import_optional("pandas", extra="cli")
    first = next(file.chunks(), None)
    if first is None:
        raise DataError("KW100", f"{file.path} has a header but no rows")
    return pd.concat([_thinned(first, LOOKED_ROWS), *file.looks()], ignore_index=True)


def _text_file(path: Path) -> Path | None:
    """The path, if it is a file of text."""
    if path.is_dir():
        return None
    if not path.exists():
        raise DataError("KW100", f"{path}: no such file")
    with open(path, "rb") as file:
        start = file.read(16)
    kind = next((name for name, mark in MARKS.items() if start.startswith(mark)), "text")
    if kind not in ("text", "parquet"):
        advice = "save it as Parquet or CSV, or read it whole with kernelwise.data.read"
        raise DataError("KW100", f"{path} is a {kind} file, which is not read in pieces", advice)
    return path if kind == "text" else None


def _frames(source: Any) -> list[Any]:
    """What gives the data frame of each piece."""
    if hasattr(source, "to_delayed") and hasattr(source, "columns"):
        return list(source.to_delayed())
    if hasattr(source, "get_fragments") or hasattr(source, "num_columns"):
        return arrow_pieces(source)
    if isinstance(source, (str, Path)) and Path(source).is_dir():
        files = sorted(p for p in Path(source).rglob("*") if p.suffix in PARQUET_SUFFIXES)
        if not files:
            raise DataError("KW100", f"{source} is a folder without Parquet files")
        return parquet_pieces(files)
    if isinstance(source, (str, Path)):
        return parquet_pieces([Path(source)])
    if isinstance(source, (list, tuple)) and all(isinstance(p, (str, Path)) for p in source):
        return parquet_pieces([Path(path) for path in source])
    raise TypeError(
        "open_rows takes a file, a list of Parquet files, a folder of them, a pyarrow Table or "
        f"Dataset, or a Dask collection; got {type(source).__name__}"
    )


def _sample(frames: Sequence[Any]) -> "DataFrame":
    """Rows from all over the table."""
    pd = import_optional("pandas", extra="cli")
    places = np.unique(np.linspace(0, len(frames) - 1, min(LOOKED_AT, len(frames))).astype(int))
    some = [frames[place] for place in places]
    parts = Engine().each(partial(_thinned, most=-(-LOOKED_ROWS // len(some))), some)
    sample = pd.concat(parts, ignore_index=True)
    return sample[[name for name in sample.columns if not str(name).startswith(ROW_LABELS)]]


def _count(pieces: Sequence[Any]) -> int | None:
    """The rows of all pieces; None of Dask's, which do not know."""
    return None if any(map(is_lazy, pieces)) else sum(piece.rows for piece in pieces)


def _thinned(frame: "DataFrame", most: int) -> "DataFrame":
    return frame.iloc[:: -(-len(frame) // most) or 1]


def _read_by(reading: PieceReading, frame: Any) -> Any:
    """What gives a piece, from what gives its data frame."""
    if is_lazy(frame):
        return DaskCluster().task(reading)(frame)
    return _ReadFrame(reading, replace(frame, columns=tuple(reading.used)))


@dataclass(frozen=True)
class _ReadFrame:
    reading: PieceReading
    frame: RowGroup | ArrowRows

    @property
    def rows(self) -> int:
        return self.frame.rows

    def __call__(self) -> Piece:
        frame = self.frame()
        try:
            return self.reading(frame)
        except DataError as error:
            raise within(self.frame.place, error) from None
