"""Tables of any length: sums over blocks of rows, the same to the last bit however they run."""

from kernelwise.scale.blocked_first_level import FirstLevelEvaluation, first_level_evaluation
from kernelwise.scale.blocked_folds import BlockedFolds, dealt_folds
from kernelwise.scale.blocked_objective import BlockedObjective
from kernelwise.scale.landmarks import drawn_rows
from kernelwise.scale.row_blocks import RowBlocks, tree_sum

__all__ = [
    "BlockedFolds",
    "BlockedObjective",
    "FirstLevelEvaluation",
    "RowBlocks",
    "dealt_folds",
    "drawn_rows",
    "first_level_evaluation",
    "tree_sum",
]
