"""Mutants: small wrong changes of the source, each of which some test must notice."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """One wrong change.

    Attributes
    ----------
    name : what is wrong
    file : path below ``src/kernelwise``
    old, new : text that occurs exactly once in the file, and what takes its place
    tests : paths below ``tests`` (with ``::`` for single tests) that must notice
    """

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


def mutants_of(
    file: str, tests: Sequence[str], *changes: tuple[str, str, str]
) -> tuple[Mutant, ...]:
    """Mutants of one file, which the same tests must notice: (name, old, new) of each."""
    return tuple(Mutant(name, file, old, new, tuple(tests)) for name, old, new in changes)
