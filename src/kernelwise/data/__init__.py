"""Tables on their way into an estimator."""

from kernelwise.data.catalogue import Catalogue
from kernelwise.data.checks import Check, DataError
from kernelwise.data.columns import Column
from kernelwise.data.dataset import Dataset, read
from kernelwise.data.long_tables import TableStream, open_rows
from kernelwise.data.matching import match_columns
from kernelwise.data.named_set import NamedSet
from kernelwise.data.reading import read_table, write_table
from kernelwise.data.wishes import Wishes

__all__ = [
    "Catalogue",
    "Check",
    "Column",
    "DataError",
    "Dataset",
    "NamedSet",
    "TableStream",
    "Wishes",
    "match_columns",
    "open_rows",
    "read",
    "read_table",
    "write_table",
]
