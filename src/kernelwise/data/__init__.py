"""Tables on their way into an estimator."""

from kernelwise.data.catalogue import Catalogue
from kernelwise.data.columns import match_columns
from kernelwise.data.dataset import Dataset
from kernelwise.data.named_set import NamedSet
from kernelwise.data.reading import read_table, write_table

__all__ = ["Catalogue", "Dataset", "NamedSet", "match_columns", "read_table", "write_table"]
