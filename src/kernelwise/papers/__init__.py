"""Paper tables: published ones, to run again and compare with."""

from kernelwise.papers import alignment, first_level, svm_selection
from kernelwise.papers.comparison import PaperComparison, compare_with_paper
from kernelwise.papers.entries import Entry
from kernelwise.papers.published import Printed, PublishedTable

TABLES = {
    table.name: table for paper in (first_level, alignment, svm_selection) for table in paper.TABLES
}

__all__ = ["TABLES", "Entry", "PaperComparison", "Printed", "PublishedTable", "compare_with_paper"]
