"""How well a model does on rows it has not seen."""

from kernelwise.evaluation.honest_error import HonestError, honest_error, possible_folds
from kernelwise.evaluation.intervals import ErrorInterval, corrected_resampled_interval
from kernelwise.evaluation.outcomes import Outcome
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

__all__ = [
    "ErrorInterval",
    "HonestError",
    "MeanRanks",
    "Nemenyi",
    "Outcome",
    "corrected_resampled_interval",
    "friedman",
    "holm",
    "holm_adjusted",
    "honest_error",
    "iman_davenport",
    "mean_ranks",
    "nemenyi",
    "possible_folds",
    "wilcoxon",
]
