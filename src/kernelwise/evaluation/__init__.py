"""How well a model does on rows it has not seen."""

from kernelwise.evaluation.equal_error import equal_error_rate
from kernelwise.evaluation.fold_records import FoldRecord, measure_fold
from kernelwise.evaluation.honest_error import (
    HonestError,
    folds_for,
    group_folds,
    honest_error,
    possible_folds,
)
from kernelwise.evaluation.intervals import (
    CostAndError,
    ErrorInterval,
    corrected_resampled_interval,
)
from kernelwise.evaluation.nested_cv import NestedResult, nested_cross_validation
from kernelwise.evaluation.outcomes import ALPHA, Outcome
from kernelwise.evaluation.ranking import MeanRanks, mean_ranks
from kernelwise.evaluation.signed_ranks import wilcoxon
from kernelwise.evaluation.statistics import (
    Nemenyi,
    friedman,
    holm,
    holm_adjusted,
    iman_davenport,
    nemenyi,
)
from kernelwise.evaluation.unseen import Unseen, error_of_unseen

__all__ = [
    "ALPHA",
    "CostAndError",
    "ErrorInterval",
    "FoldRecord",
    "HonestError",
    "MeanRanks",
    "Nemenyi",
    "NestedResult",
    "Outcome",
    "Unseen",
    "corrected_resampled_interval",
    "equal_error_rate",
    "error_of_unseen",
    "folds_for",
    "friedman",
    "group_folds",
    "holm",
    "holm_adjusted",
    "honest_error",
    "iman_davenport",
    "mean_ranks",
    "measure_fold",
    "nemenyi",
    "nested_cross_validation",
    "possible_folds",
    "wilcoxon",
]
