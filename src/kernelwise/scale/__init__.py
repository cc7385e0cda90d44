"""Tables of any length: sums over blocks of rows, the same to the last bit however they run."""

from kernelwise.scale.block_sums import BlockSums, tree_sum
from kernelwise.scale.blocked_first_level import FirstLevelEvaluation, first_level_evaluation
from kernelwise.scale.blocked_folds import BlockedFolds
from kernelwise.scale.blocked_objective import BlockedObjective
from kernelwise.scale.engine import Engine
from kernelwise.scale.folds import dealt_folds
from kernelwise.scale.landmarks import drawn_rows
from kernelwise.scale.row_blocks import BlockedRows, RowBlocks
from kernelwise.scale.row_pieces import RowPieces

__all__ = [
    "BlockSums",
    "BlockedFolds",
    "BlockedObjective",
    "BlockedRows",
    "Engine",
    "FirstLevelEvaluation",
    "RowBlocks",
    "RowPieces",
    "dealt_folds",
    "drawn_rows",
    "first_level_evaluation",
    "tree_sum",
]
