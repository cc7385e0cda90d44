"""Gold & Sollich, Model selection for support vector machines: its paper tables."""

from kernelwise.papers.svm_selection import table_1, table_3, table_4

TABLES = tuple(table.TABLE for table in (table_1, table_3, table_4))
