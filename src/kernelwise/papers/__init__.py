"""Published tables, to run again and compare with."""

from kernelwise.papers.alignment import table_2 as alignment_table_2
from kernelwise.papers.alignment import table_3 as alignment_table_3
from kernelwise.papers.alignment import table_5 as alignment_table_5
from kernelwise.papers.alignment import table_6 as alignment_table_6
from kernelwise.papers.alignment import table_7 as alignment_table_7
from kernelwise.papers.comparison import TableComparison, compare_with_paper
from kernelwise.papers.entries import Entry
from kernelwise.papers.first_level import table_2 as first_level_table_2
from kernelwise.papers.first_level import table_3 as first_level_table_3
from kernelwise.papers.first_level import table_4 as first_level_table_4
from kernelwise.papers.published import Printed, PublishedTable
from kernelwise.papers.svm_selection import table_1 as svm_table_1
from kernelwise.papers.svm_selection import table_3 as svm_table_3
from kernelwise.papers.svm_selection import table_4 as svm_table_4

TABLES = {
    table.name: table
    for table in (
        first_level_table_2.TABLE,
        first_level_table_3.TABLE,
        first_level_table_4.TABLE,
        alignment_table_2.TABLE,
        alignment_table_3.TABLE,
        alignment_table_5.TABLE,
        alignment_table_6.TABLE,
        alignment_table_7.TABLE,
        svm_table_1.TABLE,
        svm_table_3.TABLE,
        svm_table_4.TABLE,
    )
}

__all__ = [
    "TABLES",
    "Entry",
    "Printed",
    "PublishedTable",
    "TableComparison",
    "compare_with_paper",
]
