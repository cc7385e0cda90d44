"""Paper tables: published ones, to run again and compare with."""

from kernelwise.papers import alignment, bemkl, first_level, rvm_validity, svm_selection
from kernelwise.papers.comparison import PaperComparison, compare_with_paper
from kernelwise.papers.entries import Entry
from kernelwise.papers.published import Printed, PublishedTable

PAPERS = (first_level, alignment, svm_selection, rvm_validity, bemkl)
# Every published table by its name.
TABLES = {table.name: table for paper in PAPERS for table in paper.TABLES}

__all__ = ["TABLES", "Entry", "PaperComparison", "Printed", "PublishedTable", "compare_with_paper"]
