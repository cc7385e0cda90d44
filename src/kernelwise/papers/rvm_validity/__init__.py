"""Kropotov, Ryazanov & Vetrov, kernel validity of relevance vector machines: its paper table."""

from kernelwise.papers.rvm_validity import table_1

TABLES = (table_1.TABLE,)
