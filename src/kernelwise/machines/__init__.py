"""Machines: Gram matrices and targets in, a solution with its way back out."""

from kernelwise.machines.base import Machine
from kernelwise.machines.folded import Folded
from kernelwise.machines.least_squares import LeastSquares
from kernelwise.machines.no_machine import NoMachine
from kernelwise.machines.nystrom import Nystrom, NystromProcess
from kernelwise.machines.posterior.propagated import PosteriorSupportVector
from kernelwise.machines.posterior.sampled import SampledPosterior
from kernelwise.machines.relevance_vector.machine import RelevanceVector
from kernelwise.machines.support_vector.machine import SupportVector

__all__ = [
    "Folded",
    "LeastSquares",
    "Machine",
    "NoMachine",
    "Nystrom",
    "NystromProcess",
    "PosteriorSupportVector",
    "RelevanceVector",
    "SampledPosterior",
    "SupportVector",
]
