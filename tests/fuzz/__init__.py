"""Seeded tables and arrays that nobody would type, and what must come of them.

A seed makes one table (the bytes of a file, and what its author meant by each field) or one set of
arrays for an estimator. ``PYTHONPATH=tests python -m fuzz table 17`` repeats one seed.
"""
