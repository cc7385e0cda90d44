"""Sums of blocks in one fixed binary tree, however neighboring blocks are put together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple


class Branch(NamedTuple):
    """The sum of the blocks from ``number * 2**level`` up to ``(number + 1) * 2**level``."""

    level: int
    number: int
    total: Any

    @property
    def first(self) -> int:
        return self.number << self.level

    @property
    def end(self) -> int:
        return (self.number + 1) << self.level


@dataclass(frozen=True)
class BlockSums:
    """The sum of a run of neighboring blocks, kept as the largest whole branches of the tree.

    Branches of one tree over all block numbers are added in one order only, so that two neighboring
    runs join to what one run over both would have been, to the last bit. A run of n blocks has at
    most ``2 log2 n`` branches.
    """

    branches: tuple[Branch, ...] = ()

    @classmethod
    def of(cls, parts: Iterable[Any], first: int = 0) -> BlockSums:
        """The sum of parts, which belong to the blocks from number ``first`` on."""
        branches: list[Branch] = []
        for index, part in enumerate(parts, first):
            _append(branches, Branch(0, index, part))
        return cls(tuple(branches))

    def __add__(self, after: BlockSums) -> BlockSums:
        """The run and the one right after it; either may be empty."""
        branches = list(self.branches)
        for branch in after.branches:
            _append(branches, branch)
        return BlockSums(tuple(branches))

    @property
    def total(self) -> Any:
        """The sum of all blocks, from the last branch to the first."""
        if not self.branches:
            raise ValueError("there are no rows to sum over")
        *others, last = self.branches
        total = last.total
        for branch in reversed(others):
            total = branch.total + total
        return total


def tree_sum(parts: Iterable[Any]) -> Any:
    """The sum of parts in the order of a binary tree, of which at most ``log2`` are held at a time.

    The order depends on the number of parts alone, so the last bits do, too.
    """
    return BlockSums.of(parts).total


def _append(branches: list[Branch], new: Branch) -> None:
    """Append a branch, and join it with its sibling for as long as that is the one before."""
    if branches and branches[-1].end != new.first:
        raise ValueError(f"blocks {branches[-1].end} and {new.first} are not neighbors")
    while branches and new.number % 2 and branches[-1].level == new.level:
        new = Branch(new.level + 1, new.number // 2, branches.pop().total + new.total)
    branches.append(new)
