"""Gönen, Bayesian efficient multiple kernel learning: its paper tables."""

from kernelwise.papers.bemkl import table_1, table_2, table_3, table_4, table_5

TABLES = (*table_1.TABLES, table_2.TABLE, table_3.TABLE, *table_4.TABLES, table_5.TABLE)
