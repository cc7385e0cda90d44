"""Tables in files: CSV and Parquet in, CSV and Parquet out."""

from pathlib import Path
from typing import TYPE_CHECKING

from kernelwise.files import written_whole
from kernelwise.optional import import_optional

if TYPE_CHECKING:
    from pandas import DataFrame

SEPARATORS = {".csv": ",", ".tsv": "\t", ".txt": ","}
PARQUET_SUFFIXES = (".parquet", ".pq")


def table_suffix(path: Path) -> str:
    """The suffix that tells a table's format (``.csv`` for ``a.csv.gz``), or a ValueError."""
    name = path.name.lower().removesuffix(".gz")
    suffix = Path(name).suffix
    if suffix not in SEPARATORS and suffix not in PARQUET_SUFFIXES:
        known = ", ".join([*SEPARATORS, *PARQUET_SUFFIXES])
        raise ValueError(f"{path}: unknown kind of table; the name must end in one of {known}")
    return suffix


def read_table(path: str | Path) -> "DataFrame":
    """Read a CSV or Parquet file; a ValueError says what is wrong with one that cannot be read.

    Column names become text. Nothing is converted, imputed or dropped.
    """
    path = Path(path)
    suffix = table_suffix(path)
    if path.is_dir():
        raise ValueError(f"{path} is a folder, not a table")
    if not path.exists():
        raise ValueError(f"{path}: no such file")
    frame = _read_parquet(path) if suffix in PARQUET_SUFFIXES else _read_csv(path, suffix)
    frame.columns = frame.columns.map(str)
    _check_shape(frame, path, suffix)
    return frame


def write_table(frame: "DataFrame", path: str | Path) -> None:
    """Write a table as CSV or Parquet, by the suffix of its name, whole or not at all."""
    path = Path(path)
    suffix = table_suffix(path)
    with written_whole(path) as temporary:
        if suffix in PARQUET_SUFFIXES:
            frame.to_parquet(temporary, index=False)
        else:
            frame.to_csv(temporary, index=False, sep=SEPARATORS[suffix])


def _read_csv(path: Path, suffix: str) -> "DataFrame":
    pd = import_optional("pandas", extra="cli")
    try:
        # Whole columns at once: in chunks, one column can end up with numbers and texts mixed.
        return pd.read_csv(path, sep=SEPARATORS[suffix], skipinitialspace=True, low_memory=False)
    except pd.errors.EmptyDataError:
        raise ValueError(f"{path} is empty: it needs a header line and rows") from None
    except pd.errors.ParserError as error:
        reason = str(error).strip().removeprefix("Error tokenizing data. C error: ")
        raise ValueError(f"{path} is not a well-formed CSV file: {reason}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not UTF-8 text: save it again as CSV in UTF-8") from None
    except (OSError, EOFError) as error:
        raise ValueError(f"{path} cannot be read: {error}") from None


def _read_parquet(path: Path) -> "DataFrame":
    pd = import_optional("pandas", extra="cli")
    import_optional("pyarrow", extra="cli")
    try:
        return pd.read_parquet(path)
    except (OSError, ValueError) as error:  # pyarrow's errors are kinds of these
        reason = str(error).partition("\n")[0].rstrip(". ")
        raise ValueError(f"{path} is not a readable Parquet file: {reason}") from None


def _check_shape(frame: "DataFrame", path: Path, suffix: str) -> None:
    if frame.shape[1] == 1 and suffix in SEPARATORS:
        for name, separator in (("semicolons", ";"), ("tabs", "\t")):
            if separator in frame.columns[0]:
                raise ValueError(
                    f"{path} separates its columns by {name}: save it with commas, "
                    "or name it .tsv if it has tabs"
                )
    if len(frame) == 0:
        raise ValueError(f"{path} has a header but no rows")
    repeated = frame.columns[frame.columns.duplicated()]
    if len(repeated):
        raise ValueError(f"{path} has two columns named '{repeated[0]}': rename one")
