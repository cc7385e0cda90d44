"""Pérez-Ortiz et al., multi-scale centered kernel-target alignment: its paper tables."""

from kernelwise.papers.alignment import table_2, table_3, table_5, table_6, table_7

TABLES = tuple(table.TABLE for table in (table_2, table_3, table_5, table_6, table_7))
