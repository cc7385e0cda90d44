"""Cawley & Talbot, Kernel Learning at the First Level of Inference: its paper tables."""

from kernelwise.papers.first_level import table_2, table_3, table_4

TABLES = tuple(table.TABLE for table in (table_2, table_3, table_4))
