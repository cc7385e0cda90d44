"""The records that machines return and criteria read, each with the gradient that travels back.

A record has ``targets``, ``n_factorizations``, its ``gradient`` class (a field that it lacks is a
TypeError), ``pullback(gradient) -> (gradients of the Gram blocks, gradient in the machine's
values)`` and, if it can predict, an ``expansion``.
"""

from kernelwise.solutions.gram import GramGradient, GramSolution
from kernelwise.solutions.held_out import HeldOutGradient, HeldOutSolution
from kernelwise.solutions.least_squares import (
    LeastSquaresGradient,
    LeastSquaresSolution,
    tangent_left_out,
)
from kernelwise.solutions.nystrom import NystromGradient, NystromOnRows, NystromSolution
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
from kernelwise.solutions.row_statistics import RowStatistics
from kernelwise.solutions.sampled import SampledSolution, Sampling
from kernelwise.solutions.support_vector import SupportVectorGradient, SupportVectorSolution
from kernelwise.solutions.targets import Expansion, Targets

__all__ = [
    "Expansion",
    "GramGradient",
    "GramSolution",
    "HeldOutGradient",
    "HeldOutSolution",
    "LeastSquaresGradient",
    "LeastSquaresSolution",
    "NormalOutput",
    "NystromGradient",
    "NystromOnRows",
    "NystromSolution",
    "PosteriorGradient",
    "PosteriorSolution",
    "PropagatedSolution",
    "RelevanceVectorGradient",
    "RelevanceVectorSolution",
    "RelevanceVectors",
    "RowStatistics",
    "SampledSolution",
    "Sampling",
    "SupportVectorGradient",
    "SupportVectorSolution",
    "Targets",
    "moderated",
    "tangent_left_out",
]
