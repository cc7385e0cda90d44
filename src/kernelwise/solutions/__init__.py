"""The records that machines return and criteria read, each with the gradient that travels back.

A record has ``targets``, ``n_factorizations``, its ``gradient`` class (a field that it lacks is a
TypeError), ``pullback(gradient) -> (gradients of the Gram blocks, gradient in the machine's
values)`` and, if it can predict, an ``expansion``.
"""

from kernelwise.solutions.gram import GramGradient, GramSolution
from kernelwise.solutions.held_out import HeldOut, HeldOutGradient, HeldOutSolution, LeftOut
from kernelwise.solutions.least_squares import LeastSquaresGradient, LeastSquaresSolution
from kernelwise.solutions.linearized import LinearizedLeastSquares
from kernelwise.solutions.nystrom import NystromGradient, NystromSolution, ProcessSolution
from kernelwise.solutions.nystrom_folds import NystromFolds, NystromFoldsGradient
from kernelwise.solutions.nystrom_on_rows import NystromOnRows, NystromOnRowsGradient, ProcessOnRows
from kernelwise.solutions.nystrom_path import NystromOnPath, regularization_path
from kernelwise.solutions.penalized import Penalized
from kernelwise.solutions.posterior import (
    NormalOutput,
    PosteriorGradient,
    PosteriorSolution,
    PropagatedSolution,
)
from kernelwise.solutions.relevance_vector import (
    RelevanceVectorGradient,
    RelevanceVectors,
    RelevanceVectorSolution,
    moderated,
)
from kernelwise.solutions.row_statistics import RowStatistics, StatisticsGradient
from kernelwise.solutions.sampled import SampledSolution, Sampling
from kernelwise.solutions.support_vector import SupportVectorGradient, SupportVectorSolution
from kernelwise.solutions.tangent_sums import LinearizedNystrom, TangentSums
from kernelwise.solutions.targets import Expansion, Targets

__all__ = [
    "Expansion",
    "GramGradient",
    "GramSolution",
    "HeldOut",
    "HeldOutGradient",
    "HeldOutSolution",
    "LeastSquaresGradient",
    "LeastSquaresSolution",
    "LeftOut",
    "LinearizedLeastSquares",
    "LinearizedNystrom",
    "NormalOutput",
    "NystromFolds",
    "NystromFoldsGradient",
    "NystromGradient",
    "NystromOnPath",
    "NystromOnRows",
    "NystromOnRowsGradient",
    "NystromSolution",
    "Penalized",
    "PosteriorGradient",
    "PosteriorSolution",
    "ProcessOnRows",
    "ProcessSolution",
    "PropagatedSolution",
    "RelevanceVectorGradient",
    "RelevanceVectorSolution",
    "RelevanceVectors",
    "RowStatistics",
    "SampledSolution",
    "Sampling",
    "StatisticsGradient",
    "SupportVectorGradient",
    "SupportVectorSolution",
    "TangentSums",
    "Targets",
    "moderated",
    "regularization_path",
]
